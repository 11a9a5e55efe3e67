import Contracts
import EventBus
import ServiceKit

/// Reactions to other services' events.
func ratingReactions(_ ratings: RatingUseCases) -> Reactions {
    Reactions {
        when(EngagementChanged.self) { event, delivery in
            try await ratings.apply(event.engagement, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await ratings.database.apply(delivery) { try $0.keepStanding(event) }
        }
        whenDeleted(in: ratings.database) { event, delivery in
            try await ratings.forget(event, delivery)
        }
    }
}
