import Contracts
import EventBus

/// Reactions to other services' events.
func plateReactions(_ plates: PlateUseCases) -> Reactions {
    Reactions {
        when(EngagementChanged.self) { event, delivery in
            try await plates.apply(event.engagement, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await plates.database.apply(delivery) { try $0.keepStanding(event) }
        }
        when(AccountDeleted.self) { event, delivery in try await plates.forget(event, delivery) }
    }
}
