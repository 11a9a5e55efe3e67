import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// Many at once: nobody gets two jobs at a time, and everybody is served.
@Suite(.serialized) struct RushTests {
    @Test func twoValetsServeSixCustomersOneAfterTheOther() async throws {
        try await rush(customers: 6, valets: 2)
    }

    @Test func sixValetsServeSixCustomersAtOnce() async throws {
        let orders = try await rush(customers: 6, valets: 6)
        // Who has parked early may rightly get a second one; nobody had two at a time.
        #expect(orders.count == 6)
        #expect(orders.allSatisfy { $0.dropOffValet != nil })
    }

    /// Everybody taps at once; each valet does every job that they are given.
    @discardableResult
    private func rush(customers: Int, valets: Int) async throws -> [OrderView] {
        let town = try await Town.found()
        let crew = try await gather(valets) {
            try await town.valet("Lee", 100 + 50 * Double($0))
        }
        let crowd = try await gather(customers) { _ in try await town.customer() }
        let board = Board()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lee in crew { group.addTask { try await work(lee, in: town, board) } }
            group.addTask { try await watch(town, board) }
            try await withThrowingTaskGroup(of: Void.self) { crowdGroup in
                for (number, ada) in crowd.enumerated() {
                    crowdGroup.addTask { try await visit(ada, town, number, board) }
                }
                try await crowdGroup.waitForAll()
            }
            board.close()
            try await group.waitForAll()
        }
        let orders = try await town.world.boss.allOrders(limit: 200).items
            .filter { $0.serviceArea == town.id && $0.status == .finished }
        #expect(orders.count == customers)
        checkJobs(orders)
        return orders
    }

    private func gather(
        _ count: Int, _ make: @escaping @Sendable (Int) async throws -> Someone
    ) async throws -> [Someone] {
        try await withThrowingTaskGroup(of: Someone.self) { group in
            for number in 0..<count { group.addTask { try await make(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// One customer's day. Nobody available is a legal end, after which one tries again.
    private func visit(
        _ ada: Someone, _ town: Town, _ number: Int, _ board: Board
    ) async throws {
        let place = town.east(20 * Double(number))
        var order: OrderView?
        let isParked = try await eventually(within: .seconds(90)) {
            if order == nil || order?.status == .unfulfilled {
                order = try await ada.client.placeOrder(PlaceOrderBody(dropOff: place))
            }
            let now = try await ada.client.order(try #require(order).id)
            order = now
            board.tell(now)
            return now.status == .parked
        }
        #expect(isParked)
        let id = try #require(order).id
        let isBack = try await eventually(within: .seconds(90)) {
            let now = try await ada.client.order(id)
            board.tell(now)
            if now.status == .parked { try await ada.client.recall(id, to: place) }
            return now.status == .waitingForPayment
        }
        #expect(isBack)
        try await ada.client.payWhenDue(id, PayBody(token: "pm_card_visa"))
        _ = try await ada.order(id, reaches: .finished)
    }

    private func work(_ lee: Someone, in town: Town, _ board: Board) async throws {
        _ = try await eventually(within: .seconds(180)) {
            try await lee.stand(at: town.east(100))
            guard let job = try await lee.client.currentOrder() else { return board.isClosed }
            switch job.status {
            case .droppingOff:
                if let code = board.code(of: job) {
                    _ = try await lee.client.collect(job.id, code: code)
                }
            case .parking:
                _ = try await lee.client.park(
                    job.id, ParkBody(at: town.garage, vehicle: Someone.car))
            case .requestingBack:
                _ = try await lee.client.retrieve(job.id)
            case .returningBack:
                if let code = board.code(of: job) {
                    _ = try await lee.client.handBack(job.id, code: code)
                }
            default:
                Issue.record("a job that is none: \(job.status)")
            }
            return false
        }
    }

    /// Looks at all orders again and again: no valet may be in two at any moment.
    private func watch(_ town: Town, _ board: Board) async throws {
        _ = try await eventually(within: .seconds(180)) {
            let orders = try await town.world.boss.allOrders(limit: 200).items
                .filter { $0.serviceArea == town.id }
            let busy = orders.compactMap(\.activeValet)
            #expect(Set(busy).count == busy.count, "a valet has two jobs")
            return board.isClosed
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

/// Where customers read their codes out to the valets.
private final class Board: Sendable {
    private let codes = Mutex<[String: String]>([:])
    private let closed = Mutex(false)

    func tell(_ order: OrderView) {
        guard let code = order.handoverCode else { return }
        codes.withLock { $0[Self.key(order)] = code }
    }

    func code(of job: OrderView) -> String? { codes.withLock { $0[Self.key(job)] } }

    var isClosed: Bool { closed.withLock { $0 } }

    func close() { closed.withLock { $0 = true } }

    /// The code of the way back is another one.
    private static func key(_ order: OrderView) -> String {
        let isReturn = [.requestingBack, .returningBack].contains(order.status)
        return "\(order.id) \(isReturn)"
    }
}

extension OrderView {
    /// Who has the job at present.
    fileprivate var activeValet: PersonID? {
        switch status {
        case .droppingOff, .parking: dropOffValet?.id
        case .requestingBack, .returningBack: returnValet?.id
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }
}
