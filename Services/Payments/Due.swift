import Contracts
import Foundation

/// What an order's event says is due, and for what.
struct Due: Sendable, Hashable {
    /// Nil or zero: nothing.
    let amount: Money?
    let lines: [Quote.Line]
    /// The operator who said so.
    var by: OperatorID?
    /// Who did the job, where the order no longer says.
    var valet: ValetID?

    init(_ amount: Money?, lines: [Quote.Line] = [], by: OperatorID? = nil, valet: ValetID? = nil) {
        self.amount = amount
        self.lines = lines
        self.by = by
        self.valet = valet
    }

    init(_ bill: Quote) { self.init(bill.charge, lines: bill.lines) }

    /// A bill of two currencies, or of less than nothing, is a mistake of whoever made it: it is
    /// never entered, and ends where operators see it.
    func check() throws(BillError) {
        guard let amount else { return }
        guard amount.amount >= 0 else { throw .negative }
        guard amount.amount <= Money.largestAmount else { throw .tooLarge }
        guard amount.currency.utf8.count == 3,
            amount.currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { throw .currencyUnknown }
        guard lines.allSatisfy({ $0.amount.currency == amount.currency }) else {
            throw .currenciesDiffer
        }
    }
}

/// Why a bill is not taken over.
enum BillError: Error, Equatable {
    case negative, tooLarge, currencyUnknown, currenciesDiffer
}

/// What a receipt says of an order: kept with the bill, from the order's own events.
struct OrderFacts: Codable, Sendable, Hashable {
    var ticket: String
    var vehicle: OrderVehicle?
    var collectedAt: Date?
    var returnedAt: Date?
    var dropOffValet: ValetID?
    var returnValet: ValetID?
    var lines: [Quote.Line]
    /// The order is over, and there was nothing to pay.
    var isFree: Bool
    var currency: String?

    init(_ order: OrderSnapshot, _ due: Due) {
        ticket = order.ticket
        vehicle = order.vehicle
        collectedAt = order.collectedAt
        returnedAt = order.returnedAt
        dropOffValet = order.dropOffValet ?? due.valet
        returnValet = order.returnValet
        lines = due.lines
        isFree = order.returnedAt != nil && due.amount?.amount == 0
        currency = due.amount?.currency
    }

    /// The valets who served the order, the one who returned the vehicle last.
    var valets: [ValetID] {
        var found = [dropOffValet, returnValet].compactMap { $0 }
        if found.count == 2, found[0] == found[1] { found.removeFirst() }
        return found
    }
}

/// What one valet gets of a tip.
struct TipShare: Codable, Sendable, Hashable {
    let valet: ValetID
    let amount: Money
}

enum Tip {
    /// In minor units: ten thousand in major units of most currencies.
    static let most = 1_000_000

    /// Halves for two valets; an odd cent goes to the one who brought the vehicle back.
    static func shares(of tip: Money, among valets: [ValetID]) -> [TipShare] {
        let count = valets.count
        guard count > 0 else { return [] }
        let part = tip.amount / count
        return valets.enumerated().map { index, valet in
            let amount = index == count - 1 ? tip.amount - part * (count - 1) : part
            return TipShare(valet: valet, amount: Money(amount: amount, currency: tip.currency))
        }.filter { $0.amount.amount > 0 }
    }
}
