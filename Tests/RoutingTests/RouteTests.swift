import Foundation
import Geo
import Testing

@testable import Routing

@Suite struct PolylineTests {
    private func degrees(_ text: String) throws -> [[Double]] {
        try Polyline.decode(text).map { [$0.latitude, $0.longitude] }
    }

    /// The example of the format's own description, which has five decimals instead of six.
    @Test func theExampleOfTheDescriptionIsRead() throws {
        let points = try degrees("_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(points == [[3.85, -12.02], [4.07, -12.095], [4.3252, -12.6453]])
    }

    @Test func nothingIsNoPoint() throws { #expect(try degrees("").isEmpty) }

    @Test(arguments: [
        "_p~iF", "_p~iF~ps|", " ", "é", "_p~iF ~ps|U", String(repeating: "~", count: 40),
        "_____________", "~~~~~~~?~~~~~~~?",
    ])
    func whatIsNoLineIsRefused(_ text: String) {
        #expect(throws: RoutingError.away) { try Polyline.decode(text) }
    }

    @Test func aLineIsNotLongerThanTheLimit() throws {
        let most = String(repeating: "??", count: Polyline.mostPoints)
        #expect(try Polyline.decode(most).count == Polyline.mostPoints)
        #expect(throws: RoutingError.away) { try Polyline.decode(most + "??") }
    }
}

@Suite struct StraightLineTests {
    private let start = Coordinate(latitude: 22.28, longitude: 114.15)

    @Test func aHundredMetersTakeTwentySeconds() {
        #expect(StraightLine.seconds(meters: 100) == 20)
        #expect(StraightLine.seconds(meters: 0) == 0)
    }

    @Test func streetsAreLongerThanTheLine() {
        let end = Geo.destination(from: start, bearingDegrees: 90, distanceMeters: 1_000)
        let route = StraightLine.route(from: start, to: end)
        #expect(route.points == [start, end])
        #expect(abs(route.distanceMeters - 1_300) < 0.1)
        #expect(abs(route.durationSeconds - 200) < 0.1)
        let along = route.distanceMeters / StraightLine.metersPerSecond
        #expect(abs(along - route.durationSeconds) < 1e-9)
    }

    @Test func withoutARouterEverythingIsAStraightLine() async {
        let roads = Roads(nil, attribution: "somebody")
        #expect(!roads.hasRouter)
        let found = await roads.route(from: start, to: start)
        #expect(found.source == .straightLine)
        #expect(found.route.points == [start, start])
        #expect(await roads.travelSeconds(from: [start], to: [start]) == nil)
    }
}

@Suite struct PaceTests {
    @Test func whoWouldWaitTooLongIsSentAwayAtOnce() async throws {
        let limiter = RateLimiter(perSecond: 0.01)
        #expect(try await limiter.turn(within: .seconds(1)))
        #expect(try await !limiter.turn(within: .seconds(1)))
        #expect(try await !limiter.turn(within: .seconds(1)))
    }

    @Test func turnsAreFarEnoughApart() async throws {
        let limiter = RateLimiter(perSecond: 50)
        let start = ContinuousClock.now
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 {
                group.addTask { (try? await limiter.turn(within: .seconds(60))) ?? false }
            }
            for await isGiven in group { #expect(isGiven) }
        }
        // Five turns have four pauses of 20 ms between them: never less.
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }
}
