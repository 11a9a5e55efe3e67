import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// Many at once in one town: everybody taps, each valet does every job that they are given.
struct Rush: Sendable {
    /// For one way of a vehicle, whatever happens on it.
    private static let limit: Duration = .seconds(180)

    let town: Town
    let customers: [Someone]
    let valets: [Someone]
    private let board = Board()

    static func gather(customers: Int, valets: Int, in town: Town) async throws -> Rush {
        let crew = try await gather(valets) {
            try await town.valet("Lee", 100 + 50 * Double($0))
        }
        let crowd = try await gather(customers) { _ in try await town.customer() }
        return Rush(town: town, customers: crowd, valets: crew)
    }

    private static func gather(
        _ count: Int, _ make: @escaping @Sendable (Int) async throws -> Someone
    ) async throws -> [Someone] {
        try await withThrowingTaskGroup(of: Someone.self) { group in
            for number in 0..<count { group.addTask { try await make(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The orders of everybody, each finished: one a customer, and more for as long as `meanwhile` lasts, whose
    /// argument waits until the rush has gone on a little.
    func run(
        meanwhile: @escaping @Sendable (_ step: () async throws -> Void) async throws -> Void = {
            _ in
        }
    ) async throws -> [OrderView] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lee in valets { group.addTask { try await work(lee) } }
            group.addTask { try await watch() }
            group.addTask {
                defer { board.letGo() }
                try await meanwhile { try await board.goOn() }
            }
            try await withThrowingTaskGroup(of: Void.self) { crowd in
                for (number, ada) in customers.enumerated() {
                    crowd.addTask {
                        repeat { try await visit(ada, number) } while !board.isLetGo
                    }
                }
                try await crowd.waitForAll()
            }
            board.close()
            try await group.waitForAll()
        }
        let orders = try await town.world.boss(
            OrderEndpoints.allOrders(asks: AllOrdersQuery().page(limit: 200))
        ).items
            .filter { $0.serviceArea == town.id && $0.status == .finished }
        #expect(Set(orders.map(\.id)) == board.visits, "each that was acknowledged, and no other")
        checkJobs(orders)
        return orders
    }

    /// One customer's day. Nobody available is a legal end, after which one tries again.
    private func visit(_ ada: Someone, _ number: Int) async throws {
        let place = town.east(20 * Double(number))
        var order: OrderView?
        let isParked = try await eventually(within: Self.limit) {
            if order == nil || order?.status == .unfulfilled {
                let key = RequestKey.new()
                order = try await calmly {
                    try await ada.client(
                        OrderEndpoints.placeOrder(body: PlaceOrderBody(dropOff: place), key: key))
                }
            }
            let id = try #require(order).id
            let now = try await calmly { try await ada.client(OrderEndpoints.order(id)) }
            order = now
            board.tell(now)
            return now.status == .parked
        }
        #expect(isParked)
        let (id, recall, pay) = (try #require(order).id, RequestKey.new(), RequestKey.new())
        try await calmly {
            try await ada.client(
                OrderEndpoints.recall(id, body: RecallBody(returnTo: place), key: recall))
        }
        let isBack = try await eventually(within: Self.limit) {
            let now = try await calmly { try await ada.client(OrderEndpoints.order(id)) }
            board.tell(now)
            if now.status == .parked {
                // Nobody was available: once more.
                let key = RequestKey.new()
                try await calmly {
                    try await ada.client(
                        OrderEndpoints.recall(id, body: RecallBody(returnTo: place), key: key))
                }
            }
            return now.status == .waitingForPayment
        }
        #expect(isBack)
        try await ada.client.payWhenDue(id, PayBody(token: "pm_card_visa"), key: pay)
        board.tell(try await ada.order(id, reaches: .finished))
    }

    private func work(_ lee: Someone) async throws {
        while !board.isClosed {
            try await calmly { try await lee.stand(at: town.east(100)) }
            guard
                let job = try await calmly({
                    try await lee.client(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
                })
            else {
                try await Task.sleep(for: .milliseconds(20))
                continue
            }
            let (key, code) = (RequestKey.new(), board.code(of: job))
            switch job.status {
            case .droppingOff:
                guard let code else { continue }
                try await calmly {
                    try await lee.client(
                        OrderEndpoints.collect(job.id, body: CodeBody(code: code), key: key))
                }
            case .parking:
                let body = ParkBody(at: town.garage, vehicle: Someone.car)
                try await calmly {
                    try await lee.client(OrderEndpoints.park(job.id, body: body, key: key))
                }
            case .requestingBack:
                try await calmly { try await lee.client(OrderEndpoints.retrieve(job.id, key: key)) }
            case .returningBack:
                guard let code else { continue }
                try await calmly {
                    try await lee.client(
                        OrderEndpoints.handBack(job.id, body: CodeBody(code: code), key: key))
                }
            default:
                Issue.record("a job that is none: \(job.status)")
            }
        }
    }

    /// Looks at all orders again and again: no valet may be in two at any moment.
    private func watch() async throws {
        while !board.isClosed {
            let orders = try await calmly {
                try await town.world.boss(
                    OrderEndpoints.allOrders(asks: AllOrdersQuery().page(limit: 200)))
            }.items
                .filter { $0.serviceArea == town.id }
            let busy = orders.compactMap(\.activeValet)
            #expect(Set(busy).count == busy.count, "a valet has two jobs")
        }
    }

    /// Repeats a call that a part's absence refuses, which only a 503 may say.
    @discardableResult
    private func calmly<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        try await insisting(within: Self.limit) {
            do {
                return try await body()
            } catch let error as ClientError {
                if let status = error.status, status >= 500 { #expect(status == 503, "\(error)") }
                throw error
            }
        }
    }

    /// Afterwards: no valet's time with one vehicle overlaps that with another.
    private func checkJobs(_ orders: [OrderView]) {
        var jobs: [PersonID: [ClosedRange<Date>]] = [:]
        for order in orders {
            if let valet = order.dropOffValet, let from = order.assignedAt,
                let until = order.parkedAt
            {
                jobs[valet.id, default: []].append(from...until)
            }
            if let valet = order.returnValet, let from = order.retrievedAt,
                let until = order.returnedAt
            {
                jobs[valet.id, default: []].append(from...until)
            }
        }
        for times in jobs.values {
            let sorted = times.sorted { $0.lowerBound < $1.lowerBound }
            for (one, next) in zip(sorted, sorted.dropFirst()) {
                #expect(one.upperBound <= next.lowerBound)
            }
        }
    }
}

/// Where customers read their codes out to the valets, and everybody sees how far the rush is.
private final class Board: Sendable {
    private struct State {
        var codes: [String: String] = [:]
        /// What was seen of orders, whose numbers grow.
        var seen: Set<String> = []
        var visits: Set<OrderID> = []
        var isLetGo = false
        var isClosed = false
    }

    /// Steps of orders that are a little.
    private static let little = 5

    private let state = Mutex(State())

    func tell(_ order: OrderView) {
        state.withLock { state in
            state.seen.insert("\(order.id) \(order.status)")
            if order.status == .finished { state.visits.insert(order.id) }
            if let code = order.handoverCode { state.codes[Self.key(order)] = code }
        }
    }

    func code(of job: OrderView) -> String? { state.withLock { $0.codes[Self.key(job)] } }

    /// Orders that customers saw through.
    var visits: Set<OrderID> { state.withLock { $0.visits } }

    /// Returns when a few more steps were seen.
    func goOn() async throws {
        let start = state.withLock { $0.seen.count }
        let hasGoneOn = try await eventually {
            state.withLock { $0.seen.count >= start + Self.little }
        }
        #expect(hasGoneOn, "the rush stands still")
    }

    var isLetGo: Bool { state.withLock { $0.isLetGo } }
    func letGo() { state.withLock { $0.isLetGo = true } }

    var isClosed: Bool { state.withLock { $0.isClosed } }
    func close() { state.withLock { $0.isClosed = true } }

    /// The code of the way back is another one.
    private static func key(_ order: OrderView) -> String {
        let isReturn = [.requestingBack, .returningBack].contains(order.status)
        return "\(order.id) \(isReturn)"
    }
}

extension OrderView {
    /// The valet who has the job at present.
    fileprivate var activeValet: PersonID? {
        switch status {
        case .droppingOff, .parking: dropOffValet?.id
        case .requestingBack, .returningBack: returnValet?.id
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }
}
