import Foundation
import Testing

@testable import Transit

/// When one leaves, and how one changes, or stays seated.
@Suite struct ChangeTests {
    typealias Case = (trips: [Lines.Trip], from: String, to: String, time: String, found: [String])

    static let waits: [Case] = [
        (
            [
                .init(id: "a1", line: "1", calls: "A 21:05, C 21:10"),
                .init(id: "a2", line: "1", calls: "A 21:14, C 21:18"),
                .init(id: "t", line: "2", calls: "C 21:20, D 21:22"),
            ], "A", "D", "21:00", ["1 A 21:14 C 21:18, 2 C 21:20 D 21:22"]
        ),
        // From two lines.
        (
            [
                .init(id: "a", line: "1", calls: "A 14:08, C 14:12"),
                .init(id: "b", line: "3", calls: "A 14:20, C 14:25"),
                .init(id: "t", line: "2", calls: "C 14:30, D 14:40"),
            ], "A", "D", "14:00", ["3 A 14:20 C 14:25, 2 C 14:30 D 14:40"]
        ),
        // Without a change.
        (
            [
                .init(id: "slow", line: "1", calls: "A 10:00, B 10:20, D 11:00"),
                .init(id: "fast", line: "2", calls: "A 10:30, D 11:00"),
            ], "A", "D", "09:55", ["2 A 10:30 D 11:00"]
        ),
        // With two changes.
        (
            [
                .init(id: "a1", line: "1", calls: "A 09:00, B 09:10"),
                .init(id: "a2", line: "1", calls: "A 09:30, B 09:40"),
                .init(id: "b1", line: "2", calls: "B 09:20, C 09:30"),
                .init(id: "b2", line: "2", calls: "B 09:50, C 10:00"),
                .init(id: "c", line: "3", calls: "C 10:10, D 10:20"),
            ], "A", "D", "08:50", ["1 A 09:30 B 09:40, 2 B 09:50 C 10:00, 3 C 10:10 D 10:20"]
        ),
        // Passengers wait where it is safest: at the last change.
        (
            [
                .init(id: "a1", line: "1", calls: "A 09:00, B 09:10"),
                .init(id: "a2", line: "1", calls: "A 09:30, B 09:40"),
                .init(id: "b1", line: "2", calls: "B 09:50, C 10:00"),
                .init(id: "b2", line: "2", calls: "B 10:10, C 10:20"),
                .init(id: "c", line: "3", calls: "C 10:30, D 10:40"),
            ], "A", "D", "08:50", ["1 A 09:30 B 09:40, 2 B 09:50 C 10:00, 3 C 10:30 D 10:40"]
        ),
        // From the farther of two stops, and to the farther of two.
        (
            [
                .init(id: "a", line: "1", calls: "A 08:00, D 08:40"),
                .init(id: "b", line: "2", calls: "B 08:30, D 08:40"),
            ], "A 0, B 10", "D", "07:50", ["2 B 08:30 D 08:40"]
        ),
        (
            [
                .init(id: "a", line: "1", calls: "A 08:00, D 08:40"),
                .init(id: "b", line: "2", calls: "A 08:20, E 08:38"),
            ], "A", "D 0, E 2", "07:50", ["2 A 08:20 E 08:38"]
        ),
        // The journey with fewer changes arrives later, and departs as late as it can.
        (
            [
                .init(id: "d1", line: "1", calls: "A 08:00, D 09:00"),
                .init(id: "d2", line: "4", calls: "A 08:30, D 09:00"),
                .init(id: "a1", line: "2", calls: "A 08:05, C 08:10"),
                .init(id: "a2", line: "2", calls: "A 08:15, C 08:20"),
                .init(id: "t", line: "3", calls: "C 08:25, D 08:40"),
            ], "A", "D", "07:50",
            ["4 A 08:30 D 09:00", "2 A 08:15 C 08:20, 3 C 08:25 D 08:40"]
        ),
        // Backwards, what arrives first of those that depart then.
        (
            [
                .init(id: "a", line: "1", calls: "A 20:00, C 20:10"),
                .init(id: "t1", line: "2", calls: "C 20:20, D 20:50"),
                .init(id: "t2", line: "2", calls: "C 21:20, D 21:50"),
            ], "A", "D", "by 22:00", ["1 A 20:00 C 20:10, 2 C 20:20 D 20:50"]
        ),
    ]

    @Test(arguments: waits)
    func nobodyLeavesEarlierThanNeeded(
        trips: [Lines.Trip], from: String, to: String, time: String, found: [String]
    ) throws {
        #expect(try Lines(trips: trips).timetable().found(from, to, time) == found)
    }

    // MARK: Timed transfers

