import Client
import Contracts
import Foundation
import Hummingbird
import Support
import Testing

@Suite(.serialized) struct SimulatorTests {
    @Test func aCityLivesForAMinuteAndEveryOrderHasItsEnd() async throws {
        // Of its own: a 5xx is a fault here, and on a busy machine signing up takes its time.
        let world = try await World(
            try await TestPlatform.start(["OPENVALET_GATEWAY_FORWARD_SECONDS": "60"]))
        defer { world.platform.stop() }
        try await world.boss(
            AreaEndpoints.putServiceArea(
                try #require(Simulated.village.id), body: Simulated.village))
        let arguments = [
            "--speed", "60", "--seed", "7", "--area", "village", "--url",
            world.system.baseURL.absoluteString, "--data", world.system.folder.path,
            "--commuters", "0",
        ]
        // On a busy machine people come slowly; the next run takes up where the last one ended.
        var orders: [OrderView] = []
        for _ in 0..<3 where !orders.contains(where: { $0.status == .finished }) {
            let simulated = try await Simulated.run(
                arguments + ["--valets", "6", "--customers", "12", "--minutes", "0.75"])
            #expect(simulated.status == 0, "\(simulated.output)")
            #expect(simulated.output.contains(Simulated.allWell))
            orders = try await world.boss(
                OrderEndpoints.allOrders(asks: AllOrdersQuery().page(limit: 200))
            ).items
            #expect(orders.allSatisfy { $0.status.isEnd })
        }
        #expect(orders.contains { $0.status == .finished })

        // Two of them again: nobody is made twice.
        let again = try await Simulated.run(
            arguments + ["--valets", "1", "--customers", "1", "--minutes", "0.5"])
        #expect(again.status == 0, "\(again.output)")
        #expect(again.output.contains("account.phone_taken"))
        #expect(try await world.boss(AccountEndpoints.valets(limit: 200)).items.count <= 6)
    }

    @Test func strangersAreServedAndServeAsIfTheyWereOfTheCast() async throws {
        let settings = [
            "OPENVALET_GATEWAY_FORWARD_SECONDS": "60", "OPENVALET_WEB_DEMO": #"{"accounts":[]}"#,
        ]
        let world = try await World(try await TestPlatform.start(settings))
        defer { world.platform.stop() }
        try await world.boss(
            AreaEndpoints.putServiceArea(
                try #require(Simulated.village.id), body: Simulated.village))
        let customer = try await Someone.customer(of: world.system)
        let valet = try await Someone.valet(of: world)
        // On a busy machine the stranger may come too late for a job; the next run has others.
        var served: Set<OrderLeg> = []
        for _ in 0..<3 where served != [.dropOff, .return] {
            served.formUnion(try await Self.live(in: world, customer, valet))
        }
        #expect(served == [.dropOff, .return])
    }

    /// Runs the simulation with a customer and a valet of ours in it. Returns the legs that our valet served.
    private static func live(
        in world: World, _ customer: Someone, _ valet: Someone
    ) async throws -> Set<OrderLeg> {
        let place = Simulated.village.properties.servicePoint
        let (legs, told) = AsyncStream<OrderLeg>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            async let simulated = Simulated.run([
                "--speed", "60", "--seed", "8", "--area", "village", "--url",
                world.system.baseURL.absoluteString, "--data", world.system.folder.path,
                "--valets", "1", "--customers", "5", "--commuters", "0", "--minutes", "0.75",
            ])
            let isOpen = try await eventually {
                try await !customer.client(
                    LocationEndpoints.nearbyValets(
                        asks: NearbyValetsQuery(around: place.coordinate))
                ).items.isEmpty
            }
            #expect(isOpen)
            let cast = try await handOver(as: customer, at: place)
            group.addTask { try await serve(as: valet, at: place) { told.yield($0) } }
            let payment = try await follow(cast, as: customer, at: place)
            #expect(payment.status == .succeeded)
            let outcome = try await simulated
            #expect(outcome.status == 0, "\(outcome.output)")
            group.cancelAll()
        }
        told.finish()
        // The next run begins with its own valets alone.
        try await valet.goHome()
        return await legs.reduce(into: Set()) { $0.insert($1) }
    }

    /// Orders until the simulated valet is free for it: the simulated customers want one, too.
    private static func handOver(
        as customer: Someone, at place: Place
    ) async throws -> OrderView {
        var order: OrderView?
        let hasValet = try await eventually {
            if let known = order, !known.status.isEnd {
                order = try await customer.client(OrderEndpoints.order(known.id))
            } else {
                order = try await customer.client(
                    OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: place)))
            }
            return order?.dropOffValet != nil
        }
        #expect(hasValet)
        return try #require(order)
    }

    /// The customer's side of an order with a simulated valet, to the payment.
    private static func follow(
        _ order: OrderView, as customer: Someone, at place: Place
    ) async throws -> Payment {
        let client = customer.client
        try await client(
            WebEndpoints.readOut(
                order.id, body: SpokenCode(leg: .dropOff, code: try #require(order.handoverCode))))
        var returning = try await customer.order(order.id, reaches: .parked)
        // It is parked again if nobody was free.
        let isComing = try await eventually {
            returning =
                returning.status == .parked
                ? try await client(
                    OrderEndpoints.recall(order.id, body: RecallBody(returnTo: place)))
                : try await client(OrderEndpoints.order(order.id))
            return returning.returnValet != nil
        }
        #expect(isComing)
        try await client(
            WebEndpoints.readOut(
                order.id, body: SpokenCode(leg: .return, code: try #require(returning.handoverCode))
            ))
        _ = try await customer.order(order.id, reaches: .waitingForPayment)
        return try await client.payWhenDue(order.id, PayBody(token: "pm_card_visa"))
    }

    /// On shift for as long as the task runs: takes what comes, and hears the codes of simulated customers.
    private static func serve(
        as valet: Someone, at place: Place, did: @Sendable (OrderLeg) -> Void
    ) async throws {
        let client = valet.client
        try await valet.begin(at: place)
        while true {
            try await Task.sleep(for: .milliseconds(200))
            do {
                try await valet.stand(at: place)
                guard
                    let order = try await client(
                        OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                else { continue }
                switch order.status {
                case .droppingOff:
                    guard
                        let code = try await client(
                            WebEndpoints.hear(order.id, asks: HearQuery(.dropOff)))?.code
                    else { continue }
                    _ = try await client(
                        OrderEndpoints.collect(order.id, body: CodeBody(code: code)))
                case .parking:
                    let body = ParkBody(
                        at: ParkedAt(latitude: place.latitude, longitude: place.longitude),
                        vehicle: Someone.car)
                    _ = try await client(OrderEndpoints.park(order.id, body: body))
                    did(.dropOff)
                case .requestingBack: _ = try await client(OrderEndpoints.retrieve(order.id))
                case .returningBack:
                    guard
                        let code = try await client(
                            WebEndpoints.hear(order.id, asks: HearQuery(.return)))?.code
                    else { continue }
                    _ = try await client(
                        OrderEndpoints.handBack(order.id, body: CodeBody(code: code)))
                    did(.return)
                default: continue
                }
            } catch is ClientError {
                // Somebody else was quicker, as a customer who cancels.
            }
        }
    }

    @Test func aGatewayThatFailsIsToldAndEndsWithOne() async throws {
        let folder = try TestFolder("simulate", ["operator-password": "a password\n"])
        let simulated = try await withServer(try Self.failingGateway()) { port in
            try await Simulated.run([
                "--valets", "1", "--customers", "1", "--commuters", "0", "--speed", "60",
                "--minutes", "0.25", "--area", "village", "--url", "http://127.0.0.1:\(port)",
                "--data", folder.path,
            ])
        }
        #expect(simulated.status == 1)
        #expect(simulated.output.contains("POST /v1/customers: 500 internal"))
        #expect(simulated.output.contains("POST /v1/admin/valets: 500 internal"))
        #expect(simulated.output.contains("Not well"))
    }

    @Test func aSystemThatIsNotThereEndsWithOneAndASentence() async throws {
        let folder = try TestFolder("simulate")
        let arguments = ["--url", "http://127.0.0.1:1", "--data", folder.path]
        let stranger = try await Simulated.run(arguments)
        #expect(stranger.status != 0)
        #expect(stranger.output.contains("There is no operator's password in"))
        try folder.write("a password\n", to: "operator-password")
        let alone = try await Simulated.run(arguments)
        #expect(alone.status == 1)
        #expect(alone.output.contains("Nobody answers at http://127.0.0.1:1"))
        #expect(!(stranger.output + alone.output).contains("Usage"))
    }

    /// Lets the operator in and shows an area; has nothing but 500 for everybody else.
    private static func failingGateway() throws -> Router<BasicRequestContext> {
        let operatorAccount = Account(
            id: .new(), roles: [.operator], firstName: "O", lastName: "P",
            phone: RunningSystem.operatorPhone, phoneVerified: true, language: .english,
            createdAt: Date())
        let tokens = Tokens(accessToken: "a", refreshToken: "r", expiresInSeconds: 900)
        let answers = [
            "/v1/sessions": try json(SignedIn(account: operatorAccount, tokens: tokens)),
            "/v1/service-areas": try json(ServiceAreaCollection(features: [Simulated.village])),
            "/v1/car-parks": try json(Page<CarParkSummary>(items: [], next: nil)),
            "GET /v1/admin/valets": try json(Page<ValetRecord>(items: [], next: nil)),
        ]
        let router = Router()
        for method in [HTTPRequest.Method.get, .put, .post] {
            router.on("**", method: method) { request, _ in
                let path = request.uri.path
                if let answer = answers[path] ?? answers["\(request.method.rawValue) \(path)"] {
                    return Self.response(.ok, answer)
                }
                return Self.response(
                    .internalServerError,
                    #"{"type":"about:blank","title":"Broken.","status":500,"code":"internal"}"#)
            }
        }
        return router
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try Wire.encode(value), as: UTF8.self)
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
