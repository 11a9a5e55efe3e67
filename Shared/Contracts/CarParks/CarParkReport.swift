import Foundation

/// How a car park was used, and what it brought in.
public struct CarParkReport: Codable, Sendable, Hashable {
    public struct Hour: Codable, Sendable, Hashable {
        /// Its beginning.
        public var at: Date
        /// The most that were inside at once.
        public var vehicles: Int

        public init(at: Date, vehicles: Int) { (self.at, self.vehicles) = (at, vehicles) }
    }

    public var from: Date
    public var until: Date
    /// There are, of all classes.
    public var spaces: Int
    /// The last may be shorter.
    public var hours: [Hour]
    /// Stays that began.
    public var arrivals: Int
    /// Arrivals a space and day.
    @Nullable public var turnover: Double?
    /// Of stays that ended; null where none did.
    @Nullable public var averageStaySeconds: Double?
    /// Paid bookings that begin in that time.
    public var bookings: Int
    /// Paid for these, and for the stays that ended, less what was given back.
    public var revenue: Money

    public init(
        from: Date, until: Date, spaces: Int, hours: [Hour], arrivals: Int, turnover: Double?,
        averageStaySeconds: Double?, bookings: Int, revenue: Money
    ) {
        (self.from, self.until, self.spaces, self.hours) = (from, until, spaces, hours)
        (self.arrivals, self.bookings, self.revenue) = (arrivals, bookings, revenue)
        self.turnover = turnover
        self.averageStaySeconds = averageStaySeconds
    }
}

extension CarParkReport.Hour: SchemaNamed {
    public static var schemaName: String { "CarParkHour" }
}
