import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// What a live stream has said so far.
final class Heard: Sendable {
    private let events = Mutex<[StreamEvent]>([])

    func add(_ event: StreamEvent) { events.withLock { $0.append(event) } }

    var all: [StreamEvent] { events.withLock { $0 } }

    /// Lines of the feed, each once: an order and its text come as two messages.
    var items: [FeedItem] {
        all.reduce(into: []) { items, event in
            switch event {
            case .order(let item), .notification(let item):
                if items.last?.sequence != item.sequence { items.append(item) }
            case .position: break
            }
        }
    }

    var sequences: [Int] { items.map(\.sequence) }

    var positions: [LivePosition] {
        all.compactMap { if case .position(let position) = $0 { position } else { nil } }
    }

    /// Messages that say the same again.
    var repeated: [String] {
        let names = all.compactMap { event -> String? in
            switch event {
            case .order(let item): "order \(item.sequence)"
            case .notification(let item): "notification \(item.sequence)"
            case .position: nil
            }
        }
        return Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.map(\.key)
    }

    func hears(_ event: String) async throws -> Bool {
        try await eventually { items.contains { $0.event.hasPrefix(event) } }
    }
}

/// Listens to a person's live stream while the body runs.
func listening<Result: Sendable>(
    to person: Someone, after id: Int = 0, _ body: @Sendable (Heard) async throws -> Result
) async throws -> Result {
    let heard = Heard()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            for try await event in person.client.stream(lastEventID: id) { heard.add(event) }
        }
        defer { group.cancelAll() }
        return try await body(heard)
    }
}

/// Each event reaches the right people, in order, and nobody else.
@Suite(.serialized) struct StreamTests {
    @Test func bothSidesHearOfEveryStep() async throws {
        let pair = try await Pair.meet()
        try await listening(to: pair.customer) { ada in
            try await listening(to: pair.valet) { lee in
                let (order, _) = try await pair.finish()
                #expect(try await ada.hears("orders.finished"))
                #expect(try await ada.hears("payments.payment-succeeded"))
                #expect(try await lee.hears("orders.finished"))
                checkCustomer(ada, order)
                checkValet(lee, order)
            }
        }
    }

    private func checkCustomer(_ heard: Heard, _ order: OrderView) {
        let events = heard.items.map(\.event)
        let steps = [
            "orders.drop-off-requested", "orders.valet-assigned", "orders.vehicle-collected",
            "orders.vehicle-parked", "orders.return-requested", "orders.valet-assigned",
            "orders.vehicle-retrieved", "orders.vehicle-returned", "orders.finished",
        ].map { "\($0).v1" }
        #expect(events.filter { $0.hasPrefix("orders.") } == steps, "in this order")
        #expect(heard.sequences == Array(1...heard.sequences.count), "without a gap")
        #expect(heard.repeated.isEmpty)
        let snapshots = heard.items.compactMap(\.order).filter { $0.id == order.id }
        #expect(snapshots.map(\.version) == snapshots.map(\.version).sorted())
        #expect(snapshots.last?.status.known == .finished)
        let collected = heard.items.first { $0.event == "orders.vehicle-collected.v1" }
        #expect(collected?.title == "Your vehicle is in our hands")
        #expect(collected?.text == "Your valet is parking it now.")
    }

    private func checkValet(_ heard: Heard, _ order: OrderView) {
        let events = heard.items.map(\.event)
        let steps = [
            "orders.valet-assigned", "orders.vehicle-collected", "orders.vehicle-parked",
            "orders.valet-assigned", "orders.vehicle-retrieved", "orders.vehicle-returned",
            "orders.finished",
        ].map { "\($0).v1" }
        #expect(events == steps)
        #expect(heard.sequences == Array(1...max(1, heard.sequences.count)))
        #expect(heard.items.first?.title == "New job")
    }

    @Test func whoWasAwayCatchesUpWithoutGapOrDuplicate() async throws {
        let pair = try await Pair.meet()
        let (placed, first) = try await listening(to: pair.customer) { heard in
            let order = try await pair.order()
            #expect(try await heard.hears("orders.valet-assigned"))
            return (order, heard.all)
        }
        let last = try #require(first.compactMap(\.resumeID).last)
        // Nobody listens while the vehicle is taken and parked.
        let code = try #require(placed.handoverCode)
        _ = try await pair.valet.client(
            OrderEndpoints.collect(placed.id, body: CodeBody(code: code)))
        _ = try await pair.park(placed.id)
        _ = try await pair.customer.feed(has: "orders.vehicle-parked")
        try await listening(to: pair.customer, after: last) { heard in
            #expect(try await heard.hears("orders.vehicle-parked"))
            _ = try await pair.handBack(try await pair.recall(placed.id))
            #expect(try await heard.hears("orders.vehicle-returned"))
            #expect(heard.sequences == Array(last + 1..<last + 1 + heard.sequences.count))
            #expect(heard.repeated.isEmpty)
            #expect(heard.items.first?.event != "orders.drop-off-requested.v1")
        }
    }

