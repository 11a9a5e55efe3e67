import Contracts
import Foundation
import ServiceKit

/// The price of a stay for one reason, before it is put in words.
struct TariffCharge: Sendable, Hashable {
    let kind: TariffLine.Kind
    /// The name of a band or its hours; empty for the first minutes and the daily maximum.
    let name: String
    /// The length of a unit in minutes; nil for one price.
    let unitMinutes: Int?
    /// Price of one unit in minor units; nil for what a maximum saves.
    let price: Int?
    /// The sum over the whole stay.
    var quantity: Int
    /// In minor units; negative for what a maximum saves.
    var amount: Int

    fileprivate func isSame(as other: TariffCharge) -> Bool {
        (kind, name, unitMinutes, price)
            == (other.kind, other.name, other.unitMinutes, other.price)
    }
}

extension [TariffCharge] {
    /// In minor units.
    var amount: Int { reduce(0) { $0 + $1.amount } }

    fileprivate mutating func add(_ charge: TariffCharge) {
        if let index = firstIndex(where: { $0.isSame(as: charge) }) {
            self[index].quantity += charge.quantity
            self[index].amount += charge.amount
        } else {
            append(charge)
        }
    }
}

/// Prices a stay without a booking, piece by piece.
///
/// The first steps come first, by elapsed time. After them, each band costs its started units from its beginning or
/// from the end of the steps, at most its maximum. Each step and each band counts for the day on which it begins, and
/// no day costs more than its maximum. So a stay never gets cheaper by leaving later, and its price is the sum of its
/// days.
///
/// Events, and public holidays that have bands of their own, take over from midnight to midnight.
struct TariffPricing: Sendable {
    let rates: ParkingRates
    let days: LocalDays

    /// Days whose own bands take over.
    private enum Special: Hashable {
        case holiday
        /// The event of that index.
        case event(Int)
    }

    /// A day for which a price counts: a band of the week may go on after an event of the day before.
    private struct Day: Hashable {
        let day: DateComponents
        var special: Special?
    }

    /// A part of a stay in one band.
    private struct Part {
        let day: Day
        let band: TariffBand
        let range: Range<Date>
    }

    /// The price of a stay, in lines. A stay of no time costs nothing.
    func charges(from start: Date, until end: Date) -> [TariffCharge] {
        guard start < end else { return [] }
        var (charges, byDay) = ([TariffCharge](), [Day: Int]())
        var cursor = start
        for step in first(at: start) where cursor < end {
            charges.add(
                TariffCharge(
                    kind: .first, name: "", unitMinutes: step.minutes, price: step.price,
                    quantity: 1, amount: step.price))
            byDay[day(at: cursor), default: 0] += step.price
            cursor += TimeInterval(step.minutes * 60)
        }
        for part in parts(from: cursor, until: end) {
            byDay[part.day, default: 0] += part.band.charge(part.range, to: &charges)
        }
        let saved = byDay.reduce(0) { saved, entry in
            saved + max(0, entry.value - (maximum(of: entry.key) ?? entry.value))
        }
        if saved > 0 {
            charges.append(
                TariffCharge(
                    kind: .dailyMaximum, name: "", unitMinutes: nil, price: nil, quantity: 1,
                    amount: -saved))
        }
        return charges
    }

    // MARK: Days

    private func special(on day: DateComponents) -> Special? {
        let text = Self.text(of: day)
        let event = (rates.events ?? []).firstIndex { $0.from <= text && text <= $0.until }
        if let event { return .event(event) }
        return rates.hasHolidays && days.isHoliday(day) ? .holiday : nil
    }

    private func bands(of special: Special) -> [TariffBand] {
        switch special {
        case .holiday: rates.bands(on: .holiday)
        case .event(let index): (rates.events ?? [])[index].bands
        }
    }

    private func maximum(of day: Day) -> Int? {
        if case .event(let index) = day.special { return (rates.events ?? [])[index].dailyMaximum }
        return rates.dailyMaximum
    }

    private func first(at start: Date) -> [TariffStep] {
        if case .event(let index) = special(on: days.day(of: start)) {
            return (rates.events ?? [])[index].first ?? []
        }
        return rates.first ?? []
    }

    private func weekday(of day: DateComponents) -> TariffDay {
        let noon = days.moment(day, minute: TariffRules.mostMinutes / 2)
        let weekday = days.calendar.component(.weekday, from: noon)
        return TariffDay.allCases[(weekday + 5) % 7]
    }

    private func dayBefore(_ day: DateComponents) -> DateComponents {
        days.day(of: days.moment(day, minute: TariffRules.mostMinutes / 2), offset: -1)
    }

    /// Computed without the calendar, which would take most of the time of a long stay.
    private func dayAfter(_ day: DateComponents) -> DateComponents {
        guard let year = day.year, let month = day.month, let number = day.day else { return day }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let last = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        var next = day
        if number < last {
            next.day = number + 1
        } else {
            (next.year, next.month, next.day) = (
                month < 12 ? year : year + 1, month < 12 ? month + 1 : 1, 1
            )
        }
        return next
    }

