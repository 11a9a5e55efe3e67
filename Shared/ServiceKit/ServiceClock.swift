import Foundation

/// The time of day as services see it; tests bring their own.
public struct ServiceClock: Sendable {
    private let read: @Sendable () -> Date

    public init(now: @escaping @Sendable () -> Date) { read = now }

    public var now: Date { read() }

    public static let system = ServiceClock { Date() }
}
