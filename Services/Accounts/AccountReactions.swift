import Contracts
import EventBus

/// What other services' events mean here: whether somebody may leave.
func accountReactions(_ accounts: AccountUseCases) -> Reactions {
    let (database, clock) = (accounts.database, accounts.clock)
    return Reactions {
        when(EngagementChanged.self) { event, delivery in
            let now = clock.now
            try await database.apply(delivery) { try $0.follow(event.engagement, at: now) }
        }
    }
}
