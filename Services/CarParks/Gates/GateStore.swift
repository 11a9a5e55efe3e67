import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Gates and their passages, in SQL, and the table of stays.
struct GateStore {
    static let migration = Migration(
        "gates-1",
        """
        CREATE TABLE gates (
            id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL,
            name TEXT NOT NULL,
            token_hash TEXT NOT NULL)
        """,
        "CREATE INDEX gates_of_car_park ON gates (car_park)",
        """
        CREATE TABLE passages (
            gate TEXT NOT NULL,
            direction TEXT NOT NULL,
            plate TEXT NOT NULL,
            passed_at BIGINT NOT NULL,
            answer TEXT NOT NULL,
            PRIMARY KEY (gate, plate, direction, passed_at))
        """,
        "CREATE INDEX passages_by_time ON passages (passed_at)",
        """
        CREATE TABLE sessions (
            id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL,
            plate TEXT NOT NULL,
            kind TEXT NOT NULL,
            person TEXT,
            bound TEXT,
            booking TEXT,
            is_inside BIGINT NOT NULL,
            entered_at BIGINT NOT NULL,
            left_at BIGINT,
            body TEXT NOT NULL)
        """,
        """
        CREATE UNIQUE INDEX sessions_inside ON sessions (car_park, plate) WHERE is_inside = 1
        """,
        """
        CREATE INDEX sessions_of_booking ON sessions (booking)
            WHERE booking IS NOT NULL AND is_inside = 1
        """,
        "CREATE INDEX sessions_of_person ON sessions (person, id) WHERE person IS NOT NULL",
        "CREATE INDEX sessions_binding ON sessions (bound) WHERE bound IS NOT NULL",
        "CREATE INDEX sessions_by_time ON sessions (car_park, left_at, entered_at)",
        "CREATE INDEX sessions_by_car_park ON sessions (car_park, id)",
        "CREATE INDEX sessions_by_plate ON sessions (plate, id)",
        // For counts of vehicles inside: most rows are of vehicles that have left.
        "CREATE INDEX sessions_inside_by_kind ON sessions (car_park, kind) WHERE is_inside = 1",
        "CREATE INDEX sessions_of_plate ON sessions (plate, car_park, entered_at)",
        """
        CREATE INDEX sessions_of_strangers ON sessions (left_at)
            WHERE person IS NULL AND is_inside = 0 AND plate <> ''
        """)

    let transaction: Transaction
}

extension PassageDirection: SQLConvertible {}

/// A stay as it is stored.
struct SessionRecord: Codable, Sendable, Hashable {
    var session: ParkingSession
    var kind: SpaceClass
    /// The person who booked, or else the owner of the proven plate; nil if there is none, or when a valet's order
    /// pays.
    var person: PersonID?
    /// The order of the valet who parked the vehicle; it pays for the stay.
    var order: OrderID?
    /// The reference on its bills, which is also its code at the gate.
    let reference: String
    /// The price of the part before a booking took over.
    var carried: [StayLine] = []
    /// The bill of a drive-up or an overstay.
    var bill: BillID?
    /// The amount of that bill.
    var billed: Money?
    /// When a drive-up was paid: the driver then has some time to leave.
    var paidAt: Date?
    /// The amount paid so far, in minor units, and the bills that were paid.
    var paid = 0
    var settled: [BillID] = []
    /// Refunds by operators of payments.
    private(set) var refunds: [RefundID] = []
    var currency: String
    /// The payer of its bills while it belongs to nobody: an id without an account, made when somebody pays.
    var guest: PersonID?
    /// Until then the exit opens for the plate, although an operator has ended the stay.
    var mayLeaveUntil: Date?
    /// The amount due stays open for the plate until the vehicle comes again; nil for no.
    var isClaim: Bool?
    /// The amount of earlier stays that is due with this one, in minor units; nil for none.
    var claim: Int?
    /// The amount paid for earlier stays, in minor units; nil for nothing.
    var paidClaims: Int?
    /// When the price was shown to the guest who pays the bill, as in their token; nil if nobody has tried.
    var guestTold: TimeInterval?
    /// The same of the bills that were paid by card; nil for none.
    private(set) var paidByGuests: [BillID: TimeInterval]?
    /// The price of a lost ticket, which takes the place of the stay's, in minor units; nil for none.
    var lostTicket: Int?
    /// Nothing but `claim` is due; nil for no.
    var isWrittenOff: Bool?
    /// The person who can't delete their account because of this stay, as last published, and the version
    /// that was published.
    private(set) var bound: PersonID?
    private(set) var engagementVersion = 0

