import Contracts
import Foundation
import Geo
import ServiceKit
import Store

extension FindCarParksQuery {
    /// The most car parks that one search considers.
    fileprivate static let most = 2_000
    /// The ratio of a walk to the straight line.
    private static let detour = 1.3
}

/// A car park that was found, with its sort values.
private struct Match {
    let carPark: CarParkRecord
    var summary: CarParkSummary
    var rank: Double
}

extension CarParkUseCases {
    /// A numbered page of results. Sorted by distance or price they have no stable cursor.
    func find(
        _ search: FindCarParksQuery, _ page: PageRequest
    ) async throws -> Page<CarParkSummary> {
        let now = clock.now
        let words = try Check.optionalText(search.q, "q", most: 100)
        guard (search.from == nil) == (search.until == nil) else {
            throw Refusal.invalid("until", "Send `from` and `until` together.")
        }
        let skipped = try page.cursor(as: Int.self) ?? 0
        guard (0...FindCarParksQuery.most).contains(skipped) else { throw Refusal.cursorUnknown }
        if let from = search.from, let until = search.until {
            guard from < until, until.timeIntervalSince(from) <= 366 * 86_400 else {
                throw Refusal.bookingDateInvalid.because(
                    "The end must be after the start, and within a year of it.")
            }
        }
        let found = try await database.read { [known] in
            try $0.carParks.matches(search, words, among: known, at: now)
        }
        let shown = found.dropFirst(skipped).prefix(page.limit).map(\.summary)
        let next = skipped + shown.count
        return Page(items: shown, next: next < found.count ? String(next) : nil)
    }
}

extension CarParkStore {
    fileprivate func matches(
        _ search: FindCarParksQuery, _ words: String?, among known: KnownCarParks, at now: Date
    ) throws -> [Match] {
        let boxes = search.point.map {
            BoundingBox(center: $0, radiusMeters: search.radius).parts
        }
        let keys = try keys(
            in: boxes ?? [], words: words, nearest: search.point,
            most: FindCarParksQuery.most)
        let near = try known.values(of: keys, at: now, read: withProducts).compactMap {
            entry -> (KnownCarPark, Double?)? in
            guard search.fits(entry.carPark, at: now) else { return nil }
            let distance = search.point.map { Geo.distanceMeters($0, entry.carPark.body.position) }
            if let distance, distance > search.radius { return nil }
            return (entry, distance)
        }
        let ids = near.map(\.0.carPark.id)
        let live = try liveSpaces(of: near.map(\.0.carPark), at: now)
        let taken = try search.interval.map {
            try transaction.inventory.taken(
                of: search.kind, in: ids, from: $0.lowerBound, until: $0.upperBound)
        }
        return near.compactMap { entry, distance in
            let (carPark, id) = (entry.carPark, entry.carPark.id)
            let spaces = live[id] ?? []
            var summary = CarParkSummary(carPark, distance, spaces, at: now)
            summary.offer(entry, search, at: now)
            if let taken, let interval = search.interval {
                let peak = Inventory.peak(
                    of: taken[id] ?? [], from: interval.lowerBound, until: interval.upperBound)
                let free = max(0, carPark.bookable[search.kind] - peak)
                guard free >= search.minFree ?? 1, summary.price != nil,
                    carPark.openingState(at: interval.lowerBound) != .closed
                else { return nil }
                summary.bookableSpaces = free
            } else if let wanted = search.minFree {
                let free = spaces.first { $0.kind == search.kind }?.free ?? 0
                guard free >= wanted else { return nil }
            }
            return Match(carPark: carPark, summary: summary, rank: search.rank(carPark, summary))
        }.sorted { ($0.rank, $0.carPark.id) < ($1.rank, $1.carPark.id) }
    }
}

extension FindCarParksQuery {
    fileprivate var radius: Double { radiusMeters ?? Self.usualRadius }
    fileprivate var kind: SpaceClass { self.class ?? .general }

    fileprivate var interval: Range<Date>? {
        guard let from, let until, from < until else { return nil }
        return from..<until
    }

    fileprivate func fits(_ carPark: CarParkRecord, at now: Date) -> Bool {
        if let height = maxHeightMeters, !carPark.admits(heightMeters: height) { return false }
        return openNow != true || carPark.openingState(at: now) == .open
    }

    fileprivate func rank(_ carPark: CarParkRecord, _ summary: CarParkSummary) -> Double {
        switch sort ?? .distance {
        case .distance: summary.distanceMeters ?? 0
        case .price: summary.price.map { Double($0.amount) } ?? .infinity
        case .walk:
            point.map { point in
                let entrances = (carPark.body.entrances ?? []).map(\.position)
                return ([carPark.body.position] + entrances).map {
                    Geo.distanceMeters(point, $0) * Self.detour
                }.min() ?? 0
            } ?? 0
        }
    }
}

extension CarParkSummary {
    fileprivate init(
        _ carPark: CarParkRecord, _ distance: Double?, _ spaces: [LiveSpaces], at now: Date
    ) {
        let body = carPark.body
        self.init(
            id: carPark.id, name: body.name, address: body.address, position: body.position,
            distanceMeters: distance.map { $0.rounded() }, currency: body.currency,
            status: carPark.status(with: spaces), statusReason: carPark.statusReason,
            openingState: carPark.openingState(at: now),
            maxHeightMeters: body.maxHeightMeters, spaces: spaces)
    }

    /// The cheapest product or combination for the interval after which vehicles can be fetched. Without an interval,
    /// the next hour by the tariff or, without one, the cheapest unit.
    fileprivate mutating func offer(
        _ known: KnownCarPark, _ search: FindCarParksQuery, at now: Date
    ) {
        let carPark = known.carPark
        let offered = known.products.filter { $0.isOffered && $0.classes.contains(search.kind) }
        if let interval = search.interval {
            let (days, mayLeave) = (
                carPark.days, carPark.letsVehiclesOut(at: interval.upperBound)
            )
            let prices = offered.compactMap { product -> Int? in
                guard
                    let quantity = product.kind.quantity(
                        from: interval.lowerBound, until: interval.upperBound, days,
                        most: product.maxQuantity)
                else { return nil }
                let booked = max(quantity, product.minQuantity)
                let end = product.kind.end(of: interval.lowerBound, quantity: booked, days)
                guard
                    product.kind.isLong
                        || mayLeave
                            && (end == interval.upperBound || carPark.letsVehiclesOut(at: end))
                else { return nil }
                return product.price * booked
            }
            let combined =
                mayLeave
                ? offered.map { ParkingOffer($0) }
                    .cheapest(from: interval.lowerBound, until: interval.upperBound, days)?.amount
                : nil
            price = (prices + [combined].compactMap(\.self)).min()
                .map { Money(amount: $0, currency: currency) }
        } else if let rates = known.tariff?.rates(of: search.kind) {
            let hour = TariffPricing(rates: rates, days: carPark.days)
                .charges(from: now, until: now.addingTimeInterval(3_600))
            (price, priceUnit) = (Money(amount: hour.amount, currency: currency), .hourly)
        } else if let cheapest = offered.min(by: { $0.price < $1.price }) {
            (price, priceUnit) = (Money(amount: cheapest.price, currency: currency), cheapest.kind)
        }
    }
}
