import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

/// Access tokens live for minutes after an account has ended or was suspended.
struct StandingTests {
    private func delete(_ person: TestPerson, _ bench: Bench) async throws {
        try await bench.hear(
            AccountDeleted(
                account: person.id, role: person.role, version: 9, deletedAt: bench.clock.now))
    }

    private func alerts(_ caller: Caller) async throws -> [Alert] {
        try await caller.call(.get, "/v1/admin/alerts?status=open", as: .olivia)
            .expect(200, Page<Alert>.self).items
    }

    @Test func whoDeletedTheAccountOrdersNothingMore() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place(as: .bob)
            for person in [TestPerson.alice, .bob] { try await delete(person, bench) }
            try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice
            ).refused(401, "auth.token_invalid")
            try await caller.call(.post, "/v1/orders/\(order.id)/cancel", as: .bob)
                .refused(401, "auth.token_invalid")
            #expect(try await bench.stored(order.id).version.number == order.version)
            #expect(try await bench.published(DropOffRequested.self).count == 1)
        }
    }

    @Test func anOperatorWhoIsGoneChangesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 2_700)
            try await bench.parts.answers.announceOverdue()
            let alert = try #require(try await alerts(caller).first)
            try await delete(.olivia, bench)
            let override = OverrideBody(status: .cancelled, reason: "out of spite")
            try await caller.call(
                .post, "/v1/admin/orders/\(order.id)/override", override, as: .olivia
            )
            .refused(401, "auth.token_invalid")
            try await caller.call(.post, "/v1/admin/alerts/\(alert.id)/acknowledge", as: .olivia)
                .refused(401, "auth.token_invalid")
            #expect(try await bench.published(OperatorActed.self).isEmpty)
            #expect(try await bench.stored(order.id).status == .droppingOff)
        }
    }

    @Test(arguments: [OrderStatus.droppingOff, .parking, .returningBack])
    func theJobOfASuspendedValetIsAnOperatorsAtOnce(_ status: OrderStatus) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: status)
            let valet: TestPerson = status == .returningBack ? .vera : .victor
            for version in [2, 3] {
                try await bench.learn(valet, suspended: true, version: version)
            }
            let alert = try #require(try await alerts(caller).first)
            #expect(alert.kind == .valetSuspended)
            #expect(alert.order == order.id)
            #expect(alert.status == status)
            let told = try await bench.published(OrderNeedsOperator.self)
            #expect(told.map(\.cause.known) == [.valetSuspended])
            let notice = try #require(
                try await bench.published(NoticeIssued.self).last?.notice)
            let message = try #require(notice.messages.first { $0.to == .operators })
            #expect(message.title?[.english] == "A suspended valet has a job")
            #expect(message.push == .now)

            let code = CodeBody(code: try await bench.stored(order.id).handoverCode)
            let action =
                switch status {
                case .droppingOff: "collect"
                case .parking: "park"
                default: "hand-back"
                }
            let body: any Encodable =
                status == .parking ? ParkBody(at: .garage, vehicle: .tesla) : code
            try await caller.call(.post, "/v1/orders/\(order.id)/\(action)", body, as: valet)
                .refused(403, "order.valet_suspended")
            #expect(try await bench.stored(order.id).status == status)

            let next: OrderStatus = status == .droppingOff ? .requested : .parked
            _ = try await caller.call(
                .post, "/v1/admin/orders/\(order.id)/override",
                OverrideBody(status: next, reason: "the valet was suspended"), as: .olivia
            ).expect(200, OrderView.self)
            #expect(try await alerts(caller).isEmpty)
        }
    }

    @Test(arguments: [OrderStatus.droppingOff, .parking, .returningBack])
    func aSuspendedValetSeesNoPhoneAndNoAddress(_ status: OrderStatus) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.alice)
            let order = try await caller.order(in: status)
            let valet: TestPerson = status == .returningBack ? .vera : .victor
            func seen() async throws -> [OrderView] {
                let list = try await caller.call(.get, "/v1/orders", as: valet)
                    .expect(200, Page<OrderView>.self).items
                let current = try await caller.call(.get, "/v1/orders/current", as: valet)
                    .expect(200, OrderView.self)
                return try await [caller.read(order.id, as: valet), current] + list
            }
            for view in try await seen() {
                #expect(view.customer.phone == TestPerson.alice.phone)
            }
            try await bench.learn(valet, suspended: true, version: 2)
            for view in try await seen() {
                #expect(view.customer.phone.isEmpty)
                #expect(view.dropOff.address == nil && view.returnTo == nil)
            }
            let customers = try await caller.read(order.id, as: .alice)
            #expect(customers.customer.phone == TestPerson.alice.phone)
            try await bench.learn(valet, suspended: false, version: 3)
            for view in try await seen() {
                #expect(view.customer.phone == TestPerson.alice.phone)
            }
        }
    }

    @Test func othersMayTakeTheTasksOfASuspendedValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place(extras: [.wash, .refuel])
            try await bench.match(order.id, .victor)
            let code = CodeBody(code: try await bench.stored(order.id).handoverCode)
            try await caller.act("collect", order.id, code, as: .victor)
            try await caller.act(
                "park", order.id, ParkBody(at: .garage, vehicle: .tesla), as: .victor)
            for kind in [Extra.wash, .refuel] {
                try await caller.act("take-task", order.id, TaskBody(kind: kind), as: .victor)
            }
            try await caller.act(
                "complete-task", order.id, TaskBody(kind: .refuel), as: .victor)
            try await bench.learn(.victor, suspended: true, version: 2)
            let tasks = try await bench.stored(order.id).tasks
            #expect(tasks.map(\.status.known) == [.open, .done])
            try await bench.become(.available, .vera)
            try await caller.act("take-task", order.id, TaskBody(kind: .wash), as: .vera)
        }
    }

    @Test func aValetWithoutAJobIsSuspendedQuietly() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.order(in: .parked)
            try await bench.learn(.victor, suspended: true, version: 2)
            #expect(try await alerts(caller).isEmpty)
        }
    }

    @Test func whoMayWorkAgainGoesOn() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await bench.learn(.victor, suspended: true, version: 2)
            try await bench.learn(.victor, suspended: false, version: 3)
            let code = CodeBody(code: try await bench.stored(order.id).handoverCode)
            try await caller.act("collect", order.id, code, as: .victor)
        }
    }
}