    init(session: ParkingSession, kind: SpaceClass, currency: String) {
        (self.session, self.kind, self.currency) = (session, kind, currency)
        reference = BookingReference.random()
    }

    /// The code with which the driver claims a stay that belongs to nobody.
    var code: String? { person == nil && order == nil ? reference : nil }

    /// The payer of its bills.
    var payer: PersonID? { person ?? guest }

    /// When the price was shown to the guest who pays or has paid a bill; nil if nobody has.
    func guest(of bill: BillID) -> TimeInterval? {
        if settled.contains(bill) { return paidByGuests?[bill] }
        return bill == self.bill ? guestTold : nil
    }

    mutating func keepGuest(_ told: TimeInterval, of bill: BillID) {
        if settled.contains(bill) {
            paidByGuests = (paidByGuests ?? [:]).merging([bill: told]) { $1 }
        } else if bill == self.bill {
            guestTold = told
        }
    }

    /// The amount refunded, without tax on top, in minor units.
    var returned: Int { session.refunded?.amount ?? 0 }

    /// Records a partial refund by an operator of payments, which is not charged again. Returns false if it is already
    /// known, or if its bill was not kept.
    mutating func take(_ refund: Refund) -> Bool {
        guard settled.contains(refund.bill), !refunds.contains(refund.id) else { return false }
        refunds.append(refund.id)
        giveBack(refund.forBill.amount, tax: refund.tax?.amount ?? 0)
        return true
    }

    /// Undoes a refund that has failed; false if it was not recorded.
    mutating func takeBack(_ refund: Refund) -> Bool {
        guard let index = refunds.firstIndex(of: refund.id) else { return false }
        refunds.remove(at: index)
        giveBack(-refund.forBill.amount, tax: -(refund.tax?.amount ?? 0))
        return true
    }

    /// Records a refund, or with a negative amount undoes one.
    private mutating func giveBack(_ amount: Int, tax: Int) {
        func sum(_ amount: Int) -> Money? {
            amount > 0 ? Money(amount: amount, currency: currency) : nil
        }
        session.refunded = sum(min(paid + (paidClaims ?? 0), returned + amount))
        session.refundedTax = sum((session.refundedTax?.amount ?? 0) + tax)
    }
}

/// The filter of a list of stays.
struct SessionFilter: Sendable {
    var isInside: Bool?
    var carPark: CarParkID?
    var plate: String?
    /// The noon in UTC of the day to list.
    var noon: Date?
}

extension SessionRecord {
    /// The id under which its space is allocated: the booking's, or else the order's.
    fileprivate var allocated: BookingID? { session.booking ?? order?.as(BookingID.self) }

    /// The engagement to publish if the person whom this stay binds has changed; otherwise nil. A person who
    /// is inside, or who left without paying, can't delete their account.
    fileprivate mutating func nextEngagement() -> Engagement? {
        let person = session.leftAt == nil || session.due != nil ? person : nil
        guard person != bound else { return nil }
        bound = person
        engagementVersion += 1
        return engagement
    }

    /// The engagement as last published.
    fileprivate var engagement: Engagement {
        var engagement = Engagement(
            id: session.id.as(EngagementID.self), product: .parking, version: engagementVersion,
            state: bound == nil ? .ended : .open)
        engagement.participants = [bound].compactMap(\.self).map { .init($0) }
        return engagement
    }
}

extension Transaction {
    var gates: GateStore { GateStore(transaction: self) }
    var sessions: SessionStore { SessionStore(transaction: self) }
}

