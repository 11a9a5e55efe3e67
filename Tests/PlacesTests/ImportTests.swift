import Answers
import Contracts
import Foundation
import Geo
import Maps
import ServiceKit
import Support
import Testing

@testable import Places

/// Vendors of files and of maps.
struct ImportTests {
    private static let header = "id,name,kind,latitude,longitude,openingHours,acceptsStamps"

    private func take(
        _ text: String, _ caller: Caller, name: String = "list"
    ) async throws -> VendorImport {
        try await take(Data(text.utf8), caller, name: name)
    }

    private func take(
        _ data: Data, _ caller: Caller, name: String = "list"
    ) async throws -> VendorImport {
        let begun = try await caller.call(
            .post, "/v1/admin/vendor-imports?name=\(name)", raw: data, as: .olivia,
            headers: [.contentType: "text/csv"]
        ).expect(202, VendorImport.self)
        #expect(begun.status == .running && begun.done == 0)
        try await caller.bench.importAll(begun.id)
        return try await caller.call(.get, "/v1/admin/vendor-imports/\(begun.id)", as: .olivia)
            .expect(200, VendorImport.self)
    }

    private func all(_ caller: Caller) async throws -> [Vendor] {
        try await caller.call(.get, "/v1/admin/vendors?limit=100", as: .olivia)
            .expect(200, Page<Vendor>.self).items
    }

