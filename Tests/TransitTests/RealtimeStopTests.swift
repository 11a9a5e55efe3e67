import Foundation
import Testing

@testable import Transit

/// Which stops updates are meant for, and what they mean for the others.
@Suite struct RealtimeStopTests {
    /// An update of a stop: by its sequence, its id or both; late by seconds, or at a time.
    struct Update: Sendable {
        var sequence: Int?
        var id: String?
        var delay: Int?
        var time: String?
        /// A value of `schedule_relationship`.
        var kind = 0
    }

    private func applying(
        _ updates: [Update], to calls: String, delay: Int? = nil
    ) throws -> (calls: String?, report: RealtimeReport) {
        let timetable = try Lines(trips: [.init(id: "T", line: "1", calls: calls)]).timetable()
        var writer = RealtimeWriter()
        let times = try updates.map { update in
            try update.time.map { Int(try Timetable.time($0).timeIntervalSince1970) }
        }
        writer.trip("T", day: Lines.monday) { trip in
            if let delay { trip.add(5, delay) }
            for (update, time) in zip(updates, times) {
                trip.stop(
                    update.sequence, id: update.id, arrival: update.delay, arrivesAt: time,
                    relationship: update.kind)
            }
        }
        let (changed, report) = timetable.applying(try RealtimeFeed(writer.data), now: .now)
        return (changed.calls("T"), report)
    }

    static let stated: [(updates: [Update], calls: String)] = [
        (
            [.init(sequence: 3, time: "15:03"), .init(sequence: 4, time: "15:10")],
            "A 15:00, B 15:03, C 15:03, D 15:10"
        ),
        ([.init(sequence: 3, delay: -300)], "A 15:00, B 15:03, C 15:03, D 15:10"),
        // Times that follow from the first stop give way, too.
        (
            [.init(sequence: 1, delay: 600), .init(sequence: 3, time: "15:12")],
            "A 15:10, B 15:12, C 15:12, D 15:19"
        ),
        // So does the timetable of the stops before.
        ([.init(id: "B", time: "14:55")], "A 14:55, B 14:55, C 14:57, D 15:04"),
        (
            [
                .init(sequence: 1, delay: 600), .init(sequence: 2, kind: 2),
                .init(id: "D", delay: 0),
            ],
            "A 15:10, B 15:10, C 15:10, D 15:15"
        ),
        // A stop without an event says nothing.
        (
            [.init(sequence: 2), .init(sequence: 3, delay: -300)],
            "A 15:00, B 15:03, C 15:03, D 15:10"
        ),
        // If two can't both be right, the earlier stop's counts.
        (
            [.init(sequence: 2, time: "15:20"), .init(sequence: 3, time: "15:10")],
            "A 15:00, B 15:20, C 15:20, D 15:20"
        ),
        // In any order.
        (
            [.init(sequence: 4, time: "15:10"), .init(sequence: 3, time: "15:03")],
            "A 15:00, B 15:03, C 15:03, D 15:10"
        ),
        (
            [.init(id: "D", time: "15:10"), .init(id: "C", time: "15:03")],
            "A 15:00, B 15:03, C 15:03, D 15:10"
        ),
    ]

    @Test(arguments: stated)
    func whatTheFeedStatesCountsMoreThanWhatFollows(updates: [Update], calls: String) throws {
        let (found, report) = try applying(updates, to: "A 15:00, B 15:06, C 15:08, D 15:15")
        #expect(found == calls)
        #expect(report == RealtimeReport(changed: 1))
    }

    @Test func aDelayOfTheTripGivesWayToAStopsTime() throws {
        let calls = "A 15:00, B 15:06, C 15:08, D 15:15"
        let (found, _) = try applying([.init(id: "C", time: "15:10")], to: calls, delay: 600)
        #expect(found == "A 15:10, B 15:10, C 15:10, D 15:17")
    }

    private static let ring = "A 18:00, B 18:05, D 18:12, A 18:25"

