/// Arithmetic of taxes in minor units. A half is rounded up, away from zero for what is given back.
enum TaxArithmetic {
    /// Thousandths of a percent in a whole.
    static let whole = 100_000
    /// The highest rate: 100 %.
    static let highestRate = whole

    /// The tax in an amount that includes it: gross × r / (1 + r).
    static func tax(in gross: Int, at rate: Int) -> Int {
        share(rate, of: whole + rate, in: gross)
    }

    /// The tax on top of an amount: net × r, rounded to a multiple of what can be charged in its currency.
    static func tax(on net: Int, at rate: Int, step: Int = 1) -> Int {
        share(rate, of: whole * step, in: net) * step
    }

    /// `amount` × `part` / `sum`, rounded; zero of nothing.
    ///
    /// Nothing overflows while the result fits.
    static func share(_ part: Int, of sum: Int, in amount: Int) -> Int {
        guard sum != 0 else { return 0 }
        let product = amount.magnitude.multipliedFullWidth(by: part.magnitude)
        let (quotient, rest) = sum.magnitude.dividingFullWidth(product)
        let rounded = rest >= sum.magnitude - rest ? quotient + 1 : quotient
        let isNegative = (amount < 0) != (part < 0) && rounded != 0
        return sum < 0 ? sign(rounded, !isNegative) : sign(rounded, isNegative)
    }

    /// Divides a whole by weights, so that the parts sum up to it.
    static func split(_ amount: Int, by weights: [Int]) -> [Int] {
        let sum = weights.reduce(0, +)
        var (before, given) = (0, 0)
        return weights.map { weight in
            before += weight
            let due = share(before, of: sum, in: amount)
            defer { given = due }
            return due - given
        }
    }

    private static func sign(_ magnitude: UInt, _ isNegative: Bool) -> Int {
        isNegative ? -Int(magnitude) : Int(magnitude)
    }
}
