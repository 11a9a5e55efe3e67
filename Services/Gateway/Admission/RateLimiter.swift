import Contracts
import Hummingbird
import Redis
import ServiceKit
import Synchronization

/// The rates of requests, by kind.
struct RateLimits: Sendable {
    /// Per address: sign-in, sign-up and requests for codes.
    var strict: Rate
    /// Per address: endpoints that need no sign-in.
    var open: Rate
    /// Per person.
    var person: Rate
    /// Per person: their own position.
    var positions: Rate
    /// Per person: questions to a plate recogniser, which may cost money.
    var recognitions = Rate(perSecond: 0.5, burst: 30)
    /// Per person: questions to a geocoder that is shared by all.
    var places = Rate(perSecond: 1, burst: 60)
    /// Per address, for all people behind it, so that one host can't use up a whole gateway.
    var address: Rate
    /// Per address: refused requests, such as invalid tokens and unknown paths.
    var refusals = Rate(perSecond: 10, burst: 300)
    /// Per address: webhooks of the payment provider.
    var webhooks = Rate(perSecond: 100, burst: 1_000)
}

/// Answers 429 to clients that ask too often.
///
/// Counts are in Redis, so that they hold for all gateways together. While Redis is down, this process counts alone
/// with the same limits: nobody is refused because of our fault, and passwords still can't be guessed.
///
/// Two counts are kept in this process only. Positions come thousands of times a second, and a round trip to Redis
/// would cost more than a position; a client stays on one connection, and so on one gateway. The limit of a whole
/// address protects only this process.
final class RateLimiter: Sendable {
    /// How long this process counts alone after Redis has failed, before it tries again.
    static let pause: Duration = .seconds(1)

    private let redis: RedisPool?
    private let limits: RateLimits
    private let local = LocalBuckets()
    private let aloneUntil = Mutex<ContinuousClock.Instant?>(nil)

    init(_ redis: RedisPool?, _ limits: RateLimits) {
        self.redis = redis
        self.limits = limits
    }

    /// Counts a request of an address, before it is examined.
    func admit(from address: IPAddress, isPosition: Bool) throws {
        let network = RateSubject.address(address.network)
        try refuse(local.wait(Self.refusals(network), limits.refusals))
        guard !isPosition else { return }
        try refuse(local.take(RateKey(kind: "all", subject: network), limits.address))
    }

    /// Counts a refused request of this address.
    func countRefusal(of address: IPAddress) {
        _ = local.take(
            Self.refusals(RateSubject.address(address.network)), limits.refusals)
    }

    private static func refusals(_ network: RateSubject) -> RateKey {
        RateKey(kind: "refusals", subject: network)
    }

    /// Counts a request. Throws `rateLimited` if it exceeds the limit.
    func admit(_ rate: RateClass, person: PersonID?, address: IPAddress?) async throws {
        let network = address.map { RateSubject.address($0.network) }
        guard let subject = person.map(RateSubject.person) ?? network else { return }
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

    /// Counts in Redis, or in this process while Redis is down.
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

/// The generic cell rate algorithm as one atomic step in Redis. It uses the clock of Redis, as gateways' clocks may
/// differ.
enum RateScript {
    /// Returns the microseconds to wait, or 0 if the request may pass. Its one key expires when the bucket is full. Lua
    /// rounds large numbers unless `string.format` writes them.
    static let script = RedisScript(PackageResources.rate_lua)

    /// Another form of the value needs another prefix; without a version, since a key lasts for minutes only.
    static func key(_ key: RateKey) -> String { "gateway:rate:\(key.kind):\(key.subject.key)" }

    /// The microseconds between two requests, and the burst.
    static func arguments(_ rate: Rate) -> [String] {
        [String(max(1, rate.interval / 1_000)), String(rate.burst)]
    }

    static func wait(_ answer: RedisValue) -> Duration? {
        answer.int.map { .microseconds($0) }
    }
}
