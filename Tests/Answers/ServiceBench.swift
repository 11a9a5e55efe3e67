import Contracts
import EventBus
import Foundation
import Store
import Support

/// A service as it runs, but for a clock that stands still and events that the test hands in.
public protocol ServiceBench: Sendable {
    var clock: TestClock { get }
    var database: Database { get }
    var reactions: Reactions { get }
}

extension ServiceBench {
    /// Hears an event as if it came from the bus; a repeat has the same id.
    public func hear(_ event: some Event, id: EventID = .new()) async throws {
        try await reactions.receive(event, .of(event, id: id, at: clock.now))
    }

    /// The events of a type that the service has published, oldest first.
    public func published<E: Event>(_ type: E.Type) async throws -> [E] {
        try await outboxEvents(of: type, in: database)
    }

    /// The notices for somebody, by their English titles.
    public func told(_ person: TestPerson) async throws -> [String] {
        try await published(NoticeIssued.self).flatMap(\.notice.messages)
            .filter { $0.to == .person(person.id) }.compactMap { $0.title?[.english] }
    }
}
