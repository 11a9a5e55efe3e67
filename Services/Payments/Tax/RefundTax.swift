import Contracts
import Foundation

/// The tax that a refund takes back: as much as belongs to its part of the bill, so that once all of
/// the bill is refunded, exactly all tax is. The tip, which has none, is refunded last.
struct RefundTax: Codable, Sendable, Hashable {
    /// The part of one of the bill's groups.
    struct Part: Codable, Sendable, Hashable {
        let group: Int
        let gross: Int
        let tax: Int
    }

    let parts: [Part]
    /// For each of the refund's `takenBack`, the tax in the commission that is given up.
    let ofCommissions: [Int]
    /// The part of the bill that was refunded without naming a line, in minor units.
    let general: Int

    var total: Int { parts.reduce(0) { $0 + $1.tax } }

    func added(in tax: BillTax) -> Int {
        parts.filter { tax.groups[$0.group].isAdded }.reduce(0) { $0 + $1.tax }
    }
}

/// The tax of a payment that refunds have taken back.
struct TaxTaken: Codable, Sendable, Hashable {
    /// By the index of the bill's group.
    private(set) var gross: [Int]
    private(set) var tax: [Int]
    /// By the index of the payee's share: the part of the line that is refunded.
    private(set) var lines: [Int: Int] = [:]
    /// The part of the bill that was refunded without naming a line.
    private(set) var general = 0

    init(of tax: BillTax) {
        gross = tax.groups.map { _ in 0 }
        self.tax = gross
    }

    /// Takes back what belongs to a refund that has succeeded.
    ///
    /// - Parameters:
    ///   - amount: Of the refund, in minor units.
    ///   - due: What was paid for the bill, without a tip.
    ///   - left: The part of it that no refund has returned, in minor units. Refunds that are not settled yet are left.
    mutating func take(
        _ amount: Int, of due: Int, left: Int, _ takenBack: [TakenBack],
        _ shares: [PayeeShare], _ known: BillTax
    ) -> RefundTax {
        let ofCommissions = takenBack.map { part in
            let share = shares[part.share]
            let whole = known.part(of: share.line)?.tax ?? 0
            let before = lines[part.share, default: 0]
            let after = before + part.net + part.commission
            lines[part.share] = after
            return TaxArithmetic.share(after, of: share.amount.amount, in: whole)
                - TaxArithmetic.share(before, of: share.amount.amount, in: whole)
        }
        let before = general
        let isGeneral = takenBack.reduce(0) { $0 + $1.net + $1.commission } != amount
        // It was made for all that was left then: only what others wait for remains.
        let isRest = isGeneral && !takenBack.isEmpty
        if isGeneral {
            general = isRest ? max(general, due - left) : min(due, general + amount)
        }
        let parts = known.groups.enumerated().compactMap { index, group -> RefundTax.Part? in
            func share(_ part: Int) -> Int {
                TaxArithmetic.share(part, of: due, in: group.gross)
            }
            let wanted =
                if left == 0 {
                    group.gross
                } else if isRest {
                    Self.beyond(gross[index], group.gross - share(left))
                } else if isGeneral {
                    Self.within(gross[index] + share(general) - share(before), group.gross)
                } else {
                    Self.within(
                        gross[index] + commission(of: takenBack, shares, in: index, known),
                        group.gross)
                }
            let owed =
                left == 0
                ? group.tax : TaxArithmetic.share(wanted, of: group.gross, in: group.tax)
            let part = RefundTax.Part(
                group: index, gross: wanted - gross[index], tax: owed - tax[index])
            (gross[index], tax[index]) = (wanted, owed)
            return part.gross == 0 && part.tax == 0 ? nil : part
        }
        return RefundTax(
            parts: parts, ofCommissions: ofCommissions, general: isGeneral ? general - before : 0)
    }

    /// The refund has failed after all.
    mutating func giveBack(_ back: RefundTax, _ takenBack: [TakenBack]) {
        for part in back.parts {
            gross[part.group] -= part.gross
            tax[part.group] -= part.tax
        }
        for part in takenBack { lines[part.share, default: 0] -= part.net + part.commission }
        general -= back.general
    }

    private func commission(
        of takenBack: [TakenBack], _ shares: [PayeeShare], in group: Int, _ known: BillTax
    ) -> Int {
        takenBack.filter { known.part(of: shares[$0.share].line)?.group == group }
            .reduce(0) { $0 + $1.commission }
    }

    /// Not beyond all of a group, whose gross is negative if deductions exceed the rest.
    private static func within(_ gross: Int, _ whole: Int) -> Int {
        whole < 0 ? max(whole, gross) : min(whole, gross)
    }

    /// Not less than what is taken back already.
    private static func beyond(_ taken: Int, _ gross: Int) -> Int {
        gross < 0 ? min(taken, gross) : max(taken, gross)
    }
}
