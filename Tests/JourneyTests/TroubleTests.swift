import AsyncHTTPClient
import Client
import Contracts
import Foundation
import NIOCore
import NIOHTTP1
import Support
import Testing

/// Parts of the system are away, or die, in the middle of journeys.
///
/// One after the other on one system of their own; the last test ends it.
@Suite(.serialized) struct TroubleTests {
    // MARK: Away for a while

    @Test func whileTheBrokerDoesNotAnswerOrdersAreTakenAndTheirEventsLeaveLater() async throws {
        let world = try await City.troubled.world()
        let pair = try await Pair.meet(in: world)
        try world.processes.freeze("broker", true)
        let placed: OrderView
        do {
            defer { try? world.processes.freeze("broker", false) }
            placed = try await pair.customer.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
            #expect(placed.status == .requested)
            #expect(
                try await pair.customer.client(OrderEndpoints.order(placed.id)).status == .requested
            )
            #expect(try await pair.customer.client(AccountEndpoints.me()).firstName == "Ada")
            try await pair.valet.stand(at: pair.town.east(200))
        }
        let order = try await pair.customer.order(placed.id, hasValetFor: .dropOff)
        #expect(order.dropOffValet?.id == pair.valet.account.id)
    }

    @Test func whileRedisDoesNotAnswerWhatNeedsOnlySQLSucceedsAndTheRestSaysWhenToComeBack()
        async throws
    {
        let world = try await City.troubled.world()
        let pair = try await Pair.meet(in: world)
        let ada = pair.customer.client
        try world.processes.freeze("redis", true)
        let placed: OrderView
        do {
            defer { try? world.processes.freeze("redis", false) }
            placed = try await ada(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
            #expect(
                try await ada(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))?.id
                    == placed.id)
            _ = try await ada(AccountEndpoints.addVehicle(body: Someone.car))
            let client = world.processes.client()
            try await client.signIn(
                phone: pair.customer.account.phone, password: pair.customer.password)
            let position = #"{"latitude": 0.5, "longitude": 0}"#
            try await comeBackLater(pair.customer, .PUT, "/v1/me/location", position)
            let center = pair.town.center
            let query = "latitude=\(center.latitude)&longitude=\(center.longitude)"
            try await comeBackLater(pair.customer, .GET, "/v1/valets/nearby?\(query)", nil)
        }
        try await insisting { try await pair.valet.stand(at: pair.town.east(200)) }
        let order = try await pair.customer.order(placed.id, hasValetFor: .dropOff)
        #expect(order.dropOffValet?.id == pair.valet.account.id)
    }

    /// 503 with `Retry-After`, as problem+json.
    private func comeBackLater(
        _ person: Someone, _ method: HTTPMethod, _ path: String, _ body: String?
    ) async throws {
        let token = try #require(await person.client.session.tokens).accessToken
        var request = HTTPClientRequest(url: person.client.baseURL + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let data = Data(buffer: try await answer.body.collect(upTo: 64 * 1_024))
        #expect(answer.status == .serviceUnavailable)
        let seconds = answer.headers.first(name: "Retry-After").flatMap { Int($0) }
        #expect((1...60).contains(seconds ?? 0), "\(path)")
        #expect(try Wire.decode(Problem.self, from: data).code == "service.unavailable")
    }

    // MARK: Dead

    @Test func everyPartDiesOnceAndTheJourneyGoesOn() async throws {
        let world = try await City.troubled.world()
        let town = try await Town.found(in: world)
        let system = world.processes
        let ada = try await town.customer()
        let lee = try await Someone.valet(of: world)
        try await listening(to: ada) { heard in
            try await dies("accounts", system)
            _ = try await insisting {
                try await ada.client.signIn(phone: ada.account.phone, password: ada.password)
            }
            try await dies("areas", system)
            _ = try await insisting { try await ada.client(AreaEndpoints.serviceAreas()) }
            let pair = Pair(town: town, customer: ada, valet: lee)
            let order = try await takesOver(pair)
            let back = try await bringsBack(pair, order)
            try await settles(pair, back)
            #expect(try await heard.hears("orders.finished"))
            #expect(heard.sequences == Array(1...max(1, heard.sequences.count)), "no gap")
            #expect(heard.repeated.isEmpty)
        }
        #expect(!system.log.contains("unexpected error"))
    }

    /// Orders, matching, location, those who recognise plates, and gateway die on the way to the car park.
    private func takesOver(_ pair: Pair) async throws -> OrderID {
        let (ada, lee, system) = (pair.customer, pair.valet, pair.town.world.processes)
        let placed = try await ada.client(
            OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
        #expect(placed.status == .requested)
        try await dies("matching", system)
        try await insisting { try await lee.begin(at: pair.town.east(200)) }
        let order = try await ada.order(placed.id, hasValetFor: .dropOff)
        try await dies("location", system)
        try await insisting { try await lee.stand(at: pair.town.east(200)) }
        let isTracked = try await eventually {
            try await insisting { try await ada.client(LocationEndpoints.track(placed.id)) }.valet
                != nil
        }
        #expect(isTracked, "location knows the job that it had before")
        let code = try #require(order.handoverCode)
        _ = try await lee.client(OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        try await dies("orders", system)
        let collected = try await insisting {
            try await ada.client(OrderEndpoints.order(placed.id))
        }
        #expect(collected.status == .parking, "acknowledged, so kept")
        for part in ["plates", "alpr-stub"] {
            try await dies(part, system)
            _ = try await insisting(past: ["plates.recogniser_unavailable"]) {
                try await lee.client(
                    PlateEndpoints.recognisePlate(
                        asks: RecognitionQuery(of: placed.id.as(EngagementID.self)),
                        bytes: TestPicture.jpeg()))
            }
        }
        try await dies("gateway", system)
        _ = try await insisting { try await pair.park(placed.id) }
        return placed.id
    }

    /// Redis and the broker die on the way back.
    private func bringsBack(_ pair: Pair, _ id: OrderID) async throws -> OrderView {
        let (ada, lee, system) = (pair.customer, pair.valet, pair.town.world.processes)
        try await dies("redis", system)
        try await insisting { try await lee.stand(at: pair.town.east(200)) }
        try await ada.client(
            OrderEndpoints.recall(id, body: RecallBody(returnTo: pair.town.east(500))))
        try await dies("broker", system)
        try await insisting { try await lee.stand(at: pair.town.east(200)) }
        let recalled = try await ada.order(id, hasValetFor: .return)
        #expect(recalled.returnValet?.id == lee.account.id)
        _ = try await insisting { try await lee.client(OrderEndpoints.retrieve(id)) }
        let code = try #require(recalled.handoverCode)
        return try await insisting {
            try await lee.client(OrderEndpoints.handBack(id, body: CodeBody(code: code)))
        }
    }

    /// Payments, notifications, ratings and web die at the end.
    private func settles(_ pair: Pair, _ back: OrderView) async throws {
        let (ada, system) = (pair.customer, pair.town.world.processes)
        let key = RequestKey.new()
        let body = PayBody(token: "pm_card_visa")
        try await dies("payments", system)
        let payment = try await insisting {
            try await ada.client.payWhenDue(back.id, body, key: key)
        }
        #expect(payment.status == .succeeded)
        try await dies("payments", system)
        let again = try await insisting {
            try await ada.client(PaymentEndpoints.pay(back.id, body: InCurrency(body), key: key))
                .payment
        }
        #expect(again.id == payment.id, "the same payment")
        _ = try await ada.order(back.id, reaches: .finished)
        try await dies("notifications", system)
        _ = try await insisting { try await ada.feed(has: "orders.finished") }
        try await dies("ratings", system)
        try await insistingToRate(ada, back.id, RatingBody(stars: 5))
        try await dies("web", system)
        let page = HTTPClientRequest(url: ada.client.baseURL + "/")
        let isThere = try await eventually {
            try await HTTPClient.shared.execute(page, timeout: .seconds(5)).status == .ok
        }
        #expect(isThere)
        #expect(try await pair.payments().map(\.id) == [payment.id])
    }

    /// `kill -9`; returns when `up` has brought it back and everybody is ready.
    private func dies(_ part: String, _ system: RunningSystem) async throws {
        let old = try system.processes(part)
        try system.kill(part)
        #expect(try await system.restarted(part, since: old), "\(part) did not come back")
    }

    @Test func eachMayOpenAllThatItCanAndKeepsItToItself() async throws {
        let system = try await City.troubled.world().processes
        for part in ["gateway", "orders"] {
            let process = try #require(try system.processes(part).first)
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
            let words = try #require(line).split(separator: " ")
            #expect(words[3] == words[4], "\(part)")
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: system.folder.path)
        #expect(files.contains("orders.sqlite") || TestDatabases.arePostgres)
        for file in files {
            let path = system.folder.appending(path: file).path
            // One that came and went is no matter; a link has no rights of its own.
            guard let rights = try? FileManager.default.attributesOfItem(atPath: path),
                rights[.type] as? FileAttributeType != .typeSymbolicLink
            else { continue }
            let mode = (rights[.posixPermissions] as? NSNumber)?.intValue ?? 0
            #expect(mode & 0o077 == 0, "\(file)")
        }
    }

    @Test func withItsSupervisorEverythingEndsAndANewOneGoesOnFromThere() async throws {
        let world = try await City.troubled.world()
        let old = try await Pair.meet(in: world)
        let collected = try await old.collect()
        let processes = try world.processes.everyProcess()
        #expect(processes.count >= 11)
        try world.processes.kill("up")
        try await areGone(processes)

        let system = try await RunningSystem.start(folder: world.processes.folder)
        defer { system.stop() }
        let pair = Pair(
            town: old.town, customer: try await old.customer.moved(to: system),
            valet: try await old.valet.moved(to: system))
        #expect(
            try await pair.customer.client(OrderEndpoints.order(collected.id)).status == .parking)
        _ = try await pair.park(collected.id)
        let back = try await pair.handBack(try await pair.recall(collected.id))
        try await pair.customer.client.payWhenDue(back.id, PayBody(token: "pm_card_visa"))
        _ = try await pair.customer.order(back.id, reaches: .finished)
        let feed = try await pair.customer.feed(has: "orders.finished")
        #expect(feed.map(\.sequence) == feed.map(\.sequence).sorted())
        #expect(Set(feed.map(\.event)).isSuperset(of: ["orders.vehicle-collected.v1"]))

        // Asked to stop, it leaves as little behind.
        let others = try system.everyProcess()
        system.stop()
        try await areGone(others)
        // What it printed last may be under way still.
        let hasSaidSo = try await eventually { system.log.contains("Stopped.") }
        #expect(hasSaidSo)
    }

    private func areGone(_ processes: [Int32]) async throws {
        let isGone = try await eventually {
            processes.allSatisfy { !isAlive($0) }
        }
        #expect(isGone, "left behind: \(processes.filter(isAlive))")
    }

    /// Neither gone nor a dead one whom nobody has asked for yet.
    private func isAlive(_ process: Int32) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        else { return false }
        return stat.split(separator: ")").last?.split(separator: " ").first != "Z"
    }
}
