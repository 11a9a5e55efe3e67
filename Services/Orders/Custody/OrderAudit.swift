import Contracts
import EventBus
import Foundation
import Store

enum OrderAudit {
    /// Publishes an operator's change in the transaction that makes it; throws if the operator's account is deleted.
    static func record(
        _ verb: String, _ subject: some CustomStringConvertible, _ reason: String? = nil,
        by person: OperatorID, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.people.requireStanding(of: person.as(PersonID.self), as: .operator)
        try transaction.publish(
            OperatorActed(
                by: person, action: "orders.\(verb)", subject: subject.description,
                reason: reason, actedAt: now),
            at: now)
    }
}
