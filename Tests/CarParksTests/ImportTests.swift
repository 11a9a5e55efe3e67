import Answers
import Contracts
import Foundation
import Geo
import Maps
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Car parks from GeoJSON with OpenStreetMap's tags: of an operator's file, and of the house's maps.
@Suite struct ImportTests {
    private static let path = "/v1/admin/car-parks/imports"

    /// As osmium exports it, in Valletta unless said otherwise.
    private static func feature(
        _ id: String, _ tags: [String: String], at point: Coordinate = .valletta
    ) -> JSONValue {
        .object([
            "type": "Feature", "id": .text(id),
            "geometry": .object([
                "type": "Point",
                "coordinates": .list([.number(point.longitude), .number(point.latitude)]),
            ]),
            "properties": .object(
                tags.merging(["amenity": "parking"]) { given, _ in given }
                    .mapValues(JSONValue.text)),
        ])
    }

    private static func file(_ features: [JSONValue]) -> CarParkImport {
        CarParkImport(features, timeZone: "Europe/Malta", currency: "EUR")
    }

    private func take(
        _ features: [JSONValue], _ bench: Bench
    ) async throws -> CarParkImportAnswer {
        try await bench.call(.post, Self.path, Self.file(features), as: .olivia)
            .expect(200, CarParkImportAnswer.self)
    }

    private func all(_ bench: Bench) async throws -> [CarParkSummary] {
        try await bench.call(.get, "/v1/car-parks?limit=100", as: nil)
            .expect(200, Page<CarParkSummary>.self).items
    }

    private func named(_ name: String, _ bench: Bench) async throws -> CarPark {
        let found = try #require(try await all(bench).first { $0.name == name })
        return try await bench.call(.get, "/v1/car-parks/\(found.id)", as: nil)
            .expect(200, CarPark.self)
    }

    // MARK: Tags

    @Test func tagsBecomeWhatPeopleSee() async throws {
        try await Bench.run { bench in
            let answer = try await take(
                [
                    Self.feature(
                        "a8050",
                        [
                            "name": "City Gate", "operator": "Parking Ltd", "fee": "yes",
                            "access": "customers", "capacity": "100", "capacity:disabled": "5",
                            "capacity:charging": "10", "maxheight": "6'7\"",
                            "opening_hours": "Mo-Fr 07:00-22:00", "parking": "underground",
                            "addr:street": "Triq Nofs in-Nhar", "addr:housenumber": "3",
                            "addr:city": "Valletta", "contact:phone": "+35621000000",
                        ])
                ], bench)
            #expect(answer.added == 1)
            let seen = try await named("City Gate", bench)
            #expect(seen.capacity == SpaceCounts([.general: 85, .disabled: 5, .electric: 10]))
            #expect(seen.bookable.total == 0)
            #expect(seen.maxHeightMeters == 2.01)
            #expect(seen.features == [.charging, .covered, .underground])
            #expect(seen.address == "Triq Nofs in-Nhar 3, Valletta")
            #expect(seen.openingHours == "Mo-Fr 07:00-22:00")
            #expect(seen.operator == "Parking Ltd")
            #expect(seen.fee == true)
            #expect(seen.access == .customers)
            #expect(seen.phone == "+35621000000")
            #expect((seen.timeZone, seen.currency) == ("Europe/Malta", "EUR"))
        }
    }

    @Test func whatNobodyKnowsIsNotMadeUp() async throws {
        try await Bench.run { bench in
            let answer = try await take(
                [
                    Self.feature("way/1", ["addr:street": "Triq il-Kbira", "capacity": "many"]),
                    Self.feature(
                        "way/2", ["name": "By chance", "opening_hours": "ask the guard"]),
                ], bench)
            #expect(answer.added == 2)
            let plain = try await named("P Triq il-Kbira", bench)
            #expect(plain.capacity.total == 0)
            #expect(plain.spaces.isEmpty)
            #expect(plain.fee == nil)
            #expect(plain.products.isEmpty)
            let unclear = try await named("By chance", bench)
            #expect(unclear.openingHours == "ask the guard")
            #expect(unclear.openingState == .unknown && !unclear.isOpenNow)
            #expect(unclear.nextOpeningChangeAt == nil)
            let open = try await bench.call(.get, "/v1/car-parks?openNow=true", as: nil)
                .expect(200, Page<CarParkSummary>.self)
            #expect(open.items.map(\.name) == ["P Triq il-Kbira"])
        }
    }