    @Test func goodRowsGoInAndTheOthersAreListed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let text = """
                \u{FEFF}\(Self.header)\r
                1,"Is-Suq, ""the"" market",foodMarket,35.8971,14.5136,Mo-Sa 07:00-22:00,yes\r
                2,,grocery,35.9,14.5,,\r
                3,Nowhere,grocery,95,14.5,,\r
                4,Palace,palace,35.9,14.5,,\r
                5,Short,grocery\r
                6,"Two
                lines",church,35.9,14.5,whenever,\r
                7,Stamps,grocery,35.9,14.5,,perhaps\r
                """
            let done = try await take(text, caller)
            #expect(done.status == .done && done.rows == 7 && done.done == 7)
            #expect(done.added == 1 && done.refusedCount == 6)
            #expect(done.refused.map(\.line) == [3, 4, 5, 6, 7, 9])
            #expect(
                done.refused.map(\.field)
                    == ["name", "position.latitude", "kind", nil, "name", "acceptsStamps"])
            let names = try await all(caller).map(\.name)
            #expect(names == ["Is-Suq, \"the\" market"])
        }
    }

    /// As spreadsheets of most of Europe write it, and those that name the separator first.
    @Test(arguments: [
        (";", ""), ("\t", ""), ("|", ""), (";", "sep=;\r\n"), ("\t", "SEP=\t\n"), (",", "sep=,\n"),
        (";", "\u{FEFF}"),
    ])
    func anySeparatorAndADecimalCommaAreRead(_ separator: String, _ start: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let rows = [
                Self.header.split(separator: ",").map(String.init),
                [
                    "1", "\"Suq; the, market\"", "foodMarket", "\"35,8971\"", "\"14,5136\"",
                    "24/7", "yes",
                ],
                ["2", "Point", "grocery", "35.9", "-14.5", "\"Mo off; Tu 08:00-12:00\"", ""],
                ["3", "Minus", "grocery", "\u{2212}35.25", "\"14,25\"", "", ""],
                ["4", "Far", "grocery", "\"95,5\"", "14.5", "", ""],
                ["5", "None", "grocery", "\"35,9,1\"", "14.5", "", ""],
                ["6", "Thousand", "grocery", "\"1,035.9\"", "14.5", "", ""],
            ]
            let lines = rows.map { $0.joined(separator: separator) }
            let done = try await take("\(start)\(lines.joined(separator: "\r\n"))\r\n", caller)
            #expect(done.added == 3 && done.refusedCount == 3)
            let first = start.hasPrefix("s") || start.hasPrefix("S") ? 6 : 5
            #expect(done.refused.map(\.line) == [first, first + 1, first + 2])
            #expect(
                done.refused.map(\.field) == ["position.latitude", "latitude", "latitude"])
            let found = try await all(caller)
            let byName = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
            #expect(
                byName["Suq; the, market"]?.position
                    == Coordinate(latitude: 35.8971, longitude: 14.5136))
            #expect(byName["Point"]?.position == Coordinate(latitude: 35.9, longitude: -14.5))
            #expect(byName["Point"]?.openingHours == "Mo off; Tu 08:00-12:00")
            #expect(byName["Minus"]?.position == Coordinate(latitude: -35.25, longitude: 14.25))
        }
    }

    /// Without quotes, as most programs write numbers.
    @Test func aDecimalCommaNeedsNoQuotesBetweenSemicolons() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let done = try await take(
                "name;kind;latitude;longitude\nA;grocery;60,1699;24,9384\n", caller)
            #expect(done.added == 1 && done.refusedCount == 0)
            #expect(
                try await all(caller).map(\.position)
                    == [Coordinate(latitude: 60.1699, longitude: 24.9384)])
        }
    }

    /// As people name columns and write degrees; the empty row is none.
    @Test(
        .withoutDatabase,
        arguments: [
            ("60.17", "24.94", 60.17, 24.94), ("60,17°", "24,94°", 60.17, 24.94),
            ("60.17 N", "24.94° W", 60.17, -24.94), ("s60.17", "e 24.94", -60.17, 24.94),
            ("+6,017E+01", "-24.94", 60.17, -24.94), ("60.17 E", "24.94", nil, nil),
            ("-60.17 S", "24.94", nil, nil), ("0x3C", "24.94", nil, nil),
            ("N60.17N", "24.94", nil, nil), ("60 10 12", "24.94", nil, nil),
        ] as [(String, String, Double?, Double?)])
    func columnsAndDegreesAreReadAsPeopleWriteThem(
        _ lat: String, _ lng: String, _ latitude: Double?, _ longitude: Double?
    ) throws {
        let text = "\u{200B}Name;KIND;Lat;lng\u{A0};Colour\nA;Grocery;\(lat);\(lng);red\n;;;;\n"
        let rows = try VendorFile(Data(text.utf8)).rows(0..<2).map(\.row)
        guard case .leftOut = rows[1] else {
            Issue.record("an empty row")
            return
        }
        switch rows[0] {
        case .vendor(let vendor):
            #expect(vendor.body.name == "A" && vendor.body.kind == .grocery)
            #expect(vendor.body.position.latitude == latitude)
            #expect(vendor.body.position.longitude == longitude)
        case .refused(let field, _): #expect(field == "latitude" && latitude == nil)
        case .leftOut: Issue.record("no vendor")
        }
    }

    @Test(.withoutDatabase) func aColumnThatIsThereTwiceIsRefused() {
        #expect(throws: Refusal.self) {
            try VendorFile(Data("name,kind,lat,LAT,lon\nA,grocery,1,2,3\n".utf8))
        }
    }

    @Test func aRefusedHeaderNamesTheSeparators() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let data = Data("name:kind:latitude:longitude\nA:grocery:1:2\n".utf8)
            let refused = try await caller.call(
                .post, "/v1/admin/vendor-imports?name=x", raw: data, as: .olivia
            ).refused(422, "vendor_import.unreadable")
            #expect(refused.detail?.contains("commas, semicolons or tabs") == true)
        }
    }

    @Test func theNextImportChangesWhatIsAnotherAndLeavesWhatPeopleHaveSet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            func row(_ name: String, _ hours: String) -> String {
                "\(Self.header)\n1,\(name),grocery,35.9,14.5,\(hours),\n"
            }
            #expect(try await take(row("Shop", "24/7"), caller).added == 1)
            #expect(try await take(row("Shop", "24/7"), caller).unchanged == 1)
            #expect(try await take(row("Shoppe", "24/7"), caller).changed == 1)
            let vendor = try #require(try await all(caller).first)
            #expect(vendor.name == "Shoppe" && vendor.confirmedBy == nil)
            let body = VendorBody(
                name: "The Shop", kind: .grocery, position: vendor.position,
                openingHours: "24/7")
            _ = try await caller.call(.put, "/v1/admin/vendors/\(vendor.id)", body, as: .olivia)
                .expect(200, Vendor.self)
            #expect(try await take(row("Shop", "Mo off"), caller).changed == 1)
            let after = try #require(try await all(caller).first)
            #expect(after.name == "The Shop" && after.openingHours == "Mo off")
            try await caller.call(.delete, "/v1/admin/vendors/\(vendor.id)", as: .olivia)
                .expectEmpty(204)
            _ = try await take(row("Shop", "24/7"), caller)
            #expect(try await all(caller).isEmpty, "what was removed stays so")
            #expect(
                try await take(row("Shop", "24/7"), caller, name: "other").added == 1,
                "another file's is another")
        }
    }

    /// In Kreuzlingen, 300 m from Konstanz.
    @Test(arguments: [("CH", "Europe/Zurich"), ("DE", "Europe/Berlin"), ("", "Europe/Zurich")])
    func nearABorderTheTaggedCountryDecidesTheTimeZone(country: String, zone: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let text = """
                {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "node/1",
                "geometry": {"type": "Point", "coordinates": [9.1735, 47.6535]},
                "properties": {"name": "Bread", "shop": "bakery", "addr:country": "\(country)"}}]}
                """
            _ = try await take(text, caller)
            let vendor = try #require(try await all(caller).first)
            #expect(vendor.timeZone == zone)
        }
    }

    @Test(arguments: [
        Data(), Data("name,kind\nx,grocery".utf8), Data([0xFF, 0xFE, 0x6E, 0x00]),
        Data("{\"type\":\"FeatureCollection\"".utf8), Data("\"never ends".utf8),
    ])
    func whatIsNoFileOfVendorsIsRefused(_ data: Data) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(
                .post, "/v1/admin/vendor-imports?name=x", raw: data, as: .olivia
            ).refused(422, "vendor_import.unreadable")
            try await caller.call(.post, "/v1/admin/vendor-imports", raw: data, as: .olivia)
                .refused(422, "request.invalid", field: "name")
        }
    }

    @Test func aRowInAnotherEncodingKeepsNoOtherOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var data = Data("\(Self.header)\n1,Caf".utf8)
            data += [0xE9] + Data(",grocery,35.9,14.5,,\n2,Good,grocery,35.9,14.5,,\n".utf8)
            let done = try await take(data, caller)
            #expect(done.added == 1 && done.refused.map(\.line) == [2])
        }
    }

    /// Whole files in UTF-16 or UTF-32, with a mark or without, and what was cut from another kind of file.
    @Test(arguments: [
        (String.Encoding.utf16, true), (.utf16LittleEndian, false), (.utf16BigEndian, false),
        (.utf32, true), (.utf32LittleEndian, false),
    ])
    func aFileInAnotherEncodingIsRefused(_ encoding: String.Encoding, _ hasMark: Bool) async throws
    {
        let bench = try await Bench()
        try await bench.run { caller in
            let text = "\(Self.header)\n1,A,grocery,35.9,14.5,,\n"
            let data = try #require(text.data(using: encoding))
            for file in [data, data.prefix(data.count - 1)] {
                try await caller.call(
                    .post, "/v1/admin/vendor-imports?name=x", raw: file, as: .olivia
                ).refused(422, "vendor_import.unreadable")
            }
        }
    }

    /// As Windows-1252 writes \u{201C}Caf\u{E9}\u{201D}, and bytes that no text has.
    @Test(
        arguments: [
            ([0x93, 0x43, 0x61, 0x66, 0xE9, 0x94], nil), ([0x41, 0x00, 0x42], "name"),
            ([0x41, 0x1B], "name"), ([0xC0, 0x80], nil), ([0xED, 0xA0, 0x80], nil),
            ([0xF4, 0x90, 0x80, 0x80], nil),
        ] as [([UInt8], String?)])
    func bytesThatAreNoTextKeepNoOtherRowOut(_ bytes: [UInt8], _ field: String?) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var data = Data("\u{FEFF}\(Self.header)\n1,".utf8)
            data += bytes + Data(",grocery,35.9,14.5,,\n".utf8)
            data +=
                bytes + Data(",Good,grocery,35.9,14.5,,\n3,Caf\u{E9},grocery,35.9,14.5,,\n".utf8)
            let done = try await take(data, caller)
            #expect(done.added == 1 && done.refused.map(\.line) == [2, 3])
            #expect(done.refused.map(\.field) == [field, field.map { _ in "id" }])
            let names = try await all(caller).map(\.name)
            #expect(names == ["Caf\u{E9}"])
        }
    }

    @Test func anIdThatNoDatabaseTakesKeepsNoOtherFeatureOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let shop = ["name": "A", "shop": "bakery"]
            let features = try ["n1", "a\u{0}b", "a\u{1B}"].map { try Self.feature($0, shop) }
            let list = features.joined(separator: ",")
            let done = try await take(
                "{\"type\":\"FeatureCollection\",\"features\":[\(list)]}", caller)
            #expect(done.added == 1 && done.refused.map(\.line) == [2, 3])
            #expect(done.refused.map(\.field) == ["id", "id"])
        }
    }

    @Test func numbersThatAreNoneKeepNoOtherRowOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let numbers = [
                "nan,14", "inf,14", "35,-inf", "1e400,14", "0x1p3,200", "35;9,14", "-91,0",
            ]
            let rows = numbers.enumerated().map { "\($0.offset),A,grocery,\($0.element),,\n" }
            let long = String(repeating: "i", count: 201)
            let done = try await take(
                "\(Self.header)\n\(rows.joined())\(long),A,grocery,1,1,,\nz,A,grocery,1,1,,\n",
                caller)
            #expect(done.added == 1 && done.refusedCount == numbers.count + 1)
            #expect(done.refused.last?.field == "id")
        }
    }

    @Test func hoursThatCanNotBeReadAreKeptAndNeverShownAsOpen() async throws {
        let bench = try await Bench()
        let hours = [
            "by appointment", "from dawn", "Mo-Fr 9-17", "always", "24/7 \"\"call first\"\"",
            "Mo-Fr 08:00-18:00; often", "Mo-Su 00:00-99:00", ";", "\u{661F}\u{671F}\u{4E00}",
        ]
        try await bench.run { caller in
            let rows = hours.enumerated().map { index, text in
                "\(index),\(index),church,35.8959,14.5085,\"\(text)\",\n"
            }
            let long = String(repeating: "x", count: 501)
            let done = try await take(
                "\(Self.header)\n\(rows.joined())9,9,church,35.9,14.5,\(long),\n", caller)
            #expect(done.added == hours.count)
            #expect(done.refused.map(\.field) == ["openingHours"])
            let kept = try await all(caller)
            #expect(
                Set(kept.compactMap(\.openingHours))
                    == Set(hours.map { $0.replacing("\"\"", with: "\"") }))
            let whole = try await caller.call(.get, "/v1/vendors/\(kept[0].id)")
                .expect(200, Vendor.self)
            #expect(whole.isOpen == nil)
            let found = try await caller.find()
            #expect(found.items.count == hours.count)
            let areUnknown = found.items.allSatisfy { $0.isOpen == nil }
            #expect(areUnknown)
            #expect(try await caller.find("&openAt=now").items.isEmpty)
        }
    }

    @Test func oneImportIsUnderWayAtATime() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let data = Data("\(Self.header)\n1,A,grocery,35.9,14.5,,".utf8)
            let path = "/v1/admin/vendor-imports?name=x"
            let begun = try await caller.call(.post, path, raw: data, as: .olivia)
                .expect(202, VendorImport.self)
            // The file of a second one isn't read.
            for second in [data, Data("no table".utf8)] {
                try await caller.call(.post, path, raw: second, as: .olivia)
                    .refused(409, "vendor_import.running")
            }
            try await bench.importAll(begun.id)
            try await caller.call(.post, path, raw: Data("no table".utf8), as: .olivia)
                .refused(422, "vendor_import.unreadable")
            try await caller.call(.post, path, raw: data, as: .olivia).expect(
                202, VendorImport.self)
        }
    }

    /// Each turn is a part; what dies between two goes on where it was.
    @Test func manyRowsGoInByParts() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var text = "\(Self.header)\n"
            for index in 1...12_000 {
                let latitude = 35.8 + Double(index % 1_000) / 10_000
                let longitude = 14.3 + Double(index / 1_000) / 1_000
                text += "\(index),Shop \(index),grocery,\(latitude),\(longitude),,\n"
            }
            let begun = try await caller.call(
                .post, "/v1/admin/vendor-imports?name=many", raw: Data(text.utf8), as: .olivia
            ).expect(202, VendorImport.self)
            try await bench.places.imports.goOn(with: begun.id)
            let part = try await bench.places.imports.one(begun.id)
            #expect(part.done > 0 && part.done < part.rows && part.added == part.done)
            try await bench.importAll(begun.id)
            let done = try await bench.places.imports.one(begun.id)
            #expect(done.added == 12_000 && done.status == .done)
            let kept = try await bench.database.read {
                try $0.row("SELECT COUNT(*) AS count FROM vendors")?.get("count", as: Int.self)
            }
            #expect(kept == 12_000)
        }
    }

    /// Rows are the same when read one by one: with quotes, blank lines, other ends of lines, and a row read again.
    @Test(.withoutDatabase) func rowsAreReadWhereTheyBegin() throws {
        let text = """
            name,kind,latitude,longitude\r
            "A ""1""\",grocery,35.9,14.5\r
            \r
            "two
            lines",grocery,35.9,14.5
            C,grocery,35.9,14.5\rD,church,35.9,14.5
            """
        let file = try VendorFile(Data(text.utf8))
        #expect(file.count == 4)
        #expect(file.rows(0..<4).map(\.line) == [2, 4, 6, 7])
        for index in [3, 0, 2] {
            guard case .vendor(let vendor) = file.rows(index..<index + 1)[0].row else {
                Issue.record("\(index)")
                continue
            }
            #expect(vendor.body.name == ["A \"1\"", "", "C", "D"][index])
        }
    }

    /// Brackets, commas, quotes and the word itself within texts, other members, and no spaces.
    @Test(
        .withoutDatabase,
        arguments: [
            (#"{"type":"FeatureCollection","features":[{"a":"]}"},{"b":[1,{"c":2}]},3]}"#, 3),
            (#"{"features" : [ ] , "x": {"features": [1, 2]}}"#, 0),
            (#"{"x":"features\"","bbox":[1,2],"features":[{"a":"\\"} , {}]}"#, 2),
            (#"{"features":[{}]}"# + " \r\n", 1), (#"{"features":[{}"#, nil),
            (#"{"features":[{}]"#, nil), (#"{"features":[{}]}}"#, nil), (#"{"features":{}}"#, nil),
            (#"{"features":[,]}"#, nil), (#"{"features":["a]}"#, nil), (#"{"x":[]}"#, nil),
            ("{}", nil), ("{", nil), ("[]", nil), ("{\u{0}}", nil),
        ] as [(String, Int?)])
    func featuresAreFoundWithoutDecodingThem(_ text: String, _ count: Int?) {
        #expect(FeatureRanges.all(in: Array(text.utf8))?.count == count)
    }

    @Test func aFeatureThatIsNoJSONKeepsNoOtherOut() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let good = try Self.feature("n1", ["name": "A", "shop": "bakery"])
            let done = try await take(
                #"{"features":[{"type":Feature},\#(good),{"type" "Feature"}]}"#, caller)
            #expect(done.rows == 3 && done.added == 1)
            #expect(done.refused.map(\.line) == [1, 3])
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            ("0.02 m", 2), ("nan", nil), ("-1", nil), ("15", nil), ("inf", nil), ("x", nil),
        ])
    func aStepThatIsNoneIsNotCalledFlat(_ height: String, _ centimeters: Int?) throws {
        let line = try Self.feature("n1", ["name": "A", "shop": "bakery", "step_height": height])
        guard
            case .vendor(let vendor) = VendorFile.Row(
                try Wire.decode(JSONValue.self, from: Data(line.utf8)))
        else {
            Issue.record("no vendor")
            return
        }
        #expect(vendor.body.accessibility?.stepCentimeters == centimeters)
    }

    @Test(.withoutDatabase) func hoursOnSeveralLinesAreKept() throws {
        let line = try Self.feature(
            "n1", ["name": "A", "shop": "bakery", "opening_hours": "Mo 08:00-18:00\nTu off"])
        guard
            case .vendor(let vendor) = VendorFile.Row(
                try Wire.decode(JSONValue.self, from: Data(line.utf8)))
        else {
            Issue.record("no vendor")
            return
        }
        #expect(vendor.body.openingHours == "Mo 08:00-18:00 Tu off")
    }

    private static func feature(
        _ id: String, _ tags: [String: String], latitude: Double = 35.9
    ) throws -> String {
        let feature: JSONValue = .object([
            "type": "Feature", "id": .text(id),
            "geometry": .object([
                "type": "Point", "coordinates": .list([.number(14.5), .number(latitude)]),
            ]),
            "properties": .object(tags.mapValues(JSONValue.text)),
        ])
        return String(decoding: try Wire.encode(feature), as: UTF8.self) + "\n"
    }

    private func install(_ folder: TestFolder, _ version: String, _ lines: [String]) throws {
        let made = "\(folder.path)/.made/\(version)"
        try FileManager.default.createDirectory(
            atPath: made, withIntermediateDirectories: true)
        try Data(lines.joined().utf8).write(to: URL(filePath: "\(made)/vendors.geojsonseq"))
        let link = "\(folder.path)/town"
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: ".made/\(version)")
    }

    @Test func theMapsVendorsComeAndGoWithIt() async throws {
        let bench = try await Bench()
        let folder = try TestFolder("maps")
        let maps = MapFolder(folder.path)
        let lidl = [
            "name": "Lidl", "shop": "supermarket", "addr:street": "Triq", "wheelchair": "yes",
        ]
        try install(
            folder, "town-1",
            [
                try Self.feature("n1", lidl),
                try Self.feature("n2", ["name": "St. Paul", "amenity": "place_of_worship"]),
                try Self.feature(
                    "n3",
                    [
                        "name": "Kitchen", "amenity": "social_facility",
                        "social_facility": "soup_kitchen", "opening_hours": "Mo-Fr 12:00-14:00",
                    ]),
                try Self.feature("n4", ["name": "Home", "amenity": "social_facility"]),
                try Self.feature(
                    "n5", ["name": "Grill", "amenity": "restaurant", "website": "nonsense"]),
                "no json\n",
            ])
        try await bench.places.imports.follow(maps)
        try await bench.run { caller in
            let found = try await all(caller)
            let first = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
            #expect(Set(first.keys) == ["Lidl", "St. Paul", "Kitchen", "Grill"])
            #expect(first["Kitchen"]?.kind == Open(.soupKitchen))
            #expect(first["Lidl"]?.address == "Triq")
            #expect(found.allSatisfy { $0.sources == ["osm"] })
            let paul = try #require(first["St. Paul"])
            try await caller.call(.delete, "/v1/admin/vendors/\(paul.id)", as: .olivia)
                .expectEmpty(204)
            try install(
                folder, "town-2",
                [
                    try Self.feature("n1", lidl.merging(["name": "Lidl Belt"]) { $1 }),
                    try Self.feature("n2", ["name": "St. Paul", "amenity": "place_of_worship"]),
                ])
            try await bench.places.imports.follow(maps)
            #expect(try await all(caller).map(\.name) == ["Lidl Belt"])
            try FileManager.default.removeItem(atPath: "\(folder.path)/town")
            try await bench.places.imports.follow(maps)
            #expect(try await all(caller).isEmpty)
        }
    }
}
