import Contracts
import Foundation
import ServiceKit

/// A product with a quantity, chosen by the person or by the end of the booking.
struct ProductChoice: Sendable {
    let product: ParkingProduct
    let quantity: Int
    /// Products that the booking may combine.
    let offers: [ParkingOffer]
    /// The quantity is one in which the product is sold.
    let isSold: Bool

    /// Whether a combination reaches as far as the quantity.
    func isCombined(from start: Date, _ days: LocalDays) -> Bool {
        let end = product.kind.end(of: start, quantity: quantity, days)
        return offers.cheapest(from: start, until: end, days) != nil
    }
}

extension BookingStore {
    /// The largest number of units of a booking that is asked for by its end: a year of hours.
    static let mostUnits = 366 * 24

    /// The products that a request asks for. Throws for a product that is not offered, unless it is the one already
    /// booked, and for a quantity that is not sold. A request by its end may be longer than one product allows, if a
    /// combination reaches.
    func choice(
        for request: StayRequest, from start: Date, of carPark: CarParkRecord,
        extending old: BookingRecord?, booked: BookingRecord.Stay?
    ) throws -> ProductChoice {
        let all = try transaction.carParks.products(of: [carPark.id])[carPark.id, default: []]
        let offered = all.filter { $0.isOffered && $0.classes.contains(request.kind) }
        let (product, quantity) = try unit(
            for: request, from: start, among: all, offered, carPark.days, booked)
        guard product.classes.contains(request.kind) else {
            throw Refusal.parkingProductInvalid.because(
                "This product is not for spaces of the class \(request.kind.rawValue).")
        }
        let kept = booked?.product.id == product.id ? booked : nil
        let offers =
            kept.map { $0.offers(for: request.kind, offered) } ?? offered.map { ParkingOffer($0) }
        let most =
            old?.status == .active
            ? CarParkRules.mostQuantity : max(product.maxQuantity, kept?.quantity ?? 0)
        let choice = ProductChoice(
            product: product, quantity: quantity, offers: offers,
            isSold: (product.minQuantity...max(product.minQuantity, most)).contains(quantity))
        guard choice.isSold || request.end != nil && choice.isCombined(from: start, carPark.days)
        else {
            throw Refusal.parkingProductInvalid.because(
                "Book \(product.minQuantity) to \(most) units.")
        }
        return choice
    }

    /// The product and its number of units: as asked for, or the shortest unit that reaches the end.
    private func unit(
        for request: StayRequest, from start: Date, among all: [ParkingProduct],
        _ offered: [ParkingProduct], _ days: LocalDays, _ booked: BookingRecord.Stay?
    ) throws -> (ParkingProduct, Int) {
        var candidates = offered.sorted {
            ($0.kind.order, $0.price, $0.id.description)
                < ($1.kind.order, $1.price, $1.id.description)
        }
        if let id = request.product {
            candidates = all.filter {
                $0.id == id && ($0.isOffered || $0.id == booked?.product.id)
            }
        } else if request.end == nil {
            throw Refusal.invalid("productId", "Choose a product, or give the end.")
        }
        guard !candidates.isEmpty else {
            throw Refusal.parkingProductInvalid.because("This car park has no such product.")
        }
        guard let end = request.end else { return (candidates[0], request.quantity ?? 1) }
        guard end > start else {
            throw Refusal.bookingDateInvalid.because("The end must be after the start.")
        }
        for product in candidates {
            let most = product.kind == .hourly ? Self.mostUnits : CarParkRules.mostQuantity
            if let quantity = product.kind.quantity(from: start, until: end, days, most: most) {
                return (product, quantity)
            }
        }
        throw Refusal.bookingDateInvalid.because("The booking is too long.")
    }
}

