import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

enum VendorNotices {
    /// Publishes the decision on a suggestion in its transaction, and notifies `person`, its author; nil if
    /// their account is deleted.
    static func announce(
        _ decided: VendorSuggestion, of person: PersonID?, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(VendorSuggestionDecided(decided), at: now)
        guard let person else { return }
        let isThere = try vendorTable.value(of: decided.vendor, in: transaction)?.isRemoved == false
        let state = SubjectState(
            product: .places, kind: "vendorSuggestion", version: 1,
            link: isThere ? "/places/\(decided.vendor)" : nil,
            data: .object([
                "id": .text(decided.id.description), "vendor": .text(decided.vendor.description),
                "status": .text(decided.status.rawValue),
            ]), about: [person])
        var message = placeWords.message(
            to: .person(person), "suggestion-\(decided.status.rawValue)",
            ["name": .text(decided.vendorName)], push: .receipt)
        message.role = .known(.customer)
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: decided.id.description, state: state,
                    cause: VendorSuggestionDecided.self, [message])), at: now)
    }
}
