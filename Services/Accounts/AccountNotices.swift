import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What people are told about their account.
enum AccountNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])
}

extension Transaction {
    /// Tells a valet that an operator has suspended them, or lets them work again.
    func announceSuspension(_ event: AccountChanged, at now: Date) throws {
        try tell(event.account.id, event.suspended ? "suspended" : "unsuspended", at: now)
    }

    /// A line about their account in somebody's feed.
    func tell(_ person: PersonID, _ key: String, at now: Date) throws {
        let message = AccountNotices.words.message(to: .person(person), key)
        try publish(
            NoticeIssued(
                Notice(subject: person.description, cause: AccountChanged.self, [message])),
            at: now)
    }
}
