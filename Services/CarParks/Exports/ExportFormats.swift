import Contracts
import Foundation
import Geo

/// Exports contain what their standards require, and leave out everything unknown.
extension [CarPark] {
    private static let attribution =
        "© OpenStreetMap contributors, ODbL 1.0, where imported from there"

    /// A FeatureCollection (RFC 7946) with OpenStreetMap's tags, which imports can read.
    var geoJSON: JSONValue {
        .object([
            "type": "FeatureCollection", "attribution": .text(Self.attribution),
            "features": .list(
                map { carPark in
                    .object([
                        "type": "Feature", "id": .text("\(carPark.id)"),
                        "geometry": carPark.position.geoJSON,
                        "properties": .object(carPark.tags.mapValues(JSONValue.text)),
                    ])
                }),
        ])
    }

    /// Places and rates of the Alliance for Parking Data Standards (APDS 4.0, ISO/TS 5206-1).
    var apds: JSONValue {
        .object([
            "attribution": .text(Self.attribution),
            "places": .list(map(\.apdsPlace)),
            "rateTables": .list(
                filter { !$0.products.isEmpty }.map(\.apdsRates) + compactMap(\.apdsTariff)),
        ])
    }

    /// A status publication of DATEX II (EN 16157-12, Facilities; parking status of CEN/TS 16157-6).
    func datexStatus(at now: Date) -> JSONValue {
        .object([
            "publicationTime": .text(Wire.text(now)),
            "parkingRecordStatus": .list(map { $0.datexStatus(at: now) }),
        ])
    }
}

extension Coordinate {
    /// A point (RFC 7946), longitude first.
    fileprivate var geoJSON: JSONValue {
        .object([
            "type": "Point", "coordinates": .list([.number(longitude), .number(latitude)]),
        ])
    }
}

extension CarPark {
    fileprivate var tags: [String: String] {
        var tags = [
            "amenity": "parking", "name": name, "opening_hours": openingHours,
            "timeZone": timeZone, "currency": currency,
        ]
        if !address.isEmpty { tags["addr:full"] = address }
        if let fee { tags["fee"] = fee ? "yes" : "no" }
        if access == .customers { tags["access"] = "customers" }
        tags["operator"] = self.operator
        tags["phone"] = phone
        tags["maxheight"] = maxHeightMeters.map { "\($0)" } ?? maxHeightText
        if capacity.total > 0 { tags["capacity"] = "\(capacity.total)" }
        let classes: [(SpaceClass, String)] = [
            (.disabled, "disabled"), (.electric, "charging"), (.family, "parent"),
            (.motorcycle, "motorcycle"),
        ]
        for (kind, name) in classes where capacity[kind] > 0 {
            tags["capacity:\(name)"] = "\(capacity[kind])"
        }
        return tags
    }

    // MARK: APDS

    fileprivate var apdsPlace: JSONValue {
        var place: [String: JSONValue] = [
            "id": .text("\(id)"), "version": .integer(version), "type": "place", "layer": 1,
            // The language of a name is unknown.
            "name": [.object(["language": "und", "string": .text(name)])],
            "timeZone": .text(timeZone), "geometry": position.geoJSON,
            "operatingHours": .text(openingHours),
        ]
        if capacity.total > 0 {
            place["supply"] = .object(["supplyQuantity": .integer(capacity.total)])
        }
        let known = spaces.filter { $0.free != nil }
        if !known.isEmpty, let at = known.compactMap(\.at).min() {
            place["occupancy"] = .object([
                "vacant": .integer(known.compactMap(\.free).reduce(0, +)),
                "updateTime": .text(Wire.text(at)),
            ])
        }
        let tables = (products.isEmpty ? [] : ["\(id)"]) + (tariff == nil ? [] : [tariffID])
        if !tables.isEmpty { place["rateTables"] = .list(tables.map(JSONValue.text)) }
        return .object(place)
    }

    fileprivate var apdsRates: JSONValue {
        .object([
            "id": .text("\(id)"), "version": .integer(version),
            "rateLineCollections": [
                .object([
                    "applicableCurrency": [.text(currency)],
                    "rateLines": .list(
                        products.enumerated().map { index, product in
                            .object([
                                "sequence": .integer(index + 1),
                                "description": [
                                    .object([
                                        "language": "und", "string": .text(product.name),
                                    ])
                                ],
                                "rateLineType": "incrementingRate",
                                // In minor units.
                                "value": .integer(product.price),
                                "incrementPeriod": .text(product.kind.duration),
                            ])
                        }),
                ])
            ],
        ])
    }

    // MARK: DATEX II

    fileprivate func datexStatus(at now: Date) -> JSONValue {
        var status: [String: JSONValue] = [
            "parkingRecordReference": .object([
                "id": .text("\(id)"), "version": .text("\(version)"),
            ]),
            "parkingStatusOriginTime": .text(
                Wire.text(spaces.compactMap(\.at).min() ?? now)),
        ]
        if openingState != .unknown {
            status["parkingSiteOpeningStatus"] = .text(openingState.rawValue)
        }
        let known = spaces.filter { $0.free != nil }
        if !known.isEmpty {
            let (free, total) = (
                known.compactMap(\.free).reduce(0, +), known.map(\.capacity).reduce(0, +)
            )
            status["parkingOccupancy"] = .object([
                "parkingNumberOfVacantSpaces": .integer(free),
                "parkingNumberOfOccupiedSpaces": .integer(total - free),
            ])
            status["parkingSiteStatus"] = free == 0 ? "full" : "spacesAvailable"
        }
        return .object(status)
    }
}

extension ParkingProduct.Unit {
    /// An ISO 8601 duration.
    fileprivate var duration: String {
        switch self {
        case .hourly: "PT1H"
        case .daily: "P1D"
        case .weekly: "P1W"
        case .monthly: "P1M"
        case .yearly: "P1Y"
        }
    }
}
