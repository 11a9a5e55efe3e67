import Contracts
import EventBus

/// Reactions to other services' events.
///
/// Location has no SQL, and therefore no inbox. Engagements, accounts and areas are stored by version, so that events
/// may arrive twice, late or out of order.
func locationReactions(_ location: LocationUseCases, _ areas: AreaStore) -> Reactions {
    Reactions {
        when(ServiceAreaChanged.self) { event, _ in try await location.apply(event, in: areas) }
        when(AccountChanged.self) { event, _ in try await location.apply(event) }
        when(AccountDeleted.self) { event, _ in try await location.forget(event) }
        when(EngagementChanged.self) { event, _ in try await location.apply(event.engagement) }
    }
}
