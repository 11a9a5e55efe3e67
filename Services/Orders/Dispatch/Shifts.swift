import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A valet's availability from a moment on.
struct ShiftMark: Sendable, Equatable {
    let at: Date
    let status: ValetStatus
}

extension Shift {
    /// Turns marks in chronological order into shifts: each runs from the first mark that is not `offline` to the
    /// next that is.
    static func shifts(of valet: ValetID, _ marks: [ShiftMark]) -> [Shift] {
        var shifts: [Shift] = []
        for mark in marks {
            let isOn = shifts.last.map { $0.endedAt == nil } ?? false
            switch (mark.status, isOn) {
            case (.offline, false): continue
            case (.offline, true): shifts[shifts.count - 1].end(at: mark.at)
            case (.onBreak, false):
                shifts.append(
                    Shift(
                        valet: valet, startedAt: mark.at, endedAt: nil,
                        breaks: [Break(startedAt: mark.at, endedAt: nil)]))
            case (.onBreak, true): shifts[shifts.count - 1].beginBreak(at: mark.at)
            case (.available, false), (.busy, false):
                shifts.append(Shift(valet: valet, startedAt: mark.at, endedAt: nil, breaks: []))
            case (.available, true), (.busy, true):
                shifts[shifts.count - 1].endBreak(at: mark.at)
            }
        }
        return shifts
    }

    private mutating func beginBreak(at now: Date) {
        guard breaks.isEmpty || breaks.last?.endedAt != nil else { return }
        breaks.append(Break(startedAt: now, endedAt: nil))
    }

    private mutating func endBreak(at now: Date) {
        guard let last = breaks.indices.last, breaks[last].endedAt == nil else { return }
        breaks[last].endedAt = now
    }

    private mutating func end(at now: Date) {
        endBreak(at: now)
        endedAt = now
    }
}

/// Working times, derived from location's availability events.
///
/// Every event is kept as a mark, and the shift around it is computed again. So late or repeated events lead
/// to the same shifts.
struct ShiftStore {
    /// The most marks read for one shift; a job makes two of them.
    static let mostMarks = 5_000

    static let migrations = [
        Migration(
            "shifts-1",
            """
            CREATE TABLE shift_marks (
                valet TEXT NOT NULL,
                changed_at BIGINT NOT NULL,
                status TEXT NOT NULL,
                service_area TEXT,
                PRIMARY KEY (valet, changed_at))
            """,
            """
            CREATE TABLE shifts (
                valet TEXT NOT NULL,
                started_at BIGINT NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (valet, started_at))
            """,
            "CREATE INDEX shifts_by_start ON shifts (started_at, valet)")
    ]

    let transaction: Transaction
}

/// The cursor of a page of shifts: a time in microseconds, and a valet.
struct ShiftCursor: Sendable, LosslessStringConvertible {
    let startedAt: Date
    let valet: ValetID

    init(_ shift: Shift) {
        startedAt = shift.startedAt
        valet = shift.valet
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let time = Int64(parts[0]), let valet = ValetID(parts[1]),
            let startedAt = Date(sqlValue: .integer(time))
        else { return nil }
        self.startedAt = startedAt
        self.valet = valet
    }

    var description: String { "\(startedAt.microseconds).\(valet)" }
}

extension Transaction {
    var shifts: ShiftStore { ShiftStore(transaction: self) }
}

extension ShiftStore {
    func keep(_ event: AvailabilityChanged) throws {
        let status = try event.status.required("status")
        try transaction.execute(
            """
            INSERT INTO shift_marks (valet, changed_at, status, service_area) VALUES (?, ?, ?, ?)
            ON CONFLICT (valet, changed_at) DO UPDATE SET
                status = excluded.status, service_area = excluded.service_area
            """, event.valet, event.changedAt, status, event.serviceArea)
        try renew(of: event.valet, around: event.changedAt)
    }

    /// Computes again the shift between the last end before the moment and the first end after it.
    private func renew(of valet: ValetID, around moment: Date) throws {
        let before: Date? = try transaction.row(
            """
            SELECT MAX(changed_at) AS edge FROM shift_marks
            WHERE valet = ? AND changed_at < ? AND status = 'offline'
            """, valet, moment)?.getIfPresent("edge")
        let after: Date? = try transaction.row(
            """
            SELECT MIN(changed_at) AS edge FROM shift_marks
            WHERE valet = ? AND changed_at > ? AND status = 'offline'
            """, valet, moment)?.getIfPresent("edge")
        let (first, last) = (before ?? .distantPast, after ?? .distantFuture)
        let marks = try transaction.rows(
            """
            SELECT changed_at, status FROM shift_marks
            WHERE valet = ? AND changed_at > ? AND changed_at <= ?
            ORDER BY changed_at LIMIT ?
            """, valet, first, last, Self.mostMarks
        ).map { row in
            ShiftMark(at: try row.get("changed_at"), status: try row.get("status"))
        }
        try transaction.execute(
            "DELETE FROM shifts WHERE valet = ? AND started_at > ? AND started_at <= ?", valet,
            first, last)
        for shift in Shift.shifts(of: valet, marks) {
            let body = String(decoding: try JSONEncoder().encode(shift), as: UTF8.self)
            try transaction.execute(
                "INSERT INTO shifts (valet, started_at, body) VALUES (?, ?, ?)", valet,
                shift.startedAt, body)
        }
    }

    /// The last availability of valets who are on shift, by id: location may have lost it.
    func told(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            """
            SELECT valet, status, service_area, changed_at FROM shift_marks AS marks
            WHERE status <> 'offline' AND valet > ? AND changed_at = (
                SELECT MAX(changed_at) FROM shift_marks WHERE valet = marks.valet)
            ORDER BY valet LIMIT ?
            """, id, limit
        ).map { row in
            let valet: ValetID = try row.get("valet")
            return .init(
                valet,
                AvailabilityChanged(
                    valet: valet, status: try row.get("status"),
                    serviceArea: try row.getIfPresent("service_area"),
                    changedAt: try row.get("changed_at")))
        }
    }

    func all(of valet: ValetID?, after: ShiftCursor?, limit: Int) throws -> [Shift] {
        var conditions = Conditions()
        conditions.require("valet = ?", ifPresent: valet)
        if let after {
            conditions.require(
                "(started_at < ? OR (started_at = ? AND valet < ?))", after.startedAt,
                after.startedAt, after.valet)
        }
        return try transaction.rows(
            """
            SELECT body FROM shifts \(conditions.where)
            ORDER BY started_at DESC, valet DESC LIMIT ?
            """, arguments: conditions.arguments + [limit]
        ).map { row in
            let body: String = try row.get("body")
            return try JSONDecoder().decode(Shift.self, from: Data(body.utf8))
        }
    }

    /// The valet's area when their availability last changed.
    func serviceArea(of valet: ValetID) throws -> ServiceAreaID? {
        try transaction.row(
            """
            SELECT service_area FROM shift_marks WHERE valet = ?
            ORDER BY changed_at DESC LIMIT 1
            """, valet)?.getIfPresent("service_area")
    }
}
