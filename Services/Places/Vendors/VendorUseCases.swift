import Contracts
import EventBus
import Foundation
import Geo
import Maps
import Routing
import ServiceKit
import Store

/// The actions of operators on vendors, and people's saved vendors and suggestions.
struct VendorUseCases: Sendable {
    static let mostSaved = 200
    static let mostSuggestions = 20
    static let mostPairs = 100
    /// Vendors with similar names within this distance may be duplicates.
    static let duplicateMeters = 150.0

    let database: Database
    let clock: ServiceClock
    let geocoder: Geocoder

    /// Fills missing data from the map.
    func completed(_ body: VendorBody) async -> VendorBody {
        var body = zoned(body)
        if body.address == nil { body.address = await geocoder.addressOnMaps(of: body.position) }
        return body
    }

    /// Fills a missing time zone.
    func zoned(_ body: VendorBody) -> VendorBody {
        var body = body
        body.timeZone = body.timeZone ?? TimeZones.zone(at: body.position)?.name
        return body
    }

    func vendor(_ id: VendorID) async throws -> Vendor {
        let now = clock.now
        return try await database.read { try $0.vendors.require(id).view(at: now) }
    }

    // MARK: Operators

    func list(kind: VendorKind?, words: String?, _ page: PageRequest) async throws -> Page<Vendor> {
        let now = clock.now
        return try await database.read { transaction in
            let found = try transaction.vendors.all(kind: kind, words: words, page)
            return page.page(of: found, cursor: \.id) { $0.view(at: now) }
        }
    }

