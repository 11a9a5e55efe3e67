import Contracts
import EventBus
import Foundation
import Store

/// A kind of thing that a service owns and tells whole: read page by page, in the order of ids.
public struct StateSource: Sendable {
    /// A thing, and the event with its present value; nil if there is nothing to tell.
    public struct Entry: Sendable {
        let id: String
        public let event: (any StateEvent)?
        public let marks: [StateMark]

        /// - Parameter marks: The thing in each set to which it belongs; those of the event if they are nil.
        public init(
            _ id: some CustomStringConvertible, _ event: (any StateEvent)?,
            marks: [StateMark]? = nil
        ) {
            (self.id, self.event) = (id.description, event)
            self.marks = marks ?? event?.marks ?? []
        }
    }

    /// Reads at most `limit` entries with ids above `after`, in their order.
    public typealias Read =
        @Sendable (_ transaction: Transaction, _ after: String, _ limit: Int) throws -> [Entry]

    /// Entries per page and transaction.
    static let limit = 100
    /// Maximum size of a page's events in bytes, unless one alone is larger.
    static let largestPage = 1_024 * 1_024

    let kind: StateKind
    let database: Database
    let read: Read

    /// Events after an id, as another service asks for them.
    func page(after: String?) async throws -> Page<ToldEvent> {
        let (entries, next) = try await database.read { try slice(after: after ?? "", in: $0) }
        var (page, bytes, last) = (Page<ToldEvent>(items: []), 0, after)
        for entry in entries {
            if let event = entry.event {
                let told = try ToldEvent(event)
                bytes += told.body.utf8.count
                if bytes > Self.largestPage, !page.items.isEmpty {
                    page.next = last
                    return page
                }
                page.items.append(told)
            }
            last = entry.id
        }
        page.next = next
        return page
    }

    /// Publishes everything, a page per transaction, and returns the number of events.
    func publish(at now: Date) async throws -> Int {
        guard kind.isPublished else { return 0 }
        var (after, count) = (String?.some(""), 0)
        while let start = after {
            let (published, next) = try await database.write { transaction in
                let (entries, next) = try slice(after: start, in: transaction)
                let events = entries.compactMap(\.event)
                for event in events { try transaction.publish(event, at: now) }
                return (events.count, next)
            }
            (after, count) = (next, count + published)
        }
        return count
    }

    /// What it has, by set.
    func counts() async throws -> [StateSet: StateDigest] {
        var digests = Dictionary(
            uniqueKeysWithValues: StateSet.allCases.filter { $0.kind == kind }
                .map { ($0, StateDigest()) })
        var after: String? = ""
        while let start = after {
            let (entries, next) = try await database.read { try slice(after: start, in: $0) }
            for mark in entries.flatMap(\.marks) {
                digests[mark.set, default: StateDigest()].add(mark)
            }
            after = next
        }
        return digests
    }

    /// The second value is the id to go on from; nil if there are no more.
    private func slice(
        after: String, in transaction: Transaction
    ) throws -> ([Entry], next: String?) {
        let found = try read(transaction, after, Self.limit)
        return (found, found.count < Self.limit ? nil : found.last?.id)
    }
}
