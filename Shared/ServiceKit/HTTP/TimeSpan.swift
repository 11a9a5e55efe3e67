import Contracts
import Foundation
import Hummingbird

/// From when to when somebody asks, the end not included.
public struct TimeSpan: Sendable, Hashable {
    /// In seconds.
    public static let longest: TimeInterval = 31 * 86_400
    public static let hour: TimeInterval = 3_600

    public let from: Date
    public let to: Date

    public init(from: Date, to: Date) {
        (self.from, self.to) = (from, to)
    }

    /// `?from=&to=`, each in RFC 3339. Without `to` it ends now, without `from` it has its usual
    /// length, in seconds.
    public init(_ request: Request, usual: TimeInterval, at now: Date) throws {
        to = try Self.time(request, "to") ?? now
        from = try Self.time(request, "from") ?? to.addingTimeInterval(-usual)
        guard from < to, to.timeIntervalSince(from) <= Self.longest else {
            throw InvalidRequest("from", "Before `to`, by 31 days at most.")
        }
    }

    private static func time(_ request: Request, _ field: String) throws -> Date? {
        guard let text = request.query(field) else { return nil }
        guard let date = Wire.date(text) else {
            throw InvalidRequest(field, "An RFC 3339 time.")
        }
        return date
    }

    /// The full hours, in UTC, that the span touches, by their number since 1970: the first and the
    /// last may lie in it only in part.
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
