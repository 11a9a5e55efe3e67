import Foundation

/// The schedule of automatic payouts, and the minimum amounts.
public struct PayoutRules: Codable, Sendable, Hashable {
    /// How often balances are paid out without being asked for.
    public enum Interval: String, Codable, Sendable, CaseIterable {
        /// Only when the person asks.
        case none
        case daily, weekly, monthly
    }

    /// The days of payouts, each at 04:00 UTC.
    public struct Schedule: Codable, Sendable, Hashable {
        public var interval: Interval
        /// The day of the week for `weekly`: 1 is Monday, 7 Sunday; otherwise absent.
        public var weekday: Int?
        /// The day of the month for `monthly`, 1 to 28; otherwise absent.
        public var day: Int?

        public init(_ interval: Interval, weekday: Int? = nil, day: Int? = nil) {
            (self.interval, self.weekday, self.day) = (interval, weekday, day)
        }
    }

    /// The minimum payout of each currency, in minor units. 1000 for other currencies.
    public var minimums: [Money]
    public var schedule: Schedule

    public init(minimums: [Money] = [], schedule: Schedule = Schedule(.none)) {
        (self.minimums, self.schedule) = (minimums, schedule)
    }
}

/// The rules for payouts that are in force.
public struct PayoutRulesVersion: Codable, Sendable, Hashable {
    public var rules: PayoutRules
    /// Grows by one with each change; 0 before the first one. Also the `ETag`.
    public var version: Int
    /// Absent before the first change, as is `changedBy`.
    public var changedAt: Date?
    /// The operator who made the change.
    public var changedBy: PersonID?

    public init(
        _ rules: PayoutRules, version: Int = 0, changedAt: Date? = nil, changedBy: PersonID? = nil
    ) {
        (self.rules, self.version) = (rules, version)
        (self.changedAt, self.changedBy) = (changedAt, changedBy)
    }
}
