import Foundation
import Geo

/// The checked contents of a GTFS Schedule feed, with array indices instead of ids
/// (https://gtfs.org/documentation/schedule/reference).
public struct Feed: Sendable {
    public struct Agency: Sendable, Hashable {
        public var id: String
        public var name: String
        public var url: String
    }

    /// Whether a stop or a trip is accessible by wheelchair.
    public enum Wheelchair: UInt8, Sendable, Hashable {
        case unknown, yes, no
    }

    public struct Stop: Sendable, Hashable {
        /// The kinds of `location_type`.
        public enum Kind: UInt8, Sendable, Hashable {
            case platform, station, entrance, node, boardingArea
        }

        public var id: String
        public var name: String
        public var at: Coordinate
        public var kind: Kind
        /// The index of its station.
        public var parent: Int?
        /// Its station's value if it has none.
        public var wheelchair: Wheelchair
        /// The name of a platform in its station, for example `3`.
        public var platformCode: String
    }

    public struct Route: Sendable, Hashable {
        public var id: String
        public var agency: Int
        public var shortName: String
        public var longName: String
        public var mode: TransitMode
        /// Six hexadecimal digits, or empty.
        public var color: String
    }

    /// The days on which trips run.
    public struct Service: Sendable, Hashable {
        public var id: String
        /// Bit 0 is Monday.
        public var weekdays: UInt8 = 0
        public var days: ClosedRange<ServiceDay>?
        public var added: Set<ServiceDay> = []
        public var removed: Set<ServiceDay> = []

        public func runs(on day: ServiceDay) -> Bool {
            if removed.contains(day) { return false }
            if added.contains(day) { return true }
            return weekdays >> UInt8(day.weekday) & 1 == 1 && days?.contains(day) == true
        }
    }

    public struct Trip: Sendable, Hashable {
        public var id: String
        public var route: Int
        public var service: Int
        public var headsign: String
        public var shape: Int?
        public var wheelchair: Wheelchair
        /// Trips with the same block are run by one vehicle, one after the other; empty for none.
        public var block = ""
        /// Its range in `stopTimes`.
        public var stopTimes: Range<Int> = 0..<0
    }

    /// Times are seconds from noon minus twelve hours of the day of service, and may be more than a day.
    public struct StopTime: Sendable, Hashable {
        public var stop: Int32
        public var sequence: Int32
        public var arrival: Int32
        public var departure: Int32
        public var canBoard: Bool
        public var canAlight: Bool
    }

    /// A trip that is repeated from `start` up to, but not including, `end`.
    public struct Frequency: Sendable, Hashable {
        public var trip: Int
        public var start: Int
        public var end: Int
        public var headway: Int
        /// False for a headway without an exact timetable. We treat both as a timetable.
        public var isExact: Bool
    }

    public struct Transfer: Sendable, Hashable {
        public var from: Int
        public var to: Int
        /// False if one can't change there.
        public var isPossible: Bool
        /// 0 if the departing vehicle waits for the arriving one.
        public var minSeconds: Int?
    }

    /// Two trips of one vehicle (transfers.txt, linked trips).
    public struct Link: Sendable, Hashable {
        public var from: Int
        public var to: Int
        /// Whether passengers may stay in their seats.
        public var isInSeat: Bool
    }

    public struct Info: Sendable, Hashable {
        public var publisher: String
        public var url: String
        public var language: String
        public var version: String
    }

    /// The time zone of all agencies of the feed.
    public var timeZone: TimeZone
    public var agencies: [Agency] = []
    public var stops: [Stop] = []
    public var routes: [Route] = []
    public var services: [Service] = []
    public var trips: [Trip] = []
    public var stopTimes: [StopTime] = []
    public var frequencies: [Frequency] = []
    public var transfers: [Transfer] = []
    public var links: [Link] = []
    public var shapes: [[Coordinate]] = []
    public var info: Info?

    /// From the first to the last day with a trip; nil if there is none.
    public var days: ClosedRange<ServiceDay>? {
        var (first, last): (ServiceDay?, ServiceDay?)
        for service in Set(trips.map(\.service)).map({ services[$0] }) {
            var ends = Array(service.added.subtracting(service.removed))
            if service.weekdays != 0, let days = service.days {
                let (low, high) = (days.lowerBound, days.upperBound)
                ends += [
                    (low.number...high.number).first { service.runs(on: .init(number: $0)) },
                    (low.number...high.number).last { service.runs(on: .init(number: $0)) },
                ].compactMap { $0.map(ServiceDay.init(number:)) }
            }
            for day in ends {
                first = min(first ?? day, day)
                last = max(last ?? day, day)
            }
        }
        guard let first, let last else { return nil }
        return first...last
    }
}