    /// In at 23:00, out at a time.
    private func timed(
        _ transfers: [String], in arrives: String = "C", out departs: String = "C",
        at time: String = "23:00"
    ) throws -> [String] {
        let lines = Lines(
            trips: [
                .init(id: "in", line: "1", calls: "A 22:40, \(arrives) 23:00"),
                .init(id: "out", line: "2", calls: "\(departs) \(time), D 23:20"),
            ], transfers: transfers)
        let timetable = try lines.timetable()
        let found = try timetable.found("A", "D", "22:30")
        #expect(try timetable.found("A", "D", "by 23:30") == found)
        return found
    }

    @Test func aVehicleWaitsForATimedTransfer() throws {
        #expect(try timed([]) == [])
        #expect(try timed(["C,C,0,,,"]) == [])
        #expect(try timed(["C,C,1,,,"]) == ["1 A 22:40 C 23:00, 2 C 23:00 D 23:20"])
        // The time is of type 2 alone.
        #expect(try timed(["C,C,1,600,,"]) == ["1 A 22:40 C 23:00, 2 C 23:00 D 23:20"])
        #expect(try timed(["C,C,1,,,"], at: "22:59") == [])
        #expect(try timed(["C,C,2,120,,"], at: "23:01") == [])
    }

    @Test func aVehicleAtAnotherPlatformWaits() throws {
        let found = ["1 A 22:40 C1 23:00, 2 C2 23:00 D 23:20"]
        for (row, expected) in [
            ("C1,C2,1,,,", found), ("PC,PC,1,,,", found), ("C2,C1,1,,,", []), ("C1,C2,0,,,", []),
        ] {
            #expect(try timed([row], in: "C1", out: "C2") == expected, "\(row)")
        }
        // A stop's own row takes precedence over its station's.
        #expect(try timed(["C1,C2,2,300,,", "PC,PC,1,,,"], in: "C1", out: "C2") == [])
    }

