import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// What other services' events mean here.
func spotReactions(_ spots: SpotUseCases) -> Reactions {
    let (database, clock) = (spots.database, spots.clock)
    return Reactions {
        when(PaymentHeld.self) { event, delivery in
            guard event.product == .spots else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.settleHold(of: event.payment.bill.as(SpotRequestID.self), delivery)
        }
        when(PaymentReleased.self) { event, delivery in
            guard event.product == .spots else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.release(event.payment, delivery)
        }
        when(PaymentSucceeded.self) { event, delivery in
            guard event.product == .spots else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.settle(event.payment, delivery)
        }
        when(PaymentDeclined.self) { event, delivery in
            guard event.product == .spots else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.decline(event.payment, delivery)
        }
        when(PartyArrived.self) { event, delivery in
            guard event.product == .spots, event.meeting == SpotRecord.arrival else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.arrive(event.engagement.as(SpotID.self), delivery)
        }
        when(PartyLeft.self) { event, delivery in
            guard event.product == .spots, event.leaving == SpotRecord.leaving else {
                return try await database.apply(delivery) { _ in }
            }
            try await spots.confirm(
                event.engagement.as(SpotID.self), \.sellerIsDone, by: .system, delivery
            ) { _ in }
        }
        KnownPeople.reactions(database, clock)
        when(ParkingFreed.self) { event, delivery in
            try await database.apply(delivery) { try $0.keep(event) }
        }
        when(AccountDeleted.self) { event, delivery in
            try await spots.forget(event, delivery)
        }
    }
}
