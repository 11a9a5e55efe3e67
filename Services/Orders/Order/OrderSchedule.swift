import Contracts
import Foundation

/// The timing of an order ahead.
struct Schedule: Codable, Equatable, Sendable {
    /// Seconds between "no valet available" and the next search.
    static let pauseSeconds = 5.0

    /// When the customer wants the valet.
    let wantedAt: Date
    /// When the order is sent to matching.
    let searchFrom: Date
    /// Until then, the search goes on even if no valet is available.
    let searchUntil: Date
}

/// How far ahead customers can order, how early the search begins, and how offers are timed.
struct DispatchLimits: Sendable, Equatable {
    static let allowedSeconds = 1...2_592_000

    /// An offer that the phone has not confirmed within this time goes to the next valet.
    var offerDeliverySeconds = 15
    var scheduleEarliestSeconds = 15 * 60
    var scheduleLatestSeconds = 14 * 86_400
    /// How long before the wanted time the search begins.
    var scheduleLeadSeconds = 10 * 60
    /// How long after the wanted time the search goes on.
    var schedulePatienceSeconds = 5 * 60

    /// Throws if the time is invalid, too near or too far ahead.
    func schedule(for wanted: Date, at now: Date) throws(Refusal) -> Schedule {
        let limits = scheduleEarliestSeconds...max(scheduleEarliestSeconds, scheduleLatestSeconds)
        let ahead = wanted.timeIntervalSince(now)
        guard ahead >= Double(limits.lowerBound), ahead <= Double(limits.upperBound) else {
            throw .orderScheduleInvalid.because(
                "From \(limits.lowerBound) to \(limits.upperBound) seconds ahead.")
        }
        return Schedule(
            wantedAt: wanted,
            searchFrom: wanted.addingTimeInterval(-Double(scheduleLeadSeconds)),
            searchUntil: wanted.addingTimeInterval(Double(schedulePatienceSeconds)))
    }
}

extension Order {
    /// The next time when the order needs attention without an event.
    var wakeAt: Date? {
        if let offer { return offer.expiresAt }
        if isAhead { return schedule?.searchFrom }
        return searchAgainAt
    }

    /// Does what is due by now; nil if nothing is.
    mutating func wake(at now: Date) throws(Refusal) -> (any OrderEvent)? {
        guard let wakeAt, wakeAt <= now else { return nil }
        if offer != nil { return try expireOffer(at: now) }
        if isAhead { return try beginSearch(at: now) }
        return resumeSearch(at: now)
    }
}
