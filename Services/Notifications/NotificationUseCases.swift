import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Feeds with each person's messages, in their language.
struct NotificationUseCases: Sendable {
    /// The service's own texts; notices bring the texts of their services.
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    let database: Database
    let sealer: Sealer
    let clock: ServiceClock
    /// Language of the feed that all operators share.
    let operatorsLanguage: Language
}

extension NotificationUseCases {
    /// Removes data that is older than its retention.
    func sweep() async throws {
        let now = clock.now
        try await database.sweep { try Retention.sweep(at: now, batch: $1, in: $0) }
    }
}
