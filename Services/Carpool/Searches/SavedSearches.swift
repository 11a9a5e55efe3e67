import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store
import TripSearch

/// Whom to tell of which trips: a search lies in the cells around where it begins, so that a trip is held against those
/// along its way alone.
struct SavedSearches: Sendable {
    static let migration = Migration(
        "saved-searches-1",
        """
        CREATE TABLE saved_searches (
            id TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX saved_searches_of_person ON saved_searches (person, id)",
        """
        CREATE TABLE saved_search_cells (
            cell TEXT NOT NULL,
            search TEXT NOT NULL,
            PRIMARY KEY (cell, search))
        """,
        "CREATE INDEX saved_search_cells_of_search ON saved_search_cells (search)",
        """
        CREATE TABLE saved_search_told (
            trip TEXT NOT NULL,
            search TEXT NOT NULL,
            PRIMARY KEY (trip, search))
        """,
        "CREATE INDEX saved_search_told_of_search ON saved_search_told (search)")
    /// Of one person.
    static let most = 20
    /// People who are told of one trip.
    private static let mostTold = 1_000
    private static let batch = 500
    private static let cellMeters = 5_000
    /// Of a way, between two points whose surroundings are looked at.
    private static let stepMeters = 2_000.0

    let database: Database
    let clock: ServiceClock

    func list(of person: PersonID, _ page: PageRequest) async throws -> Page<SavedSearch> {
        try await database.read { try $0.savedSearches(of: person, page) }
    }

    func add(
        _ body: SavedSearchBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> SavedSearch {
        let now = clock.now
        let search = SavedSearch(id: .new(at: now), try body.checked(), createdAt: now)
        let cells = Cell.covering(
            center: search.from, radiusMeters: search.maxWalkMeters, sizeMeters: Self.cellMeters)
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            guard try transaction.savedSearchCount(of: person) < Self.most else {
                throw Refusal.tooManySavedSearches.because("At most \(Self.most).")
            }
            try transaction.insert(search, of: person, in: cells)
            return search
        }
    }

    /// Also where there is none.
    func remove(_ id: SavedSearchID, by person: PersonID) async throws {
        try await database.write { transaction in
            let owner = try transaction.row(
                "SELECT 1 AS one FROM saved_searches WHERE id = ? AND person = ?", id, person)
            if owner != nil { try transaction.removeSavedSearch(id) }
        }
    }

    /// Tells everybody who looks for such a trip, some in each transaction; of one trip once.
    func tell(of id: TripID) async throws {
        let now = clock.now
        guard let trip = try await database.read({ try $0.trip(id) }), trip.status == .open else {
            return
        }
        let cells = Set(try cells(along: trip)).map(\.description).sorted()
        var (last, told) = (String?.some(""), 0)
        while let after = last, told < Self.mostTold {
            let (count, next) = try await database.write { transaction in
                guard let trip = try transaction.trip(id), trip.status == .open else {
                    return (0, String?.none)
                }
                let found = try transaction.savedSearches(in: cells, after: after, Self.batch)
                let fitting = try found.compactMap { row -> (PersonID, SavedSearchID, Fit)? in
                    guard row.person != trip.driver,
                        try !transaction.wasTold(row.search.id, of: id),
                        try !transaction.areBlocked(row.person, trip.driver),
                        let fit = try trip.fit(row.search, at: now)
                    else { return nil }
                    return (row.person, row.search.id, fit)
                }
                for (_, search, _) in fitting { try transaction.noteTold(search, of: id) }
                try transaction.tell(fitting.map { ($0.0, $0.2) }, of: trip, at: now)
                return (
                    fitting.count,
                    found.count == Self.batch ? found.last?.search.id.description : nil
                )
            }
            told += count
            last = next
        }
    }

    /// All in which a search may lie that it passes, or that its driver makes a detour to.
    private func cells(along trip: TripRecord) throws -> [Cell] {
        let reach =
            Double(trip.plan.maxDetourSeconds) / 2 * TripRules.drivingMetersPerSecond
        let points = try trip.way.coordinates
        return zip(points, points.dropFirst()).flatMap { start, end in
            let meters = Geo.distanceMeters(start, end)
            let pieces = max(1, Int((meters / Self.stepMeters).rounded(.up)))
            return (0...pieces).flatMap { piece in
                let share = Double(piece) / Double(pieces)
                let point = Coordinate(
                    latitude: start.latitude + share * (end.latitude - start.latitude),
                    longitude: start.longitude + share * (end.longitude - start.longitude))
                return Cell.covering(
                    center: point, radiusMeters: reach + Self.stepMeters / 2,
                    sizeMeters: Self.cellMeters)
            }
        }
    }
}

extension TripRecord {
    /// The first ride of the next week that somebody looks for.
    fileprivate func fit(_ search: SavedSearch, at now: Date) throws -> Fit? {
        guard let first = try nextDay(at: now), let zone = TimeZone(identifier: search.timeZone)
        else { return nil }
        let trip = try indexed()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        for day in try schedule.days(from: first, through: first + 6) where try runs(on: day) {
            guard
                let query = TripQuery(
                    from: search.from, to: search.to,
                    departAfter: max(now, try departure(on: day).addingTimeInterval(-1)),
                    departBefore: try arrival(on: day).addingTimeInterval(1),
                    seats: search.seats, maxWalkMeters: search.maxWalkMeters, limit: 1),
                let fit = trip.fit(query, on: day)
            else { continue }
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute], from: fit.pickUp.at)
            let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
            guard
                let date = Day(
                    year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0),
                search.date.map({ $0 == date.description }) ?? true,
                search.weekdays?.contains(TripWeekday.allCases[date.weekday]) ?? true,
                (search.fromMinute...search.untilMinute).contains(minute)
            else { continue }
            return fit
        }
        return nil
    }
}

extension SavedSearchBody {
    fileprivate func checked() throws -> Self {
        var body = self
        body.name = try Check.optionalText(name, "name", most: 60)
        body.from = try Check.coordinate(
            latitude: from.latitude, longitude: from.longitude, "from")
        body.to = try Check.coordinate(latitude: to.latitude, longitude: to.longitude, "to")
        try TripSearchBody.require(from: body.from, to: body.to)
        if let maxWalkMeters, !(0...CarpoolLimits.mostWalk).contains(maxWalkMeters) {
            throw Refusal.invalid("maxWalkMeters", "Metres from 0 to 5000.")
        }
        _ = try Check.int(seats ?? 1, "seats", in: CarpoolLimits.seats)
        if let date {
            guard Day(date) != nil, weekdays == nil else {
                throw Refusal.invalid("date", "A day, as in 2026-12-24; or `weekdays`.")
            }
        }
        if let weekdays, weekdays.isEmpty || Set(weekdays).count < weekdays.count {
            throw Refusal.invalid("weekdays", "One to seven, each once.")
        }
        let minutes = 0...1_440
        let (from, until) = (fromMinute ?? 0, untilMinute ?? 1_440)
        guard minutes.contains(from), minutes.contains(until), from < until else {
            throw Refusal.invalid("untilMinute", "After `fromMinute`, both from 0 to 1440.")
        }
        guard timeZone.contains("/") || timeZone == "UTC", TimeZone(identifier: timeZone) != nil
        else { throw Refusal.invalid("timeZone", "An IANA name, as in Europe/Malta.") }
        return body
    }
}

extension Transaction {
    func savedSearches(of person: PersonID, _ page: PageRequest) throws -> Page<SavedSearch> {
        let found = try rows(
            """
            SELECT id, body FROM saved_searches WHERE person = ? AND id < ?
            ORDER BY id DESC LIMIT ?
            """, person, page.below(SavedSearchID.self), page.rows)
        return try page.page(of: found) { try $0.json() }
    }

    fileprivate func savedSearchCount(of person: PersonID) throws -> Int {
        try row("SELECT COUNT(*) AS count FROM saved_searches WHERE person = ?", person)?
            .get("count") ?? 0
    }

    fileprivate func insert(_ search: SavedSearch, of person: PersonID, in cells: [Cell]) throws {
        try execute(
            "INSERT INTO saved_searches (id, person, body) VALUES (?, ?, ?)",
            search.id, person, Wire.json(search))
        for cell in cells {
            try execute(
                "INSERT INTO saved_search_cells (cell, search) VALUES (?, ?)",
                cell.description, search.id)
        }
    }

    fileprivate func removeSavedSearch(_ id: SavedSearchID) throws {
        try execute("DELETE FROM saved_searches WHERE id = ?", id)
        try execute("DELETE FROM saved_search_cells WHERE search = ?", id)
        try execute("DELETE FROM saved_search_told WHERE search = ?", id)
    }

    func forgetSavedSearches(of person: PersonID) throws {
        for row in try rows("SELECT id FROM saved_searches WHERE person = ?", person) {
            try removeSavedSearch(row.get("id"))
        }
    }

    /// By their ids.
    fileprivate func savedSearches(
        in cells: [String], after id: String, _ limit: Int
    ) throws -> [(person: PersonID, search: SavedSearch)] {
        let marks = Array(repeating: "?", count: cells.count).joined(separator: ", ")
        return try rows(
            """
            SELECT person, body FROM saved_searches WHERE id > ? AND id IN (
                SELECT search FROM saved_search_cells WHERE cell IN (\(marks)))
            ORDER BY id LIMIT ?
            """, arguments: [id] + cells + [limit]
        ).map { (try $0.get("person"), try $0.json()) }
    }

    fileprivate func wasTold(_ search: SavedSearchID, of trip: TripID) throws -> Bool {
        try row(
            "SELECT 1 AS one FROM saved_search_told WHERE trip = ? AND search = ?", trip, search)
            != nil
    }

    fileprivate func noteTold(_ search: SavedSearchID, of trip: TripID) throws {
        try execute("INSERT INTO saved_search_told (trip, search) VALUES (?, ?)", trip, search)
    }

    func forgetTold(of trip: TripID) throws {
        try execute("DELETE FROM saved_search_told WHERE trip = ?", trip)
    }
}
