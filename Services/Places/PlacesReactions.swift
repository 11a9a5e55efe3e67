import Contracts
import EventBus
import ProductKit
import ServiceKit
import Store

/// Reactions to other services' events.
func placesReactions(_ vendors: VendorUseCases) -> Reactions {
    let (database, clock) = (vendors.database, vendors.clock)
    return Reactions {
        when(ServiceAreaChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepArea(event, at: clock.now) }
        }
        when(AccountChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepStanding(event) }
        }
        whenDeleted(in: database) { event, delivery in
            try await vendors.forget(event, delivery)
        }
    }
}
