import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Reactions to other services' events.
func spotReactions(_ spots: SpotUseCases) -> Reactions {
    let (database, clock) = (spots.database, spots.clock)
    return Reactions {
        when(PaymentHeld.self, of: .spots) { event, delivery in
            try await spots.settleHold(of: event.payment.bill.as(SpotRequestID.self), delivery)
        }
        when(PaymentReleased.self, of: .spots) { event, delivery in
            try await spots.release(event.payment, delivery)
        }
        when(PaymentSucceeded.self, of: .spots) { event, delivery in
            try await spots.settle(event.payment, delivery)
        }
        when(PaymentDeclined.self, of: .spots) { event, delivery in
            try await spots.decline(event.payment, delivery)
        }
        when(PartyArrived.self, of: .spots) { event, delivery in
            guard event.meeting == SpotRecord.arrival else { return }
            try await spots.arrive(event.engagement.as(SpotID.self), delivery)
        }
        when(PartyLeft.self, of: .spots) { event, delivery in
            guard event.leaving == SpotRecord.leaving else { return }
            try await spots.confirm(
                event.engagement.as(SpotID.self), \.sellerIsDone, by: .system, delivery
            ) { _ in }
        }
        KnownPeople.reactions(database, clock)
        when(ParkingFreed.self) { event, delivery in
            try await database.apply(delivery) { try $0.freedParking.keep(event) }
        }
        whenDeleted(in: database) { event, delivery in
            try await spots.forget(event, delivery)
        }
    }
}