    func add(
        _ given: VendorBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> Vendor {
        let body = await completed(try VendorRules.checked(given))
        let now = clock.now
        let vendor = VendorRecord(id: .new(at: now), body, source: .operator, at: now)
        return try await database.write(once: key) { transaction in
            try transaction.record("places.add-vendor", vendor.id, by: person, at: now)
            try vendorTable.insert(vendor, in: transaction)
            return vendor.view(at: now)
        }
    }

    func change(
        _ id: VendorID, to given: VendorBody, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> Vendor {
        let body = await completed(try VendorRules.checked(given))
        return try await change(id, "places.change-vendor", by: person) { vendor, now, _ in
            try ifVersion.require(vendor.version.number)
            try vendor.change(to: body, by: .operator, at: now)
        }
    }

    func remove(_ id: VendorID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            guard var vendor = try vendorTable.value(of: id, in: transaction), !vendor.isRemoved
            else { return }
            vendor.isRemoved = true
            vendor.version.advance()
            try transaction.record("places.remove-vendor", id, by: person, at: now)
            try vendorTable.update(&vendor, in: transaction)
            try transaction.execute("DELETE FROM saved_vendors WHERE vendor = ?", id)
            try transaction.vendors.showDuplicates(of: id)
        }
    }

    func setDuplicate(_ id: VendorID, of other: VendorID, by person: PersonID) async throws
        -> Vendor
    {
        try await change(id, "places.set-duplicate", by: person) { vendor, _, transaction in
            try transaction.vendors.markDuplicate(&vendor, of: other)
        }
    }

    func unsetDuplicate(_ id: VendorID, by person: PersonID) async throws -> Vendor {
        try await change(id, "places.unset-duplicate", by: person) { vendor, _, _ in
            vendor.duplicateOf = nil
            vendor.version.advance()
        }
    }

    private func change(
        _ id: VendorID, _ action: String, by person: PersonID,
        _ body: @escaping @Sendable (inout VendorRecord, Date, Transaction) throws -> Void
    ) async throws -> Vendor {
        let now = clock.now
        return try await database.write { transaction in
            var vendor = try transaction.vendors.require(id)
            try body(&vendor, now, transaction)
            try transaction.record(action, id, by: person, at: now)
            try vendorTable.update(&vendor, in: transaction)
            return vendor.view(at: now)
        }
    }

    /// Pairs with similar names that are near each other.
    func duplicates() async throws -> Page<VendorPair> {
        let now = clock.now
        let places = try await namedPlaces()
        var duplicates = VendorDuplicates(most: Self.mostPairs, within: Self.duplicateMeters)
        let pairs = duplicates.pairs(among: places)
        let ids = Set(pairs.flatMap { [$0.one, $0.other] })
        let found = try await database.read { try $0.vendors.all(Array(ids)) }
        let known = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return Page(
            items: pairs.compactMap { pair in
                guard let one = known[pair.one], let other = known[pair.other] else { return nil }
                return VendorPair(
                    one: one.view(at: now), other: other.view(at: now),
                    meters: Int(pair.meters.rounded()))
            })
    }

    /// Names and places of all visible vendors, without decoding the rest of them. Reads page by page, so that no
    /// transaction is long.
    private func namedPlaces() async throws -> [VendorDuplicates.NamedPlace] {
        let most = 1_000
        var all: [VendorDuplicates.NamedPlace] = []
        while true {
            let last = all.last?.id
            let found = try await database.read { try $0.vendors.namedPlaces(after: last, most) }
            all += found
            guard found.count == most else { return all }
        }
    }

    func coverage() async throws -> Page<VendorCoverage> {
        let old = clock.now.addingTimeInterval(-365 * 86_400)
        var lines = Dictionary(
            uniqueKeysWithValues: VendorKind.allCases.map { ($0, VendorCoverage($0)) })
        for vendor in try await everything({ $0.isShown ? $0 : nil }) {
            lines[vendor.body.kind]?.count(vendor, staleBefore: old)
        }
        return Page(items: VendorKind.allCases.compactMap { lines[$0] })
    }

    func export() async throws -> JSONValue {
        let now = clock.now
        let features = try await everything({ $0.isShown ? $0 : nil }).map { vendor in
            let place = vendor.body.position
            return JSONValue.object([
                "type": "Feature", "id": .text(vendor.id.description),
                "geometry": .object([
                    "type": "Point",
                    "coordinates": .list([.number(place.longitude), .number(place.latitude)]),
                ]),
                "properties": try JSONValue(of: vendor.view(at: now)),
            ])
        }
        return .object(["type": "FeatureCollection", "features": .list(features)])
    }

    /// The wanted value of each vendor that has one, newest first. Reads page by page, so that no transaction is long.
    private func everything<Value>(
        _ wanted: (VendorRecord) -> Value?
    ) async throws -> [Value] {
        var (all, page) = ([Value](), PageRequest(limit: 1_000))
        while true {
            let request = page
            let found = try await database.read {
                try $0.vendors.all(kind: nil, words: nil, request)
            }
            all += found.prefix(page.limit).compactMap(wanted)
            guard found.count > page.limit else { return all }
            page.after = found[page.limit - 1].id.description
        }
    }

    // MARK: People

    func saved(by person: PersonID) async throws -> Page<SavedVendor> {
        let now = clock.now
        return Page(items: try await database.read { try $0.vendors.saved(by: person, at: now) })
    }

    func save(_ id: VendorID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            _ = try transaction.vendors.require(id)
            let count: Int =
                try transaction.row(
                    "SELECT COUNT(*) AS count FROM saved_vendors WHERE person = ? AND vendor <> ?",
                    person, id)?.get("count") ?? 0
            guard count < Self.mostSaved else { throw Refusal.tooManySavedVendors }
            try transaction.execute(
                """
                INSERT INTO saved_vendors (person, vendor, saved_at) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """, person, id, now)
        }
    }

    func removeSaved(_ id: VendorID, by person: PersonID) async throws {
        try await database.write { transaction in
            try transaction.execute(
                "DELETE FROM saved_vendors WHERE person = ? AND vendor = ?", person, id)
        }
    }

