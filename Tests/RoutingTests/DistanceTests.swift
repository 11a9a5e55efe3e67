import Contracts
import Geo
import Synchronization
import Testing

@testable import Routing

/// Distances to many ends, of which a router may not know some.
struct DistanceTests {
    /// Roads lie along the equator from 0° to 1° east. As Valhalla does, it refuses all ends when one is far from them,
    /// and leads to the nearest road where one is not so far.
    private final class Equator: RoadRouter {
        private let state = Mutex(0)
        /// The error for ends that are far from its roads.
        let problem = Mutex(RoutingError.refused)
        var asked: Int { state.withLock { $0 } }

        func route(from start: Coordinate, to end: Coordinate) async throws -> Route {
            throw RoutingError.refused
        }

        func travelSeconds(
            from starts: [Coordinate], to ends: [Coordinate]
        ) async throws -> [[Double?]] { throw RoutingError.refused }

        func isochrone(
            around start: Coordinate, by mode: TravelMode, seconds: Int
        ) async throws -> AreaGeometry {
            state.withLock { $0 += 1 }
            return DistanceTests.square
        }

        func distances(
            from start: Coordinate, to ends: [Coordinate], by mode: TravelMode
        ) async throws -> [Distance?] {
            state.withLock { $0 += 1 }
            guard ([start] + ends).allSatisfy({ abs($0.latitude) < 0.5 }) else {
                throw problem.withLock { $0 }
            }
            return ends.map { end in
                guard end.longitude >= 0 else { return nil }
                let road = Coordinate(latitude: 0, longitude: min(1, end.longitude))
                let meters = Geo.distanceMeters(start, road) * 1.1
                return Distance(seconds: meters, meters: meters)
            }
        }
    }

    /// Around the beginning of the roads.
    fileprivate static let square: AreaGeometry = .polygon([
        [[-0.01, -0.01], [0.01, -0.01], [0.01, 0.01], [-0.01, 0.01], [-0.01, -0.01]]
    ])

    @Test func anIsochroneOfElsewhereIsNone() async {
        let roads = Roads(router, attribution: nil)
        func found(_ start: Coordinate) async -> AreaGeometry? {
            await roads.isochrone(around: start, by: .car, seconds: 600)
        }
        let (here, beside) = (await found(Self.at(0)), await found(Self.at(0.02)))
        #expect(here == Self.square && beside == Self.square)
        let away = await found(Self.at(0.04))
        #expect(away == nil)
        let asked = router.asked
        let poles = [await found(Self.at(0, north: -90)), await found(Self.at(0, north: 89))]
        #expect(poles == [nil, nil] && router.asked == asked)
    }

    private static func at(_ longitude: Double, north: Double = 0) -> Coordinate {
        Coordinate(latitude: north, longitude: longitude)
    }

    private let router = Equator()

    private func distances(
        _ ends: [Coordinate], from start: Coordinate = at(0)
    ) async -> (distances: [Distance?], source: RouteAnswer.Source) {
        await Roads(router, attribution: nil).distances(from: start, to: ends, by: .foot)
    }

    @Test(arguments: [RoutingError.refused, .offMap])
    func whatIsOffTheMapKeepsNoOtherFromItsWay(_ problem: RoutingError) async {
        router.problem.withLock { $0 = problem }
        var ends = (0..<300).map { Self.at(Double($0) / 1_000) }
        ends[123] = Self.at(0.1, north: 1)
        let (found, source) = await distances(ends)
        #expect(source == .router)
        let straight = found.indices.filter { found[$0]?.isStraightLine == true }
        #expect(straight == [123])
        #expect(router.asked < 20)
    }

    @Test func manyAreAskedAboutInTwoHalves() async {
        for (count, questions) in [(50, 1), (51, 2), (401, 2), (1_001, 3)] {
            let asked = router.asked
            let ends = (0..<count).map { Self.at(Double($0) / 2_000) }
            let (found, _) = await distances(ends)
            #expect(router.asked - asked == questions)
            for (end, distance) in zip(ends, found) {
                #expect(distance?.meters == Geo.distanceMeters(Self.at(0), end) * 1.1)
            }
        }
    }

    @Test func aWayThatEndsFarFromWhereItLeadsIsNone() async {
        let (found, source) = await distances([
            Self.at(0.5), Self.at(0.01, north: 0.1), Self.at(1.2),
        ])
        #expect(source == .router)
        #expect(found.map { $0?.isStraightLine } == [false, true, true])
    }

    @Test func whereThereIsNoWayThereIsNone() async {
        let (found, source) = await distances([Self.at(-0.1), Self.at(0.1)])
        #expect(source == .router && found[0] == nil && found[1]?.isStraightLine == false)
    }

    @Test func whoIsOffTheMapIsToldStraightLinesSoon() async {
        let ends = (0..<1_000).map { Self.at(Double($0) / 1_000) }
        let (found, source) = await distances(ends, from: Self.at(0, north: 2))
        let areStraight = found.allSatisfy { $0?.isStraightLine == true }
        #expect(source == .straightLine && areStraight)
        #expect(router.asked <= Roads.mostParts + 2)
    }
}