extension GateStore {
    // MARK: Gates

    func find(_ id: GateID) throws -> (gate: Gate, tokenHash: String)? {
        try transaction.row(
            "SELECT id, car_park, name, token_hash FROM gates WHERE id = ?", id
        ).map { row in
            (try Gate(row), try row.get("token_hash"))
        }
    }

    func list(_ page: PageRequest) throws -> Page<Gate> {
        try transaction.page(page, of: "gates", columns: "id, car_park, name", Gate.init)
    }

    func keep(_ gate: Gate, tokenHash: String) throws {
        try transaction.execute(
            """
            INSERT INTO gates (id, car_park, name, token_hash) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash
            """, gate.id, gate.carParkId, gate.name, tokenHash)
    }

    func carParks(among ids: [CarParkID]) throws -> [CarParkID] {
        guard !ids.isEmpty else { return [] }
        let marks = transaction.marks(ids.count)
        return try transaction.rows(
            "SELECT DISTINCT car_park FROM gates WHERE car_park IN (\(marks))",
            arguments: ids
        ).map { try $0.get("car_park") }
    }

    // MARK: Passages

    /// The answer given to the same vehicle, or to another of the same ticket, within seconds of that time.
    func earlierAnswer(
        to passage: PassageBody, plates: [String], at gate: GateID
    ) throws -> PassageAnswer? {
        guard !plates.isEmpty else { return nil }
        var arguments: [(any SQLConvertible)?] = [gate]
        arguments += plates as [(any SQLConvertible)?]
        arguments += [
            passage.direction, passage.at.addingTimeInterval(-GateUseCases.same),
            passage.at.addingTimeInterval(GateUseCases.same),
        ]
        return try transaction.rows(
            """
            SELECT answer FROM passages
            WHERE gate = ? AND plate IN (\(transaction.marks(plates.count))) AND direction = ?
                AND passed_at BETWEEN ? AND ?
            ORDER BY passed_at LIMIT 1
            """, arguments: arguments
        ).first?.json("answer")
    }

    /// The first time in the interval at which a vehicle left without a known stay, and the gate that saw it.
    func strayExit(
        ofPlate plate: String, from carPark: CarParkID, after time: Date, before end: Date
    ) throws -> (gate: GateID, at: Date)? {
        try transaction.rows(
            """
            SELECT passages.gate AS gate, passages.passed_at AS passed_at,
                passages.answer AS answer
            FROM gates JOIN passages ON passages.gate = gates.id
            WHERE gates.car_park = ? AND passages.plate = ? AND passages.direction = ?
                AND passages.passed_at > ? AND passages.passed_at < ?
            ORDER BY passages.passed_at
            """, carPark, plate, PassageDirection.out, time, end
        ).first { try $0.json("answer", as: PassageAnswer.self).session == nil }.map {
            (try $0.get("gate"), try $0.get("passed_at"))
        }
    }

    func keep(
        _ answer: PassageAnswer, to passage: PassageBody, plate: String, at gate: GateID
    ) throws {
        try transaction.execute(
            """
            INSERT INTO passages (gate, direction, plate, passed_at, answer) VALUES (?, ?, ?, ?, ?)
            """, gate, passage.direction, plate, passage.at, Wire.json(answer))
    }

    /// Deletes old passages. Plates are personal data, so passages are kept only for as long as a gate may repeat them.
    func sweepPassages(before time: Date, limit: Int) throws -> Int {
        try transaction.execute(
            """
            DELETE FROM passages WHERE (gate, plate, direction, passed_at) IN (
                SELECT gate, plate, direction, passed_at FROM passages WHERE passed_at < ? LIMIT ?)
            """, time, limit)
    }
}

/// Stays of vehicles, from one passage to another.
struct SessionStore {
    let transaction: Transaction

    // MARK: Stays

    func find(_ id: ParkingSessionID) throws -> SessionRecord? {
        try transaction.row("SELECT body FROM sessions WHERE id = ?", id)?.json()
    }

