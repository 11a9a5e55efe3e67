import Contracts
import Foundation
import Support
import Testing

@testable import Orders

/// The events as orders really publishes them, with fixed ids and times, held against the files
/// that readers decode. `WRITE_FIXTURES=1` writes the files anew.
struct ProducedFixtures {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "ContractTests/Fixtures")
    static let folder = fixtures.appending(path: "orders")

    static let orderID = OrderID("01900000-0000-7000-8000-000000000101")
    static let recognition = RecognitionID("01900000-0000-7000-8000-000000000701")

    /// Every event type of the topic, each as one journey leaves it.
    static let types: [any Event.Type] = allEvents.filter { $0.topic == .orders }

    private func bench() async throws -> Bench {
        let id = try #require(Self.orderID)
        let names = OrderNames(
            newID: { _ in id }, newTicket: { _ in "K7-42" }, newCode: { "4821" })
        let bench = try await Bench(names: names)
        let tesla = try #require(OrderVehicle.tesla.id)
        try await bench.hear(
            VehicleChanged(
                owner: TestPerson.alice.customer,
                vehicle: Vehicle(
                    id: tesla, plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white"),
                removed: false, version: 1))
        return bench
    }

    private func place(_ caller: Caller) async throws -> OrderID {
        caller.bench.clock.advance(by: 0.25)
        let body = PlaceOrderBody(
            dropOff: .central, vehicleId: OrderVehicle.tesla.id, extras: [.wash])
        return try await caller.call(.post, "/v1/orders", body, as: .alice)
            .expect(201, OrderView.self).id
    }

    /// What one journey published, the last event of each type.
    private func published(
        _ journey: @Sendable (Caller, OrderID) async throws -> Void
    ) async throws -> [String: Data] {
        let bench = try await bench()
        try await bench.run { caller in try await journey(caller, place(caller)) }
        var bodies: [String: Data] = [:]
        for type in Self.types { bodies[type.type] = try await last(type, in: bench) }
        return bodies
    }

    private func last<E: Event>(_ type: E.Type, in bench: Bench) async throws -> Data? {
        try await bench.published(type).last.map { try Wire.encode($0) }
    }

    private func allPublished() async throws -> [String: Data] {
        var all: [String: Data] = [:]
        let journeys: [@Sendable (Caller, OrderID) async throws -> Void] = [
            straight, unanswered, cancelled, withdrawn, returnUnfulfilled, recallCancelled,
            overridden, declined, guessed,
        ]
        for journey in journeys {
            all.merge(try await published(journey)) { first, _ in first }
        }
        all.merge(try await scheduled()) { first, _ in first }
        return all
    }

    @Test func everyEventIsAsItsFixture() async throws {
        let produced = try await allPublished()
        for type in Self.types {
            let data = try #require(produced[type.type], "nobody published \(type.type)")
            let file = Self.folder.appending(path: "\(type.type).json")
            if ProcessInfo.processInfo.environment["WRITE_FIXTURES"] == "1" {
                try write(data, to: file)
            }
            let json = try object(data)
            #expect(try object(Data(contentsOf: file)) == json, "\(type.type)")
            #expect(!String(decoding: data, as: UTF8.self).contains("4821"))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.types.map { "\($0.type).json" }))
    }

    private func expectFixture<E: Event>(of event: E) throws {
        let data = try Wire.encode(event)
        let file = Self.fixtures.appending(path: "\(E.topic.rawValue)/\(E.type).json")
        if ProcessInfo.processInfo.environment["WRITE_FIXTURES"] == "1" {
            try write(data, to: file)
        }
        #expect(try object(Data(contentsOf: file)) == object(data))
    }

    @Test func aNoticeIsAsItsFixture() async throws {
        let bench = try await bench()
        try await bench.run { caller in try await straight(caller, place(caller)) }
        let event = try #require(
            try await bench.published(NoticeIssued.self).last {
                $0.notice.cause == ValetAssigned.type
            })
        try expectFixture(of: event)
    }

    @Test func aNoticeOfABillIsAsItsFixture() async throws {
        let bench = try await bench()
        try await bench.run { caller in try await straight(caller, place(caller)) }
        let event = try #require(try await bench.published(BillNoticeIssued.self).last)
        try expectFixture(of: event)
    }

    @Test func whatAnOperatorDidIsAsItsFixture() async throws {
        let bench = try await bench()
        try await bench.run { caller in try await overridden(caller, place(caller)) }
        let event = try #require(try await bench.published(OperatorActed.self).last)
        try expectFixture(of: event)
    }

    @Test func theBillOfAReturnedVehicleIsAsItsFixture() async throws {
        let bench = try await bench()
        try await bench.run { caller in try await straight(caller, place(caller)) }
        let event = try #require(try await bench.published(BillChanged.self).last)
        try expectFixture(of: event)
    }

    @Test func whoDealsWithWhomIsAsItsFixture() async throws {
        let bench = try await bench()
        try await bench.run { caller in
            let id = try await place(caller)
            try await recall(caller, id)
            try await bench.match(id, .vera, etaSeconds: 300)
        }
        let event = try #require(try await bench.published(EngagementChanged.self).last)
        try expectFixture(of: event)
    }

    private func object(_ data: Data) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: data) as? NSDictionary)
    }

    private func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let pretty = try JSONSerialization.data(
            withJSONObject: object(data),
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try (pretty + Data("\n".utf8)).write(to: file)
    }

    // MARK: Journeys

    @Sendable private func park(_ caller: Caller, _ id: OrderID) async throws {
        let bench = caller.bench
        bench.clock.advance(by: 2)
        try await bench.match(id, .victor)
        bench.clock.advance(by: 238)
        try await caller.act("collect", id, CodeBody(code: "4821"), as: .victor)
        bench.clock.advance(by: 420)
        let recognition = try #require(Self.recognition)
        try await bench.hear(
            RecognitionMade(
                recognition: recognition, engagement: id.as(EngagementID.self),
                valet: TestPerson.victor.valet,
                plate: "AB1234", madeAt: bench.clock.now))
        try await caller.act(
            "park", id,
            ParkBody(at: .garage, vehicle: .tesla, recognitionId: recognition), as: .victor)
        bench.clock.advance(by: 5_400)
        let wash = TaskBody(kind: .wash)
        try await caller.act("take-task", id, wash, as: .victor)
        try await caller.act("complete-task", id, wash, as: .victor)
    }

    @Sendable private func recall(_ caller: Caller, _ id: OrderID) async throws {
        try await park(caller, id)
        try await caller.act("recall", id, RecallBody(returnTo: .mongKok), as: .alice)
        caller.bench.clock.advance(by: 2)
    }

    @Sendable private func straight(_ caller: Caller, _ id: OrderID) async throws {
        try await recall(caller, id)
        let bench = caller.bench
        try await bench.match(id, .vera, etaSeconds: 300)
        bench.clock.advance(by: 300)
        try await caller.act("retrieve", id, as: .vera)
        bench.clock.advance(by: 900)
        let view = try await caller.act("hand-back", id, CodeBody(code: "4821"), as: .vera)
        bench.clock.advance(by: 30)
        try await bench.pay(view)
    }

    @Sendable private func unanswered(_ caller: Caller, _ id: OrderID) async throws {
        let bench = caller.bench
        bench.clock.advance(by: 60)
        try await bench.parts.answers.repeatUnanswered()
        bench.clock.advance(by: 240)
        try await bench.parts.answers.announceOverdue()
        try await bench.hear(NoValetFound(order: id, leg: .known(.dropOff), attempt: 2))
    }

    @Sendable private func cancelled(_ caller: Caller, _ id: OrderID) async throws {
        try await caller.bench.match(id, .victor)
        caller.bench.clock.advance(by: 180)
        try await caller.act("cancel", id, ReasonBody(reason: "plans changed"), as: .alice)
    }

    @Sendable private func withdrawn(_ caller: Caller, _ id: OrderID) async throws {
        try await caller.bench.match(id, .victor)
        caller.bench.clock.advance(by: 30)
        try await caller.act("withdraw", id, ReasonBody(reason: "flat tyre"), as: .victor)
    }

    @Sendable private func returnUnfulfilled(_ caller: Caller, _ id: OrderID) async throws {
        try await recall(caller, id)
        try await caller.bench.hear(NoValetFound(order: id, leg: .known(.return), attempt: 1))
    }

    @Sendable private func recallCancelled(_ caller: Caller, _ id: OrderID) async throws {
        try await recall(caller, id)
        try await caller.bench.match(id, .vera, etaSeconds: 300)
        caller.bench.clock.advance(by: 10)
        try await caller.act("cancel-recall", id, as: .alice)
    }

    @Sendable private func declined(_ caller: Caller, _ id: OrderID) async throws {
        let bench = caller.bench
        try await bench.offerJobs(in: .central)
        try await bench.match(id, .victor)
        bench.clock.advance(by: 2)
        try await caller.act("decline", id, as: .victor)
    }

    @Sendable private func guessed(_ caller: Caller, _ id: OrderID) async throws {
        let bench = caller.bench
        try await bench.match(id, .victor)
        for _ in 1...2 {
            for _ in 1...5 {
                try await caller.call(
                    .post, "/v1/orders/\(id)/collect", CodeBody(code: "0000"), as: .victor
                ).refused(422, "order.wrong_code", field: "code")
            }
            bench.clock.advance(by: 60)
        }
    }

    private func scheduled() async throws -> [String: Data] {
        let bench = try await bench()
        try await bench.run { caller in
            bench.clock.advance(by: 0.25)
            let body = PlaceOrderBody(
                dropOff: .central, vehicleId: OrderVehicle.tesla.id,
                scheduledFor: bench.clock.now.addingTimeInterval(3_600))
            _ = try await caller.call(.post, "/v1/orders", body, as: .alice)
                .expect(201, OrderView.self)
        }
        let data = try await last(OrderScheduled.self, in: bench)
        return data.map { [OrderScheduled.type: $0] } ?? [:]
    }

    @Sendable private func overridden(_ caller: Caller, _ id: OrderID) async throws {
        try await recall(caller, id)
        try await caller.bench.match(id, .vera, etaSeconds: 300)
        _ = try await caller.call(
            .post, "/v1/admin/orders/\(id)/override",
            OverrideBody(status: .waitingForPayment, reason: "handed over in person"), as: .olivia
        ).expect(200, OrderView.self)
    }
}
