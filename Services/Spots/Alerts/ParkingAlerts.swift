import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

/// Alerts for spots, and for other parking that has become free. An alert is stored in the cells that its area
/// touches, so that an offer is compared only with the alerts of its own cell.
struct ParkingAlerts: Sendable {
    static let migration = Migration(
        "parking-alerts-1",
        watchers.schema + [
            """
            CREATE TABLE freed_parking (
                subject TEXT NOT NULL PRIMARY KEY,
                body TEXT NOT NULL)
            """
        ])
    /// The most alerts per person.
    static let most = 20
    static let mostCorners = 100
    static let radii = 50.0...5_000.0
    /// The least time between two notifications of an alert, in seconds.
    static let pause: TimeInterval = 300
    /// The most people notified of one offer.
    static let mostNotified = 1_000
    fileprivate static let cellMeters = 1_000
    static let watchers = Watchers<ParkingAlert>(
        "parking_alerts", key: "alert", cells: "parking_alert_cells", most: most,
        tooMany: .tooManyParkingAlerts, pause: pause)

    let database: Database
    let clock: ServiceClock

    func list(of person: PersonID, _ page: PageRequest) async throws -> Page<ParkingAlert> {
        try await database.read { try Self.watchers.page(page, of: person, in: $0) }
    }

    func add(
        _ body: ParkingAlertBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> ParkingAlert {
        let (body, shape) = (try body.checked(), try AlertShape(body))
        let now = clock.now
        let alert = ParkingAlert(id: .new(at: now), body, createdAt: now)
        return try await database.write(once: key) {
            try Self.watchers.add(alert, of: person, in: shape.cells, in: $0)
        }
    }

    /// Does nothing if there is no such alert.
    func remove(_ id: ParkingAlertID, by person: PersonID) async throws {
        try await database.write { try Self.watchers.remove(id, of: person, in: $0) }
    }

    /// Notifies everyone whose alerts the spot fits.
    func tell(of id: SpotID) async throws {
        try await tell { transaction in
            guard let spot = try transaction.spots.find(id), spot.status == .offered
            else { return nil }
            return Chance(
                position: spot.shownPosition, price: spot.price.amount, owner: spot.seller
            ) { try SpotNotices.tell($0, ofOffer: spot, at: $1, in: transaction) }
        }
    }

    /// The same for another product's parking that has just become free.
    func tell(ofFreed subject: String) async throws {
        let oldest = clock.now.addingTimeInterval(-Self.pause)
        try await tell { transaction in
            guard let freed = try transaction.freedParking.find(subject), freed.freedAt > oldest
            else { return nil }
            return Chance(
                position: freed.position, price: freed.price?.amount, owner: nil
            ) { try SpotNotices.tell($0, of: freed, at: $1, in: transaction) }
        }
        try await database.write { try $0.freedParking.forget(subject) }
    }

    /// Sends matching alerts, a few per transaction. Each alert then pauses, so that a repeat of this
    /// work does not send it again.
    private func tell(
        of chance: @escaping @Sendable (Transaction) throws -> Chance?
    ) async throws {
        let now = clock.now
        var (notified, last): (Set<PersonID>, String?) = ([], "")
        while let after = last, notified.count < Self.mostNotified {
            let known = notified
            let (new, next) = try await database.write { transaction in
                try chance(transaction).map {
                    try transaction.alerts.tell(of: $0, alertsAfter: after, besides: known, at: now)
                } ?? ([], nil)
            }
            notified.formUnion(new)
            last = next
        }
    }
}

/// A free place to park that may match alerts.
private struct Chance {
    let position: Coordinate
    /// Nil if unknown: such a place matches only alerts without a price limit.
    let price: Int?
    /// The seller, who is not notified; nil for parking of another product.
    let owner: PersonID?
    let tell: (_ people: [PersonID], _ now: Date) throws -> Void
}

/// The area of an alert.
struct AlertShape: Sendable {
    private let center: Coordinate?
    private let radius: Double
    private let polygon: Polygon?

    init(_ body: ParkingAlertBody) throws {
        try self.init(body.center, body.radiusMeters, body.polygon)
    }

    init(_ alert: ParkingAlert) throws {
        try self.init(alert.center, alert.radiusMeters, alert.polygon)
    }

    private init(
        _ center: Coordinate?, _ radiusMeters: Double?, _ corners: [Coordinate]?
    ) throws {
        switch (center, radiusMeters, corners) {
        case (let center?, let radius?, nil):
            let center = try Check.coordinate(
                latitude: center.latitude, longitude: center.longitude, "center")
            guard ParkingAlerts.radii.contains(radius) else {
                throw Refusal.invalid("radiusMeters", "Use 50 to 5000 metres.")
            }
            (self.center, self.radius, polygon) = (center, radius, nil)
        case (nil, nil, let corners?):
            guard corners.count <= ParkingAlerts.mostCorners, let first = corners.first,
                let polygon = try? Polygon(
                    rings: [corners.last == first ? corners : corners + [first]])
            else {
                throw Refusal.invalid(
                    "polygon", "Use 3 to \(ParkingAlerts.mostCorners) corners.")
            }
            let box = polygon.boundingBox
            let middle = Coordinate(
                latitude: (box.south + box.north) / 2,
                longitude: box.crossesAntimeridian
                    ? Geo.normalizedLongitude((box.west + box.east + 360) / 2)
                    : (box.west + box.east) / 2)
            let reach = corners.map { Geo.distanceMeters(middle, $0) }.max() ?? 0
            guard reach <= ParkingAlerts.radii.upperBound else {
                throw Refusal.invalid("polygon", "Draw an area at most 10 km across.")
            }
            (self.center, self.radius, self.polygon) = (middle, reach, polygon)
        default:
            throw Refusal.invalid("center", "Send `center` and `radiusMeters`, or `polygon`.")
        }
    }

