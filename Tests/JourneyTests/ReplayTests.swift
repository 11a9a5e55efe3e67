import Client
import Contracts
import Foundation
import Support
import Testing

/// Every event comes again, in the middle of journeys and after them: the outcome is the same.
@Suite(.serialized) struct ReplayTests {
    /// What a journey leaves behind at every place.
    private struct Traces {
        var order: OrderView
        var customerFeed: [String]
        var valetFeed: [String]
        var payments: [PaymentEntry]
        var stars: RatingSummary
        var nextJob: OrderID?
    }

    @Test func replayedEventsChangeNothingAndTheJourneyGoesOn() async throws {
        let begin = Date().addingTimeInterval(-60)
        let pair = try await Pair.meet(in: try await City.ofProcesses.world())
        let system = pair.town.world.processes
        let placed = try await pair.order()
        try await replay(system, since: begin)
        #expect(
            try await pair.customer.client(OrderEndpoints.order(placed.id)).version
                == placed.version)

        let code = try #require(placed.handoverCode)
        _ = try await pair.valet.client(
            OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        let parked = try await pair.park(placed.id)
        try await replay(system, since: begin)
        #expect(
            try await pair.customer.client(OrderEndpoints.order(placed.id)).version
                == parked.version)

        let back = try await pair.handBack(try await pair.recall(placed.id))
        try await replay(system, since: begin)
        #expect(
            try await pair.customer.client(OrderEndpoints.order(placed.id)).version == back.version)

        try await pair.customer.client.payWhenDue(placed.id, PayBody(token: "pm_card_visa"))
        _ = try await pair.customer.order(placed.id, reaches: .finished)
        try await insistingToRate(pair.customer, placed.id, RatingBody(stars: 2))
        #expect(try await quiet(system))
        // Orders hears of the stars last.
        let isKnown = try await eventually {
            try await pair.customer.client(OrderEndpoints.order(placed.id)).dropOffValet?.rating
                == 2
        }
        #expect(isKnown)
        // The last lines of each service that speaks to them, which come one by one.
        _ = try await pair.customer.feed(has: "orders.finished")
        _ = try await pair.customer.feed(has: PaymentSucceeded.type)
        _ = try await pair.valet.feed(has: RatingGiven.type)
        let before = try await traces(of: pair, placed.id)
        #expect(before.payments.count == 1)
        #expect(before.stars == RatingSummary(average: 2, count: 1))
        #expect(Set(before.customerFeed).count == before.customerFeed.count, "no line twice")
        try await replay(system, since: begin)
        try await replay(system, since: begin)
        let after = try await traces(of: pair, placed.id)
        #expect(after.order == before.order)
        #expect(after.customerFeed == before.customerFeed)
        #expect(after.valetFeed == before.valetFeed)
        #expect(after.payments == before.payments)
        #expect(after.stars == before.stars)
        #expect(after.nextJob == before.nextJob)
        #expect(try await pair.town.world.boss(NotificationEndpoints.deadLetters()).items.isEmpty)

        // The valet is as free as before: the replayed assignment gave them no old job.
        try await pair.valet.stand(at: pair.town.east(200))
        let next = try await pair.order()
        #expect(next.id != placed.id)
    }

    @Test func aCancelledOrderStaysCancelledWhenItsBeginningComesAgain() async throws {
        let begin = Date().addingTimeInterval(-60)
        let pair = try await Pair.meet(in: try await City.ofProcesses.world(), .strict)
        let order = try await pair.order()
        let cancelled = try await pair.customer.client(
            OrderEndpoints.cancel(order.id, body: ReasonBody()))
        _ = try await pair.customer.feed(has: "orders.cancelled")
        try await replay(pair.town.world.processes, since: begin)
        #expect(
            try await pair.customer.client(OrderEndpoints.order(order.id)).version
                == cancelled.version)
        #expect(
            try await pair.valet.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                == nil)
        try await pair.valet.goHome()
    }

    private func traces(of pair: Pair, _ id: OrderID) async throws -> Traces {
        let (ada, lee) = (pair.customer.client, pair.valet.client)
        func lines(_ items: [FeedItem]) -> [String] { items.map { "\($0.sequence) \($0.event)" } }
        return Traces(
            order: try await ada(OrderEndpoints.order(id)),
            customerFeed: lines(
                try await ada(NotificationEndpoints.notifications(limit: 200)).items),
            valetFeed: lines(try await lee(NotificationEndpoints.notifications(limit: 200)).items),
            payments: try await ada(PaymentEndpoints.payments(asks: PaymentsQuery())).items,
            stars: try await lee(RatingEndpoints.rating(pair.valet.account.id)),
            nextJob: try await lee(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))?.id)
    }

    /// `openvalet replay` beside the running system, and until everybody has read all of it.
    private func replay(_ system: RunningSystem, since: Date) async throws {
        let output = try await Tool.run(
            "replay", "--since", Wire.text(since), "--data", system.folder.path)
        for service in ["accounts", "areas", "orders", "payments", "ratings", "notifications"] {
            #expect(output.contains("\(service): "), "\(output)")
        }
        #expect(try await quiet(system))
    }

    private func quiet(_ system: RunningSystem) async throws -> Bool {
        // Other tests of this system go on: a moment without anything to do comes all the same.
        try await eventually { try await system.hasReadEverything() }
    }
}

/// The `openvalet` tool as somebody's shell runs it.
enum Tool {
    struct Failure: Error {
        let status: Int32
        let output: String
    }

    static func run(_ arguments: String...) async throws -> String {
        let process = Process()
        process.executableURL = RunningSystem.debugBinaries.appending(path: "openvalet")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard status == 0 else { throw Failure(status: status, output: text) }
        return text
    }
}
