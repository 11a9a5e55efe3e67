import Contracts
import EventBus
import ServiceKit

/// Reactions to other services' events.
func plateReactions(_ plates: PlateUseCases) -> Reactions {
    Reactions {
        when(EngagementChanged.self) { event, delivery in
            try await plates.apply(event.engagement, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await plates.database.apply(delivery) { try $0.keepStanding(event) }
        }
        whenDeleted(in: plates.database) { event, delivery in
            try await plates.forget(event, delivery)
        }
    }
}
