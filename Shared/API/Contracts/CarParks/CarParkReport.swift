import Foundation

/// Use and revenue of a car park in a period.
public struct CarParkReport: Codable, Sendable, Hashable {
    /// An hour of a report.
    public struct Hour: Codable, Sendable, Hashable {
        /// Start of the hour.
        public var at: Date
        /// Largest number of vehicles that were inside at once.
        public var vehicles: Int

        public init(at: Date, vehicles: Int) { (self.at, self.vehicles) = (at, vehicles) }
    }

    public var from: Date
    public var until: Date
    /// Number of spaces of all classes.
    public var spaces: Int
    /// One entry per hour; the last hour may be shorter.
    public var hours: [Hour]
    /// Number of stays that began in the period.
    public var arrivals: Int
    /// Arrivals per space and day; null if the car park has no spaces.
    @Nullable public var turnover: Double?
    /// Average length of the stays that ended in the period, in seconds; null if none ended.
    @Nullable public var averageStaySeconds: Double?
    /// Number of paid bookings that begin in the period.
    public var bookings: Int
    /// Amount paid for these bookings, and for the stays that ended, less refunds. It has the tax
    /// that prices include, and none that is added to them.
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
