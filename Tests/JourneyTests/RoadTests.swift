import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// A town with roads: the city of the project, and a router that knows it. Then the router dies.
@Suite(.serialized)
struct RoadTests {
    /// Customers beside the station.
    private func helsinki(_ system: any LocalSystem) async throws -> Town {
        let town = try await Town.helsinki(of: system)
        return Town(world: town.world, id: town.id, center: Place(TestMap.station))
    }

    private func valet(of town: Town, _ name: String, at point: Coordinate) async throws -> Someone
    {
        let valet = try await Someone.valet(of: town.world, name)
        try await valet.begin(at: Place(point))
        return valet
    }

    @Test func theWayFollowsRoadsUntilTheRouterDies() async throws {
        let router = try await TestRouter.start(.valhalla)
        let system = try await TestPlatform.start([
            "OPENVALET_ROUTER": "valhalla", "OPENVALET_ROUTER_URL": router.url.absoluteString,
            // A busy machine is no router that hangs.
            "OPENVALET_ROUTER_SECONDS": "30",
            // Soon the third step, which reaches both valets.
            "OPENVALET_MATCHING_PATIENCE_SECONDS": "12",
        ])
        defer { system.stop() }
        let town = try await helsinki(system)
        let along = try await valet(of: town, "Lee", at: TestMap.along)
        let around = try await valet(of: town, "Max", at: TestMap.around)
        let order = try await roadsDecide(town, along, around)
        try await theWayFollowsRoads(town, order, along, around)

        try await router.stop()
        try await everythingGoesOn(town, order, along, around)
    }

    /// The valet who is nearer by road is chosen, though the other is nearer in a straight line.
    private func roadsDecide(
        _ town: Town, _ along: Someone, _ around: Someone
    ) async throws -> (customer: Someone, id: OrderID) {
        let ada = try await town.customer()
        try await along.stand(at: Place(TestMap.along))
        try await around.stand(at: Place(TestMap.around))
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)).waiting(20))
        let matched = try await ada.order(placed.id, reaches: .droppingOff)
        #expect(matched.dropOffValet?.id == along.account.id)
        let decision = try await town.decision(on: placed.id)
        #expect(decision.travelTimes == .router)
        #expect(decision.candidates.map(\.valet) == [around.valetID, along.valetID])
        let times = decision.candidates.map(\.travelSeconds)
        #expect(times.first ?? 0 > times.last ?? 0)
        #expect(matched.etaSeconds.map(Double.init) == times.last?.rounded(.up))
        return (ada, placed.id)
    }

    private func theWayFollowsRoads(
        _ town: Town, _ order: (customer: Someone, id: OrderID), _ valet: Someone,
        _ other: Someone
    ) async throws {
        var found: RouteAnswer?
        // Location may hear of the assignment a moment after the customer.
        _ = try await eventually {
            do {
                found = try await order.customer.client(LocationEndpoints.route(order.id))
            } catch let error as ClientError where [404, 409].contains(error.status ?? 0) {
                found = nil
            }
            return found?.source == .router
        }
        let route = try #require(found)
        #expect(route.source == .router)
        #expect(route.attribution == "© OpenStreetMap contributors")
        let line = route.geometry.coordinates
        #expect(line.count > 10)
        #expect(line.first == [TestMap.along.longitude, TestMap.along.latitude])
        #expect(line.last == [town.center.longitude, town.center.latitude])
        let crow = Geo.distanceMeters(TestMap.along, town.center.coordinate)
        #expect(route.distanceMeters > crow)
        #expect(try await valet.client(LocationEndpoints.route(order.id)) == route)
        try await refused("order.unknown") {
            _ = try await other.client(LocationEndpoints.route(order.id))
        }
        let typed = try await order.customer.client(
            PlaceEndpoints.places(asks: FindPlacesQuery("60.1770, 24.9414")))
        #expect(typed.source == .coordinates)
        #expect(typed.items.map(\.latitude) == [60.177])
    }

    private func everythingGoesOn(
        _ town: Town, _ order: (customer: Someone, id: OrderID), _ valet: Someone,
        _ other: Someone
    ) async throws {
        // What was remembered of the router's ways is soon forgotten.
        let isStraight = try await eventually {
            try await order.customer.client(LocationEndpoints.route(order.id)).source
                == .straightLine
        }
        #expect(isStraight)
        let route = try await order.customer.client(LocationEndpoints.route(order.id))
        #expect(route.geometry.coordinates.count == 2)
        #expect(route.attribution == nil)

        let bob = try await town.customer("Bob")
        try await other.stand(at: Place(TestMap.around))
        let placed = try await bob.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: town.center)).waiting(20))
        _ = try await bob.order(placed.id, reaches: .droppingOff)
        let decision = try await town.decision(on: placed.id)
        #expect(decision.travelTimes == .straightLine)
        #expect(decision.candidates.first { $0.chosen }?.valet == other.valetID)

        let code = try #require(
            try await order.customer.client(OrderEndpoints.order(order.id)).handoverCode)
        let collected = try await valet.client(
            OrderEndpoints.collect(order.id, body: CodeBody(code: code)))
        #expect(collected.status == .parking)
        // Location may hear of it a moment later.
        let hasNone = try await eventually {
            do {
                _ = try await order.customer.client(LocationEndpoints.route(order.id))
                return false
            } catch let error as ClientError {
                return error.code == "location.no_route"
            }
        }
        #expect(hasNone)
    }
}
