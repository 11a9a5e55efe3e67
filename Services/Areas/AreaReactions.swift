import Contracts
import EventBus
import ServiceKit
import Store

/// Who may not act any more, so that nobody who is gone changes an area.
func areaReactions(_ database: Database) -> Reactions {
    Reactions {
        when(AccountChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepStanding(event) }
        }
        when(AccountDeleted.self) { event, delivery in
            try await database.apply(delivery) { try $0.keepStanding(event) }
        }
    }
}
