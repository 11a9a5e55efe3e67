import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Feeds: what each person should hear, in their language.
struct NotificationUseCases: Sendable {
    /// What the service itself says; all else is said by those who know it.
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    let database: Database
    let sealer: Sealer
    let clock: ServiceClock
    /// Of the feed that all operators share.
    let operatorsLanguage: Language
}

extension NotificationUseCases {
    /// Removes what has outlived its retention.
    func sweep() async throws {
        let now = clock.now
        try await database.sweep { try Retention.sweep(at: now, batch: $1, in: $0) }
    }
}
