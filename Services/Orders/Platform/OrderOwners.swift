import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

/// The services that own the data copied to orders.
struct OrderOwners: Sendable {
    let accounts, areas, recognitions, payments: Owners
    /// The car parks in which valets park.
    let carParks: Peer
}

/// Asks the owner for unknown data before a person is refused, since its event may be late. The answer is stored like
/// the event; the transaction then decides.
extension OrderUseCases {
    func learn(of id: VehicleID, of customer: CustomerID) async throws {
        guard try await database.read({ try $0.vehicle(id, of: customer) }) == nil,
            let latest = try await owners.accounts.newest(InternalEndpoints.vehicle(id))
        else { return }
        try await database.write { try $0.people.keep(latest) }
    }

    func learn(of id: RecognitionID, by valet: ValetID, for order: OrderID) async throws {
        guard try await !database.read({ try $0.recognitions.contains(id, of: valet, for: order) }),
            let latest = try await owners.recognitions.newest(InternalEndpoints.recognition(id))
        else { return }
        try await database.write { try $0.recognitions.keep(latest) }
    }

    /// Asks payments about a bill that counts as unpaid, so that a late event doesn't block a customer who
    /// has just paid.
    func learnPayment(by customer: CustomerID) async throws {
        guard let due = try await database.read({ try $0.debts.due(of: customer) }),
            let latest = try await owners.payments.newest(
                InternalEndpoints.billPayment(due.order))
        else { return }
        try await database.write { try answers.finish(latest, in: $0) }
    }

    func learnArea(at point: Place) async throws {
        guard try await !database.read({ try areas.hold(point, in: $0) }),
            let latest = try await owners.areas.newest(
                InternalEndpoints.serviceAreas(asks: PointQuery(point.coordinate)))
        else { return }
        let now = clock.now
        try await database.write { transaction in
            for area in latest { try transaction.keepArea(area, at: now) }
        }
    }
}

extension OrderAnswers {
    /// Asks accounts for an unknown person before they become a party to an order.
    func learn(of person: PersonID) async throws {
        try await accounts.learn(
            of: person, in: database, unless: { try $0.people.isKnown(person) },
            keep: { try apply($0, in: $1) })
    }
}
