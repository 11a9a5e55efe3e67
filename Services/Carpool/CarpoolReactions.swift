import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Reactions to other services' events.
func carpoolReactions(_ rides: RideUseCases) -> Reactions {
    let (database, clock) = (rides.database, rides.clock)
    return Reactions {
        when(PaymentSucceeded.self, of: .carpool) { event, delivery in
            try await rides.settle(event.payment, delivery)
        }
        KnownPeople.reactions(database, clock)
        whenDeleted(in: database) { event, delivery in
            try await rides.forget(event, delivery)
        }
    }
}
