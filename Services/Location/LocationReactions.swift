import Contracts
import EventBus

/// What other services' events mean here.
///
/// Location has no SQL, so there is no inbox: an order, an account and an area are kept by version,
/// which makes an event that comes twice, late or out of order mean the same.
func locationReactions(_ location: LocationUseCases, _ areas: AreaStore) -> Reactions {
    Reactions {
        when(ServiceAreaChanged.self) { event, _ in try await location.follow(event, in: areas) }
        when(AccountChanged.self) { event, _ in try await location.follow(event) }
        when(AccountDeleted.self) { event, _ in try await location.forget(event) }

        follow(DropOffRequested.self, location)
        follow(OrderScheduled.self, location)
        follow(MatchRepeated.self, location)
        follow(ValetOffered.self, location)
        follow(OfferEnded.self, location, releasing: { $0.valet })
        follow(ValetAssigned.self, location)
        follow(OrderUnfulfilled.self, location)
        follow(OrderCancelled.self, location, releasing: { $0.valet })
        follow(ValetWithdrawn.self, location, releasing: { $0.valet })
        follow(VehicleCollected.self, location)
        follow(VehicleParked.self, location, releasing: { $0.valet })
        follow(TaskChanged.self, location)
        follow(ReturnRequested.self, location)
        follow(ReturnUnfulfilled.self, location)
        follow(RecallCancelled.self, location, releasing: { $0.valet })
        follow(VehicleRetrieved.self, location)
        follow(VehicleReturned.self, location, releasing: { $0.valet })
        follow(OrderFinished.self, location)
        follow(OrderOverridden.self, location, releasing: { $0.released })
    }
}

/// The order as the event has it says who has a job; `releasing` names who had it before.
private func follow<E: OrderEvent>(
    _ type: E.Type, _ location: LocationUseCases,
    releasing: @escaping @Sendable (E) -> ValetID? = { _ in nil }
) -> Reaction {
    when(type) { event, _ in
        try await location.follow(event.order, releasing: releasing(event))
    }
}
