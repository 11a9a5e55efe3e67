import Contracts
import Foundation
import ServiceKit

/// What plates keeps of an order: whose it is, and how far it has come.
struct KnownOrder: Hashable, Sendable {
    /// How long after an order's end a vehicle's state may still be photographed.
    static let afterglow: TimeInterval = 86_400

    var id: OrderID
    var version: Int
    var status: OrderStatus
    var customer: CustomerID
    var dropOffValet: ValetID?
    var returnValet: ValetID?
    var endedAt: Date?

    func includes(_ person: Identity) -> Bool {
        switch person.role {
        case .customer: person.customer == customer
        case .valet: [dropOffValet, returnValet].contains(person.valet)
        case .operator: true
        }
    }

    /// Nil when a photo may be taken at that moment.
    func refusal(of moment: PhotoMoment, at now: Date) -> PlateError? {
        switch (moment, status) {
        case (.handOver, .droppingOff), (.handOver, .parking), (.handOver, .parked),
            (.handBack, .requestingBack), (.handBack, .returningBack),
            (.handBack, .waitingForPayment):
            return nil
        case (.handBack, .finished):
            let isFresh = endedAt.map { now.timeIntervalSince($0) < Self.afterglow } ?? false
            return isFresh ? nil : .orderEnded
        default:
            return status.isEnd ? .orderEnded : .momentNotPossible
        }
    }
}

extension KnownOrder {
    init(_ order: OrderSnapshot) {
        self.init(
            id: order.id, version: order.version, status: order.status, customer: order.customer,
            dropOffValet: order.dropOffValet, returnValet: order.returnValet,
            endedAt: order.endedAt)
    }
}
