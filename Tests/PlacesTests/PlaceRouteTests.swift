import Answers
import Contracts
import Foundation
import Routing
import ServiceKit
import Support
import Testing

@testable import Places

/// What the routes about places take, and what they refuse.
@Suite struct PlaceRouteTests {
    private static let pier = """
        {"lat": "22.2866", "lon": "114.1610", "name": "Central Pier 7", "licence": "© somebody",
         "display_name": "Central Pier 7, Man Kwong Street, Hong Kong"}
        """

    private func bench(_ url: URL) async throws -> Bench {
        try await Bench(
            geocoder: GeocoderConfig(
                server: .init(
                    url: url, contact: "maps@example.com", perSecond: 1_000, limit: patience)))
    }

    @Test func placesAreLookedForInTheAreasAndInTheAskersLanguage() async throws {
        let server = PretendServer(.answering("[\(Self.pier)]"))
        try await server.serve { url in
            let bench = try await bench(url)
            try await bench.run { caller in
                let answer = try await caller.call(
                    .get, "/v1/places?query=%20Central%20Pier%207%20", as: .alice,
                    headers: [.acceptLanguage: "zh-Hant, en;q=0.5"])
                #expect(answer.status == 200)
                let places = try answer.expect(200, PlacesAnswer.self)
                #expect(places.source == .geocoder)
                #expect(places.attribution == "© somebody")
                #expect(places.items.first?.name == "Central Pier 7")
                _ = try await caller.call(
                    .get, "/v1/places?query=Pier&latitude=22.25&longitude=114.26&limit=3",
                    as: .victor)
                _ = try await caller.call(
                    .get, "/v1/places?query=Pier", as: .victor,
                    headers: [.acceptLanguage: "en\"<script>"])
            }
        }
        let asked = server.asked.map(\.query)
        #expect(asked.count == 3)
        #expect(asked[0]["q"] == "Central Pier 7")
        #expect(asked[0]["accept-language"] == "zh-Hant, en;q=0.5")
        #expect(asked[0]["viewbox"] == "114.10000,22.30000,114.30000,22.20000", "both areas")
        #expect(asked[0]["limit"] == "8")
        #expect(asked[1]["viewbox"] == "114.20000,22.30000,114.30000,22.20000", "the nearest")
        #expect(asked[1]["limit"] == "3")
        #expect(asked[2]["accept-language"] == "en", "what is no language is not passed on")
    }

    @Test func aPointIsGivenWords() async throws {
        try await PretendServer(.answering(Self.pier)).serve { url in
            let bench = try await bench(url)
            try await bench.run { caller in
                let answer = try await caller.call(
                    .get, "/v1/places/reverse?latitude=22.2866&longitude=114.161", as: .olivia)
                #expect(answer.status == 200)
                let places = try answer.expect(200, PlacesAnswer.self)
                #expect(places.items.map(\.name) == ["Central Pier 7"])
            }
        }
    }

    @Test func withoutAGeocoderCoordinatesAreUnderstood() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let typed = try await caller.call(
                .get, "/v1/places?query=22.2819,%20114.1556", as: .alice
            ).expect(200, PlacesAnswer.self)
            #expect(typed.source == .coordinates)
            #expect(typed.items.map(\.latitude) == [22.2819])
            #expect(typed.items.map(\.address) == ["22.28190, 114.15560"])
            let words = try await caller.call(.get, "/v1/places?query=Pier", as: .alice)
            #expect(
                String(decoding: words.data, as: UTF8.self)
                    == #"{"attribution":null,"items":[],"source":"coordinates"}"#)
            let point = try await caller.call(
                .get, "/v1/places/reverse?latitude=1&longitude=2", as: .alice
            ).expect(200, PlacesAnswer.self)
            #expect(point.source == .coordinates)
            #expect(point.items.map(\.address) == ["1.00000, 2.00000"])
        }
    }

    @Test(arguments: [
        ("/v1/places", "query"), ("/v1/places?query=", "query"), ("/v1/places?query=x", "query"),
        ("/v1/places?query=%20x%20", "query"), ("/v1/places?query=a%00b", "query"),
        ("/v1/places?query=" + String(repeating: "x", count: 201), "query"),
        ("/v1/places?query=Pier&limit=0", "limit"), ("/v1/places?query=Pier&limit=21", "limit"),
        ("/v1/places?query=Pier&limit=many", "limit"),
        ("/v1/places?query=Pier&latitude=1", "longitude"),
        ("/v1/places?query=Pier&longitude=1", "latitude"),
        ("/v1/places?query=Pier&latitude=91&longitude=1", "latitude"),
        ("/v1/places/reverse", "latitude"), ("/v1/places/reverse?latitude=1", "longitude"),
        ("/v1/places/reverse?latitude=nan&longitude=1", "latitude"),
        ("/v1/places/reverse?latitude=1&longitude=181", "longitude"),
    ])
    func aBadFieldIsRefused(_ path: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.get, path, as: .alice)
            try answer.refused(422, "request.invalid", field: field)
        }
    }

    @Test(arguments: ["/v1/places?query=Pier", "/v1/places/reverse?latitude=1&longitude=2"])
    func whoIsNotSignedInMayAskToo(_ path: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.get, path)
            #expect(answer.status == 200)
        }
    }
}
