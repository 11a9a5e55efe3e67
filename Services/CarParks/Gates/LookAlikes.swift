import Contracts
import Foundation
import Store

extension String {
    /// A plate as `plateCharacters` leaves it, with one character for all that cameras and people confuse: `B01` and
    /// `8OI` have the same.
    var plateLook: String {
        String(
            precomposedStringWithCompatibilityMapping.map { character in
                let digit = character.wholeNumberValue.flatMap { (0...9).contains($0) ? $0 : nil }
                let plain = digit.flatMap { "\($0)".first } ?? character
                return PlateLooks.sames[plain] ?? plain
            })
    }
}

private enum PlateLooks {
    /// The character for each that looks like it: digits, and capital letters of Latin, Cyrillic and Greek
    /// (Unicode UTS #39, confusables).
    static let sames: [Character: Character] = {
        let groups = [
            "0O\u{41E}\u{39F}", "1I\u{406}\u{399}", "2Z\u{396}", "3\u{417}", "5S\u{405}",
            "8B\u{412}\u{392}", "A\u{410}\u{391}", "C\u{421}", "E\u{415}\u{395}",
            "H\u{41D}\u{397}", "J\u{408}", "K\u{41A}\u{39A}", "M\u{41C}\u{39C}", "N\u{39D}",
            "P\u{420}\u{3A1}", "T\u{422}\u{3A4}", "X\u{425}\u{3A7}", "Y\u{423}\u{4AE}\u{3A5}",
        ]
        let pairs = groups.flatMap { group in
            group.dropFirst().compactMap { one in group.first.map { (one, $0) } }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()
}

extension GateStore {
    /// The plate of the vehicle at a gate: the one that was read if it is expected there, or else the only expected one
    /// that looks the same.
    ///
    /// Expected at an entrance are vehicles whose booking opens it at that time and vehicles of valets, unless they are
    /// inside already; at an exit, vehicles that are inside. A plate that is proven has no bookings of other people, so
    /// that nobody can follow its vehicle by booking for one that looks the same.
    func meant(
        by plate: String, _ body: PassageBody, at gate: Gate, _ now: Date
    ) throws -> String {
        let (carPark, look, isLate) = (gate.carParkId, plate.plateLook, body.isLate(at: now))
        func isAlike(_ other: String) -> Bool {
            other.count == plate.count && other.plateLook == look
        }
        let repeated = try recentPlates(at: gate.id, body.direction, body.at).filter(isAlike)
        let stay = try transaction.sessions.find(ofPlate: plate, in: carPark, at: body.at)
        let hasStay = stay.map { isLate || $0.session.leftAt == nil } ?? false
        if hasStay || repeated.contains(plate) { return plate }
        if body.direction == .in, try isExpected(plate, body, in: carPark, isLate: isLate) {
            return plate
        }
        let inside = try transaction.sessions.entries(
            to: carPark, before: body.at, isLate: isLate
        ).filter { isAlike($0.key) }
        var alike = Set(repeated)
        switch body.direction {
        case .out: alike.formUnion(inside.keys)
        case .in:
            let expected = try transaction.bookings.opening(
                carPark, at: body.at, isLate: isLate,
                of: transaction.plates.owners(of: plate), where: isAlike)
            let valets = try transaction.valetSpaces.plates(in: carPark, at: body.at)
                .filter(isAlike)
            alike.formUnion((expected + valets).filter { inside[$0] == nil })
            // Another camera has just read the same vehicle.
            alike.formUnion(
                inside.filter { body.at.timeIntervalSince($0.value) <= GateUseCases.ahead }.keys)
        }
        guard alike.count == 1, let one = alike.first else { return plate }
        return one
    }

    /// Whether the plate has a booking that is not over, or a valet's order.
    private func isExpected(
        _ plate: String, _ body: PassageBody, in carPark: CarParkID, isLate: Bool
    ) throws -> Bool {
        let over: [BookingStatus] = isLate ? [.noShow, .completed] : []
        return try !transaction.bookings.list(
            ofPlate: plate, in: carPark, endingAfter: body.at, [.confirmed, .active] + over
        ).isEmpty
            || transaction.valetSpaces.order(ofPlate: plate, in: carPark, at: body.at) != nil
    }

    /// Plates of passages that a repeated report may be of.
    private func recentPlates(
        at gate: GateID, _ direction: PassageDirection, _ time: Date
    ) throws -> [String] {
        try transaction.rows(
            """
            SELECT plate FROM passages
            WHERE passed_at BETWEEN ? AND ? AND gate = ? AND direction = ?
            """, time.addingTimeInterval(-GateUseCases.same),
            time.addingTimeInterval(GateUseCases.same), gate, direction
        ).map { try $0.get("plate") }
    }
}

extension SessionStore {
    /// Plates of the vehicles that are inside, or were at that time, and their latest entries.
    fileprivate func entries(
        to carPark: CarParkID, before time: Date, isLate: Bool
    ) throws -> [String: Date] {
        let latest = time.addingTimeInterval(GateUseCases.ahead)
        var rows = try transaction.rows(
            """
            SELECT plate, entered_at FROM sessions
            WHERE car_park = ? AND is_inside = 1 AND entered_at <= ?
            """, carPark, latest)
        if isLate {
            rows += try transaction.rows(
                """
                SELECT plate, entered_at FROM sessions
                WHERE car_park = ? AND left_at > ? AND entered_at <= ?
                """, carPark, time, latest)
        }
        return try rows.reduce(into: [:]) { entries, row in
            let plate: String = try row.get("plate")
            let entry: Date = try row.get("entered_at")
            entries[plate] = max(entries[plate] ?? entry, entry)
        }
    }
}

extension BookingStore {
    /// Plates whose bookings open the car park at that time and have a space left: anybody's bookings, unless there are
    /// `owners`.
    fileprivate func opening(
        _ carPark: CarParkID, at time: Date, isLate: Bool, of owners: [PersonID],
        where isWanted: (String) -> Bool
    ) throws -> [String] {
        try transaction.rows(
            """
            SELECT plate, booking FROM booking_plates
            WHERE car_park = ? AND ends_at > ? AND starts_at <= ?
            """, carPark, time, time.addingTimeInterval(BookingLimits.early)
        ).compactMap { row in
            let plate: String = try row.get("plate")
            guard isWanted(plate), let booking = try find(try row.get("booking")),
                booking.isPaid || isLate && booking.mayHaveEntered(at: time),
                owners.isEmpty || owners.contains(booking.person),
                try transaction.plates.admits(plate, on: booking),
                try transaction.sessions.countInside(of: booking.id) < booking.stay.spaces
            else { return nil }
            return plate
        }
    }
}

extension ValetSpaceStore {
    /// Plates of vehicles that valets park there at that time.
    fileprivate func plates(in carPark: CarParkID, at time: Date) throws -> [String] {
        try transaction.rows(
            "SELECT body FROM valet_spaces WHERE car_park = ? AND is_taken = 1", carPark
        ).map { try $0.json(as: ValetSpace.self) }.filter { $0.isThere(at: time) }.map(\.plate)
    }
}
