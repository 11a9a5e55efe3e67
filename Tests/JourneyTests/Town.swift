import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// A service area of one test's own, a hundred kilometres from every other: its valets serve nobody
/// else's customers.
struct Town: Sendable {
    let world: World
    let id: ServiceAreaID
    let center: Place

    /// Degrees from the centre to each edge: about eleven kilometres.
    private static let reach = 0.1
    /// Degrees between the centres of two towns.
    private static let step = 1.0
    private static let founded = Mutex(0)

    static func found(
        in world: World, _ tariff: Tariff = .usual, dispatch: Dispatch? = nil
    ) async throws -> Town {
        let number = founded.withLock { founded in
            founded += 1
            return founded
        }
        let center = Place(latitude: 0.5, longitude: -170 + step * Double(number % 340))
        let name = "town-\(number)-\(UUID().uuidString.prefix(8).lowercased())"
        let id = try #require(ServiceAreaID(name))
        let (west, east) = (center.longitude - reach, center.longitude + reach)
        let (south, north) = (center.latitude - reach, center.latitude + reach)
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        let feature = ServiceAreaFeature(
            id: id,
            properties: .init(
                id: id, name: "Town \(number)", servicePoint: center, currency: tariff.currency,
                tariff: tariff, dispatch: dispatch),
            geometry: .polygon([ring]))
        try await world.boss(AreaEndpoints.putServiceArea(id, body: feature))
        return Town(world: world, id: id, center: center)
    }

    /// In the shared city.
    static func found(
        _ tariff: Tariff = .usual, dispatch: Dispatch? = nil
    ) async throws -> Town {
        try await found(in: try await City.shared.world(), tariff, dispatch: dispatch)
    }

    /// The city that comes with the project, around a corner of Mannerheimintie.
    static func helsinki(of system: any LocalSystem) async throws -> Town {
        let world = try await World(system)
        let center = Place(latitude: 60.1692, longitude: 24.9375)
        let id = try #require(ServiceAreaID("helsinki"))
        let (west, south, east, north) = (24.9352, 60.1642, 24.9534, 60.1791)
        let ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        var tariff = Tariff.usual
        tariff.currency = "EUR"
        let feature = ServiceAreaFeature(
            id: id,
            properties: .init(
                id: id, name: "Helsinki", servicePoint: center, currency: tariff.currency,
                tariff: tariff),
            geometry: .polygon([ring]))
        try await world.boss(AreaEndpoints.putServiceArea(id, body: feature))
        return Town(world: world, id: id, center: center)
    }

    /// Matching says who was chosen, and then why.
    func decision(on order: OrderID) async throws -> MatchingTrace.Decision {
        var found: MatchingTrace.Decision?
        _ = try await eventually {
            let trace = try await insisting(past: ["matching.no_decision"]) {
                try await world.boss(MatchingEndpoints.matching(order))
            }
            found = trace.decisions.first { $0.outcome == .matched }
            return found != nil
        }
        return try #require(found)
    }

    func east(_ meters: Double) -> Place { Self.east(of: center, meters) }

    /// A point so many metres east of another.
    static func east(of place: Place, _ meters: Double) -> Place {
        let degrees = meters / (111_320 * cos(place.latitude * .pi / 180))
        return Place(latitude: place.latitude, longitude: place.longitude + degrees)
    }

    var garage: ParkedAt {
        let place = east(150)
        return ParkedAt(
            latitude: place.latitude, longitude: place.longitude, lot: "Main", level: "B2",
            bay: "17", keyTag: "K-17")
    }

    /// Between this town and the next.
    var wilderness: Place {
        Place(latitude: center.latitude, longitude: center.longitude + Self.step / 2)
    }

    func customer(_ name: String = "Ada", _ language: Language = .english) async throws -> Someone {
        try await Someone.customer(of: world.door, name, language)
    }

    /// A valet who can be given a job here: on shift, and seen by those who look for one.
    func valet(_ name: String = "Lee", _ meters: Double = 200) async throws -> Someone {
        let valet = try await Someone.valet(of: world, name)
        try await valet.begin(at: east(meters))
        return valet
    }
}

extension Tariff {
    static let usual = Tariff(
        currency: "HKD", baseFee: 8_000, freeMinutes: 15, incrementPrice: 2_500,
        incrementMinutes: 30, dailyCap: 48_000, extras: ["wash": 18_000, "refuel": 10_000],
        cancellationFee: 5_000, cancellationGraceSeconds: 120, noShowFee: 10_000,
        waitingSeconds: 300)

    /// Cancelling costs from the first moment.
    static let strict = usual.with { $0.cancellationGraceSeconds = 0 }

    /// Nothing is ever due.
    static let free = usual.with {
        $0.baseFee = 0
        $0.incrementPrice = 0
        $0.dailyCap = 0
    }

    /// Twice the price.
    static let dear = usual.with { $0.baseFee *= 2 }

    private func with(_ change: (inout Tariff) -> Void) -> Tariff {
        var copy = self
        change(&copy)
        return copy
    }
}
