import Contracts
import Foundation
import Kafka
import Synchronization

@testable import Matching

/// What matching has said on the bus; may be told to refuse.
final class Said: Sendable {
    private struct State {
        var records: [KafkaRecord] = []
        var isAway = false
    }

    private let state = Mutex(State())

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    var records: [KafkaRecord] { state.withLock { $0.records } }

    /// Of each record.
    var ids: [String] {
        records.compactMap { record in record.headers.first { $0.name == "ce_id" }?.value }
    }

    func take(_ records: [KafkaRecord]) throws {
        try state.withLock { state in
            guard !state.isAway else { throw KafkaError(.retriable, "away") }
            state.records += records
        }
    }

    /// What a reader with an inbox makes of it.
    private func events<E: Event>(_ type: E.Type) -> [E] {
        var heard: Set<String> = []
        return zip(records, ids).filter { record, id in
            record.headers.contains { $0.name == "ce_type" && $0.value == E.type }
                && heard.insert(id).inserted
        }.compactMap { try? Wire.decode(E.self, from: $0.0.value) }
    }

    var matched: [ValetMatched] { events(ValetMatched.self) }
    var nobody: [NoValetFound] { events(NoValetFound.self) }
}
