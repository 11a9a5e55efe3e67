import AsyncHTTPClient
import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// The city that comes with the project, as `up` serves it without a network and without a setting.
@Suite(
    .serialized,
    .enabled(
        if: HouseMaps.toolsAreThere,
        "What makes maps is missing: .ci/setup --also maps, and make .venv/installed."))
struct ShippedCityTests {
    private let corner = Place(latitude: 60.1692, longitude: 24.9375)
    private let market = Place(latitude: 60.1666, longitude: 24.9487)
    /// In the village that is drawn for MapsTests, and a square of zoom 14 in which that lies.
    private let village = (
        middle: Coordinate(latitude: 35.502, longitude: 18.0025), tile: "/tiles/14/9011/6461"
    )

    @Test func anOrderHasAStreetAndAWayWhileMapsComeAndTheRouterDies() async throws {
        let maps = try HouseMaps()
        try maps.add(ChildProcess.script("../data/helsinki.osm.pbf"))
        let environment = HouseMaps.environment.merging([
            // A busy machine is no router that hangs.
            "OPENVALET_ROUTER_SECONDS": "30"
        ]) { $1 }
        let system = try await RunningSystem.start(folder: maps.data, environment: environment)
        defer { system.stop() }
        let town = try await Town.helsinki(of: system)
        let ada = try await town.customer()
        let lee = try await Someone.valet(of: town.world)
        try await routerServes(maps)
        try await lee.begin(at: market)

        try await vendorsAreWithinReach(ada)
        let order = try await placedWithAnAddress(ada)
        try await comesAlongStreets(ada, order, lee, town)
        try await villageComesWhileItRuns(maps, system, ada)
        try await routerDiesAndComesBack(system, ada, order)
    }

    /// It starts when the house does, and again when there are other roads.
    private func routerServes(_ maps: HouseMaps) async throws {
        let isThere = try await eventually {
            guard let address = try? HouseRouter.address(in: maps.data) else { return false }
            let answer = try? await HTTPClient.shared.execute(
                HTTPClientRequest(url: "\(address)/status"), timeout: .seconds(10))
            return answer?.status == .ok
        }
        #expect(isThere, "no router")
    }