/// What a valet keeps of a job that is over.
struct FormerJobTests {
    @Test func phonesAndAddressesAreAValetsOnlyWhileTheirLegLasts() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .victor, .vera] { try await bench.learn(person) }
            let order = try await caller.order(in: .droppingOff)
            let during = try await caller.read(order.id, as: .victor)
            #expect(during.customer.phone == TestPerson.alice.phone)
            #expect(during.dropOff.address == "1 Queen's Road")
            let code = try await CodeBody(code: bench.stored(order.id).handoverCode)
            try await caller.act("collect", order.id, code, as: .victor)
            let parked = try await caller.act(
                "park", order.id, ParkBody(at: .garage, vehicle: .tesla), as: .victor)
            #expect(parked.customer.phone.isEmpty)

            try await caller.act("recall", order.id, RecallBody(returnTo: .mongKok), as: .alice)
            try await bench.match(order.id, .vera)
            let former = try await caller.read(order.id, as: .victor)
            #expect(former.customer.firstName == "Alice")
            #expect(former.customer.phone.isEmpty)
            #expect(former.returnValet?.phone == "")
            #expect(former.dropOff.address == nil)
            #expect(former.returnTo == nil)
            let present = try await caller.read(order.id, as: .vera)
            #expect(present.customer.phone == TestPerson.alice.phone)
            #expect(present.returnTo == .mongKok)

            try await caller.act("retrieve", order.id, as: .vera)
            let back = try await CodeBody(code: bench.stored(order.id).handoverCode)
            let over = try await caller.act("hand-back", order.id, back, as: .vera)
            #expect(over.customer.phone.isEmpty)
            #expect(over.returnTo == nil)
            for valet in [TestPerson.victor, .vera] {
                let jobs = try await caller.call(.get, "/v1/orders", as: valet)
                    .expect(200, Page<OrderView>.self).items
                #expect(jobs.map(\.customer.phone) == [""])
                #expect(jobs.map(\.returnTo) == [nil])
                #expect(jobs.map(\.dropOff.address) == [nil])
            }
            func places(_ reader: TestPerson) async throws -> [Place?] {
                try await caller.call(.get, "/v1/orders/\(order.id)/custody", as: reader)
                    .expect(200, Page<CustodyEntry>.self).items.map(\.place)
            }
            #expect(try await places(.vera) == [nil, nil, nil, nil])
            #expect(try await places(.alice).allSatisfy { $0 != nil })
            for reader in [TestPerson.alice, .olivia] {
                let whole = try await caller.read(order.id, as: reader)
                #expect(whole.returnTo == .mongKok)
                #expect(whole.customer.phone == TestPerson.alice.phone)
                #expect(whole.returnValet?.phone == TestPerson.vera.phone)
            }
        }
    }
}
