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

    @Test func oneImportIsUnderWayAtATime() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let data = Data("\(Self.header)\n1,A,grocery,35.9,14.5,,".utf8)
            let path = "/v1/admin/vendor-imports?name=x"
            let begun = try await caller.call(.post, path, raw: data, as: .olivia)
                .expect(202, VendorImport.self)
            try await caller.call(.post, path, raw: data, as: .olivia)
                .refused(409, "vendor_import.running")
            try await bench.importAll(begun.id)
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
