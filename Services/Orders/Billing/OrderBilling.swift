import Contracts
import EventBus
import Foundation
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
        bill.tipped = valetsInTurn.map { $0.as(PersonID.self) }
        guard let quote = self.bill else { return bill }
        bill.lines = quote.lines.map { line in
            Bill.Line(
                kind: line.kind.rawValue,
                text: OrderNotice.words.text("bill.\(line.kind.rawValue)"), amount: line.amount)
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

    /// The valets who served, without repeats; the one who brought the vehicle back comes last.
    private var valetsInTurn: [ValetID] {
        let found = [dropOffValet, returnValet].compactMap(\.self)
        return found.count == 2 && found[0] == found[1] ? [found[0]] : found
    }

    private var billFacts: Bill.Facts {
        var facts = Bill.Facts(
            title: OrderNotice.words.text("bill.title"), reference: ticket, from: collectedAt,
            until: returnedAt)
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