    func inside(_ carPark: CarParkID, plate: String) throws -> SessionRecord? {
        try transaction.row(
            "SELECT body FROM sessions WHERE car_park = ? AND plate = ? AND is_inside = 1",
            carPark, plate)?.json()
    }

    /// The vehicle's known stay at the given time.
    func find(
        ofPlate plate: String, in carPark: CarParkID, at time: Date
    ) throws -> SessionRecord? {
        try transaction.row(
            """
            SELECT body FROM sessions
            WHERE plate = ? AND car_park = ? AND entered_at <= ?
                AND (left_at IS NULL OR left_at > ?)
            ORDER BY entered_at DESC
            """, plate, carPark, time.addingTimeInterval(GateUseCases.ahead), time)?.json()
    }

    /// The vehicle's next entry.
    func nextEntry(
        ofPlate plate: String, to carPark: CarParkID, after time: Date
    ) throws -> Date? {
        try transaction.row(
            """
            SELECT entered_at FROM sessions WHERE plate = ? AND car_park = ? AND entered_at > ?
            ORDER BY entered_at
            """, plate, carPark, time)?.get("entered_at")
    }

    /// The newest stays of a plate that belong to nobody.
    func unclaimed(ofPlate plate: String) throws -> [SessionRecord] {
        guard !plate.isEmpty else { return [] }
        return try transaction.rows(
            """
            SELECT body FROM sessions WHERE plate = ? AND person IS NULL ORDER BY id DESC LIMIT ?
            """, plate, GateUseCases.mostUnclaimed
        ).map { try $0.json() }
    }

    /// Assigns the unclaimed stays of a plate to its proven owner.
    func hand(ofPlate plate: String, to person: PersonID, at now: Date) throws {
        for var record in try unclaimed(ofPlate: plate) {
            try claim(&record, for: person, at: now)
        }
    }

    /// Assigns a stay to a person if it is current or unpaid, and returns whether it did. Stays of valets' orders and
    /// at a removed car park are left out, so nobody is charged for them.
    @discardableResult
    func claim(_ record: inout SessionRecord, for person: PersonID, at now: Date) throws -> Bool {
        guard record.order == nil, record.session.leftAt == nil || record.session.due != nil,
            let carPark = try transaction.carParks.find(record.session.carPark)
        else { return false }
        if record.guest != nil {
            try dropBill(of: &record, at: now)
            (record.guest, record.isClaim) = (nil, nil)
        }
        record.person = person
        try billAfterwards(&record, in: carPark, now)
        try keep(&record, at: now)
        return true
    }

    /// Deletes the plates of stays that nobody has claimed.
    func forgetStrangers(before time: Date, limit: Int, at now: Date) throws -> Int {
        let found = try transaction.rows(
            """
            SELECT body FROM sessions
            WHERE person IS NULL AND is_inside = 0 AND plate <> '' AND left_at < ? LIMIT ?
            """, time, limit)
        for row in found {
            var record: SessionRecord = try row.json()
            try forget(&record, at: now)
        }
        return found.count
    }

    /// Stores a stay, and publishes its engagement.
    func keep(_ record: inout SessionRecord, at now: Date) throws {
        if let engagement = record.nextEngagement() {
            try transaction.publish(EngagementChanged(engagement), at: now)
        }
        let session = record.session
        try transaction.execute(
            """
            INSERT INTO sessions (
                id, car_park, plate, kind, person, bound, booking, is_inside, entered_at, left_at,
                body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                is_inside = excluded.is_inside, person = excluded.person, bound = excluded.bound,
                kind = excluded.kind, booking = excluded.booking,
                left_at = excluded.left_at, body = excluded.body
            """, session.id, session.carPark, session.plate, record.kind, record.person,
            record.bound, record.allocated, session.leftAt == nil, session.enteredAt,
            session.leftAt,
            Wire.json(record))
        try transaction.stayCodes.keep(record)
        try transaction.watches.spacesChanged(in: session.carPark)
    }

