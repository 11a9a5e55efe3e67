import Contracts
import EventBus
import Foundation
import Store

extension Transaction {
    /// Tells that an operator has changed something, in the transaction that changes it; refuses one who is gone.
    func record(
        _ verb: String, _ subject: some CustomStringConvertible, _ reason: String? = nil,
        by person: OperatorID, at now: Date
    ) throws {
        try requireStanding(of: person.as(PersonID.self), as: .operator)
        try publish(
            OperatorActed(
                by: person, action: "orders.\(verb)", subject: subject.description,
                reason: reason, actedAt: now),
            at: now)
    }
}
