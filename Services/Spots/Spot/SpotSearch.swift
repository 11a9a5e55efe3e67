import Contracts
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

extension FindSpotsQuery {
    /// The first search radius in metres; it doubles until there are enough results.
    private static let firstRadius = 125.0

    fileprivate var count: Int { limit ?? Self.usualLimit }

    fileprivate var radii: [Double] {
        let most = radiusMeters ?? Double(Self.usualRadius)
        return Array(sequence(first: Self.firstRadius) { $0 * 2 }.prefix { $0 < most }) + [most]
    }
}

extension SpotUseCases {
    /// Open spots, nearest first by their shown positions: an exact distance would reveal where they are.
    func find(
        _ search: FindSpotsQuery, for person: PersonID, _ views: SpotViews
    ) async throws -> [Spot] {
        var found = try await database.read { transaction in
            let nearest = try transaction.spots.nearest(search, for: person)
            return try views.found(nearest, for: person, in: transaction)
        }
        let seconds = await whereabouts.drivingSeconds(
            from: search.point, to: found.map(\.position))
        for index in found.indices {
            found[index].distanceMeters =
                Geo.distanceMeters(search.point, found[index].position).rounded()
            found[index].drivingSeconds = seconds[index]
        }
        return found
    }

    /// The terms for selling at a place.
    func terms(at point: Coordinate) async throws -> SpotTerms {
        let now = clock.now
        return try await database.read { transaction in
            guard let area = try areas.area(at: point, in: transaction) else {
                throw Refusal.spotOutsideServiceArea
            }
            let currency = area.feature.properties.currency
            let policy = try spotPolicies.value(of: area.id, in: transaction)
            let paid = try transaction.spots.paidPrices(
                around: point, since: now - Self.paidSeconds)
            let suggested = paid.isEmpty ? nil : min(policy.priceCap, paid.sorted()[paid.count / 2])
            return SpotTerms(
                area: area.id, currency: currency, policy: policy,
                suggestedPrice: policy.sale == .allowed
                    ? suggested.map { Money(amount: $0, currency: currency) } : nil)
        }
    }

    /// Uses prices of the last month within a kilometre.
    private static var paidSeconds: TimeInterval { 30 * 86_400 }
}

extension SpotStore {
    private static var paidMeters: Double { 1_000 }
    private static var mostPaid: Int { 200 }

    fileprivate func nearest(_ search: FindSpotsQuery, for person: PersonID) throws -> [SpotRecord]
    {
        let blocked = try transaction.blocked(around: person)
        var ids: [SpotID] = []
        for radius in search.radii {
            ids = try nearestIDs(within: radius, search)
            if ids.count >= search.count + blocked.count { break }
        }
        guard !ids.isEmpty else { return [] }
        // Some may be hidden from this person.
        let wanted = Array(ids.prefix(search.count + blocked.count))
        let found: [SpotRecord] = try transaction.rows(
            "SELECT body FROM spots WHERE id IN (\(transaction.marks(wanted.count)))",
            arguments: wanted.map { $0 }
        ).map { try $0.json() }
        let known = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return Array(
            wanted.compactMap { known[$0] }.filter { !blocked.contains($0.seller) }
                .prefix(search.count))
    }

    /// The nearest spots within a radius.
    private func nearestIDs(within radius: Double, _ search: FindSpotsQuery) throws -> [SpotID] {
        var found: [(id: SpotID, distance: Double)] = []
        for box in BoundingBox(center: search.point, radiusMeters: radius).parts {
            var conditions = Conditions("is_offered = 1")
            conditions.require(in: [box])
            conditions.require("sale = ?", ifPresent: search.sale)
            conditions.require("price <= ?", ifPresent: search.maxPrice)
            let rows = try transaction.rows(
                "SELECT id, latitude, longitude FROM spots \(conditions.where)",
                arguments: conditions.arguments)
            for row in rows {
                let place = Coordinate(
                    latitude: try row.get("latitude"), longitude: try row.get("longitude"))
                let distance = Geo.distanceMeters(search.point, place)
                if distance <= radius { found.append((try row.get("id"), distance)) }
            }
        }
        return found.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }.map(\.id)
    }

    fileprivate func paidPrices(around point: Coordinate, since: Date) throws -> [Int] {
        try BoundingBox(center: point, radiusMeters: Self.paidMeters).parts.flatMap { box in
            try transaction.rows(
                """
                SELECT price FROM spots
                WHERE status = 'handedOver' AND price > 0 AND latitude BETWEEN ? AND ?
                    AND longitude BETWEEN ? AND ? AND created_at > ?
                LIMIT ?
                """, box.south, box.north, box.west, box.east, since, Self.mostPaid
            ).map { try $0.get("price", as: Int.self) }
        }
    }
}
