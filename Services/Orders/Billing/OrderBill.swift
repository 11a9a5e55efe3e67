import Contracts
import Foundation

/// The price of an order: a pure function of tariff, time and extras.
extension Tariff {
    private static let secondsPerMinute = 60
    private static let secondsPerDay = 86_400
    /// The longest time that is billed, so that no clock error can overflow the sum: ten years.
    static let longestBilledSeconds = 3_650 * secondsPerDay

    /// The base fee, started increments after the free time with a cap per started day, extras, and car park spaces.
    ///
    /// The lines add up to the charge: the reduction by the cap is a negative line.
    func quote(seconds: Int, extras ordered: [Extra], carParks: Int? = nil) -> Quote {
        let seconds = min(max(0, seconds), Self.longestBilledSeconds)
        let time = increments(in: seconds) * incrementPrice
        var lines = [line(.base, baseFee)]
        if time > 0 { lines.append(line(.time, time)) }
        let startedDays = max(1, Self.started(seconds, Self.secondsPerDay))
        let cap = startedDays * dailyCap
        if baseFee + time > cap { lines.append(line(.dailyCap, cap - baseFee - time)) }
        lines += ordered.map { extra in
            line(extra.lineKind, extras[extra.rawValue] ?? 0)
        }
        if let carParks { lines.append(line(.carPark, carParks)) }
        let sum = lines.reduce(0) { $0 + $1.amount.amount }
        return Quote(
            durationSeconds: seconds,
            charge: Money(amount: min(sum, Money.largestAmount), currency: currency), lines: lines)
    }

    /// A single fee, or no lines if it is zero.
    func fee(_ kind: Quote.Line.Kind, _ amount: Int) -> Quote {
        Quote(
            durationSeconds: 0, charge: Money(amount: amount, currency: currency),
            lines: amount == 0 ? [] : [line(kind, amount)])
    }

    /// Started increments after the free minutes.
    func increments(in seconds: Int) -> Int {
        let billed = max(0, seconds - freeMinutes * Self.secondsPerMinute)
        return Self.started(billed, incrementMinutes * Self.secondsPerMinute)
    }

    private static func started(_ seconds: Int, _ unit: Int) -> Int {
        (seconds + unit - 1) / unit
    }

    private func line(_ kind: Quote.Line.Kind, _ amount: Int) -> Quote.Line {
        Quote.Line(kind: kind, amount: Money(amount: amount, currency: currency))
    }
}

extension Extra {
    var lineKind: Quote.Line.Kind {
        switch self {
        case .wash: .wash
        case .refuel: .refuel
        }
    }
}
