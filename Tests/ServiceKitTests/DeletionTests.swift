import Contracts
import EventBus
import Foundation
import Support
import Synchronization
import Testing

@testable import ServiceKit

@Suite struct DeletionTests {
    private struct Interrupted: Error {}

    /// The tries to forget people, of which the first one fails.
    private final class Tries: Sendable {
        private let all = Mutex<[PersonID]>([])
        var people: [PersonID] { all.withLock { $0 } }

        func forget(_ person: PersonID) throws {
            let count = all.withLock { people in
                people.append(person)
                return people.count
            }
            if count == 1 { throw Interrupted() }
        }
    }

    @Test func aDeletionThatIsToldAgainIsCarriedOutUntilItHasSucceeded() async throws {
        let database = try ServiceEnvironment.test("places").database([])
        let tries = Tries()
        let reactions = Reactions {
            whenDeleted(in: database) { event, _ in try tries.forget(event.account) }
        }
        func tell(_ person: TestPerson) async throws {
            let event = AccountDeleted(
                account: person.id, role: person.role, version: 2, deletedAt: Date())
            try await reactions.receive(event, .of(event, at: Date()))
        }
        await #expect(throws: Interrupted.self) { try await tell(.alice) }
        for _ in 0..<3 { try await tell(.alice) }
        try await tell(.bob)
        #expect(
            tries.people == [TestPerson.alice.id, TestPerson.alice.id, TestPerson.bob.id])
    }

    @Test func deletionsAreCountedAsTheirOwnerCountsThem() async throws {
        let database = try ServiceEnvironment.test("getalift").database([])
        let reactions = Reactions { whenDeleted(in: database) { _, _ in } }
        let events = [TestPerson.alice, .bob].map {
            AccountDeleted(account: $0.id, role: $0.role, version: 2, deletedAt: Date())
        }
        let owned = StateDigest(events.flatMap(\.marks)).count(of: .deletedPeople)
        func isWhole() async throws -> Bool {
            let copies = try #require(Deletions.copies.first)
            return try await copies.count(in: database).counts(theSameAs: owned)
        }
        for event in events {
            #expect(try await !isWhole())
            try await reactions.receive(event, .of(event, at: Date()))
        }
        #expect(try await isWhole())
    }
}
