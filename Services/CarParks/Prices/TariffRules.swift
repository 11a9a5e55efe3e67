import Contracts
import Foundation
import ServiceKit

/// Rules for a tariff. Each refusal names its field, for example `rates[0].bands[1].until`.
enum TariffRules {
    static let mostSteps = 10
    static let mostBands = 50
    static let mostEvents = 100
    static let mostMinutes = 1_440
    /// In minor units.
    static let mostPrice = Money.largestAmount / 100
    private static let mostName = 60

    /// Events that are over can't be added, but those of `old` may stay.
    static func checked(
        _ given: ParkingTariffBody, old: ParkingTariff?, in currency: String, today: String
    ) throws -> ParkingTariffBody {
        var body = given
        body.graceMinutes = try Check.int(
            body.graceMinutes ?? ParkingTariff.usualGraceMinutes, "graceMinutes",
            in: 0...mostMinutes)
        if let price = body.lostTicketPrice {
            _ = try Check.price(price, "lostTicketPrice", in: currency, most: mostPrice)
        }
        guard body.rates.count <= SpaceClass.allCases.count else {
            throw Refusal.invalid("rates", "Add at most one entry for each class of spaces.")
        }
        var known: Set<SpaceClass> = []
        for index in body.rates.indices {
            let field = "rates[\(index)]"
            let classes = body.rates[index].classes
            guard !classes.isEmpty else {
                throw Refusal.invalid("\(field).classes", "Choose at least one class of spaces.")
            }
            guard known.isDisjoint(with: classes), Set(classes).count == classes.count else {
                throw Refusal.invalid("\(field).classes", "Give each class its prices once.")
            }
            known.formUnion(classes)
            let past = old?.rates.flatMap { $0.events ?? [] } ?? []
            try check(&body.rates[index], field, in: currency, past: past, today)
        }
        return body
    }

    private static func check(
        _ rates: inout ParkingRates, _ field: String, in currency: String, past: [TariffEvent],
        _ today: String
    ) throws {
        try check(rates.first ?? [], "\(field).first", in: currency)
        try check(
            &rates.bands, "\(field).bands", dailyMaximum: rates.dailyMaximum, in: currency, field)
        var events = rates.events ?? []
        guard events.count <= mostEvents else {
            throw Refusal.invalid("\(field).events", "Add at most \(mostEvents) events.")
        }
        for index in events.indices {
            try check(
                &events[index], "\(field).events[\(index)]", in: currency, past: past, today)
            let overlaps = events[..<index].contains {
                $0.from <= events[index].until && events[index].from <= $0.until
            }
            if overlaps {
                throw Refusal.invalid(
                    "\(field).events[\(index)].from", "Another event has the same days.")
            }
        }
        rates.events = events.isEmpty ? nil : events
        try TariffWeek(rates).check(field)
    }

    private static func check(
        _ steps: [TariffStep], _ field: String, in currency: String
    ) throws {
        guard steps.count <= mostSteps else {
            throw Refusal.invalid(field, "Add at most \(mostSteps) steps.")
        }
        for (index, step) in steps.enumerated() {
            let field = "\(field)[\(index)]"
            _ = try Check.int(step.minutes, "\(field).minutes", in: 1...mostMinutes)
            _ = try Check.price(step.price, "\(field).price", in: currency, most: mostPrice)
        }
    }

    private static func check(
        _ bands: inout [TariffBand], _ field: String, dailyMaximum: Int?, in currency: String,
        _ owner: String
    ) throws {
        guard (1...mostBands).contains(bands.count) else {
            throw Refusal.invalid(field, "Add 1 to \(mostBands) bands.")
        }
        for index in bands.indices { try check(&bands[index], "\(field)[\(index)]", in: currency) }
        guard let dailyMaximum else { return }
        let name = "\(owner).dailyMaximum"
        _ = try Check.price(dailyMaximum, name, in: currency, most: mostPrice)
        guard bands.allSatisfy({ $0.price <= dailyMaximum }) else {
            throw Refusal.invalid(name, "It is below the price of one of the bands.")
        }
    }