    /// Those of the map, along its streets, and by its lines' made-up times.
    private func vendorsAreWithinReach(_ ada: Someone) async throws {
        var found: VendorsAnswer?
        _ = try await eventually {
            found = try await ada.client(
                VendorEndpoints.vendors(asks: FindVendorsQuery(near: corner.coordinate)).asMyself())
            return found?.items.contains { !$0.reach.isStraightLine } == true
        }
        let answer = try #require(found)
        #expect(answer.items.count > 10 && answer.attribution == "© OpenStreetMap contributors")
        let vendor = try #require(answer.items.first)
        #expect(!vendor.address.isEmpty && vendor.reach.mode == .walk)
        let whole = try await ada.client(VendorEndpoints.vendor(vendor.id))
        #expect(whole.timeZone == "Europe/Helsinki" && whole.sources == ["osm"])
        let route = try #require(
            try await ada.client(
                PlaceEndpoints.routes(
                    asks: RoutesQuery(from: corner.coordinate, to: market.coordinate).with(
                        \.mode, .walk)
                ).asMyself().speaking(.english)
            ).items.first)
        #expect(!route.isStraightLine && route.steps.count > 2)
        let first = try #require(route.steps.first).text
        #expect(first == "Set off." || first.hasPrefix("Head along "), "\(first)")
        let rides = try await ada.client(
            PlaceEndpoints.routes(
                asks: RoutesQuery(from: corner.coordinate, to: market.coordinate).with(
                    \.mode, .train)
            ).asMyself())
        #expect(rides.items.allSatisfy { !$0.legs.isEmpty })
    }

    /// No tap waits long for words: on a busy machine one may go without.
    private func placedWithAnAddress(_ ada: Someone) async throws -> OrderID {
        var placed: OrderView?
        _ = try await eventually {
            let order = try await ada.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: corner)))
            placed = order
            guard order.dropOff.address == nil else { return true }
            try await ada.client(OrderEndpoints.cancel(order.id, body: ReasonBody()))
            return false
        }
        let order = try #require(placed)
        #expect(order.dropOff.address == "Simonkatu 4, Helsinki")
        return order.id
    }

    /// And the router's times said who.
    private func comesAlongStreets(
        _ ada: Someone, _ order: OrderID, _ lee: Someone, _ town: Town
    ) async throws {
        let matched = try await ada.order(order, reaches: .droppingOff)
        #expect(matched.dropOffValet?.id == lee.account.id)
        let route = try await route(ada, order, from: .router)
        #expect(route.geometry.coordinates.count > 2)
        #expect(route.attribution == "© OpenStreetMap contributors")
        #expect(try await town.decision(on: order).travelTimes == .router)
    }

    /// What was remembered of a way is soon forgotten, and location may hear of an assignment late.
    private func route(
        _ ada: Someone, _ order: OrderID, from source: RouteAnswer.Source
    ) async throws -> RouteAnswer {
        var found: RouteAnswer?
        let isFound = try await eventually {
            do {
                found = try await ada.client(LocationEndpoints.route(order))
            } catch let error as ClientError where [404, 409].contains(error.status ?? 0) {
                found = nil
            }
            return found?.source == source
        }
        #expect(isFound, "no way of \(source)")
        return try #require(found)
    }

    private func villageComesWhileItRuns(
        _ maps: HouseMaps, _ system: RunningSystem, _ ada: Someone
    ) async throws {
        #expect(try await ada.client.maps().maps.map(\.name) == ["helsinki"])
        #expect(
            try await ada.client(PlaceEndpoints.placesAround(asks: PointQuery(village.middle)))
                .source == .coordinates)
        #expect(try await status(system, village.tile) == 204)

        try maps.add(try maps.drawnVillage())

        #expect(
            try await eventually {
                try await ada.client.maps().maps.map(\.name).sorted() == ["carob", "helsinki"]
            })
        #expect(try await status(system, village.tile) == 200)
        let found = try await ada.client(
            PlaceEndpoints.placesAround(asks: PointQuery(village.middle)))
        #expect(found.source == .map)
        #expect(found.items.first != nil)
        #expect(
            try await ada.client(PlaceEndpoints.placesAround(asks: PointQuery(corner.coordinate)))
                .source == .map)
    }

    private func status(_ system: RunningSystem, _ path: String) async throws -> UInt {
        let request = HTTPClientRequest(url: system.baseURL.absoluteString + path)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        return answer.status.code
    }

    private func routerDiesAndComesBack(
        _ system: RunningSystem, _ ada: Someone, _ order: OrderID
    ) async throws {
        // Whenever it is started again, for as long as a way of it is remembered.
        var straight = try await ada.client(LocationEndpoints.route(order))
        _ = try await eventually {
            try? system.kill("router")
            straight = try await ada.client(LocationEndpoints.route(order))
            return straight.source == .straightLine
        }
        #expect(straight.source == .straightLine)
        #expect(straight.geometry.coordinates.count == 2)
        #expect(straight.attribution == nil)
        let again = try await route(ada, order, from: .router)
        #expect(again.geometry.coordinates.count > 2)
    }
}

/// A data folder with maps of the house's own, which `up` takes up.
private struct HouseMaps {
    static let routers = (try? ChildProcess.installed("routers")) ?? ""
    static let environment = ["OPENVALET_VALHALLA": routers]
    private static let tool = RunningSystem.debugBinaries.appending(path: "openvalet").path
    static let toolsAreThere =
        !routers.isEmpty
        && ["osmium", "tilemaker"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }

    private let folder: TestFolder

    init() throws { folder = try TestFolder("city") }

    var data: URL { folder.url.appending(path: "data") }

    /// As `openvalet map add` does for everybody.
    func add(_ extract: String) throws {
        _ = try Command.output(
            Self.tool, ["map", "add", extract, "--data", data.path], Self.environment)
    }

    /// Its extract.
    func drawnVillage() throws -> String {
        let file = folder.url.appending(path: "carob.osm.pbf").path
        _ = try Command.output(
            "/usr/bin/osmium",
            ["cat", ChildProcess.script("MapsTests/Villages/carob.osm"), "-o", file])
        return file
    }
}
