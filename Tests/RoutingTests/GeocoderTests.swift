import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import ServiceKit
import Support
import Testing

@testable import Routing

/// Geocoder against a server that answers as Nominatim's documentation has it.
@Suite struct PlaceTests {
    private static let pier = """
        {"place_id": 100149, "licence": "Data © OpenStreetMap contributors, ODbL 1.0.",
         "osm_type": "way", "osm_id": 107775, "boundingbox": ["22.2", "22.3", "114.1", "114.2"],
         "lat": "22.2936", "lon": "114.1688", "category": "amenity", "type": "ferry_terminal",
         "place_rank": 30, "importance": 0.4, "addresstype": "amenity", "name": "Star Ferry Pier",
         "display_name": "Star Ferry Pier, Salisbury Road, Tsim Sha Tsui, Hong Kong",
         "address": {"road": "Salisbury Road", "country_code": "hk"}}
        """
    private static let found = FoundPlace(
        latitude: 22.2936, longitude: 114.1688, name: "Star Ferry Pier",
        address: "Star Ferry Pier, Salisbury Road, Tsim Sha Tsui, Hong Kong")
    private let point = Coordinate(latitude: 22.2936, longitude: 114.1688)
    private let clock = TestClock()

    private func places(
        _ url: URL, perSecond: Double = 1_000, limit: Duration = patience,
        breaker: CircuitBreaker = CircuitBreaker(threshold: 1_000)
    ) throws -> Geocoder {
        let source = JSONSource(
            "test", url, client: HTTPClient.shared,
            .init(time: limit, largestAnswer: 128 * 1_024), breaker: breaker)
        return Geocoder(Nominatim(source, perSecond: perSecond), clock: clock.serviceClock)
    }

    private func search(_ text: String, limit: Int = 8, language: String = "en") -> PlaceSearch {
        PlaceSearch(
            text: text, limit: limit, language: language,
            within: BoundingBox(south: 22.2, west: 114.1, north: 22.3, east: 114.2))
    }

