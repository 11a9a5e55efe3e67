import Contracts
import Foundation

/// A requested period; its end is exclusive.
public struct TimeSpan: Sendable, Hashable {
    /// In seconds.
    public static let longest: TimeInterval = 31 * 86_400
    public static let hour: TimeInterval = 3_600

    public let from: Date
    public let to: Date

    public init(from: Date, to: Date) {
        (self.from, self.to) = (from, to)
    }

    /// Ends now without `to`; has its usual length in seconds without `from`.
    public init(_ query: SpanQuery, usual: TimeInterval, at now: Date) throws(Refusal) {
        to = query.to ?? now
        from = query.from ?? to.addingTimeInterval(-usual)
        guard from < to, to.timeIntervalSince(from) <= Self.longest else {
            throw Refusal.invalid("from", "Use a time at most 31 days before `to`.")
        }
    }

    /// The full hours in UTC that the span touches, numbered since 1970. The first and the last may be only partly in
    /// it.
    public var hours: ClosedRange<Int> {
        let first = Self.hour(of: from)
        let end = to.timeIntervalSince1970 / Self.hour
        return first...max(first, Int(end.rounded(.up)) - 1)
    }

    public static func hour(of date: Date) -> Int {
        Int((date.timeIntervalSince1970 / hour).rounded(.down))
    }

    public static func start(ofHour hour: Int) -> Date {
        Date(timeIntervalSince1970: Double(hour) * Self.hour)
    }
}
