import Contracts
import Foundation

/// When an order ahead is looked after.
struct Schedule: Codable, Equatable, Sendable {
    /// Between "nobody is free" and the next look, before an order ahead is given up.
    static let pauseSeconds = 5.0

    /// When the customer wants the valet.
    let wantedAt: Date
    /// When matching hears of it.
    let searchFrom: Date
    /// Until then nobody's absence ends the search.
    let searchUntil: Date
}

/// How far ahead can be ordered, how long before a valet is looked for, and how offers are timed.
struct DispatchLimits: Sendable, Equatable {
    static let allowedSeconds = 1...2_592_000

    /// An offer that the phone has not confirmed after so long goes to the next valet.
    var offerDeliverySeconds = 15
    var scheduleEarliestSeconds = 15 * 60
    var scheduleLatestSeconds = 14 * 86_400
    /// The search begins so long before the time.
    var scheduleLeadSeconds = 10 * 60
    /// The search goes on so long after the time.
    var schedulePatienceSeconds = 5 * 60

    /// Refuses a time that is too near, too far or none.
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
    /// When the clock alone has something to do for it.
    var wakeAt: Date? {
        if let offer { return offer.expiresAt }
        if isAhead { return schedule?.searchFrom }
        return searchAgainAt
    }

    /// Does what the time has come for; nil when it has not.
    mutating func wake(at now: Date) throws(Refusal) -> (any OrderEvent)? {
        guard let wakeAt, wakeAt <= now else { return nil }
        if offer != nil { return try expireOffer(at: now) }
        if isAhead { return try beginSearch(at: now) }
        return resumeSearch(at: now)
    }
}
