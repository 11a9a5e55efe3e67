import Contracts
import EventBus

/// What other services' events mean here: whether somebody may leave, for which a copy of what is
/// unfinished and unpaid is kept.
func accountReactions(_ accounts: AccountUseCases) -> Reactions {
    let (database, clock) = (accounts.database, accounts.clock)
    func learn<E: OrderEvent>(_ type: E.Type) -> Reaction {
        when(type) { event, delivery in
            let now = clock.now
            try await database.apply(delivery) { try $0.keep(OrderCopy(event.order), at: now) }
        }
    }
    return Reactions {
        learn(DropOffRequested.self)
        learn(OrderScheduled.self)
        learn(MatchRepeated.self)
        learn(ValetOffered.self)
        learn(OfferEnded.self)
        learn(ValetAssigned.self)
        learn(OrderUnfulfilled.self)
        learn(ValetWithdrawn.self)
        learn(VehicleCollected.self)
        learn(VehicleParked.self)
        learn(TaskChanged.self)
        learn(ReturnRequested.self)
        learn(ReturnUnfulfilled.self)
        learn(RecallCancelled.self)
        learn(VehicleRetrieved.self)
        learn(VehicleReturned.self)
        learn(OrderFinished.self)
        learn(OrderOverridden.self)
        learn(OrderOverdue.self)
        when(OrderCancelled.self) { event, delivery in
            let now = clock.now
            try await database.apply(delivery) { transaction in
                try transaction.keep(OrderCopy(event.order), at: now)
                if event.fee.amount > 0 { try transaction.oweFee(event.order.id) }
            }
        }
        when(PaymentSucceeded.self) { event, delivery in
            let now = clock.now
            try await database.apply(delivery) { transaction in
                try transaction.settle(event.payment.order, of: event.customer, at: now)
            }
        }
    }
}
