import Contracts
import EventBus
import Foundation
import Store

extension Transaction {
    /// Tells the audit log what an operator does, in the transaction that does it; refuses one who is gone.
    /// - Parameter action: With the service's name, as in `carparks.add-gate`.
    public func record(
        _ action: String, _ subject: some CustomStringConvertible, by person: PersonID,
        reason: String? = nil, at now: Date
    ) throws {
        try requireStanding(of: person)
        try publish(
            OperatorActed(
                by: person.as(OperatorID.self), action: action, subject: subject.description,
                reason: reason, actedAt: now), at: now)
    }
}