extension BookingRecord {
    /// The price of another stay in place of this one.
    ///
    /// - Parameter tax: On top of what it costs more.
    func quote(of stay: Stay, tax: Money?) -> BookingChangeQuote {
        let difference = difference(to: stay)
        var quote = BookingChangeQuote(
            end: stay.end, lines: lines(of: stay), total: total(of: stay),
            difference: Money(amount: difference, currency: stay.currency), tax: tax)
        guard difference < 0 else { return quote }
        var changed = self
        let back = changed.giveBack(min(-difference, paid))
        if hasTaxOnTop {
            quote.tax = Money(amount: -back.reduce(0) { $0 + $1.tax }, currency: stay.currency)
        }
        quote.differenceWithTax.amount = -back.reduce(0) { $0 + $1.amount + $1.tax }
        return quote
    }
}

extension ParkingProduct.Unit {
    /// The shortest unit first.
    var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension BookingRecord.Stay {
    /// Products that a change that keeps the product may combine: those from before or, for another class of spaces,
    /// those offered for that one, with the product at its old price.
    func offers(for kind: SpaceClass, _ offered: [ParkingProduct]) -> [ParkingOffer] {
        if kind == self.kind { return offers ?? [] }
        return offered.map { ParkingOffer($0, price: $0.id == product.id ? product.price : nil) }
    }

    /// Charges the cheapest combination or, if it costs no more, the product itself.
    mutating func charge(_ days: LocalDays, isSold: Bool = true) {
        let own = [
            ParkingCharge(
                name: product.name, kind: product.kind, quantity: quantity, price: product.price)
        ]
        let combined = offers?.cheapest(from: start, until: end, days)
        let isOwn = isSold && own.amount <= combined?.amount ?? .max
        let charges = isOwn ? own : combined ?? own
        self.charges = charges
        price = charges.amount * spaces
    }

    /// The products that the booking pays for; for one made by an earlier release, its product.
    var charged: [ParkingCharge] {
        charges ?? [
            ParkingCharge(
                name: product.name, kind: product.kind, quantity: quantity, price: product.price)
        ]
    }

    /// Booked and paid by the hour alone, so that it is over once the vehicle leaves.
    var isByTheHour: Bool {
        product.kind == .hourly && charged.allSatisfy { $0.kind == .hourly }
    }

    /// The cheapest combination for the time of one space beyond the booking, at its prices.
    func overstayCharges(until time: Date, _ days: LocalDays) -> [ParkingCharge] {
        let units = product.kind.startedUnits(from: end, until: time, days)
        let own = [
            ParkingCharge(
                name: product.name, kind: product.kind, quantity: units, price: product.price)
        ]
        guard let combined = offers?.cheapest(from: end, until: time, days),
            combined.amount < own.amount
        else { return own }
        return combined
    }

    func lines(discount: Int) -> [BookingLine] {
        var lines = charged.map { charge in
            BookingLine(
                kind: "parking", text: charge.name,
                amount: Money(amount: charge.amount * spaces, currency: currency),
                quantity: charge.quantity * spaces, unit: charge.kind,
                unitPrice: Money(amount: charge.price, currency: currency))
        }
        if discount > 0 {
            lines.append(
                BookingLine(
                    kind: "points", text: CarParkNotices.words.text("bill.points")[.english],
                    amount: Money(amount: -discount, currency: currency)))
        }
        return lines
    }

    /// The lines of the bill, before a discount.
    var billLines: [Bill.Line] {
        charged.map { charge in
            var line = Bill.Line(
                kind: "parking", text: CarParkNotices.words.text("bill.parking"),
                quantity: charge.quantity * spaces,
                amount: Money(amount: charge.amount * spaces, currency: currency))
            line.unit = charge.kind.text(count: charge.quantity * spaces)
            line.unitPrice = Money(amount: charge.price, currency: currency)
            return line
        }
    }
}

extension ParkingProduct.Unit {
    /// For example "hours".
    func text(count: Int) -> LocalizedText {
        CarParkNotices.words.text("unit.\(rawValue)", ["count": .count(count)])
    }
}
