import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

/// The use cases of car parks, for operators and for everybody. Each function is one transaction.
struct CarParkUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let known = KnownCarParks(most: 20_000)

    func carPark(_ id: CarParkID) async throws -> CarPark {
        let now = clock.now
        return try await database.read {
            try $0.carParks.view(of: try $0.carParks.require(id), at: now)
        }
    }

    // MARK: Operators

    func add(
        _ body: CarParkBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> CarPark {
        let now = clock.now
        let carPark = try CarParkRecord(id: .new(at: now), body)
        return try await database.write(once: key) { transaction in
            try transaction.record("carparks.add-car-park", carPark.id, by: person, at: now)
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    func change(
        _ id: CarParkID, to body: CarParkBody, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> CarPark {
        let now = clock.now
        return try await database.write { transaction in
            var carPark = try transaction.carParks.require(id)
            try ifVersion.require(carPark.version)
            var body = body
            body.maxHeightText = body.maxHeightText ?? carPark.body.maxHeightText
            try carPark.change(to: body)
            try transaction.record("carparks.change-car-park", id, by: person, at: now)
            try transaction.carParks.keep(carPark, at: now)
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    func remove(_ id: CarParkID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            let carPark = try transaction.carParks.require(id)
            guard try !transaction.carParks.isInUse(id) else { throw Refusal.carParkInUse }
            try transaction.record("carparks.remove-car-park", id, by: person, at: now)
            try transaction.carParks.remove(carPark, at: now)
        }
    }

    func setStatus(
        of id: CarParkID, _ body: CarParkStatusBody, by person: PersonID
    ) async throws -> CarPark {
        let reason = try Check.optionalText(body.reason, "reason", most: 200)
        let now = clock.now
        return try await database.write { transaction in
            var carPark = try transaction.carParks.require(id)
            let isOpen = body.status == .open
            if carPark.isOpen != isOpen || carPark.statusReason != reason {
                (carPark.isOpen, carPark.statusReason) = (isOpen, isOpen ? nil : reason)
                carPark.version += 1
                try transaction.record(
                    isOpen ? "carparks.open-car-park" : "carparks.close-car-park", id, by: person,
                    reason: reason,
                    at: now)
                try transaction.carParks.keep(carPark, at: now)
            }
            return try transaction.carParks.view(of: carPark, at: now)
        }
    }

    /// A count from the future would hide all later ones.
    func setOccupancy(
        of id: CarParkID, _ body: OccupancyBody, by person: PersonID
    ) async throws -> [LiveSpaces] {
        let now = clock.now
        let time = body.at ?? now
        guard time <= now.addingTimeInterval(60) else {
            throw Refusal.invalid("at", "Use a time in the past.")
        }
        return try await database.write { transaction in
            let carPark = try transaction.carParks.require(id)
            try transaction.requireStanding(of: person)
            for (kind, free) in body.free.counts {
                let capacity = carPark.body.capacity[kind]
                guard (0...capacity).contains(free) else {
                    throw Refusal.invalid(
                        "free.\(kind.rawValue)", "Use at most the capacity, \(capacity).")
                }
                try transaction.carParks.keepCount(
                    free, of: kind, in: id, at: time, body.source == .feed ? .feed : .operator)
            }
            return try transaction.carParks.liveSpaces(of: [carPark], at: now)[id] ?? []
        }
    }

    func add(
        _ body: ParkingProductBody, to id: CarParkID, by person: PersonID,
        once key: IdempotencyKey?
    ) async throws -> ParkingProduct {
        let (body, now) = (try CarParkRules.checked(body), clock.now)
        return try await database.write(once: key) { transaction in
            let carPark = try transaction.carParks.require(id)
            _ = try Check.price(body.price, "price", in: carPark.body.currency)
            guard
                try transaction.carParks.products(of: [id])[id, default: []].count
                    < CarParkRules.mostProducts
            else {
                throw Refusal.invalid(nil, "The limit is \(CarParkRules.mostProducts) products.")
            }
            let product = ParkingProduct(id: .new(at: now), body, version: 1)
            try transaction.record("carparks.add-product", id, by: person, at: now)
            try transaction.carParks.keep(product, of: carPark, at: now)
            return product
        }
    }

    func change(
        _ product: ParkingProductID, of id: CarParkID, to body: ParkingProductBody,
        by person: PersonID
    ) async throws -> ParkingProduct {
        let (body, now) = (try CarParkRules.checked(body), clock.now)
        return try await database.write { transaction in
            let carPark = try transaction.carParks.require(id)
            _ = try Check.price(body.price, "price", in: carPark.body.currency)
            guard let old = try transaction.carParks.product(product, of: id) else {
                throw Refusal.parkingProductUnknown
            }
            let new = ParkingProduct(id: product, body, version: old.version + 1)
            try transaction.record("carparks.change-product", id, by: person, at: now)
            try transaction.carParks.keep(new, of: carPark, at: now)
            return new
        }
    }
}

extension CarParkStore {
    /// Stores a product. Products are a part of the car park, so it gets a new version too.
    fileprivate func keep(
        _ product: ParkingProduct, of carPark: CarParkRecord, at now: Date
    ) throws {
        try keep(product, of: carPark.id)
        var carPark = carPark
        carPark.version += 1
        try keep(carPark, at: now)
    }

    func view(of carPark: CarParkRecord, at now: Date) throws -> CarPark {
        let id = carPark.id
        let spaces = try liveSpaces(of: [carPark], at: now)[id] ?? []
        var view = CarPark(
            id: id, carPark.body, terms: carPark.terms,
            products: try products(of: [id])[id, default: []].filter(\.isOffered), spaces: spaces,
            version: carPark.version)
        view.tariff = try transaction.tariffs.published(of: id)
        view.status = carPark.status(with: spaces)
        view.openingState = carPark.openingState(at: now)
        view.isOpenNow = view.openingState == .open
        view.statusReason = carPark.statusReason
        view.photos = carPark.photos.map(CarParkPictures.path)
        view.nextOpeningChangeAt = carPark.nextOpeningChange(after: now)
        return view
    }

    // MARK: Live spaces

    /// Free spaces, counted by the gates if there are any, otherwise the last count that was reported.
    func liveSpaces(
        of carParks: [CarParkRecord], at now: Date
    ) throws -> [CarParkID: [LiveSpaces]] {
        let ids = carParks.map(\.id)
        let counts = try counts(of: ids)
        let gated = try transaction.gates.carParks(among: ids)
        let inside = try transaction.sessions.countInside(in: gated)
        let expected = try expected(in: gated, at: now)
        let valets = try transaction.valetSpaces.taken(
            in: ids.filter { counts[$0] != nil && !gated.contains($0) })
        return carParks.reduce(into: [:]) { spaces, carPark in
            let id = carPark.id
            spaces[id] = SpaceClass.allCases.compactMap { kind in
                let capacity = carPark.body.capacity[kind]
                guard capacity > 0 else { return nil }
                guard gated.contains(id) else {
                    return LiveSpaces(
                        kind, capacity: capacity, counts[id]?[kind],
                        valets: kind == .general ? valets[id] ?? [] : [], at: now)
                }
                let taken = (inside[id]?[kind] ?? 0) + (expected[id]?[kind] ?? 0)
                return LiveSpaces(
                    kind, capacity: capacity, free: max(0, capacity - taken), at: now,
                    source: .gates, freshness: .live)
            }
        }
    }

    /// Whether it has a current booking, a vehicle inside, or a space taken by a valet.
    func isInUse(_ id: CarParkID) throws -> Bool {
        try transaction.bookings.hasCurrent(in: id)
            || !transaction.sessions.countInside(in: [id]).isEmpty
            || !transaction.valetSpaces.taken(in: [id]).isEmpty
    }

    /// Spaces of bookings that have begun, and of valets, less those whose vehicles are inside.
    private func expected(
        in carParks: [CarParkID], at now: Date
    ) throws -> [CarParkID: [SpaceClass: Int]] {
        guard !carParks.isEmpty else { return [:] }
        let marks = transaction.marks(carParks.count)
        let found = try transaction.rows(
            """
            SELECT allocations.car_park AS car_park, allocations.kind AS kind,
                SUM(allocations.spaces - (
                    SELECT COUNT(*) FROM sessions
                    WHERE sessions.booking = allocations.booking AND sessions.is_inside = 1
                )) AS spaces
            FROM allocations LEFT JOIN bookings ON bookings.id = allocations.booking
            WHERE allocations.car_park IN (\(marks)) AND allocations.ends_at > ?
                AND allocations.starts_at <= ?
                AND (bookings.id IS NULL OR bookings.status IN ('held', 'confirmed', 'active'))
            GROUP BY allocations.car_park, allocations.kind
            """, arguments: carParks + [now, now])
        return try found.reduce(into: [:]) { expected, row in
            expected[try row.get("car_park"), default: [:]][try row.get("kind")] =
                try row.get("spaces")
        }
    }
}

extension LiveSpaces {
    /// The age in seconds from which a count is shown as old, and that from which it is not shown.
    private static let oldAfter: TimeInterval = 300
    private static let unknownAfter: TimeInterval = 1_800

    /// The count does not include spaces that valets have taken since.
    fileprivate init(
        _ kind: SpaceClass, capacity: Int, _ count: CarParkStore.Count?, valets: [Date],
        at now: Date
    ) {
        self.init(kind, capacity: capacity)
        guard let count else { return }
        let age = now.timeIntervalSince(count.at)
        (at, source) = (count.at, count.source)
        if age > Self.unknownAfter { return }
        freshness = age > Self.oldAfter ? .old : .live
        free = max(0, min(capacity, count.free) - valets.count { $0 > count.at })
    }
}

extension CarParkRecord {
    func status(with spaces: [LiveSpaces]) -> CarParkStatus {
        guard isOpen else { return .closed }
        let isFull = !spaces.isEmpty && spaces.allSatisfy { $0.free == 0 }
        return isFull ? .full : .open
    }
}