    /// Engagements of the people whom a stay binds, by id, as other services may hear of them at any age.
    func told(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            """
            SELECT body FROM sessions WHERE bound IS NOT NULL AND id > ? ORDER BY id LIMIT ?
            """, id, limit
        ).map { row in
            let record: SessionRecord = try row.json()
            return .init(record.session.id, EngagementChanged(record.engagement))
        }
    }

    fileprivate func binding(_ person: PersonID) throws -> ParkingSessionID? {
        try transaction.row(
            "SELECT id FROM sessions WHERE bound = ? ORDER BY id DESC LIMIT 1", person)?
            .get("id")
    }

    /// A person's stays, newest first.
    func list(of person: PersonID, _ page: PageRequest) throws -> Page<ParkingSession> {
        let found: Page<SessionRecord> = try transaction.page(
            page, of: "sessions", where: Conditions("person = ?", person))
        let inside = found.items.filter { $0.session.leftAt == nil }
        let tariffs = try transaction.tariffs.tariffs(of: inside.map(\.session.id))
        let paid = try transaction.bills.paid(
            by: person, among: found.items.flatMap(\.settled))
        let stays = found.items.map { record in
            var session = record.session
            if session.leftAt == nil {
                session.secondsToLeave = Int(record.grace(by: tariffs[session.id]))
            }
            session.paidBills = record.settled.filter(paid.contains)
            return session
        }
        return Page(items: stays, next: found.next)
    }

    /// Everybody's stays, newest first.
    func list(_ filter: SessionFilter, _ page: PageRequest) throws -> Page<ParkingSession> {
        var conditions = Conditions()
        conditions.require("is_inside = ?", ifPresent: filter.isInside)
        conditions.require("car_park = ?", ifPresent: filter.carPark)
        conditions.require("plate = ?", ifPresent: filter.plate)
        if let noon = filter.noon {
            let day = try transaction.carParks.day(of: noon, in: filter.carPark)
            conditions.require(
                "entered_at < ? AND (left_at IS NULL OR left_at > ?)", day.upperBound,
                day.lowerBound)
        }
        return try transaction.page(page, of: "sessions", where: conditions) {
            try $0.json(as: SessionRecord.self).session
        }
    }

    /// The number of a booking's vehicles that are inside.
    func countInside(of booking: BookingID) throws -> Int {
        try transaction.row(
            "SELECT COUNT(*) AS count FROM sessions WHERE booking = ? AND is_inside = 1", booking)?
            .get("count") ?? 0
    }

    /// Vehicles that are inside, by car park and class.
    func countInside(in carParks: [CarParkID]) throws -> [CarParkID: [SpaceClass: Int]] {
        guard !carParks.isEmpty else { return [:] }
        let found = try transaction.rows(
            """
            SELECT car_park, kind, COUNT(*) AS count FROM sessions
            WHERE car_park IN (\(transaction.marks(carParks.count))) AND is_inside = 1
            GROUP BY car_park, kind
            """, arguments: carParks)
        return try found.reduce(into: [:]) { inside, row in
            inside[try row.get("car_park"), default: [:]][try row.get("kind")] =
                try row.get("count")
        }
    }
}

extension Gate {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.get("id"), carParkId: try row.get("car_park"), name: try row.get("name"))
    }
}

extension GateUseCases {
    /// The newest engagement, for services that may have missed an event.
    func engagement(_ id: EngagementID) async throws -> Engagement {
        let record = try await database.read { try $0.sessions.find(id.as(ParkingSessionID.self)) }
        guard let record, record.engagementVersion > 0 else { throw Refusal.parkingSessionUnknown }
        return record.engagement
    }

    /// A stay of the person that is not over or not paid, or a fine that is open.
    func binding(_ person: PersonID) async throws -> EngagementID? {
        try await database.read { transaction in
            if let stay = try transaction.sessions.binding(person) {
                return stay.as(EngagementID.self)
            }
            return try transaction.fines.newestOpen(of: person)?.as(EngagementID.self)
        }
    }
}
