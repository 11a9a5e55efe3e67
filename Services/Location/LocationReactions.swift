import Contracts
import EventBus

/// What other services' events mean here.
///
/// Location has no SQL, so there is no inbox: an engagement, an account and an area are kept by version,
/// which makes an event that comes twice, late or out of order mean the same.
func locationReactions(_ location: LocationUseCases, _ areas: AreaStore) -> Reactions {
    Reactions {
        when(ServiceAreaChanged.self) { event, _ in try await location.apply(event, in: areas) }
        when(AccountChanged.self) { event, _ in try await location.apply(event) }
        when(AccountDeleted.self) { event, _ in try await location.forget(event) }
        when(EngagementChanged.self) { event, _ in try await location.apply(event.engagement) }
    }
}
