import Contracts
import EventBus
import Foundation
import Maps
import ProductKit
import ServiceKit
import Store

// Bills of spots: held for a request, captured at the hand-over.

extension SpotRequestRecord {
    /// A hold of the largest possible amount, payable to the seller less the commission.
    func bill(for spot: SpotRecord, in area: KnownArea?) -> Bill {
        let words = SpotNotices.words
        var facts = Bill.Facts(
            title: words.text("bill.title"), reference: spot.reference, from: createdAt,
            fields: [Bill.Field("spot", .text(spot.id.description))])
        facts.locate(at: spot.offer.position)
        facts.place = area?.feature.properties.name
        facts.site = facts.place.map { Bill.Site(.area, id: spot.area.description, name: $0) }
        var bill = Bill(
            id: self.bill, product: .spots, version: 1, payer: buyer, currency: spot.currency,
            facts: facts)
        bill.terms = .known(.hold)
        bill.pricedAt = createdAt
        bill.lines = [spot.line("spot", amount)]
        return bill
    }
}

extension SpotRecord {
    /// The reference that people see.
    var reference: String { "P-" + id.description.suffix(6).uppercased() }

    fileprivate func line(_ kind: String, _ amount: Int) -> Bill.Line {
        Bill.Line(
            kind: kind, text: SpotNotices.words.text("bill.\(kind)"),
            amount: Money(amount: amount, currency: currency), payee: seller,
            commission: Money(
                amount: amount * policy.commissionPercent / 100, currency: currency))
    }
}

extension RequestStore {
    /// Ends a request and its hold: nothing is due, or an amount on one line of the given kind.
    func end(
        _ request: inout SpotRequestRecord, of spot: SpotRecord, as end: SpotRequestStatus,
        owing: Int = 0, for kind: String = "spot", at now: Date
    ) throws {
        let was = request.money
        try request.end(as: end, owing: owing)
        if was == .held, let captured = request.captured {
            try transaction.amend(request.bill, at: now) { bill in
                bill.terms = .known(.now)
                bill.lines = [spot.line(kind, captured)]
                bill.facts.until = now
            }
        } else if was == .held {
            try transaction.withdraw(request.bill, at: now)
        }
        try transaction.unschedule(SpotWork.answer, request.id)
        try transaction.unschedule(SpotWork.authorising, request.id)
        try requestTable.update(&request, in: transaction)
    }
}