    @Test func areasStandInTheirMiddle() async throws {
        try await Bench.run { bench in
            let area = try Wire.decode(
                JSONValue.self,
                from: Data(
                    """
                    {"type": "Feature", "id": 7, "properties": {"name": "Square", "capacity": 12},
                     "geometry": {"type": "MultiPolygon", "coordinates":
                        [[[[14, 35], [14.002, 35], [14.002, 35.002], [14, 35.002], [14, 35]]]]}}
                    """.utf8))
            _ = try await take([area], bench)
            let seen = try await named("Square", bench)
            #expect(
                Geo.distanceMeters(
                    seen.position, Coordinate(latitude: 35.001, longitude: 14.001)) < 1)
            #expect(seen.capacity == SpaceCounts([.general: 12]))
        }
    }

    /// An L, also without its last point, a U, one around a courtyard, and a small one beside a large L: a point of
    /// each area, and none beside it.
    @Test(arguments: [
        (
            "[[[24.91,60.4],[24.912,60.4],[24.912,60.4001],[24.9101,60.4001],[24.9101,60.402],"
                + "[24.91,60.402]]]", 60.401, 24.91005
        ),
        (
            "[[[24.91,60.4],[24.912,60.4],[24.912,60.4001],[24.9101,60.4001],[24.9101,60.402],[24.91,60.402],"
                + "[24.91,60.4]]]", 60.401, 24.91005
        ),
        (
            "[[[14,35],[14.005,35],[14.005,35.005],[14.0042,35.005],[14.0042,35.001],[14.001,35.001],"
                + "[14.001,35.005],[14,35.005],[14,35]]]", 35.0025, 14.0005
        ),
        (
            "[[[14,35],[14.009,35],[14.009,35.009],[14,35.009],[14,35]],"
                + "[[14.001,35.001],[14.007,35.001],[14.007,35.008],[14.001,35.008],[14.001,35.001]]]",
            35.0045, 14.008
        ),
    ])
    func anAreaStandsOnItsOwnSurface(
        coordinates: String, latitude: Double, longitude: Double
    ) async throws {
        try await Bench.run { bench in
            let area = """
                "properties": {"name": "Bent"}, "type": "Feature", "id": 9, "geometry":
                """
            for geometry in [
                #"{"type": "Polygon", "coordinates": \#(coordinates)}"#,
                #"{"type": "MultiPolygon", "coordinates": [[[[1,1],[1.0001,1],[1,1.0001],[1,1]]], \#(coordinates)]}"#,
            ] {
                let json = try Wire.decode(JSONValue.self, from: Data("{\(area) \(geometry)}".utf8))
                _ = try await take([json], bench)
                let seen = try await named("Bent", bench).position
                let point = Coordinate(latitude: latitude, longitude: longitude)
                #expect(Geo.distanceMeters(seen, point) < 0.1)
            }
        }
    }

    /// If neither the feature nor the request says it, it follows from the place and, near a border, from its country.
    @Test(
        arguments: [
            (39.905, 116.4, nil, "Asia/Shanghai", "CNY"),
            (48.14, 11.58, nil, "Europe/Berlin", "EUR"),
            (47.6535, 9.1735, nil, "Europe/Zurich", "CHF"),
            (47.6535, 9.1735, "DE", "Europe/Berlin", "EUR"),
            (47.6535, 9.1735, "de", "Europe/Berlin", "EUR"),
            (47.37, 8.54, "DE", "Europe/Zurich", "CHF"),
            (42.663, 21.164, "XK", "Europe/Belgrade", "EUR"),
        ] as [(Double, Double, String?, String, String)])
    func zoneAndCurrencyFollowFromThePlace(
        latitude: Double, longitude: Double, country: String?, zone: String, currency: String
    ) async throws {
        try await Bench.run { bench in
            var tags = ["name": "Somewhere"]
            tags["addr:country"] = country
            let point = Coordinate(latitude: latitude, longitude: longitude)
            let body = CarParkImport([Self.feature("way/1", tags, at: point)])
            let answer = try await bench.call(.post, Self.path, body, as: .olivia)
                .expect(200, CarParkImportAnswer.self)
            #expect(answer.added == 1)
            let seen = try await named("Somewhere", bench)
            #expect(seen.timeZone == zone && seen.currency == currency)
        }
    }

    /// 25 December and 6 January are public holidays in Finland; the latter is none in Malta.
    @Test(arguments: [
        ("Mo-Fr 07:00-20:00; PH off", "Europe/Helsinki", "2026-12-25T10:00:00Z", false),
        ("Mo-Fr 07:00-20:00; PH off", "Europe/Helsinki", "2027-01-01T10:00:00Z", false),
        ("Mo-Fr 07:00-20:00; PH off", "Europe/Helsinki", "2027-01-06T10:00:00Z", false),
        ("Mo-Fr 07:00-20:00; PH off", "Europe/Malta", "2027-01-06T10:00:00Z", true),
        ("Mo-Fr 07:00-20:00", "Europe/Helsinki", "2027-01-06T10:00:00Z", true),
        ("Mo-Fr 07:00-20:00; PH 10:00-14:00", "Europe/Helsinki", "2027-01-06T09:00:00Z", true),
        ("Mo-Fr 07:00-20:00; PH 10:00-14:00", "Europe/Helsinki", "2027-01-06T13:00:00Z", false),
        ("Sa 07:00-20:00; PH 10:00-14:00", "Europe/Helsinki", "2027-01-06T09:00:00Z", true),
    ])
    func publicHolidaysAreThoseOfTheCountry(
        hours: String, zone: String, time: String, isOpen: Bool
    ) async throws {
        try await Bench.run { bench in
            let tags = [
                "name": "Hall", "opening_hours": hours, "timeZone": zone, "currency": "EUR",
            ]
            _ = try await take([Self.feature("way/1", tags)], bench)
            let carPark = try await named("Hall", bench)
            let record = try await bench.database.read { try $0.carParks.require(carPark.id) }
            let at = try #require(Wire.date(time))
            #expect(record.openingState(at: at) == (isOpen ? .open : .closed))
            #expect(carPark.holidays.isEmpty)
        }
    }

    /// The operator's own list says it all: of a state, or without the days on which it is open.
    @Test func theOperatorsOwnHolidaysHoldInsteadOfTheCountrys() async throws {
        try await Bench.run { bench in
            _ = try await take(
                [
                    Self.feature(
                        "way/1", ["name": "Hall", "opening_hours": "Mo-Su 00:00-24:00; PH off"])
                ], bench)
            let first = try await named("Hall", bench)
            func isOpen(_ time: String) async throws -> Bool {
                let at = try #require(Wire.date(time))
                return try await bench.database.read {
                    try $0.carParks.require(first.id).openingState(at: at) == .open
                }
            }
            #expect(try await isOpen("2026-12-25T10:00:00Z") == false)
            var body = CarParkBody(
                name: "Hall", address: "", position: first.position, timeZone: first.timeZone,
                currency: first.currency, capacity: first.capacity)
            (body.openingHours, body.holidays) = ("Mo-Su 00:00-24:00; PH off", ["2026-11-30"])
            _ = try await bench.call(.put, "/v1/admin/car-parks/\(first.id)", body, as: .olivia)
                .expect(200, CarPark.self)
            #expect(try await isOpen("2026-12-25T10:00:00Z"))
            #expect(try await isOpen("2026-11-30T10:00:00Z") == false)
        }
    }

    @Test func noHoursKeepACarParkOut() async throws {
        try await Bench.run { bench in
            let hours = [
                "Mo-Fr 08:00-18:00\nSa 09:00-13:00", "24/7\u{0}",
                "24/7; " + String(repeating: "PH off; ", count: 12_500),
            ]
            let answer = try await take(
                hours.enumerated().map {
                    Self.feature("way/\($0)", ["name": "P \($0)", "opening_hours": $1])
                }, bench)
            #expect(answer.added == 3)
            let lines = try await named("P 0", bench)
            #expect(lines.openingHours == "Mo-Fr 08:00-18:00 Sa 09:00-13:00")
            #expect(lines.openingState != .unknown)
            #expect(try await named("P 1", bench).openingHours == "24/7")
            let cut = try await named("P 2", bench)
            #expect(cut.openingHours.count == OpeningHours.longest)
            #expect(cut.openingHours.hasSuffix("\u{2026}"))
            #expect(cut.openingState == .unknown)
        }
    }

    @Test func privateOnesAreLeftOutAndBrokenOnesAreListed() async throws {
        try await Bench.run { bench in
            var noID = Self.feature("x", ["name": "No id"])
            if case .object(var fields) = noID {
                fields["id"] = nil
                noID = .object(fields)
            }
            let answer = try await take(
                [
                    Self.feature("way/1", ["name": "Mine", "access": "private"]),
                    Self.feature("way/2", ["name": "Café", "amenity": "cafe"]),
                    "rubbish", noID, Self.feature("way/3", [:]),
                    Self.feature("way/4", ["name": "Deep"], at: .init(latitude: 91, longitude: 0)),
                    Self.feature(
                        "way/5", ["name": "Odd", "capacity": "2", "capacity:disabled": "3"]),
                    Self.feature("way/6", ["name": "Mars", "timeZone": "Mars/Olympus"]),
                    Self.feature("way/7", ["name": "Huge", "capacity": "1000000"]),
                    Self.feature("way/8", ["name": "Good"]),
                ], bench)
            #expect(answer.added == 1)
            #expect(answer.leftOut == 2)
            #expect(
                answer.refused.map { "\($0.index) \($0.field ?? "")" } == [
                    "2 type", "3 id", "4 name", "5 position.latitude", "6 capacity", "7 timeZone",
                    "8 capacity.general",
                ])
            #expect(try await all(bench).map(\.name) == ["Good"])
        }
    }

    @Test func onlyOperatorsImportAndOnlySoMany() async throws {
        try await Bench.run { bench in
            try await bench.call(.post, Self.path, Self.file([]), as: .alice)
                .refused(403, "auth.role")
            let many = (0...CarParkImports.mostFeatures).map { Self.feature("way/\($0)", [:]) }
            try await bench.call(.post, Self.path, Self.file(many), as: .olivia)
                .refused(422, "request.invalid", field: "features")
        }
    }

    @Test func countsBeyondAllBoundsAreRefused() async throws {
        try await Bench.run { bench in
            let (most, least) = ("\(Int.max)", "\(Int.min)")
            let answer = try await take(
                [
                    Self.feature(
                        "way/1",
                        [
                            "name": "A", "capacity": "10", "capacity:disabled": most,
                            "capacity:charging": "1",
                        ]),
                    Self.feature(
                        "way/2", ["name": "B", "capacity": most, "capacity:disabled": "-1"]),
                    Self.feature(
                        "way/3", ["name": "C", "capacity": least, "capacity:disabled": "1"]),
                    Self.feature("way/4", ["name": "D", "capacity": most, "maxheight": most]),
                    Self.feature("way/5", ["name": "Good", "capacity": "1"]),
                ], bench)
            #expect(answer.added == 1)
            #expect(
                answer.refused.map { "\($0.source ?? "") \($0.field ?? "")" } == [
                    "way/1 capacity.disabled", "way/2 capacity.disabled", "way/3 capacity",
                    "way/4 capacity.general",
                ])
        }
    }

    // MARK: Heights

    @Test(
        .withoutDatabase,
        arguments: [
            ("2,1", 2.1), ("2,1 m", 2.1), ("2.10 M", 2.1), ("2.1\u{a0}m", 2.1), ("2.1m.", 2.1),
            ("2.", 2),
            ("2\u{202f}m", 2), ("2.1 meters", 2.1), ("2,1 Meter", 2.1), ("2.1 metres", 2.1),
            ("2.05", 2.05), ("2.01 m", 2.01), ("2.135", 2.135), ("２．１ｍ", 2.1), ("2.1 米", 2.1),
            ("210 cm", 2.1), ("210cm", 2.1), ("2100 mm", 2.1), ("2m10", 2.1), ("2 m 10", 2.1),
            ("2m 5cm", 2.05), ("7 ft", 2.13), ("7'", 2.13), ("6.5 ft", 1.98), ("6′11″", 2.11),
            ("6'11\"", 2.11), ("6' 11\"", 2.11), ("6’11”", 2.11), ("6''", nil), ("6'11''", 2.11),
            ("6'11", 2.11), ("6 ft 11 in", 2.11), ("6ft11in", 2.11), ("6ft. 11in.", 2.11),
            ("6 Feet 11 Inches", 2.11), ("6'7.5\"", 2.02), ("83 in", 2.11), ("83\"", 2.11),
            ("\u{202a}2.1 m\u{202c}", 2.1), ("2.1 m (6'11\")", 2.1), ("6'6\" / 2.0 m", 1.98),
            ("2.3;2.1", 2.1),
        ] as [(String, Double?)])
    func aHeightIsReadAsPeopleWriteIt(text: String, meters: Double?) {
        #expect(HeightText(text) == meters.map(HeightText.meters) ?? .unreadable)
    }

    @Test(
        .withoutDatabase,
        arguments: [
            "about 2 m", "~2", "<2.1", "2.1 (gate: low)", "low", "below_default", "210", "0",
            "-2.1",
            "2.1 km", "2.1.0", "2,1,0", "2 1", "1 2 m", "2m1", "6'13\"", "6 11 in", "2.1 m 10 ft",
            "٢٫١", "2.1m 10cm 5mm", "/", ".", "m", "1e1", "0x2", "inf", "\(Int.max)",
        ])
    func aHeightThatIsNoneIsUnreadable(text: String) {
        #expect(HeightText(text) == .unreadable)
    }

    @Test(
        .withoutDatabase,
        arguments: ["default", "none", "No sign", "no_indications", "unsigned", " NO "])
    func noSignIsNoHeight(text: String) {
        #expect(HeightText(text) == .unsigned)
    }

    @Test(.withoutDatabase, arguments: ["6'-11\"", "6′ - 11″", "6 ft-11 in", "6'-11''"])
    func feetAndInchesMayBeJoined(text: String) {
        #expect(HeightText(text) == .meters(2.11))
    }

    /// A range must not be read as something else.
    @Test(
        .withoutDatabase,
        arguments: [
            "2.1m-2.3m", "2.1-2.3", "2,1–2,3 m", "6-11", "6'-7'", "6'-7", "2m-10", "2m-10in",
            "6'6½\"", "2 1/2 m", "",
        ])
    func aRangeOrAFractionIsUnreadable(text: String) {
        #expect(HeightText(text) == .unreadable)
    }

    @Test(.withoutDatabase) func noLimitIsNoHeight() {
        #expect(HeightText("no_limit") == .unsigned)
    }

    /// Heights of vehicles for which the only car park is found.
    private func fitting(_ heights: [Double], _ bench: Bench) async throws -> [Double] {
        var fitting: [Double] = []
        for height in heights {
            let found = try await bench.call(
                .get, "/v1/car-parks?maxHeightMeters=\(height)", as: nil
            ).expect(200, Page<CarParkSummary>.self)
            if !found.items.isEmpty { fitting.append(height) }
        }
        return fitting
    }

    @Test(arguments: ["2,1", "7 ft", "6′11″", "210 cm", "2m10", "6 ft 11 in", "2.1\u{a0}m"])
    func aLowCarParkIsNotOfferedToAVan(text: String) async throws {
        try await Bench.run { bench in
            _ = try await take([Self.feature("way/1", ["name": "Low", "maxheight": text])], bench)
            let low = try await named("Low", bench)
            #expect((2.1...2.13).contains(try #require(low.maxHeightMeters)))
            #expect(low.maxHeightText == nil)
            #expect(try await fitting([1.9, 2.1, 2.2, 2.5], bench) == [1.9, 2.1])
        }
    }

    @Test(arguments: [
        "about 2 m", "low", "210", "see\u{1} sign", String(repeating: "9", count: 900),
    ])
    func aHeightThatCanNotBeReadIsShownAndOfferedToNoHeight(text: String) async throws {
        try await Bench.run { bench in
            let feature = Self.feature("way/1", ["name": "Low", "maxheight": text])
            #expect(try await take([feature], bench).added == 1)
            let low = try await named("Low", bench)
            #expect(low.maxHeightMeters == nil)
            let shown = String(text.filter { $0 != "\u{1}" }.prefix(100))
            #expect(low.maxHeightText == shown)
            #expect(try await fitting([0.5, 2.5], bench) == [])
            #expect(try await take([feature], bench).unchanged == 1)
        }
    }

    @Test func noHeightIsNoLimit() async throws {
        try await Bench.run { bench in
            _ = try await take([Self.feature("way/1", ["name": "A", "maxheight": "none"])], bench)
            #expect(try await fitting([1.9, 4.5], bench) == [1.9, 4.5])
            #expect(try await named("A", bench).maxHeightText == nil)
        }
    }

    @Test func anUnreadableHeightStaysUntilAnOperatorMeasuresIt() async throws {
        try await Bench.run { bench in
            let tags = ["name": "Low", "maxheight": "about 2 m"]
            _ = try await take([Self.feature("way/1", tags)], bench)
            let low = try await named("Low", bench)
            func put(_ change: (inout CarParkBody) -> Void) async throws -> CarPark {
                var body = CarParkBody(
                    name: "Low", address: "Somewhere", position: low.position,
                    timeZone: low.timeZone, currency: low.currency, capacity: low.capacity)
                change(&body)
                return try await bench.call(
                    .put, "/v1/admin/car-parks/\(low.id)", body, as: .olivia
                ).expect(200, CarPark.self)
            }
            // A client that does not know of it changes something else.
            let kept = try await put { _ in }
            #expect(kept.maxHeightText == "about 2 m")
            #expect(try await fitting([1.9], bench) == [])
            let read = try await put { $0.maxHeightText = "2,05 m" }
            #expect((read.maxHeightMeters, read.maxHeightText) == (2.05, nil))
            #expect(try await fitting([1.9, 2.1], bench) == [1.9])
            _ = try await put { $0.maxHeightText = "low" }
            let measured = try await put { $0.maxHeightMeters = 2 }
            #expect((measured.maxHeightMeters, measured.maxHeightText) == (2, nil))
            // The map says the same as before.
            _ = try await take([Self.feature("way/1", tags)], bench)
            #expect(try await named("Low", bench).maxHeightMeters == 2)
            _ = try await put { $0.maxHeightText = "low" }
            let cleared = try await put { $0.maxHeightText = "" }
            #expect((cleared.maxHeightMeters, cleared.maxHeightText) == (nil, nil))
            #expect(try await fitting([2.5], bench) == [2.5])
        }
    }

    // MARK: Again

    @Test func theSameAgainDoublesNothing() async throws {
        try await Bench.run { bench in
            // The same object, as osmium writes it of an area and of a way, and as others do.
            for id in ["a8050", "w4025", "way/4025"] {
                _ = try await take([Self.feature(id, ["name": "City Gate"])], bench)
            }
            #expect(try await all(bench).count == 1)
            let again = try await take([Self.feature("way/4025", ["name": "City Gate"])], bench)
            #expect((again.added, again.changed, again.unchanged) == (0, 0, 1))
        }
    }

    @Test func whatAnOperatorHasChangedStays() async throws {
        try await Bench.run { bench in
            let old = ["name": "City Gate", "capacity": "40", "maxheight": "2"]
            _ = try await take([Self.feature("way/1", old)], bench)
            let first = try await named("City Gate", bench)
            var body = CarParkBody(
                name: "The Gate", address: first.address, position: first.position,
                timeZone: first.timeZone, currency: first.currency, capacity: first.capacity,
                bookable: SpaceCounts([.general: 20]))
            body.maxHeightMeters = 2
            try await bench.call(.put, "/v1/admin/car-parks/\(first.id)", body, as: .olivia)
                .expect(200, CarPark.self)
            let new = ["name": "Il-Bieb", "capacity": "60", "maxheight": "2.3", "fee": "yes"]
            #expect(try await take([Self.feature("way/1", new)], bench).changed == 1)
            let seen = try await named("The Gate", bench)
            #expect(seen.id == first.id)
            #expect(seen.capacity == SpaceCounts([.general: 60]))
            #expect(seen.bookable == SpaceCounts([.general: 20]))
            #expect(seen.maxHeightMeters == 2.3)
            #expect(seen.fee == true)
            // More are booked than there would be: it stays as it was, and the row says so.
            let fewer = try await take([Self.feature("way/1", ["capacity": "10"])], bench)
            #expect(fewer.refused.map(\.field) == ["name"])
            let smaller = try await take(
                [Self.feature("way/1", ["name": "Il-Bieb", "capacity": "10"])], bench)
            #expect(smaller.refused.map(\.field) == ["bookable.general"])
        }
    }

    @Test func whatAnOperatorHasRemovedStaysAway() async throws {
        try await Bench.run { bench in
            let feature = Self.feature("way/1", ["name": "City Gate"])
            _ = try await take([feature], bench)
            let id = try await named("City Gate", bench).id
            #expect(
                try await bench.call(.delete, "/v1/admin/car-parks/\(id)", as: .olivia).status
                    == 204)
            #expect(try await take([feature], bench).unchanged == 1)
            #expect(try await all(bench).isEmpty)
        }
    }

    // MARK: Maps

    /// A map as `openvalet map add` leaves it, with these car parks alone.
    private func put(_ features: [JSONValue], _ name: String, in folder: MapFolder) throws {
        let version = "\(name)-\(UUID().uuidString)"
        let made = "\(folder.madeFolder)/\(version)"
        try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        let lines = try features.map { try String(decoding: Wire.encode($0), as: UTF8.self) }
        let map = InstalledMap(name: name, version: version, folder: made)
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: map.carParks))
        try folder.point(name, to: version)
    }

    private static func placed(_ id: String, _ name: String) -> JSONValue {
        feature(id, ["name": name, "timeZone": "Europe/Malta", "currency": "EUR"])
    }

    @Test func mapsBringTheirCarParksAndTakeThemAway() async throws {
        let files = try TestFolder("car-park-maps")
        let folder = MapFolder("\(files.path)/maps")
        try await Bench.run { bench in
            let imports = bench.parts.imports
            let (gate, quay) = (Self.placed("w1", "Gate"), Self.placed("w2", "Quay"))
            try put([gate, quay], "malta", in: folder)
            try put([quay, Self.placed("w3", "Fort")], "gozo", in: folder)
            try await imports.follow(folder)
            #expect(Set(try await all(bench).map(\.name)) == ["Gate", "Quay", "Fort"])
            let versions = try await named("Gate", bench).version
            try await imports.follow(folder)
            #expect(try await named("Gate", bench).version == versions)

            try put([Self.placed("w1", "Main Gate")], "malta", in: folder)
            try await imports.follow(folder)
            #expect(Set(try await all(bench).map(\.name)) == ["Main Gate", "Quay", "Fort"])

            try folder.point("gozo", to: nil)
            try await imports.follow(folder)
            #expect(try await all(bench).map(\.name) == ["Main Gate"])
        }
    }

    @Test func whatAMapSaysInAShapeThatCanNotBeTakenStays() async throws {
        let files = try TestFolder("car-park-maps")
        let folder = MapFolder("\(files.path)/maps")
        try await Bench.run { bench in
            let imports = bench.parts.imports
            let quay = Self.placed("w2", "Quay")
            try put([Self.placed("w1", "Gate"), quay], "malta", in: folder)
            try await imports.follow(folder)
            let old = try await named("Gate", bench)
            let gate = try await bench.gate(of: old)
            // One with an unknown time zone, and one whose capacity is none.
            for tags in [
                ["name": "Gate", "currency": "EUR", "timeZone": "Mars/Olympus"],
                [
                    "name": "Gate", "currency": "EUR", "timeZone": "Europe/Malta",
                    "capacity": "1000000",
                ],
            ] {
                try put([Self.feature("w1", tags), quay], "malta", in: folder)
                try await imports.follow(folder)
                #expect(Set(try await all(bench).map(\.name)) == ["Gate", "Quay"])
            }
            #expect(try await bench.pass(gate, .out, "XYZ 9").reason == .unknown)
            try put([Self.placed("w1", "Main Gate"), .text("torn")], "malta", in: folder)
            try await imports.follow(folder)
            #expect(Set(try await all(bench).map(\.name)) == ["Main Gate", "Quay"])
            #expect(try await named("Main Gate", bench).id == old.id)
            try put([Self.placed("w1", "Main Gate")], "malta", in: folder)
            try await imports.follow(folder)
            #expect(try await all(bench).map(\.name) == ["Main Gate"])
        }
    }

    @Test func whatCanNotBeReadTakesNothingAway() async throws {
        let files = try TestFolder("car-park-maps")
        let folder = MapFolder("\(files.path)/maps")
        try await Bench.run { bench in
            let (imports, manager) = (bench.parts.imports, FileManager.default)
            func names() async throws -> [String] { try await all(bench).map(\.name) }
            try put([Self.placed("w1", "Gate")], "malta", in: folder)
            try await imports.follow(folder)
            try put([Self.placed("w2", "Quay")], "malta", in: folder)
            let file = try #require(folder.maps().first).carParks
            try manager.moveItem(atPath: file, toPath: "\(file).away")
            await #expect(throws: (any Error).self) { try await imports.follow(folder) }
            #expect(try await names() == ["Gate"])
            try manager.moveItem(atPath: "\(file).away", toPath: file)
            try await imports.follow(folder)
            #expect(try await names() == ["Quay"])
            // It is not mounted, or something empty is in its place.
            try manager.moveItem(atPath: folder.path, toPath: "\(folder.path).away")
            try await imports.follow(folder)
            #expect(try await names() == ["Quay"])
            try manager.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try await imports.follow(folder)
            #expect(try await names() == ["Quay"])
            try manager.removeItem(atPath: folder.path)
            try manager.moveItem(atPath: "\(folder.path).away", toPath: folder.path)
            try folder.point("malta", to: nil)
            try await imports.follow(folder)
            #expect(try await names() == [])
        }
    }

    @Test func whatIsBookedIsClosedUntilItCanGo() async throws {
        let files = try TestFolder("car-park-maps")
        let folder = MapFolder("\(files.path)/maps")
        try await Bench.run { bench in
            let imports = bench.parts.imports
            let seed = "node/277398828"
            try put([Self.placed(seed, "Erottaja"), Self.placed("w1", "Gate")], "a", in: folder)
            try await imports.follow(folder)
            let carPark = try await named("Erottaja", bench)
            let hourly = try #require(carPark.products.first { $0.kind == .hourly })
            #expect(carPark.bookable[.general] > 0)
            #expect(carPark.terms.text != "")
            let booking = try await bench.confirmed(.init(carPark: carPark, product: hourly))

            try folder.point("a", to: nil)
            try await imports.follow(folder)
            #expect(try await all(bench).map(\.status) == [.closed])
            try put([Self.placed(seed, "Erottaja")], "b", in: folder)
            try await imports.follow(folder)
            #expect(try await all(bench).map(\.status) == [.open])
            try folder.point("b", to: nil)
            try await imports.follow(folder)

            _ = try await bench.call(.post, "/v1/bookings/\(booking.id)/cancel", as: .alice)
            try await imports.sweep()
            #expect(try await all(bench).isEmpty)
        }
    }

    @Test func thirteenOfTheShippedMapCanBeBooked() throws {
        let seeds = try CarParkSeed.all()
        #expect(seeds.count == 13)
        for seed in seeds.values {
            let body = CarParkBody(
                name: "P", address: "", position: .valletta, timeZone: "Europe/Helsinki",
                currency: "EUR", capacity: SpaceCounts())
            let applied = try seed.applied(to: body)
            #expect(applied.bookable.map(\.total) ?? 0 > 0)
            #expect(try !seed.products.map { try CarParkRules.checked($0) }.isEmpty)
        }
    }
}
