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

    private func point(
        _ longitude: Double, _ tags: String, latitude: Double = 50
    ) -> String {
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},\
        "properties":{\(tags)}}
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
            TypedAddress(text), around: center, within: box, limit: limit
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
        let found = try index.search(TypedAddress("pier"), around: nil, within: box, limit: 20)
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

    /// If no house has them. The number of the house is not left out before them.
    @Test(arguments: [
        ("koivukuja 5 b 12", "Koivukuja 5"), ("Koivukuja 5B", "Koivukuja 5"),
        ("Koivukuja 5 as. 3", "Koivukuja 5"), ("koivukuja 5 bst 3", "Koivukuja 5"),
        ("Koivukuja 5 A lgh 1102", "Koivukuja 5"), ("Koivukuja 5, 2. krs", "Koivukuja 5"),
        ("Koivukuja 5/12", "Koivukuja 5"), ("Koivukuja 5-7", "Koivukuja 5"),
        ("Flat 21, 5 Koivukuja", "Koivukuja 5"), ("Apt 4B 5 Koivukuja", "Koivukuja 5"),
        ("21/5 Koivukuja", "Koivukuja 5"), ("Koivukuja 5 #21", "Koivukuja 5"),
        ("koivukja 5 b 12", "Koivukuja 5"), ("2nd floor, 5 Koivukuja", "Koivukuja 5"),
        // A staircase of its own, with a flat that isn't on the map.
        ("Koivukuja 48 C 21", "Koivukuja 48 C"), ("Koivukuja 48 D 21", "Koivukuja 48"),
        ("Koivukuja 48 c, as 21", "Koivukuja 48 C"), ("Koivukuja 48D21", "Koivukuja 48"),
        ("Koivukuja48", "Koivukuja 48"), ("Koivukuja n:o 48", "Koivukuja 48"),
        ("Koivukuja nº 48", "Koivukuja 48"), ("Koivukuja 48½", "Koivukuja 48"),
        ("2/1 5 Koivukuja", "Koivukuja 5"), ("5 ter Koivukuja", "Koivukuja 5"),
        ("Tower 2, 5 Koivukuja", "Koivukuja 5"), ("Koivukuja, 5, 2º izq", "Koivukuja 5"),
        ("Koivukuja s/n", "Koivukuja"),
        // No such house: the street, and no house with the number of a flat.
        ("Koivukuja 6 B 12", "Koivukuja"), ("Koivukuja 7 C 21", "Koivukuja"),
        ("Koivukuja 9 as 5", "Koivukuja"), ("Flat 5, 9 Koivukuja", "Koivukuja"),
    ])
    func staircasesAndFlatsAreLeftOut(text: String, address: String) throws {
        let road = #""addr:street":"Koivukuja""#
        let index = try index([
            line(50, #""highway":"residential","name":"Koivukuja""#),
            point(10.001, #""addr:housenumber":"5",\#(road)"#),
            point(10.002, #""addr:housenumber":"21",\#(road)"#),
            point(10.003, #""addr:housenumber":"48 C",\#(road)"#),
            point(10.004, #""addr:housenumber":"48",\#(road)"#),
            point(10.005, #""amenity":"cafe","name":"Cafe C","addr:housenumber":"21",\#(road)"#),
        ])
        #expect(try names(text, in: index).first == address)
    }

    /// Although only the shop has all the words.
    @Test func aHouseComesBeforeAShopInItThatBeginsLikeItsStaircase() throws {
        let road = #""addr:housenumber":"5","addr:street":"Koivukuja""#
        let index = try index([
            point(10.001, road), point(10.001, #""amenity":"bar","name":"Bar",\#(road)"#),
        ])
        #expect(try names("koivukuja 5 b", in: index) == ["Koivukuja 5", "Bar, Koivukuja 5"])
        #expect(try names("koivukuja 5 bar", in: index) == ["Bar, Koivukuja 5"])
    }

    @Test(arguments: [
        "Koivukuja 50, 00100 Helsinki", "Koivukuja 50, 00100 Helsinki, Finland",
        "Koivukuja 50, Finland", "Koivukuja 50, FI-00100 Helsinki", "Koivukuja 50 Suomi",
        "Koivukuja 50, FIN-00100 HELSINKI, SUOMI", "Koivukuja 50, 00100", "50 Koivukuja, 00100",
        "Koivukuja 50 B 3, 00100 Helsinki, Finland", "00100 Helsinki, Koivukuja 50",
        "Koivukuja 50; 00100 Espoo", "Koivukuja 50, Espoo, Uusimaa, Finland",
        "Koivukuja 50\n00100 Helsinki\nFinland", "Koivukja 50, 00100 Helsinki, Finland",
        "Helsinki, Koivukuja 50", "Koivukuja, 50, 00100 Helsinki", "Koivukuja 50, 00100 Helsniki",
        // Postcodes of Sweden and Czechia, and abbreviations.
        "SE-111 22 Helsinki, Koivukuja 50", "111 22 Helsinki Koivukuja 50",
        "Koivukuja 50, 111 22 Helsinki", "Koivukuj. 50 10827 Helsinki",
        "Talo Toivola, 50, Koivukuja, Helsinki",
    ])
    func postcodeTownAndCountryMayFollow(text: String) throws {
        let index = try index([
            point(10, #""place":"city","name":"Helsinki""#),
            line(50, #""highway":"residential","name":"Koivukuja""#),
            point(10.001, #""addr:housenumber":"50","addr:street":"Koivukuja""#),
            point(10.002, #""amenity":"bank","name":"Bank of Finland","addr:street":"Koivukuja""#),
        ])
        #expect(try names(text, in: index).first == "Koivukuja 50, Helsinki")
    }

    @Test(arguments: [
        ("8 Queens Road, London SW1A 1AA", "8 Queens Road, London"),
        ("8 queens rd london sw1a 1aa", "8 Queens Road, London"),
        ("8 Queens Road, London, United Kingdom", "8 Queens Road, London"),
        ("8 Queens Road London UK", "8 Queens Road, London"),
        ("Flat 3, 8 Queens Road, London SW1A 1AA, England", "8 Queens Road, London"),
        ("3/8 Queens Road", "8 Queens Road, London"),
        ("8 Queens Road Chelsea London", "8 Queens Road, London"),
        ("8 Queens Road Sometown", "8 Queens Road, London"),
        // A street that is called like a country.
        ("5 Rue de France", "Rue de France, London"), ("8 Rue de Lyon", "8 Rue de Lyon, London"),
        ("8 e queens road", "E Queens Road, London"),
        ("8 Other Road", nil), ("9 High Street, London", nil),
    ])
    func partsOfAnAddressFollowItsNumberOrPrecedeIt(text: String, address: String?) throws {
        let britain = #""addr:country":"GB""#
        let index = try index([
            point(10, #""place":"city","name":"London""#),
            point(10.001, #""addr:housenumber":"8","addr:street":"Queens Road",\#(britain)"#),
            point(10.002, #""addr:housenumber":"5","addr:street":"Rue de Lyon",\#(britain)"#),
            point(10.003, #""addr:housenumber":"8","addr:street":"Rue de Lyon",\#(britain)"#),
            line(50, #""highway":"residential","name":"Rue de France""#),
            line(50.001, #""highway":"residential","name":"E Queens Road""#),
        ])
        #expect(try names(text, in: index).first == address)
    }

    @Test(arguments: [
        ("Haupt Str. 12a", "Hauptstraße 12a"), ("Haupt-Straße 12", "Hauptstraße 12"),
        ("Berlinerstr. 7", "Berliner Straße 7"), ("Berlinerstraße", "Berliner Straße"),
        ("Hauptstraße Hausnr. 12", "Hauptstraße 12"), ("Hauptstr. 12, 3. OG", "Hauptstraße 12"),
        ("Hauptsraße 12a, 10827 Berlin", "Hauptstraße 12a"), ("Hauptstr. 12b", "Hauptstraße 12"),
        ("Straße des 17 Juni 135 B 3", "Straße des 17. Juni 135"),
        ("Straße des 17. Juni 99", "Straße des 17. Juni"),
        ("Unit 3, 5 Tower Road", "Tower Road 5"), ("5 Tower Road, Flat 7", "Tower Road 5"),
        ("Невский пр., 10", "Невский проспект 10"), ("Невский пр-т, д.10", "Невский проспект 10"),
        ("Невский проспект, 10к2", "Невский проспект 10"),
    ])
    func streetsAndNumbersAreReadHoweverTheyAreJoined(text: String, address: String) throws {
        let houses = [
            ("Hauptstraße", "12"), ("Hauptstraße", "12a"), ("Berliner Straße", "7"),
            ("Straße des 17. Juni", "135"), ("Tower Road", "5"), ("Невский проспект", "10"),
        ]
        let index = try index(
            houses.enumerated().flatMap { place, house in
                [
                    line(
                        50 + Double(place) / 1_000,
                        #""highway":"residential","name":"\#(house.0)""#),
                    point(
                        10.001, #""addr:housenumber":"\#(house.1)","addr:street":"\#(house.0)""#,
                        latitude: 50 + Double(place) / 1_000),
                ]
            })
        #expect(try names(text, in: index).first == address)
    }

    /// The town tells which of two streets is meant, also if it does not have that house.
    @Test func theStreetOfTheTypedTownComesBeforeAHouseInAnother() throws {
        let road = #""highway":"residential","name":"High Street""#
        let index = try index([
            point(10, #""place":"town","name":"Aberdon""#), line(50, road),
            point(10.001, #""addr:housenumber":"7","addr:street":"High Street""#),
            point(10, #""place":"town","name":"Bristow""#, latitude: 51),
            line(51, road),
        ])
        #expect(try names("High Street 7, Bristow", in: index).first == "High Street, Bristow")
        #expect(try names("High Street 7, Aberdon", in: index).first == "High Street 7, Aberdon")
        #expect(try names("High Street 7, Elsewhere", in: index).first == "High Street 7, Aberdon")
    }

    /// The town of the postal address, where another one is nearer.
    @Test func aHouseIsFoundByThePostalTown() throws {
        let index = try index([
            point(10, #""place":"town","name":"Gzira""#),
            point(
                10.001,
                #""addr:housenumber":"50","addr:street":"Tower Road","addr:city":"Sliema""#),
            point(
                10.02,
                #""addr:housenumber":"50","addr:street":"Tower Road","addr:city":"Msida""#),
        ])
        let found = try index.search(
            TypedAddress("Tower Road 50 Msida"), around: nil, within: nil, limit: 5)
        #expect(found.map(\.entry.at.longitude) == [10.02])
    }

    @Test(arguments: [
        ("測試大道中99", "99"), ("測試大道中99號", "99"), ("測試大道中99号", "99"),
        ("測試大道中99號地下", "99"), ("測試大道中 99 號 12樓 A室", "99"),
        ("香港測試大道中99號", "99"), ("香港中環測試大道中99號", "99"), ("測試大道中99A號", "99"),
        ("測試大道中99號12樓", "99"), ("No. 99 Sample Road Central", "99"),
        ("no 99 sample road central, hong kong", "99"), ("#99 Sample Road Central", "99"),
        ("測試大道中九十九號", "99"), ("99 Sample Rd. C., Hong Kong", "99"),
        ("香港特別行政區香港島中西區中環測試大道中99號創紀之城第一期12樓1201室", "99"),
        ("Nr. 99 Sample Road Central", "99"), ("Shop 3, G/F, 99 Sample Road Central", "99"),
        ("Flat A, 12/F, 99 Sample Road Central, Hong Kong", "99"), ("測試大道中98號", nil),
        ("No. 98 Sample Road Central", nil),
    ])
    func signsOfANumberAreLeftOut(text: String, number: String?) throws {
        let index = try index([
            line(
                50,
                #""highway":"primary","name":"測試大道中","name:en":"Sample Road Central""#),
            point(10.001, #""addr:housenumber":"99","addr:street":"測試大道中""#),
            point(10.001, #""addr:housenumber":"12","addr:street":"測試大道中""#),
            point(10.002, #""addr:housenumber":"99","addr:street":"大道東""#),
        ])
        let found = try #require(
            try index.search(TypedAddress(text), around: nil, within: nil, limit: 5).first)
        #expect(found.entry.number == number)
        let street = found.entry.street ?? found.entry.names
        #expect(street?.best([]) == "測試大道中")
    }

    @Test(arguments: [
        ("rantapolku", "Rantatie"), ("rantapolku 5", "Rantatie 5"), ("steissi", "Asema"),
        ("central station", "Asema"), ("päärautatieasema", "Asema"), ("vanha asema", "Asema"),
        ("stn", "Asema"), ("strandstigen", "Rantatie"), ("toinen polku 5", "Rantatie 5"),
        ("kolmas polku", "Rantatie"), ("vasen polku", "Rantatie"), ("stigi", "Rantatie"),
    ])
    func furtherNamesAreFoundAndTheNameIsShown(text: String, address: String) throws {
        let road =
            #""highway":"residential","name":"Rantatie","old_name:sv":"Strandstigen","#
            + #""alt_name_1":"Toinen polku","name_1":"Kolmas polku","name:left":"Vasen polku","#
            + #""nickname":"Stigi""#
        let station = [
            #""railway":"station","name":"Asema","loc_name":"Steissi","short_name":"Stn""#,
            #""official_name":"Päärautatieasema","old_name":"Vanha asema;Toinen asema""#,
            #""alt_name:en":"Central Station""#,
        ]
        let index = try index([
            line(50, #"\#(road),"alt_name":"Rantapolku""#),
            point(10.001, #""addr:housenumber":"5","addr:street":"Rantatie""#),
            point(10.01, station.joined(separator: ",")),
        ])
        let found = try #require(
            try index.search(TypedAddress(text), around: nil, within: nil, limit: 5).first)
        #expect(found.entry.place([]).address == address)
        // Whatever language somebody reads.
        #expect(found.entry.place(["alt_name", "sv", "en"]).address == address)
    }

    @Test(arguments: [
        ("14", "12-16"), ("12", "12-16"), ("12-16", "12-16"), ("13", nil), ("5", "5;7"),
        ("7", "5;7"),
        ("2", "1-3"), ("21c", "21a-d"), ("33", "33, 2. krs"), ("40", "40"), ("42", "38-44"),
        ("99", "97\u{2013}101"), ("61", "62-60"), ("263", "263-2"),
        ("100", nil),
    ])
    func aNumberOfARangeIsItsHouse(number: String, found: String?) throws {
        func house(_ at: Double, _ number: String, _ more: String = "") -> String {
            point(at, #""addr:housenumber":"\#(number)","addr:street":"Koivukuja"\#(more)"#)
        }
        let index = try index([
            line(50, #""highway":"residential","name":"Koivukuja""#), house(10.001, "12-16"),
            house(10.002, "5;7"), house(10.003, "1-3", #","addr:interpolation":"all""#),
            house(10.004, "21a-d"), house(10.005, "33, 2. krs"), house(10.006, "38-44"),
            house(10.0061, "40"), house(10.007, "97\u{2013}101"),
            house(10.008, "62-60", #","addr:interpolation":"all""#), house(10.009, "263-2"),
        ])
        let first = try #require(
            try index.search(
                TypedAddress("Koivukuja \(number)"), around: nil, within: nil, limit: 5
            ).first)
        #expect(first.entry.number == found)
    }

    /// A line of 0.01 degrees from house 2 to house 10, and how far along another one is.
    @Test(arguments: [
        ("even", "2", "10", "6", 0.5), ("even", "2", "10", "4", 0.25),
        ("even", "10", "2", "4", 0.75),
        ("even", "2", "10", "5", nil), ("all", "2", "10", "5", 0.375), ("odd", "1", "9", "3", 0.25),
        ("odd", "1", "9", "4", nil), ("alphabetic", "5a", "5e", "5c", 0.5),
        ("3", "1", "7", "4", 0.5), ("Even", "2", "10", "6", 0.5), ("all", "7", "7c", "7b", 2.0 / 3),
        ("yes", "2", "10", "6", nil), ("even", "2", "9000", "6", nil), ("even", "2", "x", "6", nil),
    ])
    func aHouseBetweenTwoEndsIsOnTheirLine(
        kind: String, first: String, last: String, number: String, share: Double?
    ) throws {
        let index = try index([
            line(50.001, #""highway":"residential","name":"Länsitie""#),
            point(10, #""addr:housenumber":"\#(first)","addr:street":"Länsitie""#),
            point(10.01, #""addr:housenumber":"\#(last)","addr:street":"Länsitie""#),
            line(50, #""addr:interpolation":"\#(kind)""#),
        ])
        let found = try #require(
            try index.search(
                TypedAddress("Länsitie \(number)"), around: nil, within: nil, limit: 5
            ).first?.entry)
        #expect(found.number == share.map { _ in number })
        guard let share else { return }
        #expect(found.street?.best([]) == "Länsitie")
        #expect(abs(found.at.longitude - 10 - 0.01 * share) < 1e-6)
        #expect(abs(found.at.latitude - 50) < 1e-6)
    }

    /// The line has the street, its points only numbers; one in the middle is known.
    @Test func aLineMayHaveTheStreetOfItsHouses() throws {
        let index = try index([
            point(10, #""addr:housenumber":"1""#), point(10.01, #""addr:housenumber":"9""#),
            line(50, #""addr:interpolation":"odd","addr:street":"Länsitie""#),
            point(10.004, #""addr:housenumber":"5","addr:street":"Länsitie""#),
        ])
        func longitude(_ number: Int) throws -> Double? {
            let found = try index.search(
                TypedAddress("Länsitie \(number)"), around: nil, within: nil, limit: 5
            ).first?.entry
            return found?.number == "\(number)" ? found?.at.longitude : nil
        }
        #expect(try longitude(1) == 10)
        #expect(try longitude(9) == 10.01)
        #expect(try longitude(5) == 10.004, "the mapped house, not the estimate")
        #expect(abs(try #require(try longitude(3)) - 10.0025) < 1e-6)
    }

    /// The numbers between a range and another house.
    @Test func aRangeMayBeAnEndOfALine() throws {
        let index = try index([
            point(10, #""addr:housenumber":"1-3","addr:street":"Länsitie""#),
            point(10.01, #""addr:housenumber":"7","addr:street":"Länsitie""#),
            line(50, #""addr:interpolation":"odd""#),
        ])
        let found = try index.search(
            TypedAddress("Länsitie 5"), around: nil, within: nil, limit: 5
        ).first?.entry
        #expect(found?.number == "5")
        #expect(abs(try #require(found?.at.longitude) - 10.005) < 1e-6)
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
            // No country is tagged nearby: it is that of the time zone, Prague's.
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
            #expect(TimeZones.zone(at: point)?.country == country)
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
