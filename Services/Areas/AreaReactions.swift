import Contracts
import EventBus
import ServiceKit
import Store

/// Follows deleted and suspended accounts, so that people who may no longer act can't change an area.
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
