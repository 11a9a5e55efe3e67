import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import HummingbirdTesting
import Routing
import ServiceKit
import Store
import Support
import Testing

@testable import Places

/// Places as it runs, with a clock that stands still on a Monday morning, and two areas side by side.
struct Bench: ServiceBench {
    /// In Valletta; the areas' numbers are of Hong Kong.
    static let gate = Coordinate(latitude: 35.8959, longitude: 14.5085)

    let clock = TestClock()
    let environment: ServiceEnvironment
    let places: PlacesParts
    let reactions: Reactions

    var database: Database { places.database }

    init(
        router: RouterConfig = .none, geocoder: GeocoderConfig = .none, folder: String? = nil,
        maps: String? = nil, realtime: URL? = nil
    ) async throws {
        environment = try ServiceEnvironment.test("places", clock: clock, folder: folder)
        places = try PlacesParts(
            PlacesConfig(
                router: router, geocoder: geocoder, maps: .init(folder: maps),
                realtime: realtime), environment)
        reactions = placesReactions(places.vendors)
        for (name, west) in [("hk-island", 114.1), ("kowloon", 114.2)] {
            try await hear(Self.area(name, west: west))
        }
    }

    private static func area(_ name: String, west: Double) throws -> ServiceAreaChanged {
        let id = try #require(ServiceAreaID(name))
        let ring = [
            [west, 22.2], [west + 0.1, 22.2], [west + 0.1, 22.3], [west, 22.3], [west, 22.2],
        ]
        return ServiceAreaChanged(
            area: id,
            feature: ServiceAreaFeature(
                id: id,
                properties: .init(
                    id: id, name: name, servicePoint: Place(latitude: 22.25, longitude: west),
                    currency: "HKD", tariff: .tests),
                geometry: .polygon([ring])),
            version: 1)
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        try await Application(router: places.router()).test(.router) { client in
            try await body(Caller(client: client, bench: self))
        }
    }

    /// Does what is due, as the work queue would.
    func importAll(_ id: VendorImportID) async throws {
        while try await places.imports.one(id).status == .running {
            try await places.imports.goOn(with: id)
        }
    }
}

extension Tariff {
    fileprivate static let tests = Tariff(
        version: 1, currency: "HKD", baseFee: 0, freeMinutes: 0, incrementPrice: 0,
        incrementMinutes: 1, dailyCap: 0, extras: [:], cancellationFee: 0,
        cancellationGraceSeconds: 0, noShowFee: 0, waitingSeconds: 0)
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "places"

    let client: any TestClientProtocol
    let bench: Bench

    var clock: TestClock { bench.clock }

    /// So many metres north of the gate.
    func add(
        _ name: String, _ kind: VendorKind = .grocery, meters: Double, hours: String? = "24/7",
        stamps: StampAcceptance? = nil, accessibility: Accessibility? = nil
    ) async throws -> Vendor {
        var body = VendorBody(
            name: name, kind: kind,
            position: Geo.destination(
                from: Bench.gate, bearingDegrees: 0, distanceMeters: meters),
            address: "Street \(name)", openingHours: hours, acceptsStamps: stamps)
        body.accessibility = accessibility
        return try await call(.post, "/v1/admin/vendors", body, as: .olivia).expect(
            201, Vendor.self)
    }

    func find(_ query: String = "", as person: TestPerson? = nil) async throws -> VendorsAnswer {
        let (latitude, longitude) = (Bench.gate.latitude, Bench.gate.longitude)
        return try await call(
            .get, "/v1/vendors?latitude=\(latitude)&longitude=\(longitude)\(query)", as: person
        ).expect(200, VendorsAnswer.self)
    }
}
