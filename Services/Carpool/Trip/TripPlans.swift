import Contracts
import Foundation
import Geo
import ServiceKit
import TripSearch

// Checks of what drivers send.

extension TripBody {
    func plan() throws -> TripRecord.Plan {
        let (day, second) = try LocalTime.read(departsAt, "departsAt")
        let plan = TripRecord.Plan(
            origin: try Check.place(origin, "origin"),
            destination: try Check.place(destination, "destination"),
            via: try (via ?? []).checkedVia(), firstDay: day, secondOfDay: second,
            timeZone: timeZone, repeats: repeats, seats: seats,
            maxDetourSeconds: maxDetourSeconds ?? 0,
            price: pricePerSeat.flatMap { $0 == 0 ? nil : $0 },
            payment: payment ?? ((pricePerSeat ?? 0) > 0 ? .app : .nothing),
            acceptsAutomatically: acceptsAutomatically ?? false, vehicle: nil, note: note,
            preferences: preferences ?? [])
        return try plan.checked()
    }
}

extension TripChange {
    func plan(after old: TripRecord.Plan) throws -> TripRecord.Plan {
        var plan = old
        if let origin { plan.origin = try Check.place(origin, "origin") }
        if let destination { plan.destination = try Check.place(destination, "destination") }
        if let via { plan.via = try via.checkedVia() }
        if let departsAt {
            (plan.firstDay, plan.secondOfDay) = try LocalTime.read(departsAt, "departsAt")
        }
        if let repeats {
            plan.repeats = repeats
        } else {
            // A series that begins later has left days out that are no longer its own.
            let first = plan.firstDay
            plan.repeats?.exceptions.removeAll { Day($0).map { $0 < first } ?? false }
        }
        if let seats { plan.seats = seats }
        if let maxDetourSeconds { plan.maxDetourSeconds = maxDetourSeconds }
        if let pricePerSeat { plan.price = pricePerSeat == 0 ? nil : pricePerSeat }
        if let payment {
            plan.payment = payment
        } else if pricePerSeat != nil {
            plan.payment =
                plan.price == nil ? .nothing : old.payment == .nothing ? .app : old.payment
        }
        if let acceptsAutomatically { plan.acceptsAutomatically = acceptsAutomatically }
        if let note { plan.note = note }
        if let preferences { plan.preferences = preferences }
        return try plan.checked()
    }
}

extension TripPreviewBody {
    func points() throws -> [Coordinate] {
        let points =
            [try Check.place(origin, "origin").coordinate] + (try (via ?? []).checkedVia())
            + [try Check.place(destination, "destination").coordinate]
        try points.requireTrip()
        return points
    }
}

extension TripRecord.Plan {
    fileprivate func checked() throws -> Self {
        var plan = self
        try points.requireTrip()
        _ = try Check.int(seats, "seats", in: CarpoolLimits.seats)
        _ = try Check.int(
            maxDetourSeconds, "maxDetourSeconds", in: 0...CarpoolLimits.mostDetourSeconds)
        if let price { _ = try Check.int(price, "pricePerSeat", in: 0...Money.largestAmount) }
        guard (price == nil) == (payment == .nothing) else {
            throw Refusal.invalid(
                "payment", price == nil ? "Use `nothing` for a free trip." : "Use `cash` or `app`.")
        }
        plan.note = try Check.optionalText(note, "note", most: CarpoolLimits.longestNote)
        guard Set(preferences).count == preferences.count else {
            throw Refusal.invalid("preferences", "Choose each at most once.")
        }
        try repeats?.require()
        guard timeZone.contains("/") || timeZone == "UTC", TimeZone(identifier: timeZone) != nil,
            let schedule = plan.schedule
        else { throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Malta.") }
        for text in repeats?.exceptions ?? [] {
            guard let day = Day(text), schedule.isInSeries(day) else {
                throw Refusal.invalid(
                    "repeats.exceptions", "Use days of the trip, for example 2026-12-24.")
            }
        }
        return plan
    }
}

extension Schedule {
    /// Whether a day is one of a repeating trip, exceptions or not.
    func isInSeries(_ day: Day) -> Bool {
        day >= firstDay && weekdays >> UInt8(day.weekday) & 1 == 1
            && until.map { day <= $0 } ?? true
    }
}

extension TripRepeats {
    fileprivate func require() throws {
        guard !weekdays.isEmpty, Set(weekdays).count == weekdays.count else {
            throw Refusal.invalid("repeats.weekdays", "Choose one to seven days, each once.")
        }
        if let until, Day(until) == nil {
            throw Refusal.invalid("repeats.until", "Use a day such as 2026-12-24.")
        }
        guard exceptions.count <= CarpoolLimits.mostExceptions,
            Set(exceptions).count == exceptions.count
        else {
            throw Refusal.invalid(
                "repeats.exceptions", "Use \(CarpoolLimits.mostExceptions) days at most, each once."
            )
        }
    }
}

extension [Coordinate] {
    fileprivate func checkedVia() throws -> Self {
        guard count <= CarpoolLimits.mostVia else {
            throw Refusal.invalid("via", "Use at most \(CarpoolLimits.mostVia) points.")
        }
        return try enumerated().map { index, point in
            try Check.coordinate(
                latitude: point.latitude, longitude: point.longitude, "via.\(index)")
        }
    }

    /// Throws unless the points are within the limits of a trip: not too close, too far apart or too near a pole.
    fileprivate func requireTrip() throws {
        guard allSatisfy({ abs($0.latitude) <= Way.mostLatitude }) else {
            throw Refusal.invalid("origin", "Choose a point farther from the pole.")
        }
        let legs = zip(self, dropFirst()).map { Geo.distanceMeters($0, $1) }
        guard let first, let last, let longest = legs.max(), longest >= CarpoolLimits.shortestTrip,
            Geo.distanceMeters(first, last) >= CarpoolLimits.shortestTrip || count > 2
        else { throw Refusal.tripEndsEqual }
        guard legs.reduce(0, +) <= CarpoolLimits.longestTrip else {
            throw Refusal.invalid(
                "destination",
                "Choose a trip of at most \(Int(CarpoolLimits.longestTrip / 1_000)) km.")
        }
    }
}

/// A local time without an offset (RFC 3339's `full-date` and `partial-time`).
enum LocalTime {
    static func read(_ text: String, _ field: String) throws -> (Day, second: Int) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        if parts.count == 2, let day = Day(String(parts[0])), let second = second(parts[1]) {
            return (day, second)
        }
        throw Refusal.invalid(field, "Use local time without an offset: 2026-12-24T07:30:00.")
    }

    static func text(_ day: Day, second: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day)T\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    private static func second(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isWholeNumber) })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers[0] < 24, numbers[1] < 60, (numbers.count < 3 || numbers[2] < 60) else {
            return nil
        }
        return numbers[0] * 3_600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
}
