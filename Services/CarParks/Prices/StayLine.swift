import Contracts
import Foundation
import ServiceKit

/// A part of a stay's price.
struct StayLine: Codable, Sendable, Hashable {
    static let driveUp = "driveUp"
    static let overstay = "overstay"
    static let overstayFee = "overstayFee"
    static let lostTicket = "lostTicket"
    /// An amount that earlier stays of the plate owe.
    static let earlier = "earlier"

    let kind: String
    /// In minor units; negative for what a maximum saves.
    var amount: Int
    /// Absent for the usual text of the kind.
    var text: LocalizedText?
    var quantity: Int?
    /// The unit of `quantity`.
    var unit: LocalizedText?
    /// In minor units.
    var unitPrice: Int?

    init(
        kind: String, amount: Int, text: LocalizedText? = nil, quantity: Int? = nil,
        unit: LocalizedText? = nil, unitPrice: Int? = nil
    ) {
        (self.kind, self.amount, self.text) = (kind, amount, text)
        (self.quantity, self.unit, self.unitPrice) = (quantity, unit, unitPrice)
    }

    /// The line of a bill.
    func bill(in currency: String) -> Bill.Line {
        var line = Bill.Line(
            kind: kind, text: text ?? CarParkNotices.words.text("bill.\(kind)"),
            quantity: quantity ?? 1, amount: Money(amount: amount, currency: currency))
        // Strangers owe for drive-ups only.
        if kind == Self.earlier { line.taxKind = Self.driveUp }
        line.unit = unit
        line.unitPrice = unitPrice.map { Money(amount: $0, currency: currency) }
        return line
    }

    /// A part of the line, which is no multiple of its unit any more.
    fileprivate func part(_ amount: Int) -> StayLine {
        amount == self.amount ? self : StayLine(kind: kind, amount: amount, text: text)
    }
}

extension Money {
    /// The amount, or the least that a card can be charged.
    var atLeastChargeable: Money {
        guard amount > 0 else { return self }
        return Money(amount: max(amount, Self.leastCharge(in: currency)), currency: currency)
            .roundedUp
    }
}

extension [StayLine] {
    /// The lines with so much more on the first one that costs something.
    func raised(by rest: Int) -> [StayLine] {
        guard rest > 0, let index = firstIndex(where: { $0.amount > 0 }) else { return self }
        var lines = self
        lines[index] = lines[index].part(lines[index].amount + rest)
        return lines
    }

    /// The lines that are unpaid after an amount, which pays the first lines first. If something is paid, all lines of
    /// a drive-up become one, since a maximum saves a part of several.
    func less(_ paid: Int) -> [StayLine] {
        guard paid > 0 else { return filter { $0.amount != 0 } }
        let driveUp = filter { $0.kind == StayLine.driveUp }
        var merged = filter { $0.kind != StayLine.driveUp }
        if !driveUp.isEmpty {
            let total = driveUp.reduce(0) { $0 + $1.amount }
            merged.insert(StayLine(kind: StayLine.driveUp, amount: total), at: 0)
        }
        var paid = paid
        return merged.map { line in
            let part = Swift.min(paid, line.amount)
            paid -= part
            return line.part(line.amount - part)
        }.filter { $0.amount > 0 }
    }
}
