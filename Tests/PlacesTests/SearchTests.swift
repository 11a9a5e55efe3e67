import Answers
import Contracts
import Foundation
import Geo
import ServiceKit
import Support
import Testing

@testable import Places

/// What somebody can reach: here as the crow flies, whose numbers can be told beforehand.
struct SearchTests {
    /// 1.3 times the straight line, at 1.4 m/s.
    private static func walkSeconds(_ meters: Double) -> Int {
        Int((meters * 1.3 / 1.4).rounded(.up))
    }

    @Test func whatIsWithinMyLimitsIsFoundTheQuickestFirst() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for (name, meters) in [("far", 2_000.0), ("near", 200), ("middle", 600)] {
                _ = try await caller.add(name, meters: meters)
            }
            let found = try await caller.find()
            #expect(found.items.map(\.name) == ["near", "middle"])
            #expect(found.beyondLimits == 1 && found.helps.isEmpty && found.next == nil)
            let near = found.items[0]
            #expect(near.reach.mode == .walk && near.reach.transfers == 0)
            #expect(abs(near.reach.seconds - Self.walkSeconds(200)) <= 1)
            #expect(abs(near.reach.meters - 260) <= 1 && near.distanceMeters == 200)
            #expect(near.reach.isStraightLine)
        }
    }

    @Test func peopleWithOtherWaysToGetAlongFindOthers() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for meters in [300.0, 1_500, 6_000] {
                _ = try await caller.add("\(Int(meters))", meters: meters)
            }
            func names(_ modes: Set<MobilityMode>, walk: Int) async throws -> [String] {
                let mobility = Mobility(
                    modes: .init(modes), maxWalkMeters: walk, radiusMeters: 10_000)
                try await caller.call(.put, "/v1/me/mobility", mobility, as: .alice)
                    .expect(200, Mobility.self)
                return try await caller.find(as: .alice).items.map {
                    "\($0.name) \($0.reach.mode)"
                }
            }
            #expect(try await names([.walk], walk: 500) == ["300 walk"])
            #expect(try await names([.walk], walk: 3_000) == ["300 walk", "1500 walk"])
            #expect(try await names([.wheelchair], walk: 500) == ["300 wheelchair"])
            #expect(
                try await names([.car, .walk], walk: 500)
                    == ["300 car", "1500 car", "6000 car"])
            #expect(
                try await caller.find("&modes=walk&radiusMeters=10000", as: .alice).items.map(
                    \.name)
                    == ["300"], "what is asked for goes before what I have")
        }
    }

    @Test func filtersLeaveOutWhatDoesNotFit() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.add("Market", .foodMarket, meters: 50, stamps: .yes)
            _ = try await caller.add(
                "Caf\u{E9} Jubilee", .restaurant, meters: 60, hours: "Mo-Su 18:00-23:00")
            _ = try await caller.add("St. Paul", .church, meters: 70, hours: "by appointment")
            _ = try await caller.add(
                "Step", meters: 80, stamps: .no, accessibility: Accessibility(stepCentimeters: 15))
            _ = try await caller.add(
                "Flat", meters: 90,
                accessibility: Accessibility(stepCentimeters: 0, doorCentimeters: 90))
            func names(_ query: String) async throws -> [String] {
                try await caller.find(query).items.map(\.name)
            }
            #expect(try await names("").count == 5)
            #expect(try await names("&kinds=church,foodMarket") == ["Market", "St. Paul"])
            #expect(try await names("&acceptsStamps=true") == ["Market"])
            #expect(try await names("&accessible=true") == ["Flat"])
            #expect(try await names("&q=cafe%20jub") == ["Caf\u{E9} Jubilee"])
            for text in ["st%20paul", "St.%20Paul", "st-paul", "s%20paul", "paul,%20st"] {
                #expect(try await names("&q=\(text)") == ["St. Paul"], "\(text)")
            }
            #expect(try await names("&q=100%25").isEmpty, "no wildcard")
            // Nine in the morning in Malta: hours that can't be read are shown, and never open.
            #expect(try await names("&openAt=now") == ["Market", "Step", "Flat"])
            #expect(
                try await names("&openAt=2026-11-25T19:00:00Z").contains("Caf\u{E9} Jubilee"))
            let church = try await caller.find("&kinds=church").items[0]
            #expect(church.isOpen == nil)
        }
    }

    /// Malta's 8 September, which is a Tuesday in 2026, and its Good Friday.
    @Test func onAPublicHolidayItIsOpenAsItSaysOfHolidays() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let off = try await caller.add("Off", meters: 50, hours: "Mo-Su 08:00-18:00; PH off")
            _ = try await caller.add(
                "Short", meters: 60, hours: "Mo-Su 08:00-18:00; PH 09:00-12:00")
            _ = try await caller.add("Always", meters: 70, hours: "Mo-Su 08:00-18:00")
            func names(_ at: String) async throws -> [String] {
                try await caller.find("&openAt=\(at)").items.map(\.name)
            }
            #expect(try await names("2026-09-07T13:00:00Z") == ["Off", "Short", "Always"])
            #expect(try await names("2026-09-08T07:30:00Z") == ["Short", "Always"])
            #expect(try await names("2026-09-08T13:00:00Z") == ["Always"])
            #expect(try await names("2026-04-03T07:30:00Z") == ["Short", "Always"])
            let eve = try #require(Wire.date("2026-09-07T17:00:00Z"))
            bench.clock.advance(by: eve.timeIntervalSince(bench.clock.now))
            let told = try await caller.call(.get, "/v1/vendors/\(off.id)")
                .expect(200, Vendor.self)
            #expect(told.isOpen == false && told.changesAt == Wire.date("2026-09-09T06:00:00Z"))
        }
    }

    /// 700 m are about eleven minutes on foot.
    @Test func whoArrivesAfterItClosesIsToldBefore() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.add("Far", meters: 700, hours: "Mo-Su 08:00-18:00")
            _ = try await caller.add("Near", meters: 70, hours: "Mo-Su 08:00-18:00")
            _ = try await caller.add("Church", .church, meters: 80, hours: "by appointment")
            func found(_ query: String) async throws -> [String: Bool?] {
                let items = try await caller.find(query).items
                return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.isOpenOnArrival) })
            }
            #expect(try await found("") == ["Far": true, "Near": true, "Church": nil])
            let late = try await found("&departAt=2026-01-05T16:55:00Z")
            #expect(late == ["Far": false, "Near": true, "Church": nil])
            let early = try await found("&departAt=2026-01-05T06:55:00Z")
            #expect(early == ["Far": true, "Near": false, "Church": nil])
        }
    }

    @Test func whereNothingIsWithinReachItSaysWhatWouldHelp() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for meters in [1_000.0, 1_020, 4_000] {
                _ = try await caller.add("\(meters)", meters: meters)
            }
            let found = try await caller.find("&modes=walk&maxSeconds=7200")
            #expect(found.items.isEmpty && found.beyondLimits == 3)
            #expect(
                found.helps == [.init(limit: "maxWalkMeters", value: 1_400, vendors: 2)],
                "the next hundred metres, and how many are there")
            #expect(try await caller.find("&modes=walk&maxWalkMeters=1400").items.count == 2)
            let both = try await caller.find("&modes=walk&maxSeconds=600&maxMeters=20000")
            #expect(both.helps.map(\.limit) == ["maxSeconds", "maxWalkMeters"])
            #expect(both.helps.map(\.vendors) == [2, 2])
            let inTime = try await caller.find("&modes=car&maxSeconds=60")
            #expect(inTime.helps.map(\.limit) == ["maxSeconds"])
            #expect(inTime.helps.map(\.vendors) == [2])
            let around = try await caller.find("&radiusMeters=500")
            #expect(around.helps == [.init(limit: "radiusMeters", value: 1_000, vendors: 1)])
            #expect(around.beyondLimits == 0)
        }
    }

    @Test func pagesFollowEachOther() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for index in 1...5 {
                _ = try await caller.add("\(index)", meters: Double(index) * 10)
            }
            var names: [String] = []
            var after: String? = ""
            while let cursor = after {
                let page = try await caller.find(
                    "&limit=2" + (cursor == "" ? "" : "&after=\(cursor)"))
                names += page.items.map(\.name)
                after = page.next
            }
            #expect(names == ["1", "2", "3", "4", "5"])
        }
    }

    @Test func homeIsWhereOneLooksFromWhoNamesNoPoint() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.add("Shop", meters: 100)
            try await caller.call(.get, "/v1/vendors", as: .alice).refused(
                422, "request.invalid", field: "latitude")
            let home = Mobility(home: Place(Bench.gate))
            _ = try await caller.call(.put, "/v1/me/mobility", home, as: .alice)
            let found = try await caller.call(.get, "/v1/vendors", as: .alice)
                .expect(200, VendorsAnswer.self)
            #expect(found.items.map(\.name) == ["Shop"])
        }
    }

    @Test(arguments: [
        ("radiusMeters=0", "radiusMeters"), ("kinds=palace", "kinds"), ("openAt=noon", "openAt"),
        ("acceptsStamps=maybe", "acceptsStamps"), ("modes=rocket", "modes"), ("modes=", "modes"),
        ("maxSeconds=1", "maxSeconds"), ("maxMeters=0", "maxMeters"), ("sort=name", "sort"),
        ("limit=101", "limit"), ("after=x", "after"), ("departAt=x", "departAt"),
        ("q=" + String(repeating: "x", count: 101), "q"),
    ])
    func aBadParameterIsNamed(_ query: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(
                .get, "/v1/vendors?latitude=35.9&longitude=14.5&\(query)")
            try answer.refused(422, "request.invalid", field: field)
        }
    }
}
