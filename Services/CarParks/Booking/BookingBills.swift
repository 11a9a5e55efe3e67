import Contracts
import Foundation
import Maps
import ServiceKit

extension BookingRecord {
    /// The bill of the booking as it was made.
    var bill: Bill {
        var bill = bill(id.as(BillID.self), stay, lines: stay.billLines)
        bill.pricedAt = createdAt
        if discount > 0 {
            bill.lines.append(
                Bill.Line(
                    kind: "points", text: CarParkNotices.words.text("bill.points"),
                    quantity: points, amount: Money(amount: -discount, currency: stay.currency)))
        }
        return bill
    }

    /// The bill of a change that raises the price.
    func bill(of pending: Pending) -> Bill {
        let stay = pending.stay
        return bill(
            pending.bill, stay,
            lines: [
                Bill.Line(
                    kind: "difference", text: CarParkNotices.words.text("bill.difference"),
                    quantity: stay.quantity * stay.spaces,
                    amount: Money(amount: pending.difference, currency: stay.currency))
            ])
    }

    /// The bill of an overstay.
    func overstayBill(_ id: BillID, lines: [StayLine], from: Date, until: Date)
        -> Bill
    {
        var bill = bill(
            id, stay, lines: lines.filter { $0.amount != 0 }.map { $0.bill(in: stay.currency) })
        bill.pricedAt = createdAt
        (bill.facts.from, bill.facts.until) = (from, until)
        return bill
    }

    private func bill(_ id: BillID, _ stay: Stay, lines: [Bill.Line]) -> Bill {
        var facts = Bill.Facts.parking(
            reference, Bill.Field("booking", .text(self.id.description)),
            plates: stay.vehicles.map(\.plate), in: stay.carPark)
        (facts.from, facts.until) = (stay.start, stay.end)
        var bill = Bill(
            id: id, product: .parking, version: 1, payer: person, currency: stay.currency,
            facts: facts)
        bill.lines = lines
        return bill
    }

    /// The booking as its owner and operators see it.
    var view: Booking {
        var view = Booking(
            id: id, reference: reference, status: status, carPark: stay.carPark,
            product: stay.product, start: stay.start, end: stay.end, quantity: stay.quantity,
            spaces: stay.spaces, kind: stay.kind, vehicles: stay.vehicles, lines: lines(of: stay),
            total: total(of: stay),
            paid: Money(amount: paid, currency: stay.currency), holdExpiresAt: holdExpiresAt,
            cancellation: stay.cancellation, editableUntil: editableUntil, createdAt: createdAt,
            version: version.number)
        (view.closesAt, view.opensAt) = (stay.closesAt, stay.opensAt)
        if returned > 0 { view.refunded = Money(amount: returned, currency: stay.currency) }
        if hasTaxOnTop {
            view.paidTax = Money(amount: paidTax, currency: stay.currency)
            view.refundedTax = view.refunded.map {
                Money(amount: returnedTax, currency: $0.currency)
            }
        }
        return view
    }
}

extension Bill.Facts {
    /// The parking details on a receipt: the subject if the bill has one, the vehicles and the place.
    static func parking(
        _ reference: String, _ subject: Bill.Field? = nil, plates: [String],
        in carPark: Booking.Place
    ) -> Bill.Facts {
        let vehicles = Bill.Detail(
            label: CarParkNotices.words.text("bill.vehicles"),
            value: plates.joined(separator: ", "), isPersonal: true)
        var facts = Bill.Facts(
            title: CarParkNotices.words.text("bill.title"), reference: reference,
            details: [vehicles], fields: [subject].compactMap(\.self))
        facts.locate(in: carPark)
        return facts
    }

    private mutating func locate(in carPark: Booking.Place) {
        place = carPark.name
        site = Bill.Site(.carPark, id: carPark.id.description, name: carPark.name)
        locate(at: carPark.position, zone: carPark.timeZone)
    }
}