    @Test func passengersWalkToTheVehicleThatWaits() throws {
        let lines = Lines(
            trips: [
                .init(id: "in", line: "1", calls: "A 22:40, C1 23:00"),
                .init(id: "out", line: "2", calls: "C2 23:00, D 23:20"),
            ], transfers: ["C1,C2,1,,,"])
        let timetable = try lines.timetable()
        let query = TransitQuery(
            access: [.init(stop: try #require(timetable.stop("A")), seconds: 0)],
            egress: [.init(stop: try #require(timetable.stop("D")), seconds: 0)],
            time: .departAt(try Timetable.time("22:00")))
        let journey = try #require(timetable.journeys(query).first)
        let walks = journey.legs.compactMap { if case .walk(let walk) = $0 { walk } else { nil } }
        #expect(walks.map(\.from) == [timetable.stop("C1")])
        #expect(walks.map(\.to) == [timetable.stop("C2")])
    }

    // MARK: Staying seated

    /// A bus from A over C to E, which is another line from there on.
    private static func through(
        _ block: String, departs: String = "19:20", service: String = "S"
    ) -> [Lines.Trip] {
        [
            .init(id: "t1", line: "1", calls: "A 19:00, B 19:10, C 19:20", block: block),
            .init(
                id: "t2", line: "2", calls: "C \(departs), D 19:30, E 19:40", block: block,
                service: service),
        ]
    }

    private static let seated = ["1 A 19:00 C 19:20, +2 C 19:20 E 19:40"]

    @Test func passengersStaySeatedInABlock() throws {
        let timetable = try Lines(trips: Self.through("b")).timetable()
        #expect(try timetable.found("A", "E", "18:50") == Self.seated)
        #expect(try timetable.found("A", "E", "18:50", maxTransfers: 0) == Self.seated)
        #expect(try timetable.found("A", "E", "by 20:00", maxTransfers: 0) == Self.seated)
        #expect(try timetable.found("B", "D", "19:05") == ["1 B 19:10 C 19:20, +2 C 19:20 D 19:30"])
        #expect(try timetable.found("C", "E", "19:20") == ["2 C 19:20 E 19:40"])
        let query = TransitQuery(
            access: [.init(stop: try #require(timetable.stop("A")), seconds: 0)],
            egress: [.init(stop: try #require(timetable.stop("E")), seconds: 0)],
            time: .departAt(try Timetable.time("18:50")))
        #expect(timetable.journeys(query).map(\.transfers) == [0])
        let reach = timetable.reach(
            ReachQuery(
                access: query.access, departAt: try Timetable.time("18:50"), maxSeconds: 7_200))
        let end = try #require(reach.first { $0.stop == timetable.stop("E") })
        #expect(end.transfers == 0 && end.seconds == 50 * 60 && end.start == timetable.stop("A"))
        #expect(abs(end.meters - 4 * 3_336) < 10)
        for other in [
            Self.through(""), Self.through("b", departs: "19:19"),
            Self.through("b", service: "W"),
        ] {
            #expect(try Lines(trips: other).timetable().found("A", "E", "18:50") == [])
        }
    }

    @Test func passengersStaySeatedInLinkedTrips() throws {
        func found(_ block: String, _ rows: [String]) throws -> [String] {
            try Lines(trips: Self.through(block), transfers: rows).timetable()
                .found("A", "E", "18:50")
        }
        #expect(try found("", [",,4,,t1,t2"]) == Self.seated)
        #expect(try found("b", [",,4,,t1,t2"]) == Self.seated)
        #expect(try found("", [",,4,,t2,t1"]) == [])
        // In a block, too, these passengers have to get off.
        #expect(try found("b", [",,5,,t1,t2"]) == [])
        // The linked trip takes precedence over the block.
        let third = Lines.Trip(id: "t3", line: "3", calls: "C 19:25, F 19:40", block: "")
        let lines = Lines(trips: Self.through("b") + [third], transfers: [",,4,,t1,t3"])
        #expect(
            try lines.timetable().found("A", "F", "18:50", maxTransfers: 0)
                == ["1 A 19:00 C 19:20, +3 C 19:25 F 19:40"])
        #expect(try lines.timetable().found("A", "E", "18:50") == [])
    }

    @Test func aTrainIsDividedAndGoesOnTheNextDay() throws {
        let lines = Lines(
            trips: [
                .init(id: "t1", line: "1", calls: "A 23:30, C 24:10", service: "M"),
                .init(id: "t2", line: "2", calls: "C 00:10, D 00:30"),
                .init(id: "t3", line: "3", calls: "C 00:15, E 00:40"),
            ], transfers: [",,4,,t1,t2", ",,4,,t1,t3"])
        let timetable = try lines.timetable()
        #expect(
            try timetable.found("A", "D", "23:00", maxTransfers: 0)
                == ["1 A 23:30 C 24:10, +2 C 24:10 D 24:30"])
        #expect(
            try timetable.found("A", "E", "by 25:00", maxTransfers: 0)
                == ["1 A 23:30 C 24:10, +3 C 24:15 E 24:40"])
    }

    /// Trips that are linked in the wrong order: nobody stays seated for most of a day.
    @Test func aLinkedTripDepartsSoonAfterTheOtherArrives() throws {
        func found(_ departs: String, _ arrives: String) throws -> [String] {
            let lines = Lines(
                trips: [
                    .init(id: "t1", line: "1", calls: "A 08:00, C 09:00", service: "M"),
                    .init(id: "t2", line: "2", calls: "C \(departs), D \(arrives)"),
                ], transfers: [",,4,,t1,t2"])
            return try lines.timetable().found("A", "D", "07:00", maxTransfers: 0)
        }
        #expect(try found("08:30", "08:50") == [])
        #expect(try found("20:30", "21:00") == ["1 A 08:00 C 09:00, +2 C 20:30 D 21:00"])
    }

    @Test func aTrainTravelsForDays() throws {
        let lines = Lines(
            trips: [
                .init(id: "t1", line: "1", calls: "A 00:30, C 48:10", service: "M"),
                .init(id: "t2", line: "2", calls: "C 00:20, D 01:00"),
            ], transfers: [",,4,,t1,t2"])
        let timetable = try lines.timetable()
        let query = TransitQuery(
            access: [.init(stop: try #require(timetable.stop("A")), seconds: 0)],
            egress: [.init(stop: try #require(timetable.stop("D")), seconds: 0)],
            time: .departAt(try Timetable.time("00:00")), maxSeconds: 259_200,
            rules: RideRules(maxTransfers: 0))
        let journey = try #require(timetable.journeys(query).first)
        #expect(journey.seconds == 48 * 3_600 + 30 * 60 && journey.transfers == 0)
    }

    /// The first trip of the line goes on at weekends only, the second every day.
    @Test func aLaterTripOfALineGoesOnWhereTheEarliestEnds() throws {
        let lines = Lines(trips: [
            .init(id: "a0", line: "1", calls: "A 08:00, C 08:20", block: "x"),
            .init(id: "b0", line: "2", calls: "C 08:20, D 08:40", block: "x", service: "W"),
            .init(id: "a1", line: "1", calls: "A 09:00, C 09:20", block: "y"),
            .init(id: "b1", line: "2", calls: "C 09:20, D 09:40", block: "y"),
        ])
        let timetable = try lines.timetable()
        let seated = ["1 A 09:00 C 09:20, +2 C 09:20 D 09:40"]
        #expect(try timetable.found("A", "D", "07:00", maxTransfers: 0) == seated)
        #expect(try timetable.found("A", "D", "by 10:00", maxTransfers: 0) == seated)
        // So it is if the first one's is cancelled.
        var writer = RealtimeWriter()
        writer.trip("b1", day: Lines.monday, relationship: 3)
        let feed = try RealtimeFeed(writer.data)
        let changed = timetable.applying(feed, now: .now).timetable
        #expect(try changed.found("A", "D", "07:00", maxTransfers: 0) == [])
    }

    /// Nobody rides on in trips of a block that are apart, overlap, or have a long wait between them.
    @Test(arguments: [
        "F 19:20, D 19:30", "C 19:15, D 19:30", "C 20:21, D 20:30", "B 19:10, D 19:30",
    ])
    func nobodyStaysSeatedWhereABlockIsBroken(next: String) throws {
        let lines = Lines(
            trips: [
                .init(id: "t1", line: "1", calls: "A 19:00, B 19:10, C 19:20", block: "b"),
                .init(id: "t2", line: "2", calls: next, block: "b"),
            ])
        #expect(try lines.timetable().found("A", "D", "18:50", maxTransfers: 0) == [])
    }

    @Test func theNextTripOfABlockDependsOnTheDay() throws {
        let first = Lines.Trip(id: "t1", line: "1", calls: "A 19:00, C 19:20", block: "b")
        let weekend = Lines.Trip(
            id: "w", line: "2", calls: "C 19:20, D 19:40", block: "b", service: "W")
        let monday = Lines.Trip(
            id: "m", line: "3", calls: "C 19:20, E 19:40", block: "b", service: "M")
        let later = Lines.Trip(id: "z", line: "4", calls: "E 19:40, F 19:50", block: "b")
        let timetable = try Lines(trips: [first, weekend, monday, later]).timetable()
        #expect(try timetable.found("A", "D", "18:50") == [])
        #expect(
            try timetable.found("A", "F", "18:50", maxTransfers: 0)
                == ["1 A 19:00 C 19:20, +3 C 19:20 E 19:40, +4 E 19:40 F 19:50"])
        #expect(
            try timetable.found("A", "F", "by 20:00", maxTransfers: 0)
                == ["1 A 19:00 C 19:20, +3 C 19:20 E 19:40, +4 E 19:40 F 19:50"])
    }

    /// An earlier trip of the same line and a later one end at C.
    @Test func ofTheTripsOfALineThoseThatGoOnAreFound() throws {
        let others = [
            Lines.Trip(id: "t0", line: "1", calls: "A 18:40, B 18:50, C 19:00"),
            Lines.Trip(id: "t3", line: "1", calls: "A 19:10, B 19:20, C 19:30"),
            Lines.Trip(id: "t4", line: "2", calls: "C 19:00, D 19:10, E 19:20"),
        ]
        let timetable = try Lines(trips: others + Self.through("b")).timetable()
        let found = try timetable.found("A", "E", "18:30")
        #expect(found == Self.seated)
        #expect(try timetable.found("A", "E", "by 19:45") == Self.seated)
    }

    /// Passengers don't stay on a bus that goes back, but on one that goes round.
    @Test func aRingGoesOnRound() throws {
        let ring = (0...1).map { round in
            let hour = 8 + round
            return Lines.Trip(
                id: "r\(round)", line: "R",
                calls: "A \(hour):00, B \(hour):20, D \(hour):40, A \(hour + 1):00", block: "ring")
        }
        let timetable = try Lines(trips: ring).timetable()
        #expect(
            try timetable.found("D", "B", "08:30", maxTransfers: 0)
                == ["R D 08:40 A 09:00, +R A 09:00 B 09:20"])
        let back = [
            Lines.Trip(id: "out", line: "1", calls: "A 08:00, B 08:10, C 08:20", block: "b"),
            Lines.Trip(id: "back", line: "1", calls: "C 08:20, B 08:30, A 08:40", block: "b"),
        ]
        #expect(try Lines(trips: back).timetable().vehicleLinks[0].groups == [:])
    }

    @Test func delaysCountForPassengersWhoStaySeated() throws {
        let timetable = try Lines(trips: Self.through("b")).timetable()
        func found(_ update: (inout RealtimeWriter) -> Void) throws -> [String] {
            var writer = RealtimeWriter()
            update(&writer)
            let feed = try RealtimeFeed(writer.data)
            return try timetable.applying(feed, now: .now).timetable.found("A", "E", "18:50")
        }
        func late(_ trip: String, by seconds: Int, _ writer: inout RealtimeWriter) {
            writer.trip(trip, day: Lines.monday) { $0.stop(1, departure: seconds) }
        }
        #expect(
            try found {
                late("t1", by: 300, &$0)
                late("t2", by: 300, &$0)
            } == ["1 A 19:05 C 19:25, +2 C 19:25 E 19:45"])
        #expect(try found { late("t2", by: 300, &$0) } == ["1 A 19:00 C 19:20, +2 C 19:25 E 19:45"])
        #expect(try found { $0.trip("t2", day: Lines.monday, relationship: 3) } == [])
        #expect(try found { late("t1", by: 300, &$0) } == [], "the other left without them")
    }
}