    private static func check(
        _ band: inout TariffBand, _ field: String, in currency: String
    ) throws {
        band.name = try Check.optionalText(band.name, "\(field).name", most: mostName)
        if band.days?.isEmpty == true {
            throw Refusal.invalid("\(field).days", "Choose at least one day.")
        }
        guard let start = TariffBand.minute(of: band.from), start < mostMinutes else {
            throw Refusal.invalid("\(field).from", "Use a time from 00:00 to 23:59.")
        }
        guard TariffBand.minute(of: band.until) != nil else {
            throw Refusal.invalid("\(field).until", "Use a time from 00:00 to 24:00.")
        }
        _ = try Check.price(band.price, "\(field).price", in: currency, most: mostPrice)
        if let minutes = band.unitMinutes {
            _ = try Check.int(minutes, "\(field).unitMinutes", in: 1...mostMinutes)
        }
        guard let maximum = band.maximum else { return }
        _ = try Check.price(maximum, "\(field).maximum", in: currency, most: mostPrice)
        guard maximum >= band.price else {
            throw Refusal.invalid("\(field).maximum", "It is below the price of a unit.")
        }
    }

    private static func check(
        _ event: inout TariffEvent, _ field: String, in currency: String, past: [TariffEvent],
        _ today: String
    ) throws {
        event.name = try Check.text(event.name, "\(field).name", 1...mostName)
        guard CalendarDay(event.from) != nil else {
            throw Refusal.invalid("\(field).from", CalendarDay.form)
        }
        guard CalendarDay(event.until) != nil else {
            throw Refusal.invalid("\(field).until", CalendarDay.form)
        }
        guard event.from <= event.until else {
            throw Refusal.invalid("\(field).until", "The last day must not be before the first.")
        }
        try check(event.first ?? [], "\(field).first", in: currency)
        for index in event.bands.indices where event.bands[index].days != nil {
            throw Refusal.invalid(
                "\(field).bands[\(index)].days", "Bands of events are for all of its days.")
        }
        try check(
            &event.bands, "\(field).bands", dailyMaximum: event.dailyMaximum, in: currency, field)
        guard event.until >= today || past.contains(event) else {
            throw Refusal.invalid("\(field).until", "The event is over.")
        }
    }
}

/// The bands of the week, of public holidays and of events, which have to follow one another without gaps.
///
/// Those of a day of the week begin where those of the day before end. Those of holidays and events go once around the
/// clock.
private struct TariffWeek {
    /// The bands of a kind of day, in order, with the fields that they were given in.
    private struct Day {
        let name: String
        let field: String
        let bands: [(field: String, band: TariffBand)]

        init(_ name: String, _ field: String, _ bands: [(offset: Int, element: TariffBand)]) {
            (self.name, self.field) = (name, field)
            self.bands = bands.map { ("\(field)[\($0.offset)]", $0.element) }
                .sorted { $0.1.start < $1.1.start }
        }
    }

    private let rates: ParkingRates

    init(_ rates: ParkingRates) { self.rates = rates }

    func check(_ field: String) throws {
        let bands = Array(rates.bands.enumerated())
        let week = TariffDay.allCases.dropLast().map { kind in
            Day(
                kind.rawValue.capitalized, "\(field).bands",
                bands.filter { rates.has($0.element, on: kind) })
        }
        for (index, day) in week.enumerated() {
            try check(day)
            try check(day, until: week[(index + 1) % week.count])
        }
        var others: [Day] = []
        if rates.hasHolidays {
            others.append(
                Day(
                    "public holidays", "\(field).bands",
                    bands.filter { rates.has($0.element, on: .holiday) }))
        }
        for (index, event) in (rates.events ?? []).enumerated() {
            others.append(
                Day(
                    event.name, "\(field).events[\(index)].bands",
                    Array(event.bands.enumerated())))
        }
        for day in others {
            try check(day)
            try check(day, until: day)
        }
    }

    /// Each band of a day begins where the one before it ends.
    private func check(_ day: Day) throws {
        guard !day.bands.isEmpty else {
            throw Refusal.invalid(day.field, "There is no band on \(day.name).")
        }
        for (earlier, later) in zip(day.bands, day.bands.dropFirst()) {
            try require(later, at: later.band.start, after: earlier, on: day.name)
        }
    }

    /// The last band of a day ends where the first one of the next day begins.
    private func check(_ day: Day, until next: Day) throws {
        guard let last = day.bands.last, let first = next.bands.first else { return }
        try require(
            first, at: first.band.start + TariffRules.mostMinutes, after: last, on: next.name)
    }

    private func require(
        _ later: (field: String, band: TariffBand), at start: Int,
        after earlier: (field: String, band: TariffBand), on day: String
    ) throws {
        if start < earlier.band.end {
            throw Refusal.invalid(
                "\(later.field).from",
                "It overlaps the band \(earlier.band.from)–\(earlier.band.until) on \(day).")
        }
        if start > earlier.band.end {
            throw Refusal.invalid(
                "\(earlier.field).until",
                "There is no price from \(earlier.band.until) to \(later.band.from) on \(day).")
        }
    }
}
