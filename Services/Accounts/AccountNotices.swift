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

    /// Tells a valet that an operator has suspended them, or lets them work again.
    static func announceSuspension(
        _ event: AccountChanged, at now: Date, in transaction: Transaction
    ) throws {
        let key = event.suspended ? "suspended" : "unsuspended"
        try tell(event.account.id, key, at: now, in: transaction)
    }

    /// Tells the reporter that it was looked at, and a warned person that they are.
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

    /// A line about their account in somebody's feed.
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
