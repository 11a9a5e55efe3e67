import Contracts
import EventBus

/// What other services' events mean here: every event of an order brings its newest state.
func ratingReactions(_ ratings: RatingUseCases) -> Reactions {
    func learn<E: OrderEvent>(_ type: E.Type) -> Reaction {
        when(type) { event, delivery in try await ratings.learn(event.order, delivery) }
    }
    return Reactions {
        when(AccountDeleted.self) { event, delivery in
            try await ratings.forget(event, delivery)
        }
        learn(DropOffRequested.self)
        learn(OrderScheduled.self)
        learn(MatchRepeated.self)
        learn(ValetOffered.self)
        learn(OfferEnded.self)
        learn(ValetAssigned.self)
        learn(OrderUnfulfilled.self)
        learn(OrderCancelled.self)
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
    }
}
