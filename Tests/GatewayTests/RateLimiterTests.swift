import Contracts
import Redis
import ServiceKit
import Support
import Testing

@testable import Gateway

private let limits = RateLimits(
    strict: Rate(perSecond: 0.01, burst: 2), open: Rate(perSecond: 0.01, burst: 3),
    person: Rate(perSecond: 0.01, burst: 4), positions: Rate(perSecond: 0.01, burst: 5),
    recognitions: Rate(perSecond: 0.01, burst: 2), places: Rate(perSecond: 0.01, burst: 3),
    address: Rate(perSecond: 0.01, burst: 100), webhooks: Rate(perSecond: 0.01, burst: 6))

@Suite struct LocalBucketTests {
    private let key = RateKey(kind: "test", subject: .person(TestPerson.alice.id))

    @Test func aBurstPassesAndThenOnlyThePace() {
        let buckets = LocalBuckets()
        let rate = Rate(perSecond: 10, burst: 3)
        for _ in 1...3 { #expect(buckets.take(key, rate, at: .zero) == nil) }
        #expect(buckets.take(key, rate, at: .zero) == .milliseconds(100))
        #expect(buckets.take(key, rate, at: .milliseconds(60)) == .milliseconds(40))
        #expect(buckets.take(key, rate, at: .milliseconds(100)) == nil)
        #expect(buckets.take(key, rate, at: .milliseconds(100)) == .milliseconds(100))
    }

    @Test func aRestFillsTheBucketAgain() {
        let buckets = LocalBuckets()
        let rate = Rate(perSecond: 10, burst: 3)
        for _ in 1...3 { _ = buckets.take(key, rate, at: .zero) }
        for _ in 1...3 { #expect(buckets.take(key, rate, at: .seconds(60)) == nil) }
        #expect(buckets.take(key, rate, at: .seconds(60)) != nil)
    }

    @Test func subjectsAreCountedApart() {
        let buckets = LocalBuckets()
        let rate = Rate(perSecond: 1, burst: 1)
        let other = RateKey(kind: "test", subject: .person(TestPerson.bob.id))
        let otherKind = RateKey(kind: "other", subject: key.subject)
        for key in [key, other, otherKind] {
            #expect(buckets.take(key, rate, at: .zero) == nil)
            #expect(buckets.take(key, rate, at: .zero) != nil)
        }
    }

    @Test func theTableIsBounded() {
        let buckets = LocalBuckets(mostSubjects: 10)
        let rate = Rate(perSecond: 1, burst: 1)
        for _ in 1...1_000 {
            _ = buckets.take(RateKey(kind: "k", subject: .person(.new())), rate, at: .zero)
        }
        #expect(buckets.count <= 20)
    }

    @Test func whoeverWasSeenLatelyIsNotForgotten() {
        let buckets = LocalBuckets(mostSubjects: 10)
        let rate = Rate(perSecond: 1, burst: 1)
        for _ in 1...9 {
            _ = buckets.take(RateKey(kind: "k", subject: .person(.new())), rate, at: .zero)
        }
        _ = buckets.take(key, rate, at: .zero)
        for _ in 1...9 {
            _ = buckets.take(RateKey(kind: "k", subject: .person(.new())), rate, at: .zero)
        }
        #expect(buckets.take(key, rate, at: .zero) != nil)
    }
}

@Suite struct RateLimiterTests {
    private let alice = TestPerson.alice.id
    private let bob = TestPerson.bob.id
    private let home = IPAddress("203.0.113.7")
    private let away = IPAddress("203.0.113.8")

    /// How many of `tries` requests pass.
    private func passed(
        _ limiter: RateLimiter, _ rate: RateClass, _ person: PersonID?, _ address: IPAddress?,
        tries: Int = 10
    ) async throws -> Int {
        var passed = 0
        for _ in 0..<tries {
            do {
                try await limiter.admit(rate, person: person, address: address)
                passed += 1
            } catch let error as Refusal {
                #expect(error.code == "rate.limited")
                #expect(try #require(error.problem.retryAfterSeconds) >= 1)
            }
        }
        return passed
    }

    @Test func everyClassHasItsLimit() async throws {
        let redis = try await TestRedis.start()
        let limiter = RateLimiter(redis.pool, limits)
        #expect(try await passed(limiter, .strict, nil, home) == 2)
        #expect(try await passed(limiter, .open, nil, home) == 3)
        #expect(try await passed(limiter, .standard, alice, home) == 4)
        #expect(try await passed(limiter, .positions, alice, home) == 5)
        #expect(try await passed(limiter, .recognitions, bob, home) == 2)
        #expect(try await passed(limiter, .places, bob, home) == 3)
        #expect(try await passed(limiter, .webhooks, nil, home) == 6)
        #expect(try await passed(limiter, .standard, bob, home) == 4, "counted apart")
    }

    @Test func peopleAndAddressesAreCountedApart() async throws {
        let redis = try await TestRedis.start()
        let limiter = RateLimiter(redis.pool, limits)
        #expect(try await passed(limiter, .standard, alice, home) == 4)
        #expect(try await passed(limiter, .standard, bob, home) == 4)
        #expect(try await passed(limiter, .strict, nil, home) == 2)
        #expect(try await passed(limiter, .strict, nil, away) == 2)
    }

    @Test func gatewaysCountTogether() async throws {
        let redis = try await TestRedis.start()
        let one = RateLimiter(redis.pool, limits)
        let other = RateLimiter(redis.pool, limits)
        #expect(try await passed(one, .standard, alice, home, tries: 3) == 3)
        #expect(try await passed(other, .standard, alice, home) == 1)
    }

    @Test func aCountEndsByItself() async throws {
        let redis = try await TestRedis.start()
        let limiter = RateLimiter(redis.pool, limits)
        try await limiter.admit(.standard, person: alice, address: home)
        let key = RateScript.key(RateKey(kind: "calls", subject: .person(alice)))
        let life = try await redis.pool.execute(RawCommand("PTTL", key)).int ?? 0
        #expect((1...100_000).contains(life))
    }

    @Test func oneOfManyRefusedDoesNotPostponeTheNext() async throws {
        let redis = try await TestRedis.start()
        let limiter = RateLimiter(redis.pool, limits)
        #expect(try await passed(limiter, .standard, alice, home, tries: 50) == 4)
        let wait = await limiter.takeShared(
            RateKey(kind: "calls", subject: .person(alice)), limits.person)
        #expect(try #require(wait) <= .seconds(100))
    }

    @Test func withoutRedisTheLimitsHoldInThisProcess() async throws {
        let redis = try await TestRedis.start()
        let limiter = RateLimiter(redis.pool, limits)
        await redis.stop()
        #expect(try await passed(limiter, .strict, nil, home) == 2)
        #expect(try await passed(limiter, .standard, alice, home) == 4)
    }

    @Test func anAddressAsAWholeHasALimit() async throws {
        let limiter = RateLimiter(nil, limits)
        let home = try #require(home)
        for _ in 0..<100 { try limiter.admit(from: home, isPosition: false) }
        let refusal = #expect(throws: Refusal.self) {
            try limiter.admit(from: home, isPosition: false)
        }
        #expect(refusal?.code == "rate.limited")
        try limiter.admit(from: home, isPosition: true)
        try limiter.admit(from: #require(away), isPosition: false)
    }

    @Test func whatAnAddressWasRefusedShutsItOut() throws {
        var limits = limits
        limits.refusals = Rate(perSecond: 0.01, burst: 3)
        let limiter = RateLimiter(nil, limits)
        let home = try #require(home)
        for _ in 0..<3 {
            try limiter.admit(from: home, isPosition: true)
            limiter.countRefusal(of: home)
        }
        for isPosition in [true, false] {
            let refusal = #expect(throws: Refusal.self) {
                try limiter.admit(from: home, isPosition: isPosition)
            }
            #expect(refusal?.code == "rate.limited")
        }
        try limiter.admit(from: #require(away), isPosition: false)
    }

    @Test func whoIsSignedInIsCountedStrictlyByPerson() async throws {
        let limiter = RateLimiter(nil, limits)
        #expect(try await passed(limiter, .strict, alice, home) == 2)
        #expect(try await passed(limiter, .strict, bob, home) == 2)
        #expect(try await passed(limiter, .strict, nil, home) == 2)
    }
}