    @Test func aPlaceIsFoundByItsWords() async throws {
        let server = PretendServer(.answering("[\(Self.pier)]"))
        try await server.serve { url in
            let answer = try await places(url).search(search("天星碼頭 & co", language: "zh-Hant"))
            #expect(answer.source == .geocoder)
            #expect(answer.items == [Self.found])
            #expect(answer.attribution == "Data © OpenStreetMap contributors, ODbL 1.0.")
        }
        let asked = try #require(server.asked.first)
        #expect(asked.path == "/search")
        #expect(
            asked.query == [
                "format": "jsonv2", "q": "天星碼頭 & co", "limit": "8", "accept-language": "zh-Hant",
                "viewbox": "114.10000,22.30000,114.20000,22.20000", "bounded": "1",
            ])
    }

    @Test func aPointIsGivenWords() async throws {
        let server = PretendServer(.answering(Self.pier))
        try await server.serve { url in
            let answer = try await places(url).reverse(point, language: "en")
            #expect(answer.source == .geocoder)
            #expect(answer.items == [Self.found])
        }
        let asked = try #require(server.asked.first)
        #expect(asked.path == "/reverse")
        #expect(
            asked.query == [
                "format": "jsonv2", "lat": "22.29360", "lon": "114.16880", "zoom": "18",
                "accept-language": "en",
            ])
    }

    @Test func whereNothingIsThePointIsTheAnswer() async throws {
        try await PretendServer(.answering(#"{"error":"Unable to geocode"}"#)).serve { url in
            let answer = try await places(url).reverse(point, language: "en")
            #expect(answer == Geocoder.bare(point))
            #expect(answer.source == .coordinates)
            #expect(answer.items.first?.address == "22.29360, 114.16880")
        }
    }

    @Test func theUserAgentSaysWhoAsks() async throws {
        let server = PretendServer(.answering("[]"))
        try await server.serve { url in
            let config = GeocoderConfig(
                server: .init(
                    url: url, contact: "maps@example.com", perSecond: 1_000, limit: patience))
            let places = Geocoder(
                MapsConfig(folder: nil), config, client: HTTPClient.shared,
                clock: clock.serviceClock)
            let answer = await places.search(search("Pier"))
            #expect(answer.items.isEmpty)
            #expect(answer.source == .geocoder, "asked, and there is none")
        }
        #expect(server.asked.first?.userAgent == "OpenValet (maps@example.com)")
    }

    @Test func answersAreRemembered() async throws {
        let server = PretendServer(.answering("[\(Self.pier)]"))
        try await server.serve { url in
            let places = try places(url)
            for text in ["Star Ferry", "star ferry", "STAR FERRY"] {
                #expect(await places.search(search(text)).items == [Self.found])
            }
            #expect(server.asked.count == 1)
            _ = await places.search(search("Star Ferry", language: "zh-Hant"))
            #expect(server.asked.count == 2, "in another language it is another question")
            clock.advance(by: Geocoder.rememberedSeconds)
            _ = await places.search(search("Star Ferry"))
            #expect(server.asked.count == 3)
        }
    }

    @Test func failuresAreNotRemembered() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            let places = try places(url)
            #expect(await places.search(search("Star Ferry")).source == .coordinates)
            server.set(.answering("[\(Self.pier)]"))
            #expect(await places.search(search("Star Ferry")).source == .geocoder)
        }
    }

    @Test func theServerIsAskedNoFasterThanItAllows() async throws {
        let server = PretendServer(.answering("[]"))
        try await server.serve { url in
            let places = try places(url, perSecond: 0.01)
            let answers = [
                await places.search(search("one")), await places.search(search("two")),
                await places.reverse(point, language: "en"),
            ]
            #expect(answers.map(\.source) == [.geocoder, .coordinates, .coordinates])
            #expect(server.asked.count == 1)
        }
    }

    @Test(arguments: [
        ("22.2819, 114.1556", 22.2819, 114.1556), ("22.2819,114.1556", 22.2819, 114.1556),
        ("22.2819 114.1556", 22.2819, 114.1556), (" -33.85 ,  151 ", -33.85, 151),
        ("22.2819，114.1556", 22.2819, 114.1556), ("+1.5; -2.5", 1.5, -2.5),
        ("22.2819° 114.1556°", 22.2819, 114.1556),
    ])
    func typedCoordinatesAreUnderstoodWithoutAsking(
        _ text: String, _ latitude: Double, _ longitude: Double
    ) async throws {
        let server = PretendServer(.answering("[\(Self.pier)]"))
        try await server.serve { url in
            let answer = try await places(url).search(search(text))
            #expect(answer.source == .coordinates)
            #expect(answer.items.map(\.latitude) == [latitude])
            #expect(answer.items.map(\.longitude) == [longitude])
        }
        #expect(server.asked.isEmpty)
    }

    @Test(arguments: [
        "12 34", "91, 0", "0, 181", "1.5", "1.5, 2.5, 3.5", "nan, nan", "1e1, 2e1", "0x1, 0x2",
        "Nathan Road 12", ", ", "",
    ])
    func whatAreNoCoordinatesIsNotTakenForThem(_ text: String) async {
        #expect(Geocoder.coordinate(in: text) == nil)
        let nobody = Geocoder(nil, clock: clock.serviceClock)
        let answer = await nobody.search(search(text))
        #expect(answer == PlacesAnswer(items: [], source: .coordinates, attribution: nil))
    }

    @Test(arguments: [
        "", "{}", "null", "[1]", "<html>", #"{"error":1}"#, #"[{"lat":1}]"#,
    ])
    func anAnswerThatIsNoneIsNotTaken(_ text: String) async throws {
        try await PretendServer(.answering(text)).serve { url in
            let places = try places(url)
            #expect(await places.search(search("Pier")).items.isEmpty)
            #expect(await places.reverse(point, language: "en") == Geocoder.bare(point))
        }
    }

    @Test func itemsThatAreNoPlaceAreLeftOut() async throws {
        let items = [
            #"{"lat":"91","lon":"0","display_name":"North"}"#,
            #"{"lat":"nan","lon":"0","display_name":"Nowhere"}"#,
            #"{"lat":"1","display_name":"Half"}"#, #"{"lat":"1","lon":"2"}"#,
            #"{"lat":"1","lon":"2","name":" ","display_name":"A\u0000B\n\tC"}"#, Self.pier,
            Self.pier,
        ]
        try await PretendServer(.answering("[\(items.joined(separator: ","))]")).serve { url in
            let answer = try await places(url).search(search("Pier", limit: 2))
            #expect(answer.items.count == 2, "no more than were asked for")
            #expect(answer.items.first?.name == nil)
            #expect(answer.items.first?.address == "A B C")
        }
    }

    @Test func longWordsAreCutWhereTheyMayBe() {
        let long = Array(repeating: "Nathan Road", count: 30).joined(separator: ", ")
        let line = Geocoder.line(long, most: 200)
        #expect((line?.count ?? 0) <= 200)
        #expect(line?.hasSuffix("Nathan Road") == true)
        #expect(Geocoder.line(String(repeating: "路", count: 500), most: 200)?.count == 200)
        #expect(Geocoder.line(" \n ", most: 200) == nil)
        #expect(Geocoder.line("a", most: 200) == "a")
    }

    @Test func aGeocoderInTroubleMakesNothingFail() async throws {
        let server = PretendServer(.failing(500))
        try await server.serve { url in
            for mood in [
                PretendServer.Mood.failing(500), .failing(403), .failing(429), .failing(404), .huge,
                .dripping,
            ] {
                server.set(mood)
                let limit: Duration = mood == .dripping ? .milliseconds(200) : patience
                let finder = try places(url, limit: limit)
                #expect(await finder.search(search("Pier")).source == .coordinates)
                #expect(await finder.reverse(point, language: "en") == Geocoder.bare(point))
            }
        }
        let silent = try Listener()
        let url = try #require(URL(string: "http://127.0.0.1:\(silent.port)"))
        let finder = try places(url, limit: .milliseconds(200))
        #expect(await finder.search(search("Pier")).source == .coordinates)
    }
}

