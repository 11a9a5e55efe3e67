import Contracts
import Foundation
import Hummingbird
import ServiceKit
import Store

/// The use cases of tariffs. Each function is one transaction.
struct TariffUseCases: Sendable {
    static let mostStays = 20
    /// The longest stay of a preview, in seconds.
    static let longestStay: TimeInterval = 366 * 86_400

    let database: Database
    let clock: ServiceClock

    func tariff(of id: CarParkID) async throws -> ParkingTariff {
        try await database.read { transaction in
            _ = try transaction.carParks.require(id)
            return try transaction.tariffs.latest(of: id) ?? .none
        }
    }

    func change(
        _ id: CarParkID, to body: ParkingTariffBody, by person: PersonID,
        ifVersion: VersionCondition
    ) async throws -> ParkingTariff {
        let now = clock.now
        return try await database.write { transaction in
            var carPark = try transaction.carParks.require(id)
            let old = try transaction.tariffs.latest(of: id) ?? .none
            try ifVersion.require(old.version)
            let body = try TariffRules.checked(
                body, old: old, in: carPark.body.currency,
                today: TariffPricing.text(of: carPark.days.day(of: now)))
            let new = ParkingTariff(body, version: old.version + 1, since: now)
            try transaction.record("carparks.change-tariff", id, by: person, at: now)
            try transaction.tariffs.insert(new, of: id, at: now)
            // The tariff is a part of the car park, so it gets a new version too.
            carPark.version += 1
            try transaction.carParks.keep(carPark, at: now)
            return new
        }
    }

    func preview(
        _ id: CarParkID, _ body: TariffPreviewBody, in language: Language
    ) async throws -> [TariffPreview] {
        let now = clock.now
        guard (1...Self.mostStays).contains(body.stays.count) else {
            throw Refusal.invalid("stays", "Give 1 to \(Self.mostStays) stays.")
        }
        for (index, stay) in body.stays.enumerated() {
            guard (0...Self.longestStay).contains(stay.until.timeIntervalSince(stay.from)) else {
                throw Refusal.invalid(
                    "stays[\(index)].until", "Use a time from 0 to 366 days after the start.")
            }
        }
        return try await database.read { transaction in
            let carPark = try transaction.carParks.require(id)
            let old = try transaction.tariffs.latest(of: id) ?? .none
            let tariff = try body.tariff.map {
                ParkingTariff(
                    try TariffRules.checked(
                        $0, old: old, in: carPark.body.currency,
                        today: TariffPricing.text(of: carPark.days.day(of: now))),
                    version: old.version + 1, since: now)
            }
            let kind = body.kind ?? .general
            return try body.stays.map { stay in
                let lines = try transaction.tariffs.charges(of: stay, tariff ?? old, kind, carPark)
                let current = try transaction.tariffs.charges(of: stay, old, kind, carPark)
                let currency = carPark.body.currency
                return TariffPreview(
                    stay, lines: lines.map { $0.line(in: currency, language) },
                    total: Money(amount: lines.amount, currency: currency),
                    current: Money(amount: current.amount, currency: currency))
            }
        }
    }
}

extension TariffStore {
    /// The price of a stay by a tariff or, without prices for the class, by the cheapest product.
    fileprivate func charges(
        of stay: TariffPreviewBody.Stay, _ tariff: ParkingTariff, _ kind: SpaceClass,
        _ carPark: CarParkRecord
    ) throws -> [TariffCharge] {
        if let rates = tariff.rates(of: kind) {
            return TariffPricing(rates: rates, days: carPark.days)
                .charges(from: stay.from, until: stay.until)
        }
        guard stay.until.timeIntervalSince(stay.from) > BookingLimits.grace else { return [] }
        let amount = try transaction.sessions.productsPrice(
            of: kind, in: carPark, from: stay.from, until: stay.until)
        return [
            TariffCharge(
                kind: .products, name: "", unitMinutes: nil, price: nil, quantity: 1,
                amount: amount)
        ]
    }
}

extension ParkingTariff {
    /// A car park that has never had a tariff.
    fileprivate static let none = ParkingTariff(
        ParkingTariffBody(rates: []), version: 0, since: nil)
}

extension ParkingTariff: Versioned {}

/// The endpoints of tariffs.
struct TariffRoutes: Sendable {
    let tariffs: TariffUseCases

    func add(to router: Router<Context>) {
        router.on(CarParkTariffEndpoints.parkingTariff) { call in
            try await tariffs.tariff(of: call.carPark()).reply()
        }
        router.on(CarParkTariffEndpoints.putParkingTariff) { call in
            try await tariffs.change(
                call.carPark(), to: call.body, by: call.person.person, ifVersion: call.ifMatch
            ).reply()
        }
        router.on(CarParkTariffEndpoints.previewParkingTariff) { call in
            try await tariffs.preview(call.carPark(), call.body, in: call.language)
        }
    }
}
