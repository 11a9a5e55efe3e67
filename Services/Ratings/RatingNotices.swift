import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The notifications about ratings.
enum RatingNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// Notifies the rated person without naming the engagement, which would reveal the author.
    static func announce(_ event: RatingGiven, at now: Date, in transaction: Transaction) throws {
        try transaction.publish(event, at: now)
        let message = words.message(
            to: .person(event.to), "rated", ["stars": .count(event.stars)])
        try transaction.publish(
            NoticeIssued(
                Notice(subject: event.to.description, cause: RatingGiven.self, [message])), at: now)
    }
}
