import Contracts
import EventBus
import Foundation
import Store

extension Transaction {
    /// Records an operator's action in the audit log, in the same transaction. Throws if the operator's account is
    /// deleted.
    /// - Parameter action: With the service's name, for example `carparks.add-gate`.
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
