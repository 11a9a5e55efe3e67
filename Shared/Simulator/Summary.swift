import Contracts
import Foundation

/// The summary that is printed at the end.
package struct Summary: Sendable {
    package let text: String

    /// Width of the column of names.
    private static let nameWidth = 30

    package init(_ outcome: SimulationResult, speed: Double, bold: (String) -> String) {
        let sections = [
            ("Orders", Self.orders(outcome)),
            ("Car parks", Self.parking(outcome)),
            ("Spots", Self.spots(outcome.counts.spots)),
            ("Lifts", Self.lifts(outcome.counts.lifts)),
            ("Times", Self.times(outcome.orders, speed: speed)),
            ("Money and stars", Self.money(outcome.counts)),
            ("Requests", Self.requests(outcome.counts)),
            ("Refusals that belong to life", Self.refusals(outcome.counts)),
            ("Errors", Self.errors(outcome)),
        ]
        let body = sections.filter { !$0.1.isEmpty }.map { title, lines in
            "\(bold(title))\n" + lines.map { "  \($0)" }.joined(separator: "\n")
        }
        text = "\n" + body.joined(separator: "\n\n") + "\n\n" + bold(Self.verdict(outcome)) + "\n"
    }

    static func verdict(_ outcome: SimulationResult) -> String {
        var faults: [String] = []
        if outcome.counts.faultCount > 0 { faults.append("\(outcome.counts.faultCount) errors") }
        if outcome.failure != nil { faults.append("nobody could check how it ended") }
        if !outcome.stuck.isEmpty, !outcome.wasInterrupted {
            faults.append("\(outcome.stuck.count) without an end")
        }
        guard faults.isEmpty else { return "Not well: \(faults.joined(separator: ", "))." }
        if outcome.wasInterrupted, outcome.openCount > 0 {
            return
                "Stopped with \(outcome.openCount) orders open; the next run with the same seed"
                + " takes them up."
        }
        return "All well: no errors, and every order, booking, stay, spot and ride at its end."
    }

    // MARK: Sections

    private static func orders(_ outcome: SimulationResult) -> [String] {
        let counts = outcome.counts
        let orders = outcome.orders
        // Then nobody checked the orders at the end, so only what was seen on the way counts.
        let isCutShort = outcome.wasInterrupted
        func ended(_ status: OrderStatus) -> Int {
            isCutShort ? counts.ended[status, default: 0] : orders.count { $0.status == status }
        }
        var rows = [
            row("people in town", counts.peopleHere),
            row("placed", counts.placed),
            row("taken up from a former run", counts.takenUp),
        ]
        if !isCutShort { rows.append(row("matched", orders.count { $0.assignedAt != nil })) }
        return rows + [
            row("nobody found", ended(.unfulfilled)),
            row("cancelled", ended(.cancelled)),
            row("finished", ended(.finished)),
        ]
    }

    private static func parking(_ outcome: SimulationResult) -> [String] {
        let counts = outcome.counts.parking
        guard counts.stays + counts.bookings.count + counts.withoutOffer > 0 else { return [] }
        func ended(_ status: BookingStatus) -> Int {
            outcome.bookings.count { $0.status == status }
        }
        var rows = [
            row("bookings", counts.bookings.count), row("changed or extended", counts.changed),
            row("cancelled", counts.cancelled),
        ]
        if !outcome.wasInterrupted {
            rows += [
                row("used", ended(.completed)), row("still to come", ended(.confirmed)),
                row("not paid in time", ended(.expired)),
            ]
        }
        rows += [
            row("no space found", counts.withoutOffer), row("stays", counts.stays),
            row("of them without a booking", counts.driveUps),
            row("overstayed", counts.overstayed),
        ]
        return rows
            + counts.paid.sorted { $0.key < $1.key }.map { currency, amount in
                let back = counts.givenBack[currency, default: 0]
                return row("paid, \(currency)", "\(major(amount)), given back \(major(back))")
            }
    }

    private static func spots(_ counts: SpotCounts) -> [String] {
        guard !counts.offered.isEmpty else { return [] }
        func ended(_ status: SpotStatus) -> Int { counts.ended[status, default: 0] }
        return [
            row("offered", counts.offered.count), row("handed over", ended(.handedOver)),
            row("came to nothing", ended(.failed)), row("cancelled", ended(.cancelled)),
            row("nobody came", ended(.expired)),
        ]
            + counts.sold.sorted { $0.key < $1.key }.map { currency, amount in
                row(
                    "sold for, \(currency)", "\(major(amount)), owed to sellers less the commission"
                )
            }
    }

    private static func lifts(_ counts: LiftCounts) -> [String] {
        guard counts.published.count + counts.requested + counts.withoutOffer > 0 else { return [] }
        return [
            row("trips published", counts.published.count),
            row("nobody drove there", counts.withoutOffer),
            row("seats asked for", counts.requested), row("rides with passengers", counts.rides),
            row("passengers in the car", counts.rode),
        ]
    }

    private static func times(_ orders: [OrderView], speed: Double) -> [String] {
        // Customers who order ahead wait on purpose.
        let usual = orders.filter { $0.scheduledFor == nil }
        func seconds(_ from: (OrderView) -> Date?, _ to: (OrderView) -> Date?) -> [Double] {
            usual.compactMap { order in
                guard let from = from(order), let to = to(order) else { return nil }
                return to.timeIntervalSince(from)
            }
        }
        let kinds = [
            ("tap to valet found", seconds({ $0.createdAt }, { $0.assignedAt })),
            ("tap to vehicle handed over", seconds({ $0.createdAt }, { $0.collectedAt })),
            ("recall to vehicle back", seconds({ $0.recalledAt }, { $0.returnedAt })),
            ("whole journey", seconds({ $0.createdAt }, { $0.returnedAt })),
        ].filter { !$0.1.isEmpty }
        guard !kinds.isEmpty else { return [] }
        let head = pad("", nameWidth) + "      p50       p90   simulated: p50       p90"
        return [head]
            + kinds.map { name, values in
                let (p50, p90) = (quantile(values, 0.5), quantile(values, 0.9))
                return pad(name, nameWidth)
                    + [time(p50), time(p90)].map { right($0, 9) }.joined(separator: " ")
                    + right(time(p50 * speed), 17) + " " + right(time(p90 * speed), 9)
            }
    }

    private static func money(_ counts: Counts) -> [String] {
        let paid = counts.paid.sorted { $0.key < $1.key }.map { currency, amount in
            let tips = counts.tips[currency, default: 0]
            return row("paid, \(currency)", "\(major(amount)), of it tips \(major(tips))")
        }
        let given = counts.stars.values.reduce(0, +)
        guard given > 0 else { return paid }
        let sum = counts.stars.reduce(0) { $0 + $1.key * $1.value }
        let average = String(format: "%.2f", Double(sum) / Double(given))
        return paid + [row("ratings", "\(given), on average \(average) stars")]
    }

    private static func requests(_ counts: Counts) -> [String] {
        var all = Histogram()
        for histogram in counts.latencies.values { all.merge(histogram) }
        let head = pad("", 44) + right("requests", 9) + right("p50 ms", 10) + right("p99 ms", 10)
        let kinds = counts.latencies.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let lines = ([("all", all)] + kinds.map { ($0.key.description, $0.value) }).map {
            name, histogram in
            pad(name, 44) + right(String(histogram.count), 9)
                + right(milliseconds(histogram.quantile(0.5)), 10)
                + right(milliseconds(histogram.quantile(0.99)), 10)
        }
        let silent =
            counts.unanswered > 0 ? [row("without an answer, repeated", counts.unanswered)] : []
        return [head] + lines + silent
    }

    private static func refusals(_ counts: Counts) -> [String] {
        counts.refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            row($0.key, $0.value)
        }
    }

    private static func errors(_ outcome: SimulationResult) -> [String] {
        let faults = outcome.counts.faults.sorted {
            ($0.key.kind.description, $0.key.status ?? 0) < (
                $1.key.kind.description, $1.key.status ?? 0
            )
        }.map { fault, count in
            let status = fault.status.map(String.init) ?? "no answer"
            return "\(count) × \(fault.kind): \(status) \(fault.code ?? "")"
        }
        let stuck = outcome.wasInterrupted ? [] : outcome.stuck
        return faults
            + stuck.map {
                "\($0.name) is \($0.status ?? "not in the operator's list")"
            }
            + [outcome.failure].compactMap { $0 }
    }

    // MARK: Form

    private static func row(_ name: String, _ value: some CustomStringConvertible) -> String {
        pad(name, nameWidth) + " \(value)"
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.count >= width
            ? text + " " : text.padding(toLength: width, withPad: " ", startingAt: 0)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Nearest rank.
    static func quantile(_ values: [Double], _ share: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return values.sorted()[min(max(rank, 1), values.count) - 1]
    }

    /// For example `7.2 s`, `4:05 min`, `1:30 h`.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<60: String(format: "%.1f s", seconds)
        case ..<3_600: String(format: "%d:%02d min", Int(seconds) / 60, Int(seconds) % 60)
        default: String(format: "%d:%02d h", Int(seconds) / 3_600, Int(seconds) % 3_600 / 60)
        }
    }

    /// So far, all currencies of tariffs have hundredths.
    private static func major(_ amount: Int) -> String {
        String(format: "%d.%02d", amount / 100, amount % 100)
    }

    private static func milliseconds(_ seconds: Double?) -> String {
        seconds.map { String(format: "%.1f", $0 * 1_000) } ?? "–"
    }
}
