import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Maps

/// The index alone, of features that are written here.
@Suite struct AddressIndexTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("addresses") }

    private func index(_ features: [String]) throws -> AddressIndex {
        try folder.write(features.joined(separator: "\n") + "\n", to: "features")
        _ = try AddressIndexMaker.make(
            "\(folder.path)/addresses.sqlite", from: folder.url.appending(path: "features"))
        return try AddressIndex("\(folder.path)/addresses.sqlite")
    }

    private func point(_ longitude: Double, _ tags: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),50]},"properties":{\(tags)}}
        """
    }

    private func line(_ latitude: Double, _ tags: String) -> String {
        """
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10,\(latitude)],[10.01,\(latitude)]]},\
        "properties":{\(tags)}}
        """
    }

    private func names(
        _ text: String, in index: AddressIndex, around center: Coordinate? = nil,
        within box: BoundingBox? = nil, limit: Int = 20
    ) throws -> [String] {
        try index.search(
            SearchWords.of(text), around: center, within: box, limit: limit
        ).map { $0.entry.place([]).address }
    }

    /// Far more fit than are looked at: those nearby are found first nevertheless.
    @Test func whatIsNearComesFirst() throws {
        let shops = (0..<1_000).map { number in
            point(
                Double(number) / 10 + 0.05, #""shop":"bakery","name":"Corner Shop \#(number)""#)
        }
        let index = try index(shops.shuffled())
        let here = Coordinate(latitude: 50, longitude: 77.08)
        let found = try names("corner sh", in: index, around: here, limit: 3)
        #expect(found == ["Corner Shop 770", "Corner Shop 771", "Corner Shop 769"])
    }

    @Test func anExactNameComesBeforeOneThatOnlyBeginsSo() throws {
        let index = try index([
            point(10.001, #""amenity":"cafe","name":"Park Café""#),
            point(10.05, #""leisure":"park","name":"Park""#),
        ])
        let here = Coordinate(latitude: 50, longitude: 10)
        #expect(try names("park", in: index, around: here) == ["Park", "Park Café"])
    }

    @Test func onlyWhatLiesInTheRectangleIsFound() throws {
        let index = try index([
            point(10, #""name":"Pier""#), point(11, #""name":"Pier""#),
            point(12, #""name":"Pier""#),
        ])
        let box = BoundingBox(south: 49, west: 10.5, north: 51, east: 11.5)
        let found = try index.search(["pier"], around: nil, within: box, limit: 20)
        #expect(found.map(\.entry.at.longitude) == [11])
    }

    @Test func aStreetOfManyPiecesIsOne() throws {
        let road = #""highway":"residential","name":"Long Road""#
        let index = try index([line(50, road), line(50.001, road), line(50.002, road)])
        #expect(try names("long road", in: index) == ["Long Road"])
        // Of any piece.
        let near = try #require(
            try index.nearest(to: Coordinate(latitude: 50.00205, longitude: 10.005)))
        #expect(near.entry.names?.best([]) == "Long Road")
        #expect((5...6).contains(near.meters))
        #expect(try index.nearest(to: Coordinate(latitude: 50.02, longitude: 10.005)) == nil)
    }

    @Test func whereThereIsNoSuchHouseItIsTheStreet() throws {
        let index = try index([
            line(50, #""highway":"residential","name":"Queens Road""#),
            point(10.005, #""addr:housenumber":"8","addr:street":"Queens Road""#),
        ])
        #expect(try names("8 queens road", in: index) == ["Queens Road 8"])
        #expect(try names("queens road 8", in: index) == ["Queens Road 8"])
        #expect(try names("99 queens road", in: index) == ["Queens Road", "Queens Road 8"])
        #expect(try names("queens", in: index) == ["Queens Road", "Queens Road 8"])
        #expect(try names("99", in: index) == [])
    }

    @Test func anAddressComesBeforeWhatIsAtIt() throws {
        let road = #""addr:street":"Aleksanterinkatu""#
        let shop = #""shop":"clothes","name":"Marimekko","addr:housenumber":"50",\#(road)"#
        let index = try index([
            line(
                50,
                #""highway":"pedestrian","name":"Aleksanterinkatu","name:sv":"Alexandersgatan""#),
            point(10.001, shop), point(10.0011, #""addr:housenumber":"50",\#(road)"#),
            point(10.0001, #""addr:housenumber":"5",\#(road)"#),
            point(10.0002, #""addr:housenumber":"50 B",\#(road)"#),
        ])
        // The shop is nearer.
        let here = Coordinate(latitude: 50, longitude: 10.0009)
        for text in ["aleksanterinkatu 50", "50 aleksanterinkatu", "alexandersgatan 50"] {
            let found = try names(text, in: index, around: here)
            #expect(
                found == [
                    "Aleksanterinkatu 50", "Aleksanterinkatu 50 B",
                    "Marimekko, Aleksanterinkatu 50",
                ], "\(text)")
        }
        // Half typed: houses with that number, then other numbers that begin so.
        #expect(try names("50 aleks", in: index, around: here).first == "Aleksanterinkatu 50")
        #expect(
            try names("aleksanterinkatu 5", in: index, around: here).first == "Aleksanterinkatu 5")
        #expect(try names("marimekko", in: index).first == "Marimekko, Aleksanterinkatu 50")
    }

    /// Of two countries in one extract; who says nothing writes as those around do.
    @Test func aHouseIsWrittenAsItsCountryDoes() throws {
        let index = try index([
            point(10, #""addr:housenumber":"1","addr:street":"Rue","addr:country":"FR""#),
            point(10.001, #""addr:housenumber":"2","addr:street":"Rue","addr:country":"FR""#),
            point(10.002, #""addr:housenumber":"3","addr:street":"Rue""#),
            point(10.003, #""addr:housenumber":"4","addr:street":"Rue","addr:country":"DE""#),
            point(10.004, #""addr:housenumber":"5","addr:street":"Rue","addr:country":"France""#),
            // Near nobody who says: by the nearest time zone, Berlin's.
            point(13, #""addr:housenumber":"6","addr:street":"Weg""#),
        ])
        #expect(
            try names("rue", in: index).sorted() == ["1 Rue", "2 Rue", "3 Rue", "5 Rue", "Rue 4"])
        #expect(try names("weg", in: index) == ["Weg 6"])
        for (latitude, longitude, country) in [
            (60.17, 24.94, "FI"), (53.35, -6.26, "IE"), (35.9, 14.51, "MT"),
            (22.28, 114.16, "HK"), (51.5, -0.12, "GB"), (40.7, -74, "US"),
        ] {
            let point = Coordinate(latitude: latitude, longitude: longitude)
            #expect(TimeZones().nearest(to: point)?.country == country)
            #expect(HouseOrder.isNumberFirst(in: country) == (country != "FI"))
        }
        #expect(!HouseOrder.isNumberFirst(in: nil))
    }

    @Test(arguments: [
        "", "\"", "a\" OR \"b", "*", "text : a", "NEAR(a b)", "a AND", "(", "🅿️", "  ",
        String(repeating: "long ", count: 40),
    ])
    func whateverSomebodyTypesIsNoQueryOfTheirs(text: String) throws {
        let index = try index([point(10, #""name":"Pier""#)])
        #expect(try names(text, in: index) == [])
    }

    @Test func whatIsNoFeatureIsAnErrorAndMakesNoFile() throws {
        #expect(throws: DecodingError.self) { try index([#"{"type":"Feature"}"#]) }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/addresses.sqlite"))
    }
}
