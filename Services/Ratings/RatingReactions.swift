import Contracts
import EventBus

/// Reactions to other services' events.
func ratingReactions(_ ratings: RatingUseCases) -> Reactions {
    Reactions {
        when(EngagementChanged.self) { event, delivery in
            try await ratings.apply(event.engagement, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await ratings.database.apply(delivery) { try $0.keepStanding(event) }
        }
        when(AccountDeleted.self) { event, delivery in
            try await ratings.forget(event, delivery)
        }
    }
}
