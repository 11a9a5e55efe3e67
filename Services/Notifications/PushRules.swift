import Contracts

/// How pressing a push is (RFC 8030, section 5.3): a phone that saves power takes what is `high` alone.
enum PushUrgency: String, Codable, Sendable {
    case normal, high
}

/// How long a push is worth delivering, and how pressing it is.
struct PushRule: Sendable, Hashable {
    /// Given up when it could not be delivered by then, in seconds.
    let life: Int
    let urgency: PushUrgency

    /// Somebody has to answer within seconds.
    private static let offer = PushRule(life: 45, urgency: .high)
    /// Somebody is to move, or is waited for.
    private static let now = PushRule(life: 15 * 60, urgency: .high)
    /// True for some hours, and calls for something.
    private static let soon = PushRule(life: 6 * 3_600, urgency: .high)
    /// For the record.
    private static let receipt = PushRule(life: 24 * 3_600, urgency: .normal)

    /// What is pushed; everything else is in the feed alone.
    static let table: [Message: PushRule] = [
        .valetOnTheWay: now, .returnValetFound: now, .valetWithdrew: now, .valetArrived: now,
        .valetAtVehicle: now, .vehicleRetrieved: now, .noValet: now, .noReturnValet: now,
        .vehicleCollected: soon, .vehicleParked: soon, .vehicleReturned: soon,
        .vehicleReturnedFree: receipt, .customerAbsent: receipt, .overridden: soon,
        .searchBegins: now, .paymentSucceeded: receipt, .paymentDeclined: soon,
        .paymentRefunded: receipt,
        .jobDropOff: now, .jobReturn: now, .offerDropOff: offer, .offerReturn: offer,
        .offerWithdrawn: offer, .jobCancelled: now, .jobTaken: now, .jobChanged: now,
        .taskDropped: now, .tipGiven: receipt,
        .overdue: soon, .deadLetter: soon,
    ]
}
