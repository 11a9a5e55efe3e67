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
        when(VehicleParked.self) { event, delivery in
            try await valets.follow(event.order, delivery)
        }
        when(VehicleRetrieved.self) { event, delivery in
            try await valets.follow(event.order, delivery)
        }
        when(OrderOverridden.self) { event, delivery in
            try await valets.follow(event.order, delivery)
        }
        when(VehicleChanged.self) { event, delivery in
            try await database.apply(delivery) { transaction in
                guard try !transaction.isGone(event.owner.as(PersonID.self)) else { return }
                let old = try transaction.vehicle(event.vehicle.id, of: event.owner)
                try transaction.keepVehicle(event)
                if let new = try transaction.vehicle(event.vehicle.id, of: event.owner),
                    new.plate.plateCharacters != old?.plate.plateCharacters
                {
                    try FineNotices.announceOpen(
                        ofPlate: new.plate, to: event.owner.as(PersonID.self),
                        at: bookings.clock.now, in: transaction)
                    try transaction.sessions.hand(
                        ofPlate: new.plate.plateCharacters, to: event.owner.as(PersonID.self),
                        at: bookings.clock.now)
                }
            }
        }
        when(AccountChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepStanding(event) }
        }
        when(AccountDeleted.self) { event, delivery in
            try await bookings.forget(event, delivery)
        }
    }
}
