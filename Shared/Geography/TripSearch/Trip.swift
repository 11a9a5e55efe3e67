import Foundation
import Geo

/// A driver's trip with seats for passengers, made once or every week.
public struct Trip: Hashable, Sendable {
    /// Seats taken over a stretch of the route, on one day or on all days of a period.
    public struct Taken: Hashable, Sendable {
        public let firstDay: Day
        /// Nil means every day from the first on.
        public let lastDay: Day?
        /// Seconds along the route, from boarding to alighting.
        public let from: Int
        public let to: Int
        public let seats: Int

        public init(firstDay: Day, lastDay: Day?, from: Int, to: Int, seats: Int) {
            self.firstDay = firstDay
            self.lastDay = lastDay
            self.from = min(max(from, 0), Way.mostSeconds)
            self.to = min(max(to, 0), Way.mostSeconds)
            self.seats = min(max(seats, 0), Trip.mostSeats)
        }

        /// On one day only.
        public init(day: Day, from: Int, to: Int, seats: Int) {
            self.init(firstDay: day, lastDay: day, from: from, to: to, seats: seats)
        }

        func counts(on day: Day) -> Bool {
            guard let lastDay else { return day >= firstDay }
            return day >= firstDay && day <= lastDay
        }
    }

    public static let mostSeats = 100

    public let id: UUID
    /// The higher version counts if two trips have the same id.
    public var version: Int
    public let driver: UUID
    public let way: Way
    public let schedule: Schedule
    public let seats: Int
    /// Maximum detour that the driver offers for all passengers together, there and back.
    public let maxDetourSeconds: Int
    public var taken: [Taken]
    /// Days on which a repeating trip is not made, in any order.
    public var cancelled: [Day]

    /// Limits seats and detour to what is allowed.
    public init(
        id: UUID, version: Int, driver: UUID, way: Way, schedule: Schedule, seats: Int,
        maxDetourSeconds: Int = 0, taken: [Taken] = [], cancelled: [Day] = []
    ) {
        self.id = id
        self.version = version
        self.driver = driver
        self.way = way
        self.schedule = schedule
        self.seats = min(max(seats, 0), Self.mostSeats)
        self.maxDetourSeconds = min(max(maxDetourSeconds, 0), TripRules.mostDetourSeconds)
        self.taken = taken
        self.cancelled = cancelled
    }

    /// A trip with the same id but without contents.
    var emptied: Trip {
        Trip(
            id: id, version: version, driver: driver, way: .nowhere, schedule: schedule, seats: 0)
    }

    public func runs(on day: Day) -> Bool {
        schedule.runs(on: day) && (cancelled.isEmpty || !cancelled.contains(day))
    }

    /// The fewest free seats at any moment between two times along the route; at least zero. A passenger who alights
    /// where another boards leaves their seat to them.
    public func seatsLeft(on day: Day, from: Int, to: Int) -> Int {
        guard !taken.isEmpty else { return seats }
        let stretches = taken.filter { $0.counts(on: day) && $0.from < to && $0.to > from }
        // The number only increases where somebody boards.
        let most = stretches.map { one in
            let moment = max(one.from, from)
            return stretches.reduce(0) {
                $1.from <= moment && $1.to > moment ? $0 + $1.seats : $0
            }
        }.max()
        return max(0, seats - (most ?? 0))
    }

    /// The stretches with fewer free seats than that, in order.
    func fullStretches(on day: Day, needing needed: Int) -> [Range<Int>] {
        let today = taken.filter { $0.counts(on: day) && $0.from < $0.to && $0.seats > 0 }
        guard !today.isEmpty else { return [] }
        let changes = (today.map { ($0.from, $0.seats) } + today.map { ($0.to, -$0.seats) })
            // At the same moment, alight before boarding.
            .sorted { $0 < $1 }
        var full: [Range<Int>] = []
        var (inside, begun) = (0, Int?.none)
        for (moment, change) in changes {
            inside += change
            if seats - inside < needed {
                begun = begun ?? moment
            } else if let start = begun {
                begun = nil
                full.append(start..<moment)
            }
        }
        return full
    }
}