    /// The day of the band at a moment: until the first band of a day begins, it is still the day before.
    private func day(at time: Date) -> Day {
        let today = days.day(of: time)
        if let special = special(on: today) { return Day(day: today, special: special) }
        let first = rates.bands(on: weekday(of: today)).first?.start ?? 0
        return Day(day: time < days.moment(today, minute: first) ? dayBefore(today) : today)
    }

    /// The parts of a stay, day by day, from the day before it.
    private func parts(from start: Date, until end: Date) -> [Part] {
        guard start < end else { return [] }
        var found: [Part] = []
        let today = days.day(of: start)
        var day = Neighbours(day: dayBefore(today), special: nil, before: nil, next: nil)
        day.before = special(on: dayBefore(day.day))
        day.special = special(on: day.day)
        day.next = special(on: today)
        var weekday = TariffDay.allCases.firstIndex(of: weekday(of: day.day)) ?? 0
        while days.start(of: day.day) < end {
            let bands = rates.bands(on: TariffDay.allCases[weekday])
            found += parts(of: day, bands).compactMap { part in
                let range = part.range.clamped(to: start..<end)
                return range.isEmpty ? nil : Part(day: part.day, band: part.band, range: range)
            }
            let next = dayAfter(day.day)
            day = Neighbours(
                day: next, special: day.next, before: day.special,
                next: special(on: dayAfter(next)))
            weekday = (weekday + 1) % 7
        }
        return found
    }

    /// A day with what takes over on it, on the day before and on the next one.
    private struct Neighbours {
        let day: DateComponents
        var special, before, next: Special?
    }

    /// The bands that begin on a day, each up to its end or until others take over.
    private func parts(of day: Neighbours, _ bands: [TariffBand]) -> [Part] {
        let midnight = TariffRules.mostMinutes
        var found: [Part] = []
        func add(_ band: TariffBand, _ special: Special?, _ from: Int, _ until: Int) {
            guard from < until else { return }
            let (from, until) = (
                days.moment(day.day, minute: from), days.moment(day.day, minute: until)
            )
            // Clocks may skip a band.
            guard from < until else { return }
            found.append(
                Part(day: Day(day: day.day, special: special), band: band, range: from..<until))
        }
        for band in bands {
            add(
                band, nil, day.special == nil ? band.start : max(band.start, midnight),
                day.next == nil ? band.end : min(band.end, midnight))
        }
        guard let own = day.special else { return found }
        for band in self.bands(of: own) {
            if day.before != own { add(band, own, 0, band.end - midnight) }
            add(band, own, band.start, day.next == own ? band.end : min(band.end, midnight))
        }
        return found
    }

    /// As in `2026-12-24`.
    static func text(of day: DateComponents) -> String {
        func digits(_ number: Int?, _ count: Int) -> String {
            let text = "\(number ?? 0)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(day.year, 4))-\(digits(day.month, 2))-\(digits(day.day, 2))"
    }
}

extension ParkingRates {
    /// Whether public holidays have bands of their own.
    var hasHolidays: Bool { bands.contains { $0.days?.contains(.holiday) == true } }

    /// Whether a band begins on a day. Without days, a band is for all days of the week.
    func has(_ band: TariffBand, on kind: TariffDay) -> Bool {
        band.days?.contains(kind) ?? (kind != .holiday)
    }

    /// The bands that begin on a day, in their order.
    func bands(on kind: TariffDay) -> [TariffBand] {
        bands.filter { has($0, on: kind) }.sorted { $0.start < $1.start }
    }
}

extension TariffBand {
    /// Minutes after midnight; nil for a time that can't be read.
    static func minute(of time: String) -> Int? {
        guard let match = time.wholeMatch(of: /([01]\d|2[0-4]):([0-5]\d)/),
            let hour = Int(match.1), let minute = Int(match.2), hour * 60 + minute <= 1_440
        else { return nil }
        return hour * 60 + minute
    }

    var start: Int { Self.minute(of: from) ?? 0 }

    /// Beyond 1,440 on the next day.
    var end: Int {
        let end = Self.minute(of: until) ?? 1_440
        return end > start ? end : end + 1_440
    }

    /// The name, or else the hours; empty for a whole day.
    var label: String {
        if let name { return name }
        return start == 0 && end == 1_440 ? "" : "\(from)–\(until)"
    }

    /// Adds the price of a time in the band, and returns it.
    fileprivate func charge(_ range: Range<Date>, to charges: inout [TariffCharge]) -> Int {
        let seconds = range.upperBound.timeIntervalSince(range.lowerBound)
        let units = unitMinutes.map { Int((seconds / Double($0 * 60)).rounded(.up)) } ?? 1
        let amount = units * price
        charges.add(
            TariffCharge(
                kind: .band, name: label, unitMinutes: unitMinutes, price: price,
                quantity: units, amount: amount))
        guard let maximum, amount > maximum else { return amount }
        charges.add(
            TariffCharge(
                kind: .maximum, name: label, unitMinutes: nil, price: nil, quantity: 1,
                amount: maximum - amount))
        return maximum
    }
}
