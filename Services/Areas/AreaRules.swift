import Contracts
import Foundation
import Geo
import ServiceKit

/// Rules for service areas and tariffs.
enum AreaRules {
    /// The most areas that can exist.
    static let mostAreas = 1_000
    static let mostPoints = 10_000
    static let mostPolygons = 100
    static let longestName = 80
    static let mostMinutes = 525_600
    static let mostSeconds = 86_400

    /// The feature with its texts cleaned. Throws `Refusal.invalid` with the name of the invalid field.
    static func checked(
        _ feature: ServiceAreaFeature, id: ServiceAreaID
    ) throws -> ServiceAreaFeature {
        guard feature.type == "Feature" else {
            throw Refusal.invalid("type", "Send a GeoJSON Feature.")
        }
        for (given, field) in [(feature.id, "id"), (feature.properties.id, "properties.id")] {
            guard given == nil || given == id else {
                throw Refusal.invalid(field, "Use the id of the address, or leave it out.")
            }
        }
        var feature = feature
        feature.properties.name = try Check.text(
            feature.properties.name, "properties.name", 1...longestName)
        feature.properties.servicePoint = try Check.place(
            feature.properties.servicePoint, "properties.servicePoint")
        try checkCurrency(feature.properties.currency, "properties.currency")
        if let dispatch = feature.properties.dispatch {
            guard dispatch.mode.known != nil else {
                throw Refusal.invalid("properties.dispatch.mode", "Use `direct` or `offer`.")
            }
            _ = try Check.int(
                dispatch.offerSeconds, "properties.dispatch.offerSeconds",
                in: Dispatch.offerSecondsRange)
        }
        let shape = try shape(feature.geometry)
        guard shape.contains(feature.properties.servicePoint.coordinate) else {
            throw Refusal.invalid("properties.servicePoint", "Choose a point inside the area.")
        }
        return feature
    }

    /// Checks the amounts and times; the server sets the version.
    static func checked(_ tariff: Tariff, _ prefix: String = "") throws -> Tariff {
        try checkCurrency(tariff.currency, "\(prefix)currency")
        let amounts = [
            ("baseFee", tariff.baseFee), ("incrementPrice", tariff.incrementPrice),
            ("dailyCap", tariff.dailyCap), ("cancellationFee", tariff.cancellationFee),
            ("noShowFee", tariff.noShowFee),
        ]
        for (field, amount) in amounts {
            _ = try Check.int(amount, "\(prefix)\(field)", in: 0...Money.largestAmount)
        }
        // Each is a bill of its own, or the least of one; increments come on top of a base fee.
        let bills = amounts.filter { $0.0 != "incrementPrice" || tariff.baseFee == 0 }
        for (field, amount) in bills {
            _ = try Check.price(amount, "\(prefix)\(field)", in: tariff.currency)
        }
        _ = try Check.part(
            tariff.incrementPrice, "\(prefix)incrementPrice", in: tariff.currency)
        for (name, amount) in tariff.extras.sorted(by: { $0.key < $1.key }) {
            guard Extra(rawValue: name) != nil else {
                let known = Extra.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal.invalid("\(prefix)extras", "Use only these extras: \(known).")
            }
            _ = try Check.price(amount, "\(prefix)extras.\(name)", in: tariff.currency)
        }
        let times = [
            ("freeMinutes", tariff.freeMinutes, 0...mostMinutes),
            ("incrementMinutes", tariff.incrementMinutes, 1...mostMinutes),
            ("cancellationGraceSeconds", tariff.cancellationGraceSeconds, 0...mostSeconds),
            ("waitingSeconds", tariff.waitingSeconds, 0...mostSeconds),
        ]
        for (field, value, range) in times {
            _ = try Check.int(value, "\(prefix)\(field)", in: range)
        }
        return tariff
    }

    /// ISO 4217: three capital letters.
    private static func checkCurrency(_ currency: String, _ field: String) throws {
        let isCode =
            currency.utf8.count == 3
            && currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        guard isCode else {
            throw Refusal.invalid(field, "Use three capital letters of ISO 4217.")
        }
    }

    private static func shape(_ geometry: AreaGeometry) throws -> Area {
        let field = "geometry.coordinates"
        let polygons: [[[[Double]]]] =
            switch geometry {
            case .polygon(let rings): [rings]
            case .multiPolygon(let polygons): polygons
            }
        guard (1...mostPolygons).contains(polygons.count) else {
            throw Refusal.invalid(field, "Draw 1 to \(mostPolygons) polygons.")
        }
        let points = polygons.joined().reduce(0) { $0 + $1.count }
        guard points <= mostPoints else {
            throw Refusal.invalid(field, "Use at most \(mostPoints) points.")
        }
        // RFC 7946 §3.1.1: longitude, latitude, and optionally an altitude.
        guard polygons.joined().joined().allSatisfy({ (2...3).contains($0.count) }) else {
            throw Refusal.invalid(field, "Use positions of longitude and latitude.")
        }
        do {
            return try Area(geometry)
        } catch let error as GeoError {
            throw Refusal.invalid(field, explanation(error))
        }
    }

    private static func explanation(_ error: GeoError) -> String {
        switch error {
        case .empty: "A polygon has at least one ring."
        case .tooFewPoints(let ring): "Ring \(ring) has fewer than four points."
        case .tooManyPoints(let limit): "At most \(limit) points."
        case .notClosed(let ring): "Ring \(ring) does not end where it begins."
        case .offGlobe(let ring, let point): "Point \(point) of ring \(ring) is off the globe."
        case .enclosesPole(let ring): "Ring \(ring) goes around a pole."
        case .noSurface(let ring): "Ring \(ring) has no surface."
        }
    }
}

extension Tariff {
    /// The first tariff of a new area, in whole units of its currency, or what a card can be charged at least.
    static func standard(currency: String) -> Tariff {
        let unit = max(Money.minorUnits(of: currency), Money.leastCharge(in: currency) / 50)
        return Tariff(
            version: 1, currency: currency, baseFee: 80 * unit, freeMinutes: 15,
            incrementPrice: 25 * unit, incrementMinutes: 30, dailyCap: 480 * unit,
            extras: [Extra.wash.rawValue: 180 * unit, Extra.refuel.rawValue: 100 * unit],
            cancellationFee: 50 * unit, cancellationGraceSeconds: 120, noShowFee: 100 * unit,
            waitingSeconds: 300)
    }
}
