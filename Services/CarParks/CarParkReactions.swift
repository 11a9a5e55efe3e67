import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Reactions to other services' events.
func carParkReactions(_ bookings: BookingUseCases, _ valets: ValetSpaces) -> Reactions {
    let database = bookings.database
    return Reactions {
        when(PaymentSucceeded.self, of: .parking) { event, delivery in
            try await bookings.settle(event.payment, delivery)
        }
        when(PaymentRefunded.self, of: .parking) { event, delivery in
            try await database.apply(delivery) {
                try $0.bills.take(event.refund, at: bookings.clock.now)
            }
        }
        when(RefundFailed.self, of: .parking) { event, delivery in
            try await database.apply(delivery) {
                try $0.bills.takeBack(event.refund, at: bookings.clock.now)
            }
        }
        when(VehicleParked.self) { event, delivery in
            try await valets.follow(
                event.order, isRecognised: event.recognition != nil, delivery)
        }
        when(VehicleRetrieved.self) { event, delivery in
            try await valets.follow(event.order, delivery)
        }
        when(OrderOverridden.self) { event, delivery in
            try await valets.follow(event.order, delivery)
        }
        when(VehicleChanged.self) { event, delivery in
            try await database.apply(delivery) { transaction in
                let owner = event.owner.as(PersonID.self)
                guard try !transaction.isGone(owner) else { return }
                try transaction.keepVehicle(event)
                try transaction.plates.dropUnused(of: owner)
            }
        }
        when(AccountChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepStanding(event) }
        }
        whenDeleted(in: database) { event, delivery in
            try await bookings.forget(event, delivery)
        }
    }
}
