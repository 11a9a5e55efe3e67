import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Notices to people about their account.
enum AccountNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// Notifies a valet that an operator has suspended or reinstated them.
    static func announceSuspension(
        _ event: AccountChanged, at now: Date, in transaction: Transaction
    ) throws {
        let key = event.suspended ? "suspended" : "unsuspended"
        try tell(event.account.id, key, at: now, in: transaction)
    }

    /// Notifies the reporter that the report was reviewed, and the reported person if they are warned.
    static func announceDecision(
        on filed: FiledReport, at now: Date, in transaction: Transaction
    ) throws {
        if try transaction.people.find(filed.reporter) != nil {
            try tell(filed.reporter, "report-closed", at: now, in: transaction)
        }
        let reported = filed.report.person
        if filed.outcome == .warned, try transaction.people.find(reported) != nil {
            try tell(reported, "warned", at: now, in: transaction)
        }
    }

    /// Adds a line about the account to the person's feed.
    static func tell(
        _ person: PersonID, _ key: String, at now: Date, in transaction: Transaction
    ) throws {
        let message = words.message(to: .person(person), key)
        try transaction.publish(
            NoticeIssued(
                Notice(subject: person.description, cause: AccountChanged.self, [message])),
            at: now)
    }
}
