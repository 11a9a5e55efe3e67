import Contracts
import EventBus
import Foundation
import Maps
import ServiceKit
import Store

// The bill of an order, as published to payments.

extension Order {
    /// The bill in the order's present state: without lines until something is due, and withdrawn if an operator
    /// has waived the amount.
    func currentBill(by person: OperatorID? = nil) -> Bill {
        var bill = Bill(
            id: id.as(BillID.self), product: .valet, version: version.number,
            payer: customer.as(PersonID.self), currency: tariff.currency, facts: billFacts)
        bill.by = person?.as(PersonID.self)
        bill.pricedAt = createdAt
        bill.tipped = valetsInTurn.map { $0.as(PersonID.self) }
        guard let quote = self.bill else { return bill }
        bill.lines = quote.lines.flatMap { line in
            switch line.kind.known {
            case .time: [timeLine(line, of: quote)]
            case .carPark: carParkLines(line)
            case .base, .dailyCap, .wash, .refuel, .cancellation, .noShow, nil: [plainLine(line)]
            }
        }
        // Caps the total at the largest amount that a bill may have.
        let excess = quote.charge.amount - bill.total.amount
        if excess != 0 {
            bill.lines.append(
                Bill.Line(
                    kind: Quote.Line.Kind.dailyCap.rawValue,
                    text: OrderNotice.words.text("bill.dailyCap"),
                    amount: Money(amount: excess, currency: tariff.currency)))
        }
        // Payment finishes an order without a new bill. When an operator finishes it, nothing is due any more.
        if status == .finished, quote.charge.amount > 0 { bill.state = .known(.withdrawn) }
        return bill
    }

    private func plainLine(_ line: Quote.Line) -> Bill.Line {
        Bill.Line(
            kind: line.kind.rawValue,
            text: OrderNotice.words.text("bill.\(line.kind.rawValue)"), amount: line.amount)
    }

    /// With the started increments and the price of one.
    private func timeLine(_ line: Quote.Line, of quote: Quote) -> Bill.Line {
        var time = plainLine(line)
        let count = tariff.increments(in: quote.durationSeconds)
        guard count > 0, count * tariff.incrementPrice == line.amount.amount else { return time }
        time.quantity = count
        time.unit = OrderNotice.words.text(
            "bill.increment", ["count": .count(tariff.incrementMinutes)])
        time.unitPrice = Money(amount: tariff.incrementPrice, currency: tariff.currency)
        return time
    }

    /// A line of each car park that earns a part of the amount; one line without a car park if their prices don't
    /// add up to it, as when it is capped.
    private func carParkLines(_ line: Quote.Line) -> [Bill.Line] {
        let shares = carParks.shares
        guard !shares.isEmpty, shares.reduce(0, { $0 + $1.amount }) == line.amount.amount else {
            return [plainLine(line)]
        }
        return shares.map { share in
            var stay = Bill.Line(
                kind: line.kind.rawValue,
                text: OrderNotice.words.text("bill.carParkNamed", ["name": .text(share.site.name)]),
                amount: Money(amount: share.amount, currency: tariff.currency))
            (stay.product, stay.site) = (.parking, share.site)
            let price = share.hourly.amount
            guard price > 0, share.amount % price == 0 else { return stay }
            stay.quantity = share.amount / price
            stay.unit = OrderNotice.words.text("bill.hours", ["count": .count(stay.quantity)])
            stay.unitPrice = share.hourly
            return stay
        }
    }

    /// The valets who served, without repeats; the one who brought the vehicle back comes last.
    private var valetsInTurn: [ValetID] {
        let found = [dropOffValet, returnValet].compactMap(\.self)
        return found.count == 2 && found[0] == found[1] ? [found[0]] : found
    }

    private var billFacts: Bill.Facts {
        var facts = Bill.Facts(
            title: OrderNotice.words.text("bill.title"), reference: ticket, from: collectedAt,
            until: returnedAt, place: dropOff.address ?? areaName)
        facts.locate(at: dropOff.coordinate)
        facts.site = areaName.map {
            Bill.Site(.area, id: serviceArea.description, name: $0)
        }
        if let vehicle {
            let kind = [vehicle.colour, vehicle.make, vehicle.model].joined(separator: " ")
            facts.details = [
                Bill.Detail(
                    label: OrderNotice.words.text("bill.vehicle"),
                    value: "\(vehicle.plate) · \(kind)",
                    isPersonal: true)
            ]
        }
        facts.fields = [
            Bill.Field("order", .text(id.description)), Bill.Field("ticket", .text(ticket)),
            Bill.Field("vehicle", vehicle?.json ?? .null, isPersonal: true),
            Bill.Field("collectedAt", .time(collectedAt)),
            Bill.Field("returnedAt", .time(returnedAt)),
        ]
        return facts
    }
}

extension OrderVehicle {
    fileprivate var json: JSONValue {
        .object([
            "id": id.map { .text($0.description) } ?? .null, "plate": .text(plate),
            "make": .text(make), "model": .text(model), "colour": .text(colour),
        ])
    }
}

extension JSONValue {
    fileprivate static func time(_ date: Date?) -> JSONValue {
        date.map { .text(Wire.text($0)) } ?? .null
    }
}

extension OrderEvent {
    /// Whether this event changes the order's bill. The first event names the payer.
    var changesBill: Bool {
        switch self {
        case is DropOffRequested, is OrderScheduled, is VehicleReturned, is OrderCancelled,
            is OrderOverridden:
            true
        default: false
        }
    }
}

extension OrderStore {
    /// Publishes in the transaction of the order's event, so that no bill exists without it.
    func publishBill(after event: any OrderEvent, at now: Date) throws {
        guard event.changesBill, let order = try find(event.order.id) else { return }
        try transaction.publish(
            BillChanged(bill: order.currentBill(by: (event as? OrderOverridden)?.by)), at: now)
    }
}

extension OrderQueries {
    /// Answers payments when it may have missed the latest bill.
    func bill(_ id: BillID) async throws -> Bill {
        let order = try await database.read { try $0.orders.find(id.as(OrderID.self)) }
        guard let order else { throw Refusal.orderUnknown }
        return order.currentBill()
    }
}
