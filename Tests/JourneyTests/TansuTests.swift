import Client
import Contracts
import Support
import Testing

/// Journeys on a broker by other people, with the version of librdkafka that the container image has: a second
/// implementation of Kafka's protocol.
@Suite(.serialized) struct TansuTests {
    @Test func journeysOfAllProductsSucceed() async throws {
        let system = try await ReplicatedSystem.start(.tansu)
        let world = try await World(system)
        let travellers = try await Travellers.gather(in: world)
        try await travellers.travel { diary in try await diary.goOn() }
        #expect(travellers.diary.faults.isEmpty, "\(travellers.diary.faults)")
        #expect(travellers.diary.counts.values.allSatisfy { $0.finished > 0 })
        let letters = try await world.boss(NotificationEndpoints.deadLetters()).items
        #expect(letters.isEmpty, "\(letters.map(\.reason))")
        let balance = try await world.boss(PaymentEndpoints.trialBalance())
        #expect(balance.lines.reduce(0) { $0 + $1.balance } == 0)
    }
}
