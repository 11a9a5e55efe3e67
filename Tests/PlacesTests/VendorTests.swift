import Answers
import Contracts
import EventBus
import Foundation
import Geo
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Places

/// What operators and people do with vendors.
struct VendorTests {
    @Test func anOperatorAddsChangesAndRemovesAVendor() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let added = try await caller.add("Is-Suq", .foodMarket, meters: 100)
            #expect(added.timeZone == "Europe/Malta", "of the place where it lies")
            #expect(added.sources == ["operator"] && added.confirmedBy == "operator")
            #expect(added.acceptsStamps == .unknown && added.isOpen == true)
            var body = VendorBody(
                name: "Is-Suq tal-Belt", kind: .foodMarket, position: added.position,
                openingHours: "We 09:00-17:00", acceptsStamps: .yes)
            body.accessibility = Accessibility(stepCentimeters: 0, doorCentimeters: 95)
            let path = "/v1/admin/vendors/\(added.id)"
            try await caller.call(.put, path, body, as: .olivia, headers: [.ifMatch: "\"7\""])
                .refused(412, "request.precondition_failed")
            let answer = try await caller.call(
                .put, path, body, as: .olivia, headers: [.ifMatch: "\"1\""])
            let changed = try answer.expect(200, Vendor.self)
            #expect(answer.headers[.eTag] == "\"2\"")
            #expect(changed.name == "Is-Suq tal-Belt" && changed.isOpen == false)
            #expect(changed.accessibility.measured?["stepCentimeters"]?.source == "operator")
            #expect(changed.accessibility.measured?["doorCentimeters"]?.at == bench.clock.now)
            #expect(
                try await caller.call(.get, "/v1/vendors/\(added.id)").expect(200, Vendor.self)
                    == changed)
            try await caller.call(.delete, path, as: .olivia).expectEmpty(204)
            try await caller.call(.delete, path, as: .olivia).expectEmpty(204)
            try await caller.call(.get, "/v1/vendors/\(added.id)").refused(404, "vendor.unknown")
            let actions = try await bench.published(OperatorActed.self).map(\.action)
            #expect(
                actions == ["places.add-vendor", "places.change-vendor", "places.remove-vendor"])
        }
    }

    /// Cities whose country has no other place of zone.tab as near as one of its neighbour.
    @Test(arguments: [
        (39.905, 116.4, "Asia/Shanghai"), (28.64, 77.22, "Asia/Kolkata"),
        (19.08, 72.88, "Asia/Kolkata"), (48.11, -1.68, "Europe/Paris"),
        (47.61, -122.33, "America/Los_Angeles"),
    ])
    func theTimeZoneIsThatOfThePlace(
        latitude: Double, longitude: Double, zone: String
    ) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let body = VendorBody(
                name: "Kitchen", kind: .soupKitchen,
                position: Coordinate(latitude: latitude, longitude: longitude))
            let added = try await caller.call(.post, "/v1/admin/vendors", body, as: .olivia)
                .expect(201, Vendor.self)
            #expect(added.timeZone == zone)
        }
    }

    @Test(arguments: [
        ("name", ""), ("name", String(repeating: "x", count: 101)), ("website", "javascript:x"),
        ("photo", "nonsense"), ("timeZone", "Malta"),
        ("openingHours", String(repeating: "x", count: 501)),
    ])
    func aBadFieldIsRefusedAndChangesNothing(_ field: String, _ value: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var body: [String: JSONValue] = [
                "name": "Shop", "kind": "grocery",
                "position": .object(["latitude": .number(35.9), "longitude": .number(14.5)]),
            ]
            body[field] = .text(value)
            let answer = try await caller.call(.post, "/v1/admin/vendors", body, as: .olivia)
            try answer.refused(422, "request.invalid", field: field)
            let all = try await caller.call(.get, "/v1/admin/vendors", as: .olivia)
                .expect(200, Page<Vendor>.self)
            #expect(all.items.isEmpty)
        }
    }

    @Test func onlyOperatorsMayChangeVendors() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            let body = VendorBody(name: "x", kind: .other, position: Bench.gate)
            for (method, path) in [
                ("POST", "/v1/admin/vendors"), ("PUT", "/v1/admin/vendors/\(vendor.id)"),
            ] {
                let method = try #require(HTTPRequest.Method(rawValue: method))
                try await caller.call(method, path, body, as: .alice)
                    .refused(403, "auth.role")
                try await caller.call(method, path, body).refused(401, "auth.token_missing")
            }
        }
    }

    @Test func peopleKeepVendors() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let (one, two) = (
                try await caller.add("One", meters: 10), try await caller.add("Two", meters: 20)
            )
            func saved() async throws -> [VendorID] {
                try await caller.call(.get, "/v1/me/saved-vendors", as: .alice)
                    .expect(200, Page<SavedVendor>.self).items.map(\.vendor.id)
            }
            #expect(try await saved().isEmpty)
            for vendor in [one, two, one] {
                bench.clock.advance(by: 1)
                try await caller.call(.put, "/v1/me/saved-vendors/\(vendor.id)", as: .alice)
                    .expectEmpty(204)
            }
            #expect(try await saved() == [two.id, one.id])
            try await caller.call(
                .put, "/v1/me/saved-vendors/\(VendorID.new())", as: .alice
            ).refused(404, "vendor.unknown")
            try await caller.call(.delete, "/v1/me/saved-vendors/\(two.id)", as: .alice)
                .expectEmpty(204)
            #expect(try await saved() == [one.id])
        }
    }

    @Test func aSuggestionIsTakenOverOrLeft() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            let path = "/v1/vendors/\(vendor.id)/suggestions"
            var change = VendorSuggestionBody()
            try await caller.call(.post, path, change, as: .alice).refused(422, "request.invalid")
            (change.acceptsStamps, change.openingHours) = (.yes, "Mo-Su 08:00-20:00")
            let first = try await caller.call(.post, path, change, as: .alice)
                .expect(201, VendorSuggestion.self)
            bench.clock.advance(by: 1)
            var gone = VendorSuggestionBody()
            gone.isGone = true
            let second = try await caller.call(.post, path, gone, as: .bob)
                .expect(201, VendorSuggestion.self)
            #expect(
                try await caller.call(.get, "/v1/vendors/\(vendor.id)").expect(200, Vendor.self)
                    .acceptsStamps == .unknown, "nothing before an operator has looked")
            let admin = "/v1/admin/vendor-suggestions"
            let open = try await caller.call(.get, admin, as: .olivia)
                .expect(200, Page<VendorSuggestion>.self)
            #expect(open.items.map(\.id) == [second.id, first.id])
            let taken = try await caller.call(.post, "\(admin)/\(first.id)/accept", as: .olivia)
                .expect(200, VendorSuggestion.self)
            #expect(taken.status == .accepted && taken.decidedAt == bench.clock.now)
            try await caller.call(.post, "\(admin)/\(first.id)/decline", as: .olivia)
                .refused(409, "vendor_suggestion.decided")
            try await caller.call(.post, "\(admin)/\(second.id)/decline", as: .olivia)
                .expect(200, VendorSuggestion.self)
            let now = try await caller.call(.get, "/v1/vendors/\(vendor.id)")
                .expect(200, Vendor.self)
            #expect(now.acceptsStamps == .yes && now.openingHours == "Mo-Su 08:00-20:00")
            #expect(now.confirmedBy == "people" && now.sources == ["operator", "people"])
        }
    }

    @Test func aSuggestionOfOneMeasureLeavesTheOthers() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            var body = VendorBody(name: "Shop", kind: .grocery, position: vendor.position)
            body.accessibility = Accessibility(doorCentimeters: 95, surface: "asphalt", lift: true)
            let path = "/v1/admin/vendors/\(vendor.id)"
            _ = try await caller.call(.put, path, body, as: .olivia).expect(200, Vendor.self)
            var change = VendorSuggestionBody()
            change.accessibility = Accessibility(stepCentimeters: 3, lift: false)
            let made = try await caller.call(
                .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice
            ).expect(201, VendorSuggestion.self)
            #expect(made.change.accessibility == change.accessibility)
            _ = try await caller.call(
                .post, "/v1/admin/vendor-suggestions/\(made.id)/accept", as: .olivia
            ).expect(200, VendorSuggestion.self)
            var now = try await caller.call(.get, "/v1/vendors/\(vendor.id)")
                .expect(200, Vendor.self).accessibility
            #expect(
                now.measured?.mapValues(\.source) == [
                    "stepCentimeters": "people", "doorCentimeters": "operator",
                    "surface": "operator", "lift": "people",
                ])
            now.measured = nil
            #expect(
                now
                    == Accessibility(
                        stepCentimeters: 3, doorCentimeters: 95, surface: "asphalt", lift: false))
        }
    }

    @Test func aSuggestedDuplicateOfItselfIsNotTakenOver() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            var change = VendorSuggestionBody()
            change.duplicateOf = vendor.id
            let made = try await caller.call(
                .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice
            ).expect(201, VendorSuggestion.self)
            try await caller.call(
                .post, "/v1/admin/vendor-suggestions/\(made.id)/accept", as: .olivia
            ).refused(409, "vendor.duplicate_of_itself")
            try await Self.decide(made, "decline", caller)
        }
    }

    private static func suggestion(
        of vendor: Vendor, isGone: Bool = false, _ caller: Caller
    ) async throws -> VendorSuggestion {
        var change = VendorSuggestionBody()
        (change.note, change.isGone) = ("It is blue.", isGone ? true : nil)
        return try await caller.call(
            .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice
        ).expect(201, VendorSuggestion.self)
    }

    private static func decide(
        _ suggestion: VendorSuggestion, _ verb: String, _ caller: Caller
    ) async throws {
        try await caller.call(
            .post, "/v1/admin/vendor-suggestions/\(suggestion.id)/\(verb)", as: .olivia
        ).expect(200, VendorSuggestion.self)
    }

    @Test(arguments: [
        ("accept", "We accepted your suggestion", "We’ve corrected Shop. Thank you.", "您的建議已獲接納"),
        ("decline", "We declined your suggestion", "We’ve left Shop as it is.", "您的建議未獲接納"),
    ])
    func whoSuggestedItIsToldWhatBecameOfIt(
        _ verb: String, _ title: String, _ text: String, _ chinese: String
    ) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            let suggestion = try await Self.suggestion(of: vendor, caller)
            #expect(try await bench.published(NoticeIssued.self).isEmpty)
            try await Self.decide(suggestion, verb, caller)
            let decided = try #require(
                try await bench.published(VendorSuggestionDecided.self).first)
            #expect(decided.suggestion == suggestion.id && decided.vendor == vendor.id)
            try EventFixtures.expectShape(of: decided)
            let notice = try #require(try await bench.published(NoticeIssued.self).first?.notice)
            #expect(notice.cause == VendorSuggestionDecided.type)
            #expect(notice.state?.link == "/places/\(vendor.id)")
            #expect(notice.state?.about == [TestPerson.alice.id])
            let message = try #require(notice.messages.first)
            #expect(notice.messages.count == 1 && message.role == .known(.customer))
            #expect(message.to == .person(TestPerson.alice.id) && message.push == .receipt)
            #expect(message.title?[.english] == title && message.text?[.english] == text)
            #expect(message.title?[.traditionalChinese] == chinese)
        }
    }

    @Test func toWhatIsThereNoMoreNothingLeads() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            try await Self.decide(
                Self.suggestion(of: vendor, isGone: true, caller), "accept", caller)
            let notice = try #require(try await bench.published(NoticeIssued.self).first?.notice)
            #expect(notice.state != nil && notice.state?.link == nil)
        }
    }

    @Test func ofWhatADeletedPersonSuggestedNobodyIsTold() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            let suggestion = try await Self.suggestion(of: vendor, caller)
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            try await Self.decide(suggestion, "accept", caller)
            #expect(try await bench.published(VendorSuggestionDecided.self).count == 1)
            #expect(try await bench.published(NoticeIssued.self).isEmpty)
        }
    }

    @Test(.withoutDatabase) func everyTextIsThereInEachLanguage() {
        #expect(placeWords.differences == [])
    }

    @Test func nobodySuggestsWithoutEnd() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            var change = VendorSuggestionBody()
            change.note = "It is blue."
            for _ in 0..<VendorUseCases.mostSuggestions {
                try await caller.call(
                    .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice
                ).expect(201, VendorSuggestion.self)
            }
            try await caller.call(
                .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice
            ).refused(409, "vendor_suggestion.too_many")
        }
    }

    /// Thousands at one place: with one name, with a name each, and with few words; and one name all over the world.
    @Test(.withoutDatabase, arguments: ["Shop", "Shop %d", "Red Shop|Blue Shop|Shop", "far"])
    func manyVendorsAreNotComparedEachWithEach(_ name: String) {
        let names = name.split(separator: "|").map(String.init)
        let places = (0..<3_000).map { index in
            let isFar = name == "far"
            return VendorDuplicates.NamedPlace(
                id: .new(),
                position: Coordinate(
                    latitude: isFar ? -60 + Double(index) * 0.04 : 35.9, longitude: 14.5),
                name: isFar
                    ? "Church" : names[index % names.count].replacing("%d", with: "\(index)"))
        }
        var search = VendorDuplicates(most: 100, within: 150)
        let found = search.pairs(among: places)
        #expect(found.count == (name == "Shop" || names.count > 1 ? 100 : 0))
        #expect(Set(found).count == found.count)
        #expect(search.comparisons < 20 * places.count)
    }

    /// As by comparing each with each.
    @Test(.withoutDatabase) func theNearestDuplicatesAreFound() {
        let words = ["lidl", "market", "old", "new", "corner"]
        var random = SystemRandomNumberGenerator()
        let places = (0..<300).map { _ in
            VendorDuplicates.NamedPlace(
                id: .new(),
                position: Coordinate(
                    latitude: 35.9 + .random(in: 0...0.01, using: &random),
                    longitude: 14.5 + .random(in: 0...0.01, using: &random)),
                name: words.shuffled().prefix(.random(in: 1...3)).joined(separator: " "))
        }
        var all: [Double] = []
        for (index, one) in places.enumerated() {
            for other in places[(index + 1)...] {
                let meters = Geo.distanceMeters(one.position, other.position)
                if meters <= 150,
                    one.words.isSubset(of: other.words) || other.words.isSubset(of: one.words)
                {
                    all.append(meters)
                }
            }
        }
        var search = VendorDuplicates(most: 40, within: 150)
        let found = search.pairs(among: places).map { ($0.meters * 1_000).rounded() }
        #expect(found == all.sorted().prefix(40).map { ($0 * 1_000).rounded() })
    }

    @Test func duplicatesAreFoundAndLinked() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let one = try await caller.add("Lidl", meters: 10)
            let two = try await caller.add("LIDL Valletta", meters: 60)
            _ = try await caller.add("Lidl", meters: 400)
            _ = try await caller.add("Other", meters: 12)
            func pairs() async throws -> [VendorPair] {
                try await caller.call(.get, "/v1/admin/vendor-duplicates", as: .olivia)
                    .expect(200, Page<VendorPair>.self).items
            }
            let found = try await pairs()
            #expect(found.map { Set([$0.one.id, $0.other.id]) } == [[one.id, two.id]])
            #expect(found.map(\.meters) == [50])
            let path = "/v1/admin/vendors/\(two.id)/duplicate"
            try await caller.call(.put, path, DuplicateBody(of: two.id), as: .olivia)
                .refused(409, "vendor.duplicate_of_itself")
            let linked = try await caller.call(.put, path, DuplicateBody(of: one.id), as: .olivia)
                .expect(200, Vendor.self)
            #expect(linked.duplicateOf == one.id)
            try await caller.call(
                .put, "/v1/admin/vendors/\(one.id)/duplicate", DuplicateBody(of: two.id),
                as: .olivia
            ).refused(409, "vendor.duplicate_of_itself")
            #expect(try await pairs().isEmpty)
            let shown = try await caller.find()
            #expect(!shown.items.map(\.id).contains(two.id) && shown.items.count == 3)
            _ = try await caller.call(.delete, path, as: .olivia).expect(200, Vendor.self)
            #expect(try await caller.find().items.count == 4)
            _ = try await caller.call(.put, path, DuplicateBody(of: one.id), as: .olivia)
            try await caller.call(.delete, "/v1/admin/vendors/\(one.id)", as: .olivia)
                .expectEmpty(204)
            let left = try await caller.find().items.map(\.id)
            #expect(left.count == 3 && left.contains(two.id), "the other is shown again")
        }
    }

    @Test func coverageAndExportTellOfAll() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.add("A", meters: 1, hours: "ask inside", stamps: .yes)
            _ = try await caller.add(
                "B", meters: 2, accessibility: Accessibility(stepCentimeters: 3))
            let lines = try await caller.call(.get, "/v1/admin/vendor-coverage", as: .olivia)
                .expect(200, Page<VendorCoverage>.self).items
            let groceries = try #require(lines.first(where: { $0.kind == .grocery }))
            #expect(groceries.vendors == 2 && groceries.withReadableHours == 1)
            #expect(groceries.withStampsKnown == 1 && groceries.withAccessibility == 1)
            #expect(lines.count == VendorKind.allCases.count)
            let answer = try await caller.call(.get, "/v1/admin/vendors/export", as: .olivia)
            #expect(answer.status == 200)
            let file = try VendorFile(answer.data)
            #expect(file.count == 2, "what was given out can be taken in")
            for (_, row) in file.rows(0..<2) {
                guard case .vendor = row else {
                    Issue.record("\(row)")
                    continue
                }
            }
        }
    }

    @Test func whoIsForgottenLeavesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let vendor = try await caller.add("Shop", meters: 10)
            var change = VendorSuggestionBody()
            change.acceptsStamps = .no
            _ = try await caller.call(
                .post, "/v1/vendors/\(vendor.id)/suggestions", change, as: .alice)
            _ = try await caller.call(.put, "/v1/me/saved-vendors/\(vendor.id)", as: .alice)
            _ = try await caller.call(.put, "/v1/me/mobility", Mobility(), as: .alice)
            let held = try await caller.internally("/internal/people/\(TestPerson.alice.id)")
                .expect(200, [String: JSONValue].self)
            #expect(held["mobility"] != .null && held["mobility"] != nil)
            #expect(held["savedVendors"] != .list([]) && held["suggestions"] != .list([]))
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 9,
                    deletedAt: bench.clock.now))
            for (table, column) in [
                ("mobility", "person"), ("saved_vendors", "person"),
                ("vendor_suggestions", "person"),
            ] {
                let left = try await bench.database.read {
                    try $0.rows(
                        "SELECT * FROM \(table) WHERE \(column) = ?", TestPerson.alice.id)
                }
                #expect(left.isEmpty, "\(table)")
            }
        }
    }
}
