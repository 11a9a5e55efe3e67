import Contracts
import Foundation
import ServiceKit
import Store

/// A gate that opens once because an operator said so.
struct OpenOnce: Sendable {
    /// How long it waits for a vehicle, in seconds.
    static let kept: TimeInterval = 120

    let session: ParkingSessionID?
    let plate: String?
}

extension GateUseCases {
    /// Opens a gate for its next vehicle, instead of an earlier opening that waits there.
    func open(_ id: GateID, _ body: GateOpenBody, by person: PersonID) async throws -> GateOpening {
        let reason = try Check.text(body.reason, "reason", 1...500)
        let plate = try body.plate.map { try Check.plate($0, "plate").plateCharacters }
        let now = clock.now
        let opening = GateOpening(gateId: id, expiresAt: now.addingTimeInterval(OpenOnce.kept))
        return try await database.write { transaction in
            guard let gate = try transaction.gates.find(id)?.gate else { throw Refusal.gateUnknown }
            if let session = body.sessionId {
                guard try transaction.sessions.find(session)?.session.carPark == gate.carParkId
                else { throw Refusal.parkingSessionUnknown }
            }
            try transaction.record(
                "carparks.open-gate", id, by: person, reason: reason, at: now)
            try transaction.execute(
                """
                INSERT INTO gate_openings (gate, session, plate, expires_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (gate) DO UPDATE SET session = excluded.session,
                    plate = excluded.plate, expires_at = excluded.expires_at
                """, id, body.sessionId, plate, opening.expiresAt)
            return opening
        }
    }
}

extension GateStore {
    /// Opens for a vehicle that would be refused, if an operator said so. Nil if nobody did.
    func openOnce(
        _ passing: Passing?, _ body: PassageBody, at gate: Gate, _ now: Date
    ) throws -> PassageAnswer? {
        guard !body.isLate(at: now), let opening = try opening(at: gate.id, now) else {
            return nil
        }
        let carPark = try transaction.carParks.require(gate.carParkId)
        let named = try opening.session.flatMap { try transaction.sessions.find($0) }
        guard opening.isFor(passing, body.direction, named: named) else { return nil }
        try transaction.execute("DELETE FROM gate_openings WHERE gate = ?", gate.id)
        let plate = named?.session.plate ?? opening.plate ?? passing?.plate ?? ""
        let inside = try transaction.sessions.inside(carPark.id, plate: plate)
        let stay = named?.session.leftAt == nil ? named ?? inside : inside
        switch body.direction {
        case .out:
            guard var stay else { return PassageAnswer(open: true, .opened) }
            return try transaction.sessions.letOut(
                &stay, in: carPark, by: gate.id, at: body.at, now)
        case .in:
            guard stay == nil, !plate.isEmpty else {
                return PassageAnswer(open: true, .opened, session: stay?.session.id)
            }
            let entering = Passing(
                direction: .in, plate: plate, ticket: nil, carPark: carPark, gate: gate.id,
                at: body.at, isLate: false, stay: nil)
            let begun = try begin(entering, by: nil, order: nil, now)
            return PassageAnswer(
                open: true, .opened, session: begun.session.id, code: begun.code)
        }
    }

    /// The answer to a vehicle that nothing identifies. A gate that repeats its request gets the first answer again if
    /// it was to open.
    func answerUnreadable(
        _ body: PassageBody, at gate: Gate, usesOpening: Bool, _ now: Date
    ) throws -> PassageAnswer {
        if let earlier = try earlierAnswer(to: body, plates: [""], at: gate.id) { return earlier }
        guard usesOpening, let opened = try openOnce(nil, body, at: gate, now) else {
            return PassageAnswer(open: false, .unreadable)
        }
        try keep(opened, to: body, plate: "", at: gate.id)
        return opened
    }

    /// The opening that waits for a vehicle.
    func opening(at gate: GateID, _ now: Date) throws -> OpenOnce? {
        try transaction.row(
            "SELECT session, plate FROM gate_openings WHERE gate = ? AND expires_at > ?", gate, now
        ).map { row in
            OpenOnce(
                session: try row.getIfPresent("session", as: ParkingSessionID.self),
                plate: try row.getIfPresent("plate", as: String.self))
        }
    }
}

extension OpenOnce {
    /// Whether the vehicle at the gate may be the one that the operator meant: one without a known stay may be any
    /// whose plate was read wrongly. The stay of `named` ends at an exit.
    fileprivate func isFor(
        _ passing: Passing?, _ direction: PassageDirection, named: SessionRecord?
    ) -> Bool {
        if session != nil, direction == .in { return false }
        guard let stay = passing?.stay?.session else { return true }
        if let named { return named.session.id == stay.id }
        return plate == nil || plate == stay.plate
    }
}
