import Contracts
import Foundation
import Geo
import Store
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

    @Test(arguments: [
        "valetta", "Vallettta", "alletta", "valltta", "vlaletta", "valeta", "Vallet",
        "Valetta Malta",
    ])
    func aMistypedNameIsFound(text: String) throws {
        let index = try index([
            point(10, #""place":"city","name":"Valletta Malta""#),
            point(10.1, #""amenity":"bar","name":"Vault""#),
        ])
        #expect(try names(text, in: index).first == "Valletta Malta")
    }

    @Test func whatIsSpeltSoComesFirst() throws {
        let index = try index([
            point(10, #""shop":"books","name":"Marsh Books""#),
            point(11, #""shop":"books","name":"March Books""#),
            point(12, #""place":"town","name":"Marsa""#),
        ])
        // The other is nearer.
        let here = Coordinate(latitude: 50, longitude: 11)
        #expect(
            try names("marsh", in: index, around: here) == ["Marsh Books", "Marsa", "March Books"])
        // Nobody means anything else who says all of a name.
        #expect(try names("marsa", in: index, around: here) == ["Marsa"])
        #expect(try names("marsh boks", in: index).first == "Marsh Books")
        #expect(try names("mrash boks", in: index).first == "Marsh Books")
    }

    @Test func numbersAreMeantAsTheyAre() throws {
        let index = try index([
            point(10, #""addr:housenumber":"12","addr:street":"Queens Road""#),
            point(10.1, #""addr:housenumber":"128","addr:street":"Queens Road""#),
        ])
        #expect(try names("12 quens raod", in: index) == ["Queens Road 12"])
        #expect(try names("13 queens road", in: index) == ["Queens Road 12", "Queens Road 128"])
        #expect(try names("queens road 12", in: index).first == "Queens Road 12")
    }

    @Test(arguments: [
        ("8 queens rd", "Queens Road 8 B"), ("8b queens", "Queens Road 8 B"),
        ("road queens b 8", "Queens Road 8 B"), ("street zammit", "Triq iz-Zammit"),
        ("triq zamit", "Triq iz-Zammit"), ("st mary", "Saint Mary"),
        ("runebergink. 5", "Runeberginkatu 5"),
        ("5 runeb", "Runeberginkatu 5"), ("runebergsg. 5", "Runeberginkatu 5"),
    ])
    func streetsAreFoundAsPeopleWriteThem(text: String, name: String) throws {
        let index = try index([
            point(10, #""addr:housenumber":"8 B","addr:street":"Queens Road""#),
            line(50, #""highway":"residential","name":"Triq iz-Zammit""#),
            point(10.1, #""name":"Saint Mary""#),
            line(
                50.1, #""highway":"residential","name":"Runeberginkatu","name:sv":"Runebergsgatan""#
            ),
            point(10.2, #""addr:housenumber":"5","addr:street":"Runeberginkatu""#),
        ])
        #expect(try names(text, in: index).first == name)
    }

    /// Its town only tells which.
    @Test func aStreetComesBeforeWhatIsInIt() throws {
        let index = try index([
            point(10, #""place":"town","name":"Valletta""#),
            line(50.01, #""highway":"residential","name":"Republic Street""#),
            point(10.001, #""shop":"books","name":"Books","addr:street":"Republic Street""#),
            point(10.002, #""shop":"books","name":"Valletta Republic Press""#),
        ])
        let found = try names("republic st valletta", in: index)
        #expect(
            found.prefix(2) == ["Republic Street, Valletta", "Books, Republic Street, Valletta"])
        #expect(try names("valletta", in: index).first == "Valletta")
    }

    /// Which had no vocabulary: nothing mistyped is found, all else is.
    @Test func aMapOfAnEarlierReleaseIsRead() throws {
        let path = "\(folder.path)/earlier.sqlite"
        try SQLiteFile.make(path) { transaction in
            for statement in [
                """
                CREATE TABLE entries (
                    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, latitude REAL NOT NULL,
                    longitude REAL NOT NULL, folded TEXT NOT NULL, names TEXT, number TEXT,
                    street TEXT, locality TEXT)
                """,
                "CREATE VIRTUAL TABLE words USING fts5(text, cell, content='', tokenize='ascii', prefix='1 2 3')",
                "INSERT INTO words (rowid, text, cell) VALUES (1, '8 queens road valletta', 'c1400x1900')",
                """
                INSERT INTO entries VALUES
                    (1, 3, 50.05, 10.05, '', NULL, '8', '{"":"Queens Road"}', '{"":"Valletta"}')
                """,
            ] {
                try transaction.execute(statement)
            }
        }
        let index = try AddressIndex(path)
        let here = Coordinate(latitude: 50, longitude: 10)
        for text in ["8 queens road", "queens rd 8", "8 que", "valletta"] {
            #expect(
                try names(text, in: index, around: here) == ["8 Queens Road, Valletta"], "\(text)")
        }
        #expect(try names("8 quens road", in: index, around: here) == [])
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