@Suite struct RoutingConfigTests {
    private func router(_ values: [String: String]) throws -> RouterConfig {
        try RouterConfig(ConfigValues(values, keys: RouterConfig.keys + MapsConfig.keys))
    }

    private func geocoder(_ values: [String: String]) throws -> GeocoderConfig {
        try GeocoderConfig(ConfigValues(values, keys: GeocoderConfig.keys))
    }

    @Test func withoutSettingsThereIsNeither() throws {
        #expect(try router([:]).router == .none)
        #expect(try geocoder([:]).server == nil)
    }

    @Test func routersAreNamed() throws {
        let url = try #require(URL(string: "http://127.0.0.1:8002"))
        let values = ["OPENVALET_ROUTER_URL": url.absoluteString]
        let valhalla = try router(values.merging(["OPENVALET_ROUTER": "valhalla"]) { $1 })
        #expect(valhalla.router == .valhalla(url))
        #expect(valhalla.attribution == "© OpenStreetMap contributors")
        let osrm = try router(values.merging(["OPENVALET_ROUTER": "osrm"]) { $1 })
        #expect(osrm.router == .osrm(url))
        let own = ["OPENVALET_ROUTER": "maps", "OPENVALET_MAPS": "/maps"]
        #expect(try router(values.merging(own) { $1 }).router == .maps(url, folder: "/maps"))
        #expect(try router(values).router == .none)
    }

    @Test(arguments: [
        ["OPENVALET_ROUTER": "google", "OPENVALET_ROUTER_URL": "http://127.0.0.1"],
        ["OPENVALET_ROUTER": "valhalla"],
        ["OPENVALET_ROUTER": "maps", "OPENVALET_ROUTER_URL": "http://127.0.0.1"],
        ["OPENVALET_ROUTER": "maps", "OPENVALET_MAPS": "/maps"],
        ["OPENVALET_ROUTER": "osrm", "OPENVALET_ROUTER_URL": "ftp://127.0.0.1"],
        ["OPENVALET_ROUTER_ATTRIBUTION": String(repeating: "x", count: 201)],
    ])
    func whatCantBeARouterStopsTheStart(_ values: [String: String]) {
        #expect(throws: ConfigError.self) { try router(values) }
    }

    @Test(arguments: [
        ["OPENVALET_GEOCODER_URL": "http://127.0.0.1"],
        ["OPENVALET_GEOCODER_URL": "nowhere", "OPENVALET_GEOCODER_CONTACT": "a@example.com"],
        ["OPENVALET_GEOCODER_URL": "http://127.0.0.1", "OPENVALET_GEOCODER_CONTACT": "a\r\nb: c"],
        ["OPENVALET_GEOCODER_PER_SECOND": "0"], ["OPENVALET_GEOCODER_PER_SECOND": "often"],
    ])
    func whatCantBeAGeocoderStopsTheStart(_ values: [String: String]) {
        #expect(throws: ConfigError.self) { try geocoder(values) }
    }
}
