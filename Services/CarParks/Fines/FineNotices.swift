import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Notices to people about fines.
enum FineNotices {
    /// Announces a step of a fine in the transaction that makes it: to the vehicle's owners, or to the person who has
    /// dealt with the fine, and an appeal to operators.
    ///
    /// - Parameter moved: What was paid or is refunded, with tax on top; nil for nothing.
    static func announce(
        _ fine: FineRecord, _ step: FineStep, moved: Money? = nil, at now: Date,
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
            case .cancelled: moved == nil ? "fine-cancelled" : "fine-cancelled-refund"
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
        let amount: Catalogue.Value =
            switch step {
            case .issued, .upheld: .charge
            case .appealed: .money(fine.amount)
            case .cancelled, .paid: .money(moved ?? fine.amount)
            }
        try tell(recipients, of: fine, key, amount, at: now, in: transaction)
    }

    /// Announces the open fines of a vehicle to a person who has just proven its plate.
    static func announceOpen(
        ofPlate plate: String, to person: PersonID, at now: Date, in transaction: Transaction
    ) throws {
        for fine in try transaction.fines.open(ofPlate: plate, most: Notice.mostMessages) {
            try tell(
                [.person(person)], of: fine, "fine-issued", .charge, at: now, in: transaction)
        }
    }

    private static func tell(
        _ recipients: [Recipient], of fine: FineRecord, _ key: String, _ amount: Catalogue.Value,
        at now: Date, in transaction: Transaction
    ) throws {
        guard !recipients.isEmpty else { return }
        let values: [String: Catalogue.Value] = [
            "reference": .text(fine.reference), "name": .text(fine.carPark.name),
            "plate": .text(fine.plate), "amount": amount,
        ]
        let state = SubjectState(
            product: .parking, kind: "fine", version: fine.version.number,
            link: "/fines/\(fine.id)",
            data: .object([
                "id": .text(fine.id.description), "reference": .text(fine.reference),
                "status": .text(fine.status.rawValue),
            ]), about: [])
        // Every payer is charged the same.
        try transaction.publish(
            Notice(
                subject: fine.id.description, state: state, cause: FineChanged.self,
                recipients.map { CarParkNotices.words.message(to: $0, key, values, push: .soon) }),
            of: fine.bill(.new(at: now), to: .new(at: now)), at: now)
    }
}