    static let rings: [(updates: [Update], scheduled: String, calls: String)] = [
        (
            [.init(id: "B", delay: 120), .init(id: "A", delay: 300)], ring,
            "A 18:00, B 18:07, D 18:14, A 18:30"
        ),
        (
            [.init(id: "A", delay: 60), .init(id: "B", delay: 240)],
            "D 18:00, B 18:05, A 18:12, B 18:25", "D 18:00, B 18:05, A 18:13, B 18:29"
        ),
        (
            [.init(id: "A", delay: 0), .init(id: "A", delay: 300)], ring,
            "A 18:00, B 18:05, D 18:12, A 18:30"
        ),
        (
            [.init(id: "A", delay: 60), .init(id: "D", delay: 120)], ring,
            "A 18:01, B 18:06, D 18:14, A 18:27"
        ),
        (
            [.init(id: "B", delay: 60), .init(id: "A", delay: 120)],
            "A 18:00, B 18:05, A 18:10, B 18:15", "A 18:00, B 18:06, A 18:12, B 18:17"
        ),
        // By its time, it is the last stop.
        ([.init(id: "A", time: "18:31")], ring, "A 18:00, B 18:05, D 18:12, A 18:31"),
        // Numbers decide between stops of the same id.
        (
            [.init(sequence: 4, id: "A", delay: 300), .init(id: "B", delay: 120)], ring,
            "A 18:00, B 18:07, D 18:14, A 18:30"
        ),
        (
            [.init(sequence: 2, delay: 120), .init(id: "A", delay: 300)], ring,
            "A 18:00, B 18:07, D 18:14, A 18:30"
        ),
    ]

    @Test(arguments: rings)
    func onARingUpdatesAreInTheOrderOfTheStops(
        updates: [Update], scheduled: String, calls: String
    ) throws {
        let (found, report) = try applying(updates, to: scheduled)
        #expect(found == calls)
        #expect(report == RealtimeReport(changed: 1))
    }

    private static let line = "A 10:00, B 10:10, C1 10:15, D 10:20"

    @Test(arguments: [
        Update(sequence: 2, id: "D", delay: 300), .init(sequence: 2, id: "X", delay: 300),
        .init(sequence: 9, id: "B", delay: 300), .init(sequence: 3, id: "B", delay: 300),
        .init(sequence: 2, id: "D", kind: 1),
    ])
    func anUpdateThatContradictsItselfIsLeftOut(update: Update) throws {
        let alone = try applying([update], to: Self.line)
        #expect(alone.calls == nil)
        #expect(alone.report == RealtimeReport(unknown: 1, conflicting: 1))
        let beside = try applying([update, .init(id: "D", delay: 60)], to: Self.line)
        #expect(beside.calls == "A 10:00, B 10:10, C1 10:15, D 10:21")
        #expect(beside.report == RealtimeReport(changed: 1, conflicting: 1))
    }

    /// They have one station.
    @Test func anotherPlatformIsNoContradiction() throws {
        for id in ["C1", "C2", "PC"] {
            let trips = [
                Lines.Trip(id: "T", line: "1", calls: Self.line),
                Lines.Trip(id: "U", line: "2", calls: "C2 10:15, D 10:20"),
            ]
            let timetable = try Lines(trips: trips).timetable()
            var writer = RealtimeWriter()
            writer.trip("T", day: Lines.monday) { $0.stop(3, id: id, arrival: 300) }
            let (changed, report) = timetable.applying(try RealtimeFeed(writer.data), now: .now)
            #expect(report == RealtimeReport(changed: 1))
            #expect(changed.calls("T") == "A 10:00, B 10:10, C1 10:20, D 10:25", "\(id)")
        }
    }

    /// Also without a stop_sequence, unless the trip calls at the platform itself.
    @Test func anotherPlatformIsFoundByItsStation() throws {
        let trips = [
            Lines.Trip(id: "T", line: "1", calls: Self.line),
            Lines.Trip(id: "U", line: "2", calls: "C2 10:15, D 10:20, C1 10:25, D 10:30"),
        ]
        let timetable = try Lines(trips: trips).timetable()
        for (id, calls) in [
            ("C1", "C2 10:15, D 10:20, C1 10:30, D 10:35"),
            ("C2", "C2 10:20, D 10:25, C1 10:30, D 10:35"),
            ("PC", "C2 10:20, D 10:25, C1 10:30, D 10:35"),
        ] {
            var writer = RealtimeWriter()
            for trip in ["T", "U"] {
                writer.trip(trip, day: Lines.monday) { $0.stop(id: id, arrival: 300) }
            }
            let (changed, report) = timetable.applying(try RealtimeFeed(writer.data), now: .now)
            #expect(report == RealtimeReport(changed: 2))
            #expect(changed.calls("T") == "A 10:00, B 10:10, C1 10:20, D 10:25", "\(id)")
            #expect(changed.calls("U") == calls, "\(id)")
        }
    }

