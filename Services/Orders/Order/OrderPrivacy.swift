import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// All personal data that orders has of a person, for their export.
struct HeldOnPerson: Codable, Sendable {
    /// The profile that accounts sent.
    struct Profile: Codable, Sendable {
        var firstName: String
        var lastName: String
        var phone: String
        var photo: PictureID?
        var rating: Double?
    }

    struct OwnOrder: Codable, Sendable {
        var order: OrderSnapshot
        var custody: [CustodyEntry]
    }

    /// A valet's part in an order, without the customer's data.
    struct Job: Codable, Sendable {
        var order: OrderID
        var ticket: String
        var serviceArea: ServiceAreaID
        var legs: [OrderLeg]
        var createdAt: Date
    }

    struct Debt: Codable, Sendable {
        var order: OrderID
        var amount: Money
    }

    /// The most orders in an export; the newest are kept.
    static let mostOrders = 2_000
    /// The most custody entries per order in an export.
    static let mostEntries = 200
    /// The most shifts in an export; the newest are kept.
    static let mostShifts = 2_000

    var profile: Profile?
    var vehicles: [OrderVehicle] = []
    var orders: [OwnOrder] = []
    var jobs: [Job] = []
    var shifts: [Shift] = []
    var debts: [Debt] = []
}

extension OrderAnswers {
    /// Deletes a person's data: name and vehicles, and the addresses and free text of ended orders.
    ///
    /// The order's type, times and price stay, and so does the custody record. Each transaction handles one page of
    /// orders, so that a person with many doesn't block other writers. After a crash it starts again.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        try await database.write { try $0.people.forget(event) }
        var after: OrderID?
        repeat {
            let last = after
            after = try await database.write { transaction in
                try transaction.orders.forgetCustomer(
                    event.account.as(CustomerID.self), after: last, limits)
            }
        } while after != nil
        try await database.apply(delivery) { _ in }
    }
}

extension OrderStore {
    /// Returns the last order of a full page. Unfinished orders are handled when they end.
    fileprivate func forgetCustomer(
        _ customer: CustomerID, after: OrderID?, _ limits: OrderLimits
    ) throws -> OrderID? {
        let orders = try all(
            of: .person(customer.as(PersonID.self), as: [.customer]), nil, after: after,
            limit: OrderAnswers.batch)
        for var order in orders where order.isEnded {
            if order.forgetCustomer() { try update(order, limits) }
        }
        return orders.count == OrderAnswers.batch ? orders.last?.id : nil
    }
}

extension CustodyStore {
    /// The custody records of all of a customer's orders in one query, oldest entry first.
    fileprivate func byOrder(of customer: CustomerID) throws -> [OrderID: [CustodyEntry]] {
        // Entries are numbered from 1 without gaps.
        let lines = try transaction.rows(
            """
            SELECT custody.order_id AS order_id, custody.body AS body FROM custody
            JOIN (SELECT id FROM orders WHERE customer = ? ORDER BY id DESC LIMIT ?) AS theirs
                ON theirs.id = custody.order_id
            WHERE custody.sequence <= ? ORDER BY custody.order_id, custody.sequence
            """, customer, HeldOnPerson.mostOrders, HeldOnPerson.mostEntries
        ).map { row in
            let entry: CustodyEntry = try Wire.decode(
                from: Data(row.get("body", as: String.self).utf8))
            return (order: try row.get("order_id", as: OrderID.self), entry: entry)
        }
        return Dictionary(grouping: lines, by: \.order).mapValues { $0.map(\.entry) }
    }
}

extension HeldOnPerson.Job {
    fileprivate init(_ order: Order, of valet: ValetID) {
        var legs: [OrderLeg] = []
        if order.dropOffValet == valet { legs.append(.dropOff) }
        if order.returnValet == valet { legs.append(.return) }
        self.init(
            order: order.id, ticket: order.ticket, serviceArea: order.serviceArea, legs: legs,
            createdAt: order.createdAt)
    }
}

extension OrderQueries {
    func held(on person: PersonID) async throws -> HeldOnPerson {
        let (customer, valet) = (person.as(CustomerID.self), person.as(ValetID.self))
        return try await database.read { transaction in
            var held = HeldOnPerson()
            held.profile = try transaction.people.profile(of: person)
            held.vehicles = try transaction.vehicles(of: customer).map(OrderVehicle.init)
            let custody = try transaction.custody.byOrder(of: customer)
            held.orders = try transaction.orders.all(
                of: .person(person, as: [.customer]), nil, after: nil,
                limit: HeldOnPerson.mostOrders
            ).map { order in
                HeldOnPerson.OwnOrder(order: order.snapshot, custody: custody[order.id] ?? [])
            }
            held.jobs = try transaction.orders.all(
                of: .person(person, as: [.valet]), nil, after: nil, limit: HeldOnPerson.mostOrders
            ).map { HeldOnPerson.Job($0, of: valet) }
            held.shifts = try transaction.shifts.all(
                of: valet, after: nil, limit: HeldOnPerson.mostShifts)
            held.debts = try transaction.debts.all(of: customer).map { due in
                HeldOnPerson.Debt(order: due.order, amount: due.amount)
            }
            return held
        }
    }
}
