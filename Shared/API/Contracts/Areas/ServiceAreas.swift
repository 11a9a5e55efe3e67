import Geo

/// The prices of orders in a service area. Amounts are in minor units of `currency`.
public struct Tariff: Codable, Sendable, Hashable {
    /// 1 for the first tariff; each change adds 1. Set by the server.
    public var version: Int?
    /// ISO 4217 code.
    public var currency: String
    public var baseFee: Int
    public var freeMinutes: Int
    /// Price of each started increment after the free minutes.
    public var incrementPrice: Int
    public var incrementMinutes: Int
    /// The most that base fee and time cost in each started 24 hours.
    public var dailyCap: Int
    /// Price of each extra that is offered.
    public var extras: [Extra.RawValue: Int]
    public var cancellationFee: Int
    /// Cancelling is free for this long after a valet was assigned, in seconds.
    public var cancellationGraceSeconds: Int
    public var noShowFee: Int
    /// How long an arrived valet waits before the customer counts as absent, in seconds.
    public var waitingSeconds: Int

    public init(
        version: Int? = nil, currency: String, baseFee: Int, freeMinutes: Int, incrementPrice: Int,
        incrementMinutes: Int, dailyCap: Int, extras: [Extra.RawValue: Int],
        cancellationFee: Int, cancellationGraceSeconds: Int, noShowFee: Int, waitingSeconds: Int
    ) {
        self.version = version
        self.currency = currency
        self.baseFee = baseFee
        self.freeMinutes = freeMinutes
        self.incrementPrice = incrementPrice
        self.incrementMinutes = incrementMinutes
        self.dailyCap = dailyCap
        self.extras = extras
        self.cancellationFee = cancellationFee
        self.cancellationGraceSeconds = cancellationGraceSeconds
        self.noShowFee = noShowFee
        self.waitingSeconds = waitingSeconds
    }
}

/// A GeoJSON polygon or multi-polygon (RFC 7946): rings of `[longitude, latitude]`.
public enum AreaGeometry: Sendable, Hashable {
    case polygon([[[Double]]])
    case multiPolygon([[[[Double]]]])
}

extension AreaGeometry: Codable {
    private enum CodingKeys: String, CodingKey { case type, coordinates }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "Polygon":
            self = .polygon(try container.decode([[[Double]]].self, forKey: .coordinates))
        case "MultiPolygon":
            self = .multiPolygon(try container.decode([[[[Double]]]].self, forKey: .coordinates))
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container,
                debugDescription: "a service area is a Polygon or a MultiPolygon")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .polygon(let rings):
            try container.encode("Polygon", forKey: .type)
            try container.encode(rings, forKey: .coordinates)
        case .multiPolygon(let polygons):
            try container.encode("MultiPolygon", forKey: .type)
            try container.encode(polygons, forKey: .coordinates)
        }
    }
}

extension AreaGeometry: Described, SchemaNamed {
    public static var schemaName: String { "AreaGeometry" }
    public static var schema: JSONValue {
        .schema(
            "object",
            [
                "required": ["type", "coordinates"],
                "properties": .object([
                    "type": .schema("string", ["enum": ["Polygon", "MultiPolygon"]]),
                    "coordinates": .schema("array", ["items": .schema("array")]),
                ]),
            ])
    }
    public static var sample: JSONValue { .object(["type": "Polygon", "coordinates": []]) }
}

/// How valets get their jobs in a service area.
public struct Dispatch: Codable, Sendable, Hashable {
    /// `direct`: the chosen valet gets the job at once. `offer`: the valet is asked first.
    public enum Mode: String, Codable, Sendable, CaseIterable {
        /// Matching's choice is assigned at once.
        case direct
        /// The valet is asked first.
        case offer
    }

    /// The possible times to answer, in seconds.
    public static let offerSecondsRange = 5...300

    public var mode: Open<Mode>
    /// With `offer`: time to answer once the phone has confirmed delivery, in seconds.
    public var offerSeconds: Int

    public init(mode: Mode, offerSeconds: Int = 20) {
        self.mode = .known(mode)
        self.offerSeconds = offerSeconds
    }
}

/// A service area as a GeoJSON feature.
public struct ServiceAreaFeature: Codable, Sendable, Hashable {
    /// The details of a service area, apart from its shape.
    public struct Properties: Codable, Sendable, Hashable {
        /// Same as the feature's id. Set by the server.
        public var id: ServiceAreaID?
        public var name: String
        /// The place to which customers outside the area are directed.
        public var servicePoint: Place
        public var currency: String
        /// Set by the server. Change it with `PUT /v1/admin/service-areas/{id}/tariff`.
        public var tariff: Tariff?
        /// Direct assignment when absent.
        public var dispatch: Dispatch?

        public init(
            id: ServiceAreaID?, name: String, servicePoint: Place, currency: String,
            tariff: Tariff? = nil, dispatch: Dispatch? = nil
        ) {
            self.dispatch = dispatch
            self.id = id
            self.name = name
            self.servicePoint = servicePoint
            self.currency = currency
            self.tariff = tariff
        }
    }

    public var type: String
    public var id: ServiceAreaID?
    public var properties: Properties
    public var geometry: AreaGeometry

    public init(id: ServiceAreaID, properties: Properties, geometry: AreaGeometry) {
        type = "Feature"
        self.id = id
        self.properties = properties
        self.geometry = geometry
    }
}

extension ServiceAreaFeature.Properties: SchemaNamed {
    public static var schemaName: String { "ServiceAreaProperties" }
}

/// All service areas, as a GeoJSON feature collection.
public struct ServiceAreaCollection: Codable, Sendable {
    public var type: String
    public var features: [ServiceAreaFeature]

    public init(features: [ServiceAreaFeature]) {
        type = "FeatureCollection"
        self.features = features
    }
}
