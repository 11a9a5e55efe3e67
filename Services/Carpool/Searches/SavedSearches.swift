import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store
import TripSearch

/// Saved searches, and the notifications about trips that fit them. A search is stored in the cells around
/// its start, so that a trip is compared only with the searches along its route.
struct SavedSearches: Sendable {
    static let migration = Migration(
        "saved-searches-1",
        watchers.schema + [
            """
            CREATE TABLE saved_search_told (
                trip TEXT NOT NULL,
                search TEXT NOT NULL,
                PRIMARY KEY (trip, search))
            """,
            "CREATE INDEX saved_search_told_of_search ON saved_search_told (search)",
        ])
    /// The most searches per person.
    static let most = 20
    /// The most people who are notified of one trip.
    private static let mostNotified = 1_000
    private static let cellMeters = 5_000
    /// The longest distance between two points of a route whose surroundings are searched, in metres.
    private static let stepMeters = 2_000.0
    static let watchers = Watchers<SavedSearch>(
        "saved_searches", key: "search", cells: "saved_search_cells",
        others: ["saved_search_told"], most: most, tooMany: .tooManySavedSearches)

    let database: Database
    let clock: ServiceClock

    func list(of person: PersonID, _ page: PageRequest) async throws -> Page<SavedSearch> {
        try await database.read { try Self.watchers.page(page, of: person, in: $0) }
    }

    func add(
        _ body: SavedSearchBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> SavedSearch {
        let now = clock.now
        let search = SavedSearch(id: .new(at: now), try body.checked(), createdAt: now)
        let cells = Cell.covering(
            center: search.from, radiusMeters: search.maxWalkMeters, sizeMeters: Self.cellMeters)
        return try await database.write(once: key) {
            try Self.watchers.add(search, of: person, in: cells, in: $0)
        }
    }

    /// Does nothing if there is none.
    func remove(_ id: SavedSearchID, by person: PersonID) async throws {
        try await database.write { try Self.watchers.remove(id, of: person, in: $0) }
    }

    /// Notifies everybody whose search the trip fits, once per trip, a limited number per transaction.
    func tell(of id: TripID) async throws {
        let now = clock.now
        guard let trip = try await database.read({ try $0.trips.find(id) }), trip.status == .open
        else { return }
        let cells = Set(try cells(along: trip))
        var (last, notified) = (String?.some(""), 0)
        while let after = last, notified < Self.mostNotified {
            let (count, next) = try await database.write { transaction in
                guard let trip = try transaction.trips.find(id), trip.status == .open else {
                    return (0, String?.none)
                }
                let (found, last) = try Self.watchers.around(
                    cells, after: after, at: now, in: transaction)
                var fitting: [(PersonID, Fit)] = []
                for (person, search) in found where person != trip.driver {
                    guard try !transaction.savedSearches.wasTold(search.id, of: id),
                        try !transaction.areBlocked(person, trip.driver),
                        let fit = try trip.fit(search, at: now)
                    else { continue }
                    try transaction.savedSearches.noteTold(search.id, of: id)
                    fitting.append((person, fit))
                }
                try CarpoolNotices.tell(fitting, of: trip, at: now, in: transaction)
                return (fitting.count, last)
            }
            notified += count
            last = next
        }
    }

    /// All cells that may contain a search which the trip passes, or for which its driver makes a detour.
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
    /// The first ride of the next week that fits the search.
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

extension SavedSearch: Identifiable {}

extension SavedSearchBody {
    fileprivate func checked() throws -> Self {
        var body = self
        body.name = try Check.optionalText(name, "name", most: 60)
        body.from = try Check.coordinate(
            latitude: from.latitude, longitude: from.longitude, "from")
        body.to = try Check.coordinate(latitude: to.latitude, longitude: to.longitude, "to")
        try TripSearchBody.require(from: body.from, to: body.to)
        if let maxWalkMeters, !(0...CarpoolLimits.mostWalk).contains(maxWalkMeters) {
            throw Refusal.invalid("maxWalkMeters", "Use 0 to 5000 metres.")
        }
        _ = try Check.int(seats ?? 1, "seats", in: CarpoolLimits.seats)
        if let date {
            guard Day(date) != nil, weekdays == nil else {
                throw Refusal.invalid("date", "Use a day such as 2026-12-24, or `weekdays`.")
            }
        }
        if let weekdays, weekdays.isEmpty || Set(weekdays).count < weekdays.count {
            throw Refusal.invalid("weekdays", "Choose one to seven days, each once.")
        }
        let minutes = 0...1_440
        let (from, until) = (fromMinute ?? 0, untilMinute ?? 1_440)
        guard minutes.contains(from), minutes.contains(until), from < until else {
            throw Refusal.invalid("untilMinute", "Use 0 to 1440, after `fromMinute`.")
        }
        guard timeZone.contains("/") || timeZone == "UTC", TimeZone(identifier: timeZone) != nil
        else { throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Malta.") }
        return body
    }
}

extension Transaction {
    var savedSearches: SavedSearchStore { SavedSearchStore(transaction: self) }
}

/// The trips that people were already notified of, by saved search.
struct SavedSearchStore {
    let transaction: Transaction

    fileprivate func wasTold(_ search: SavedSearchID, of trip: TripID) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS one FROM saved_search_told WHERE trip = ? AND search = ?", trip, search)
            != nil
    }

    fileprivate func noteTold(_ search: SavedSearchID, of trip: TripID) throws {
        try transaction.execute(
            "INSERT INTO saved_search_told (trip, search) VALUES (?, ?)", trip, search)
    }

    func forgetTold(of trip: TripID) throws {
        try transaction.execute("DELETE FROM saved_search_told WHERE trip = ?", trip)
    }
}