    /// By no stop, by an unknown one, or by none of the trip's.
    @Test(arguments: [Update(delay: 60), .init(id: "", delay: 60), .init(id: "X", delay: 60)])
    func anUpdateOfNoStopOfTheTripSaysNothing(update: Update) throws {
        let (calls, report) = try applying([update], to: Self.line)
        #expect(calls == nil)
        #expect(report == RealtimeReport(unknown: 1))
    }

    // MARK: Day

    /// A trip that starts at 24:10 of Sunday, which is ten past midnight on Monday.
    @Test(arguments: [
        (day: -1, start: "24:10:00"), (-1, nil), (0, "00:10:00"), (0, "0:10:00"),
        (-1, "24:11:00"), (-2, "48:10:00"),
    ])
    func aStartAfterMidnightIsOfEitherDate(day: Int, start: String?) throws {
        let trip = Lines.Trip(id: "T", line: "1", calls: "A 24:10, B 24:40")
        let timetable = try Lines(trips: [trip]).timetable()
        var writer = RealtimeWriter()
        writer.trip("T", day: Lines.monday + day, start: start) { $0.stop(1, departure: 300) }
        let (changed, report) = timetable.applying(try RealtimeFeed(writer.data), now: .now)
        #expect(report == RealtimeReport(changed: 1))
        #expect(changed.layers.compactMap(\.day) == [Lines.monday + -1])
    }

    /// Without a date it is the trip's day at that time, even if another one's is nearer to now.
    @Test(arguments: [
        (time: "06:32", day: 0), (time: "30:32", day: 1), (time: "-17:28", day: -1),
        (time: "00:00", day: 0),
    ])
    func aStatedTimeTellsTheDay(time: String, day: Int) throws {
        let trip = Lines.Trip(id: "T", line: "1", calls: "A 06:00, B 06:30")
        let timetable = try Lines(trips: [trip]).timetable()
        let isBefore = time.hasPrefix("-")
        let clock = try Timetable.time(isBefore ? String(time.dropFirst()) : time)
        let midnight = try Timetable.time("00:00")
        let at = isBefore ? midnight.addingTimeInterval(midnight.timeIntervalSince(clock)) : clock
        let noon = try Timetable.time("12:00")
        var writer = RealtimeWriter(time: Int(noon.timeIntervalSince1970))
        writer.trip("T") { $0.stop(2, arrivesAt: Int(at.timeIntervalSince1970)) }
        let changed = timetable.applying(try RealtimeFeed(writer.data), now: noon).timetable
        #expect(changed.layers.compactMap(\.day) == [Lines.monday + day])
    }

    // MARK: Age

    @Test func aTripThatNobodyHasSeenForLongIsAsPlanned() throws {
        let timetable = try Lines(trips: [.init(id: "T", line: "1", calls: Self.line)]).timetable()
        let now = Int(try Timetable.time("10:05").timeIntervalSince1970)
        func report(_ seconds: Int?, relationship: Int = 0) throws -> RealtimeReport {
            var writer = RealtimeWriter(time: now)
            writer.trip("T", day: Lines.monday, relationship: relationship) { trip in
                trip.stop(2, arrival: 1_800)
                if let seconds { trip.add(4, seconds) }
            }
            return timetable.applying(try RealtimeFeed(writer.data), now: .now).report
        }
        for seconds in [now, now - 300, now + 60, 0, nil] {
            #expect(try report(seconds) == RealtimeReport(changed: 1))
        }
        for seconds in [now - 301, now - 10_800, 1, -1, .min] {
            #expect(try report(seconds) == RealtimeReport(outdated: 1), "\(seconds)")
        }
        // A cancelled trip stays cancelled, however long ago that was.
        #expect(try report(now - 10_800, relationship: 3) == RealtimeReport(canceled: 1))
    }

    @Test func aFeedIsAsOldAsItSays() throws {
        func madeAt(_ header: Int?, _ trips: [Int]) throws -> Date? {
            var writer = RealtimeWriter(time: header)
            for trip in trips { writer.trip("T") { $0.add(4, trip) } }
            return try RealtimeFeed(writer.data).madeAt
        }
        #expect(try madeAt(700, [100, 900]) == Date(timeIntervalSince1970: 700))
        #expect(try madeAt(nil, [100, 900, 300]) == Date(timeIntervalSince1970: 900))
        #expect(try madeAt(0, [100]) == Date(timeIntervalSince1970: 100))
        #expect(try madeAt(nil, []) == nil)
        #expect(try madeAt(nil, [.max]) == nil)
    }
}
