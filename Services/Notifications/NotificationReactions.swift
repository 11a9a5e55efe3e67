import Contracts
import EventBus

/// What other services' events mean here; the table in `News.swift` says who is told what.
func notificationReactions(_ notifications: NotificationUseCases) -> Reactions {
    func tell<E: Newsworthy>(_ type: E.Type) -> Reaction {
        when(type) { event, delivery in try await notifications.tell(event.news, delivery) }
    }
    return Reactions {
        when(AccountChanged.self) { event, delivery in
            try await notifications.keep(event, delivery)
        }
        when(AccountDeleted.self) { event, delivery in
            try await notifications.forget(event, delivery)
        }
        when(SessionsEnded.self) { event, delivery in
            try await notifications.end(event, delivery)
        }
        when(OperatorActed.self) { event, delivery in
            try await notifications.record(event, delivery)
        }
        when(CodeRequested.self) { event, delivery in
            try await notifications.request(event, delivery)
        }
        tell(DropOffRequested.self)
        tell(OrderScheduled.self)
        tell(MatchRepeated.self)
        tell(ValetOffered.self)
        tell(OfferEnded.self)
        tell(TaskChanged.self)
        tell(ValetAssigned.self)
        tell(OrderUnfulfilled.self)
        tell(OrderCancelled.self)
        tell(ValetWithdrawn.self)
        tell(VehicleCollected.self)
        tell(VehicleParked.self)
        tell(ReturnRequested.self)
        tell(ReturnUnfulfilled.self)
        tell(RecallCancelled.self)
        tell(VehicleRetrieved.self)
        tell(VehicleReturned.self)
        tell(OrderFinished.self)
        tell(OrderOverridden.self)
        tell(OrderOverdue.self)
        tell(ValetArrived.self)
        tell(PaymentSucceeded.self)
        tell(PaymentDeclined.self)
        tell(PaymentRefunded.self)
        tell(TipGiven.self)
        tell(PhotoTaken.self)
        tell(RatingGiven.self)
    }
}