    /// The cells that the area touches.
    var cells: [Cell] {
        center.map {
            Cell.covering(
                center: $0, radiusMeters: radius, sizeMeters: ParkingAlerts.cellMeters)
        } ?? []
    }

    func contains(_ point: Coordinate) -> Bool {
        if let polygon { return polygon.contains(point) }
        return center.map { Geo.distanceMeters($0, point) <= radius } ?? false
    }
}

extension ParkingAlertBody {
    fileprivate func checked() throws -> ParkingAlertBody {
        var body = self
        body.name = try Check.optionalText(name, "name", most: 60)
        guard (fromMinute == nil) == (untilMinute == nil) else {
            throw Refusal.invalid("untilMinute", "Send both `fromMinute` and `untilMinute`.")
        }
        if let fromMinute, let untilMinute {
            _ = try Check.int(fromMinute, "fromMinute", in: 0...1_440)
            _ = try Check.int(untilMinute, "untilMinute", in: 0...1_440)
        }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Helsinki.")
        }
        if let days, days.isEmpty || Set(days).count != days.count {
            throw Refusal.invalid("days", "Choose at least one day, each once.")
        }
        if let maxPrice { _ = try Check.int(maxPrice, "maxPrice", in: 0...Money.largestAmount) }
        return body
    }
}

extension ParkingAlert: Identifiable {
    fileprivate func fits(_ chance: Chance, at now: Date) throws -> Bool {
        if let maxPrice, chance.price ?? .max > maxPrice { return false }
        guard isAwake(at: now) else { return false }
        return try AlertShape(self).contains(chance.position)
    }

    /// Whether the alert's days and hours include this time; hours after midnight belong to the day when they began.
    func isAwake(at now: Date) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        let parts = calendar.dateComponents([.weekday, .hour, .minute], from: now)
        let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        // Calendar counts from Sunday = 1.
        var day = ((parts.weekday ?? 1) + 5) % 7
        if let from = fromMinute, let until = untilMinute {
            if from <= until {
                guard (from..<until).contains(minute) else { return false }
            } else if minute < until {
                day = (day + 6) % 7
            } else if minute < from {
                return false
            }
        }
        return days.map { $0.contains(ParkingAlertBody.Weekday.allCases[day]) } ?? true
    }
}

extension Transaction {
    var alerts: AlertStore { AlertStore(transaction: self) }
    var freedParking: FreedParkingStore { FreedParkingStore(transaction: self) }
}

/// Alerts for places to park.
struct AlertStore {
    let transaction: Transaction

    /// Notifies some of the cell's alerts that are not paused, in the order of their ids. Returns the notified people
    /// and the last id, nil if there are no more.
    fileprivate func tell(
        of chance: Chance, alertsAfter after: String, besides notified: Set<PersonID>, at now: Date
    ) throws -> (new: Set<PersonID>, last: String?) {
        let cell = Cell(containing: chance.position, sizeMeters: ParkingAlerts.cellMeters)
        let (found, last) = try ParkingAlerts.watchers.around(
            [cell], after: after, at: now, in: transaction)
        var new: Set<PersonID> = []
        for (person, alert) in found where notified.count + new.count < ParkingAlerts.mostNotified {
            guard person != chance.owner, !notified.contains(person), !new.contains(person),
                try alert.fits(chance, at: now),
                try chance.owner.map({ try transaction.areBlocked(person, $0) }) != true
            else { continue }
            new.insert(person)
            try ParkingAlerts.watchers.startPause(of: alert.id, at: now, in: transaction)
        }
        try chance.tell(Array(new), now)
        return (new, last)
    }

    /// Whether there may be alerts for this place.
    func exist(around point: Coordinate) throws -> Bool {
        let cell = Cell(containing: point, sizeMeters: ParkingAlerts.cellMeters)
        return try ParkingAlerts.watchers.isWatched(cell, in: transaction)
    }
}

/// Other products' free parking, kept until all matching alerts are sent.
struct FreedParkingStore {
    let transaction: Transaction

    func keep(_ freed: ParkingFreed) throws {
        try transaction.execute(
            """
            INSERT INTO freed_parking (subject, body) VALUES (?, ?)
            ON CONFLICT (subject) DO UPDATE SET body = excluded.body
            """, freed.subject, Wire.json(freed))
        try transaction.schedule(SpotWork.freed, freed.subject, at: .distantPast)
    }

    fileprivate func find(_ subject: String) throws -> ParkingFreed? {
        try transaction.row("SELECT body FROM freed_parking WHERE subject = ?", subject)?.json()
    }

    fileprivate func forget(_ subject: String) throws {
        try transaction.execute("DELETE FROM freed_parking WHERE subject = ?", subject)
    }
}