    func suggest(
        _ given: VendorSuggestionBody, of id: VendorID, by person: PersonID,
        once key: IdempotencyKey?
    ) async throws -> VendorSuggestion {
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let vendor = try transaction.vendors.require(id)
            let change = try VendorRules.checked(given, of: vendor.body)
            let open: Int =
                try transaction.row(
                    """
                    SELECT COUNT(*) AS count FROM vendor_suggestions
                    WHERE person = ? AND status = 'open'
                    """, person)?.get("count") ?? 0
            guard open < Self.mostSuggestions else { throw Refusal.tooManyVendorSuggestions }
            let suggestion = VendorSuggestion(
                id: .new(at: now), vendor: id, vendorName: vendor.body.name, change: change,
                suggestedAt: now)
            try transaction.execute(
                """
                INSERT INTO vendor_suggestions (id, person, vendor, status, body)
                VALUES (?, ?, ?, 'open', ?)
                """, suggestion.id, person, id, Wire.json(suggestion))
            return suggestion
        }
    }

    func suggestions(
        _ status: VendorSuggestion.Status, _ page: PageRequest
    ) async throws -> Page<VendorSuggestion> {
        try await database.read {
            try $0.page(
                page, of: "vendor_suggestions", where: Conditions("status = ?", status.rawValue))
        }
    }

    func decide(
        _ id: VendorSuggestionID, accepts: Bool, by person: PersonID
    ) async throws -> VendorSuggestion {
        let now = clock.now
        return try await database.write { transaction in
            let row = try transaction.row(
                "SELECT body, person FROM vendor_suggestions WHERE id = ?", id)
            guard var suggestion: VendorSuggestion = try row?.json() else {
                throw Refusal.vendorSuggestionUnknown
            }
            guard suggestion.status == .open else { throw Refusal.vendorSuggestionDecided }
            suggestion.status = Open(accepts ? .accepted : .declined)
            suggestion.decidedAt = now
            try transaction.record(
                accepts ? "places.accept-suggestion" : "places.decline-suggestion", id, by: person,
                at: now)
            if accepts { try transaction.vendors.accept(suggestion, at: now) }
            let changed = try transaction.execute(
                """
                UPDATE vendor_suggestions SET status = ?, body = ?
                WHERE id = ? AND status = 'open'
                """, suggestion.status.rawValue, Wire.json(suggestion), id)
            guard changed == 1 else { throw LostRace() }
            try VendorNotices.announce(
                suggestion, of: row?.getIfPresent("person"), at: now, in: transaction)
            return suggestion
        }
    }
}

extension VendorStore {
    func saved(by person: PersonID, at now: Date) throws -> [SavedVendor] {
        try transaction.rows(
            """
            SELECT vendors.body AS body, saved_at FROM saved_vendors
            JOIN vendors ON vendors.id = saved_vendors.vendor
            WHERE person = ? AND is_removed = 0 ORDER BY saved_at DESC, vendor
            """, person
        ).map { row in
            let vendor: VendorRecord = try row.json()
            return SavedVendor(vendor: vendor.view(at: now), savedAt: try row.get("saved_at"))
        }
    }

    fileprivate func markDuplicate(_ vendor: inout VendorRecord, of other: VendorID) throws {
        guard other != vendor.id, try require(other).duplicateOf == nil else {
            throw Refusal.duplicateOfItself
        }
        vendor.duplicateOf = other
        vendor.version.advance()
    }

    fileprivate func accept(_ suggestion: VendorSuggestion, at now: Date) throws {
        var vendor = try require(suggestion.vendor)
        let change = suggestion.change
        try vendor.change(to: change.applied(to: vendor.body), by: .people, at: now)
        if let other = change.duplicateOf { try markDuplicate(&vendor, of: other) }
        if change.isGone == true { vendor.isRemoved = true }
        try vendorTable.update(&vendor, in: transaction)
        if vendor.isRemoved { try showDuplicates(of: vendor.id) }
    }
}

extension VendorCoverage {
    fileprivate mutating func count(_ vendor: VendorRecord, staleBefore old: Date) {
        vendors += 1
        if vendor.hasReadableHours { withReadableHours += 1 }
        if vendor.body.acceptsStamps ?? .unknown != .unknown { withStampsKnown += 1 }
        if vendor.body.accessibility?.isEmpty == false { withAccessibility += 1 }
        if vendor.updatedAt < old { stale += 1 }
    }
}
