import Contracts
import Hummingbird
import Redis
import ServiceKit
import Synchronization

/// What may pass how often.
struct RateLimits: Sendable {
    /// Each address, signing in and up and asking for codes.
    var strict: Rate
    /// Each address, where nobody need be signed in.
    var open: Rate
    /// Each person.
    var person: Rate
    /// Each person's own position.
    var positions: Rate
    /// Each person, what a paid recogniser is asked.
    var recognitions = Rate(perSecond: 0.5, burst: 30)
    /// Each person, what a geocoder is asked that all share.
    var places = Rate(perSecond: 1, burst: 60)
    /// Each address, whoever is behind it: keeps one host from taking a whole gateway.
    var address: Rate
    /// Each address, what is refused: tokens that are none, addresses that there are not.
    var refusals = Rate(perSecond: 10, burst: 300)
    /// Each address, what the payment provider tells.
    var webhooks = Rate(perSecond: 100, burst: 1_000)
}

/// Says 429 to those who ask too often.
///
/// Counts are kept in Redis, so that they hold for all gateways together. While Redis is away this
/// process counts alone, with the same numbers: nobody is turned away for our trouble, and signing
/// in still can't be guessed at. One's own position is counted in this process only: it comes
/// thousands of times a second, a client stays on one connection and thereby on one gateway, and a
/// round trip to Redis would cost more than the position itself. So is the limit of an address as a
/// whole, which protects this process and no other.
final class RateLimiter: Sendable {
    /// How long this process counts alone after Redis has failed, before it asks again.
    static let pause: Duration = .seconds(1)

    private let redis: RedisPool?
    private let limits: RateLimits
    private let local = LocalBuckets()
    private let aloneUntil = Mutex<ContinuousClock.Instant?>(nil)

    init(_ redis: RedisPool?, _ limits: RateLimits) {
        self.redis = redis
        self.limits = limits
    }

    /// Counts what comes from an address, before anybody looks at it.
    func admit(from address: IPAddress, isPosition: Bool) throws {
        let household = RateSubject.address(address.household)
        try refuse(local.wait(Self.refusals(household), limits.refusals))
        guard !isPosition else { return }
        try refuse(local.take(RateKey(kind: "all", subject: household), limits.address))
    }

    /// Counts that a request of this address was refused.
    func countRefusal(of address: IPAddress) {
        _ = local.take(
            Self.refusals(RateSubject.address(address.household)), limits.refusals)
    }

    private static func refusals(_ household: RateSubject) -> RateKey {
        RateKey(kind: "refusals", subject: household)
    }

    /// Counts a request; throws `rateLimited` when it is one too many.
    func admit(_ rate: RateClass, person: PersonID?, address: IPAddress?) async throws {
        let household = address.map { RateSubject.address($0.household) }
        guard let subject = person.map(RateSubject.person) ?? household else { return }
        switch rate {
        case .positions:
            try refuse(
                local.take(RateKey(kind: rate.rawValue, subject: subject), limits.positions))
        case .strict:
            let key = RateKey(kind: rate.rawValue, subject: subject)
            try refuse(await takeShared(key, limits.strict))
        case .webhooks:
            let key = RateKey(kind: rate.rawValue, subject: subject)
            try refuse(await takeShared(key, limits.webhooks))
        case .recognitions:
            let key = RateKey(kind: rate.rawValue, subject: subject)
            try refuse(await takeShared(key, limits.recognitions))
        case .places:
            let key = RateKey(kind: rate.rawValue, subject: subject)
            try refuse(await takeShared(key, limits.places))
        case .files: return
        case .open, .standard:
            let key = RateKey(kind: "calls", subject: subject)
            try refuse(await takeShared(key, person == nil ? limits.open : limits.person))
        }
    }

    private func refuse(_ wait: Duration?) throws {
        guard let wait else { return }
        throw Refusal.rateLimited.retrying(after: Int(wait.seconds.rounded(.up)))
    }

    /// In Redis, or in this process while Redis is away.
    func takeShared(_ key: RateKey, _ rate: Rate) async -> Duration? {
        guard let redis, !isAlone else { return local.take(key, rate) }
        do {
            let answer = try await redis.run(
                script: RateScript.script, keys: [RateScript.key(key)],
                arguments: RateScript.arguments(rate))
            guard let wait = RateScript.wait(answer) else { return local.take(key, rate) }
            return wait > .zero ? wait : nil
        } catch {
            aloneUntil.withLock { $0 = .now + Self.pause }
            return local.take(key, rate)
        }
    }

    private var isAlone: Bool {
        aloneUntil.withLock { until in until.map { ContinuousClock.now < $0 } ?? false }
    }
}

/// The generic cell rate algorithm as one atomic step in Redis, by Redis' own clock: gateways'
/// clocks may differ.
enum RateScript {
    /// Answers the microseconds to wait, 0 when the request may pass. One key, which ends by itself
    /// when the bucket is full. `string.format`, because Lua writes large numbers in a rounded form
    /// otherwise.
    static let script = RedisScript(PackageResources.rate_lua)

    static func key(_ key: RateKey) -> String { "gateway:rate:\(key.kind):\(key.subject.key)" }

    /// Microseconds from one request to the next, and the burst.
    static func arguments(_ rate: Rate) -> [String] {
        [String(max(1, rate.interval / 1_000)), String(rate.burst)]
    }

    static func wait(_ answer: RedisValue) -> Duration? {
        answer.int.map { .microseconds($0) }
    }
}
