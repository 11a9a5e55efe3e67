import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Notices to people about fines.
enum FineNotices {
    /// Announces a step of a fine in the transaction that makes it: to the vehicle's owners, or to the person who has
    /// dealt with the fine, and an appeal to operators.
    static func announce(
        _ fine: FineRecord, _ step: FineStep, refund: Int = 0, at now: Date,
        in transaction: Transaction
    ) throws {
        try transaction.publish(
            FineChanged(
                fine: fine.id, step: step, carPark: fine.carPark.id, amount: fine.amount,
                version: fine.version.number), at: now)
        let key =
            switch step {
            case .issued: "fine-issued"
            case .appealed: "fine-appealed"
            case .upheld: "fine-upheld"
            case .cancelled: refund > 0 ? "fine-cancelled-refund" : "fine-cancelled"
            case .paid: "fine-paid"
            }
        let people =
            switch step {
            case .issued: try transaction.plates.owners(of: fine.plate)
            case .appealed: [PersonID]()
            case .paid: [fine.knownPayer].compactMap(\.self)
            case .upheld, .cancelled:
                Array(Set([fine.knownPayer, fine.appeal?.person].compactMap(\.self)))
            }
        let recipients: [Recipient] = step == .appealed ? [.operators] : people.map { .person($0) }
        try tell(recipients, of: fine, key, refund: refund, at: now, in: transaction)
    }

    /// Announces the open fines of a vehicle to a person who has just proven its plate.
    static func announceOpen(
        ofPlate plate: String, to person: PersonID, at now: Date, in transaction: Transaction
    ) throws {
        for fine in try transaction.fines.open(ofPlate: plate, most: Notice.mostMessages) {
            try tell([.person(person)], of: fine, "fine-issued", at: now, in: transaction)
        }
    }

    private static func tell(
        _ recipients: [Recipient], of fine: FineRecord, _ key: String, refund: Int = 0,
        at now: Date, in transaction: Transaction
    ) throws {
        guard !recipients.isEmpty else { return }
        var amount = fine.amount
        if refund > 0 { amount.amount = refund }
        let values: [String: Catalogue.Value] = [
            "reference": .text(fine.reference), "name": .text(fine.carPark.name),
            "plate": .text(fine.plate), "amount": .money(amount),
        ]
        let state = SubjectState(
            product: .parking, kind: "fine", version: fine.version.number,
            link: "/fines/\(fine.id)",
            data: .object([
                "id": .text(fine.id.description), "reference": .text(fine.reference),
                "status": .text(fine.status.rawValue),
            ]), about: [])
        try transaction.publish(
            NoticeIssued(
                Notice(
                    subject: fine.id.description, state: state, cause: FineChanged.self,
                    recipients.map {
                        CarParkNotices.words.message(to: $0, key, values, push: .soon)
                    })), at: now)
    }
}