    @Test func aValetsPositionsReachTheCustomerWhomTheyServeAndNobodyElse() async throws {
        let pair = try await Pair.meet()
        let eve = try await pair.town.customer("Eve")
        try await listening(to: eve) { stranger in
            try await listening(to: pair.customer) { served in
                let order = try await pair.order()
                try await isFollowed(pair, served, 200)
                let position = try #require(served.positions.last)
                #expect(position.person == pair.valet.account.id)
                #expect(position.engagement == order.id.as(EngagementID.self))
                #expect(position.role == .valet)
                let code = try #require(order.handoverCode)
                _ = try await pair.valet.client(
                    OrderEndpoints.collect(order.id, body: CodeBody(code: code)))
                _ = try await pair.park(order.id)
                #expect(try await served.hears("orders.vehicle-parked"))
            }
            // The stranger's own stream works: it tells of an order of their own.
            let placed = try await eve.client(
                OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: pair.town.center)))
            #expect(try await stranger.hears("orders.drop-off-requested"))
            _ = try await eve.order(placed.id, hasValetFor: .dropOff)
            #expect(
                stranger.positions.allSatisfy {
                    $0.engagement == placed.id.as(EngagementID.self)
                },
                "only of the valet who serves this one")
        }
    }

    /// Moves the valet until the customer has seen it.
    private func isFollowed(_ pair: Pair, _ heard: Heard, _ meters: Double) async throws {
        let isSeen = try await eventually {
            try await pair.valet.stand(at: pair.town.east(meters))
            return heard.positions.contains { $0.person == pair.valet.account.id }
        }
        #expect(isSeen)
    }

    @Test func theTrackIsSeenByThePartiesOnly() async throws {
        let pair = try await Pair.meet()
        let eve = try await pair.town.customer("Eve")
        let order = try await pair.order()
        try await pair.customer.stand(at: pair.town.center)
        let isThere = try await eventually {
            do {
                return try await pair.customer.client(LocationEndpoints.track(order.id)).valet
                    != nil
            } catch let error as ClientError where error.status == 404 {
                return false  // Location has not heard of the order yet.
            }
        }
        #expect(isThere)
        let track = try await pair.valet.client(LocationEndpoints.track(order.id))
        #expect(track.customer?.isStale == false)
        #expect(track.vehicle == nil, "the customer still has it")
        for stranger in [eve, try await Someone.valet(of: pair.town.world, "Kim")] {
            try await refused("order.unknown") {
                _ = try await stranger.client(LocationEndpoints.track(order.id))
            }
        }
        _ = try await pair.town.world.boss(LocationEndpoints.track(order.id))
        let code = try #require(order.handoverCode)
        _ = try await pair.valet.client(
            OrderEndpoints.collect(order.id, body: CodeBody(code: code)))
        _ = try await pair.park(order.id)
        let isAlone = try await eventually {
            let track = try await pair.customer.client(LocationEndpoints.track(order.id))
            return track.valet == nil && track.vehicle?.latitude == pair.town.garage.latitude
        }
        #expect(isAlone, "once it is parked, the valet is nobody's business")
        try await refused("order.unknown") {
            _ = try await pair.valet.client(LocationEndpoints.track(order.id))
        }
    }

    /// Waits until notifications has heard of the person's language.
    private func isSpokenTo(_ person: Someone, in language: Language) async throws -> Bool {
        struct Export: Decodable {
            struct Held: Decodable { var language: Language? }
            var data: [String: Held]
        }
        return try await eventually {
            let export = try await person.client.exportMe()
            return try Wire.decode(Export.self, from: export).data["notifications"]?.language
                == language
        }
    }

    @Test func theFeedSpeaksTheCustomersLanguage() async throws {
        let town = try await Town.found()
        let pair = Pair(
            town: town, customer: try await town.customer("Ming", .traditionalChinese),
            valet: try await town.valet())
        #expect(try await isSpokenTo(pair.customer, in: .traditionalChinese))
        let order = try await pair.collect()
        let feed = try await pair.customer.feed(has: "orders.vehicle-collected")
        let assigned = try #require(feed.first { $0.event == "orders.valet-assigned.v1" })
        #expect(assigned.title == "代客泊車員正前來")
        #expect(assigned.text?.wholeMatch(of: /代客泊車員約 \d+ 分鐘後到達。/) != nil)
        #expect(feed.contains { $0.title == "已接收您的車輛" })
        let valets = try await pair.valet.feed(has: "orders.valet-assigned")
        #expect(valets.first?.title == "New job", "the valet's language is another")
        try await pair.customer.client(
            AccountEndpoints.changeMe(body: ProfileChange(language: .english)))
        #expect(try await isSpokenTo(pair.customer, in: .english))
        _ = try await pair.park(order.id)
        let later = try await pair.customer.feed(has: "orders.vehicle-parked")
        #expect(later.last?.title == "Your vehicle is parked")
        #expect(later.contains { $0.title == "代客泊車員正前來" }, "what was said stays said")
    }
}
