import Contracts
import Foundation
import Synchronization

/// An average rate per second, and a burst.
struct Rate: Sendable, Hashable {
    let perSecond: Double
    let burst: Int

    /// Nanoseconds between two requests at the average rate.
    var interval: Int64 { Int64(1_000_000_000 / perSecond) }
}

/// The person or network address whose requests are counted.
enum RateSubject: Hashable, Sendable {
    case person(PersonID)
    case address(IPAddress)

    var key: String {
        switch self {
        case .person(let id): id.description
        case .address(let address): address.key
        }
    }
}

/// The counter that a request uses.
struct RateKey: Hashable, Sendable {
    let kind: String
    let subject: RateSubject
}

/// Limits by the generic cell rate algorithm, in this process only.
///
/// Stores one number per subject: the time at which its bucket is full again. The table is bounded by two generations.
/// When the newer one is full, the older one is dropped, so that subjects not seen for longest are forgotten in
/// constant time.
final class LocalBuckets: Sendable {
    /// The most subjects in one generation.
    static let mostSubjects = 50_000

    private struct State {
        var newer: [RateKey: Int64] = [:]
        var older: [RateKey: Int64] = [:]
    }

    private let mostSubjects: Int
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    init(mostSubjects: Int = LocalBuckets.mostSubjects) { self.mostSubjects = mostSubjects }

    /// Counts a request that may pass, and returns nil; otherwise returns how long to wait.
    func take(_ key: RateKey, _ rate: Rate) -> Duration? {
        take(key, rate, at: ContinuousClock.now - start)
    }

    /// How long to wait, without counting a request.
    func wait(_ key: RateKey, _ rate: Rate) -> Duration? {
        let now = (ContinuousClock.now - start).nanoseconds
        let known = state.withLock { $0.newer[key] ?? $0.older[key] }
        guard let known else { return nil }
        let wait = max(known, now) + rate.interval - now - rate.interval * Int64(rate.burst)
        return wait > 0 ? .nanoseconds(wait) : nil
    }

    func take(_ key: RateKey, _ rate: Rate, at time: Duration) -> Duration? {
        let now = time.nanoseconds
        return state.withLock { state in
            let known = state.newer[key] ?? state.older[key] ?? now
            let full = max(known, now) + rate.interval
            let wait = full - now - rate.interval * Int64(rate.burst)
            guard wait <= 0 else { return .nanoseconds(wait) }
            if state.newer.count >= mostSubjects, state.newer[key] == nil {
                state.older = state.newer
                state.newer = [:]
            }
            state.newer[key] = full
            return nil
        }
    }

    /// The number of subjects that are remembered.
    var count: Int { state.withLock { $0.newer.count + $0.older.count } }
}
