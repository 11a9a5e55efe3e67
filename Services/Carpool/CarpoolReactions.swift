import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What other services' events mean here.
func carpoolReactions(_ rides: RideUseCases) -> Reactions {
    let (database, clock) = (rides.database, rides.clock)
    return Reactions {
        when(PaymentSucceeded.self) { event, delivery in
            guard event.product == .carpool else {
                return try await database.apply(delivery) { _ in }
            }
            try await rides.settle(event.payment, delivery)
        }
        when(RatingGiven.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepRating(event, at: clock.now) }
        }
        when(ServiceAreaChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepArea(event, at: clock.now) }
        }
        when(AccountChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepPerson(event, at: clock.now) }
        }
        when(VehicleChanged.self) { event, delivery in
            try await database.apply(delivery) { transaction in
                guard try !transaction.isGone(event.owner.as(PersonID.self)) else { return }
                try transaction.keepVehicle(event)
            }
        }
        when(PersonBlocked.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepBlock(event) }
        }
        when(AccountDeleted.self) { event, delivery in
            try await rides.forget(event, delivery)
        }
    }
}
