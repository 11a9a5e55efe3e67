import Contracts
import EventBus

/// What other services' events mean here: every event of an order brings its newest state, and the
/// one of parking what became of a proposal.
func plateReactions(_ plates: PlateUseCases) -> Reactions {
    func learn<E: OrderEvent>(_ type: E.Type) -> Reaction {
        when(type) { event, delivery in try await plates.learn(event.order, delivery) }
    }
    return Reactions {
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
        when(VehicleParked.self) { event, delivery in try await plates.learn(event, delivery) }
        learn(TaskChanged.self)
        learn(ReturnRequested.self)
        learn(ReturnUnfulfilled.self)
        learn(RecallCancelled.self)
        learn(VehicleRetrieved.self)
        learn(VehicleReturned.self)
        learn(OrderFinished.self)
        learn(OrderOverridden.self)
        learn(OrderOverdue.self)
        when(AccountDeleted.self) { event, delivery in try await plates.forget(event, delivery) }
    }
}
