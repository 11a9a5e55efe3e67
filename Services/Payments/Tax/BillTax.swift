import Contracts
import Foundation

/// The tax of a bill, by the rates that were in force when its price was told.
///
/// Lines of the platform have the rate of their product and kind; deductions reduce what has their
/// own rate. A payee's line is the payee's own sale, so only the platform's commission on it has
/// tax, and includes it. Tips have none.
struct BillTax: Codable, Sendable, Hashable {
    /// All that has one rate. The tax is rounded once, over the sum.
    struct Group: Codable, Sendable, Hashable {
        let name: String
        let percentThousandths: Int
        /// Tax is on top of the lines' amounts.
        let isAdded: Bool
        /// With tax, in minor units.
        let gross: Int
        let tax: Int
    }

    /// A line's part of its group. Of a payee's line it is the commission.
    struct Part: Codable, Sendable, Hashable {
        /// Index of the bill's line.
        let line: Int
        /// Index of the group.
        let group: Int
        let tax: Int
    }

    let country: String
    let pricesIncludeTax: Bool
    let groups: [Group]
    let parts: [Part]

    /// Tax on top of the bill's lines.
    var added: Int { groups.filter(\.isAdded).reduce(0) { $0 + $1.tax } }
    var total: Int { groups.reduce(0) { $0 + $1.tax } }

    func part(of line: Int) -> Part? { parts.first { $0.line == line } }

    /// The rate of a line that the platform sells; nil for a payee's.
    func rate(of line: Int, in bill: Bill) -> Int? {
        guard bill.lines.indices.contains(line), bill.lines[line].payee == nil else { return nil }
        return part(of: line).map { groups[$0.group].percentThousandths }
    }

    func rows(_ currency: String) -> [TaxRow] {
        groups.map { row($0, gross: $0.gross, tax: $0.tax, currency) }
    }

    func row(_ group: Group, gross: Int, tax: Int, _ currency: String) -> TaxRow {
        TaxRow(
            name: group.name, percentThousandths: group.percentThousandths, country: country,
            gross: Money(amount: gross, currency: currency),
            tax: Money(amount: tax, currency: currency))
    }
}

extension BillTax {
    private struct Key: Hashable {
        let name: String
        let percentThousandths: Int
        let isAdded: Bool
    }

    /// The taxed part of a line.
    private struct Taxed {
        let line: Int
        let key: Key
        let amount: Int
    }

    /// Nil without a country, and if nothing has a rate.
    init?(_ bill: Bill, by settings: TaxSettings, country: String?) {
        guard let country = bill.facts.country ?? country else { return nil }
        let taxed = bill.lines.enumerated().compactMap { index, line -> Taxed? in
            let amount = line.payee == nil ? line.amount.amount : line.commission?.amount ?? 0
            guard amount != 0,
                let rate = settings.rate(
                    of: line.product ?? bill.product, line.taxKind ?? line.kind, in: country)
            else { return nil }
            let key = Key(
                name: rate.name, percentThousandths: rate.percentThousandths,
                isAdded: !settings.pricesIncludeTax && line.payee == nil)
            return Taxed(line: index, key: key, amount: amount)
        }
        var (groups, parts): ([Group], [Part]) = ([], [])
        for key in taxed.map(\.key).unique {
            let members = taxed.filter { $0.key == key }
            let sum = members.reduce(0) { $0 + $1.amount }
            guard sum != 0 else { continue }
            let rate = key.percentThousandths
            let tax =
                key.isAdded
                ? TaxArithmetic.tax(on: sum, at: rate, step: Money.chargeStep(in: bill.currency))
                : TaxArithmetic.tax(in: sum, at: rate)
            let shares = TaxArithmetic.split(tax, by: members.map(\.amount))
            parts += zip(members, shares).map {
                Part(line: $0.line, group: groups.count, tax: $1)
            }
            groups.append(
                Group(
                    name: key.name, percentThousandths: rate, isAdded: key.isAdded,
                    gross: key.isAdded ? sum + tax : sum, tax: tax))
        }
        guard !groups.isEmpty else { return nil }
        self.init(
            country: country, pricesIncludeTax: settings.pricesIncludeTax, groups: groups,
            parts: parts)
    }
}

extension TaxSettings {
    /// The most specific rate.
    func rate(of product: Product, _ kind: String, in country: String) -> TaxRate? {
        rates.filter { rate in
            rate.country == country && rate.product ?? product == product
                && rate.kind ?? kind == kind
        }.max { $0.specificity < $1.specificity }
    }
}

extension TaxRate {
    fileprivate var specificity: Int { (kind == nil ? 0 : 2) + (product == nil ? 0 : 1) }
}

extension Sequence where Element: Hashable {
    /// Each element once, in the order of their first.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
