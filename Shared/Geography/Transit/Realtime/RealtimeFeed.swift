import Foundation

/// Why a realtime feed can't be read.
public enum RealtimeError: Error, Hashable, CustomStringConvertible {
    case notProtobuf
    case tooLarge
    /// The header, or its version, is missing.
    case noHeader
    /// A feed with only changes, which the specification leaves undefined.
    case differential

    public var description: String {
        switch self {
        case .notProtobuf: "It is no GTFS Realtime feed, or it is cut off."
        case .tooLarge: "It is larger than \(RealtimeFeed.mostBytes) bytes."
        case .noHeader: "It has no header, as every GTFS Realtime feed has."
        case .differential: "It is differential, which is not supported."
        }
    }
}

/// The trip updates of a GTFS Realtime feed
/// (github.com/google/transit/blob/master/gtfs-realtime/proto/gtfs-realtime.proto); positions and alerts are left
/// out.
public struct RealtimeFeed: Sendable, Hashable {
    public static let mostBytes = 64 * 1_024 * 1_024
    /// Older data doesn't count. The best practices allow 90 seconds
    /// (gtfs.org/documentation/realtime/realtime-best-practices).
    public static let mostSeconds = 300

    public struct TripUpdate: Sendable, Hashable {
        public enum Relationship: Sendable, Hashable {
            case scheduled, canceled
            /// Trips that aren't in the timetable, and trips without a schedule.
            case unsupported
        }

        public var tripID = ""
        /// The day of service; nil for the current one.
        public var day: ServiceDay?
        /// Seconds; selects one run of a trip with frequencies.
        public var startTime: Int?
        public var relationship = Relationship.scheduled
        /// Seconds, up to the first stop with its own update.
        public var delay: Int?
        /// When the vehicle was last observed, in seconds since 1970; nil if unknown.
        public var timestamp: Int?
        public var stops: [StopUpdate] = []
    }

    public struct StopUpdate: Sendable, Hashable {
        public enum Relationship: Sendable, Hashable {
            case scheduled, skipped, noData
        }

        public var sequence: Int?
        public var stopID: String?
        public var arrival: Event?
        public var departure: Event?
        public var relationship = Relationship.scheduled
    }

    /// If both are present, the time counts.
    public struct Event: Sendable, Hashable {
        /// Seconds; negative if early.
        public var delay: Int?
        /// Seconds since 1970.
        public var time: Int?
    }

    /// When the feed was made, by its header; nil if unknown.
    public private(set) var timestamp: Date?
    public private(set) var trips: [TripUpdate] = []

    /// When the feed was made: by its header, else by its newest trip update; nil if unknown.
    public var madeAt: Date? {
        timestamp ?? trips.compactMap(\.timestamp).max().flatMap(Self.date)
    }

    public init(_ data: Data) throws(RealtimeError) {
        guard data.count <= Self.mostBytes else { throw .tooLarge }
        var reader = ProtobufReader([UInt8](data)[...])
        var hasHeader = false
        while let (field, value) = try reader.next() {
            switch field {
            case 1: hasHeader = try readHeader(value)
            case 2: try readEntity(value)
            default: break
            }
        }
        guard hasHeader else { throw .noHeader }
    }

    /// False without a version.
    private mutating func readHeader(_ header: ProtobufReader.Value) throws(RealtimeError) -> Bool {
        var (hasVersion, time): (Bool, Int?) = (false, nil)
        try header.each { field, value throws(RealtimeError) in
            switch field {
            case 1: hasVersion = try !value.text().isEmpty
            case 2: if try value.number() == 1 { throw .differential }
            case 3: time = try value.integer()
            default: break
            }
        }
        timestamp = time.flatMap(Self.date)
        return hasVersion
    }

    /// Nil for 0, which stands for none, and beyond the year 9999.
    private static func date(_ seconds: Int) -> Date? {
        (1...253_402_300_799).contains(seconds)
            ? Date(timeIntervalSince1970: Double(seconds)) : nil
    }

    private mutating func readEntity(_ entity: ProtobufReader.Value) throws(RealtimeError) {
        var (update, isDeleted): (TripUpdate?, Bool) = (nil, false)
        try entity.each { field, value throws(RealtimeError) in
            switch field {
            case 2: isDeleted = try value.number() != 0
            case 3: update = try Self.tripUpdate(value)
            default: break
            }
        }
        if let update, !isDeleted { trips.append(update) }
    }

    private static func tripUpdate(
        _ message: ProtobufReader.Value
    ) throws(RealtimeError) -> TripUpdate {
        var update = TripUpdate()
        try message.each { field, value throws(RealtimeError) in
            switch field {
            case 1: try readTrip(value, &update)
            case 2: update.stops.append(try stopUpdate(value))
            case 4: update.timestamp = try value.integer()
            case 5: update.delay = try value.integer()
            default: break
            }
        }
        // 0 stands for none.
        if update.timestamp == 0 { update.timestamp = nil }
        return update
    }

    private static func readTrip(
        _ message: ProtobufReader.Value, _ update: inout TripUpdate
    ) throws(RealtimeError) {
        var read = update
        try message.each { field, value throws(RealtimeError) in
            switch field {
            case 1: read.tripID = try value.text()
            case 2: read.startTime = FeedReader.seconds(try value.text())
            case 3: read.day = ServiceDay(try value.text())
            case 4:
                switch try value.number() {
                case 0: read.relationship = .scheduled
                // CANCELED and DELETED.
                case 3, 7: read.relationship = .canceled
                default: read.relationship = .unsupported
                }
            default: break
            }
        }
        update = read
    }

    private static func stopUpdate(
        _ message: ProtobufReader.Value
    ) throws(RealtimeError) -> StopUpdate {
        var update = StopUpdate()
        try message.each { field, value throws(RealtimeError) in
            switch field {
            case 1: update.sequence = try value.integer()
            case 2: update.arrival = try event(value)
            case 3: update.departure = try event(value)
            case 4: update.stopID = try value.text()
            case 5:
                switch try value.number() {
                case 1: update.relationship = .skipped
                case 2: update.relationship = .noData
                default: update.relationship = .scheduled
                }
            default: break
            }
        }
        return update
    }

    private static func event(_ message: ProtobufReader.Value) throws(RealtimeError) -> Event {
        var event = Event()
        try message.each { field, value throws(RealtimeError) in
            switch field {
            case 1: event.delay = try value.integer()
            case 2: event.time = try value.integer()
            default: break
            }
        }
        return event
    }
}
