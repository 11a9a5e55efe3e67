import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct DeletionTests {
    private let phone = "+85261234567"

    private func delete(
        _ caller: Caller, _ token: String, _ password: String = Caller.password
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/me/deletion", DeletionBody(password: password), token: token)
    }

    /// What orders tells the platform of an order.
    private func hear(
        _ bench: Bench, _ order: OrderSnapshot, isFeeDue: Bool = false
    ) async throws {
        let event = EngagementChanged(order, isFeeDue: isFeeDue)
        try await accountReactions(bench.accounts).receive(
            event, .of(event, at: bench.clock.now))
    }

    private func order(
        of customer: PersonID, _ status: OrderStatus, version: Int = 1, id: OrderID = .new()
    ) -> OrderSnapshot {
        OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("hk-island")!,
            customer: customer.as(CustomerID.self),
            dropOff: Place(latitude: 22.28, longitude: 114.15), extras: [], createdAt: Date())
    }

    @Test func nothingIsLeftOfThePersonButTheID() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            let token = me.accessToken
            _ = try await caller.call(
                .post, "/v1/me/vehicles", VehicleDescription.tesla, token: token)
            let photo = try await caller.put(
                "/v1/me/photo", picture: TestPictures.png, token: token
            ).expect(200, PhotoAnswer.self).photoURL
            #expect(try await delete(caller, token).status == 202)

            try await caller.call(.get, "/v1/me", token: token).refused(404, "account.unknown")
            try await caller.call(.get, photo).refused(404, "picture.unknown")
            try await caller.call(
                .post, "/v1/sessions/refresh", RefreshBody(refreshToken: me.refreshToken)
            ).refused(401, "account.session_ended")
            try await caller.call(
                .post, "/v1/me/vehicles", VehicleDescription.tesla, token: token
            ).refused(404, "account.unknown")
            try await delete(caller, token).refused(401, "account.session_ended")
            let deleted = try await outboxEvents(of: AccountDeleted.self, in: bench.database)
            #expect(
                deleted == [
                    AccountDeleted(
                        account: me.customer.id, role: .customer, version: 3,
                        deletedAt: bench.clock.now)
                ])
            // Nothing of them is in any table, what was published of them included. Names that no hash has by chance.
            for needle in ["Ottoline", "Wongsuwan", phone, "AB 1234"] {
                #expect(try await !bench.holds(needle), "\(needle)")
            }
            let files = try? FileManager.default.contentsOfDirectory(
                atPath: bench.pictures.appending(path: "people").path())
            #expect(files ?? [] == [])

            try await caller.signIn(phone).refused(401, "account.credentials_mismatch")
            // The number is free again, for somebody who is somebody else.
            let again = try await caller.customer(phone)
            #expect(again.customer.id != me.customer.id)
        }
    }

    @Test func aWrongPasswordDeletesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer(phone).accessToken
            for _ in 1...10 {
                try await delete(caller, token, "not the password")
                    .refused(422, "account.wrong_password", field: "password")
            }
            try await delete(caller, token).refused(429, "account.too_many_attempts")
            #expect(try await caller.call(.get, "/v1/me", token: token).status == 200)
        }
    }

    @Test func anUnfinishedOrderKeepsItsCustomer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            var order = order(of: me.customer.id, .requested)
            try await hear(bench, order)
            let problem = try await delete(caller, me.accessToken)
                .refused(409, "account.order_unfinished")
            #expect(problem.orderId == order.id)
            (order.status, order.version) = (.known(.waitingForPayment), 5)
            try await hear(bench, order)
            try await delete(caller, me.accessToken).refused(409, "account.order_unfinished")
            (order.status, order.version) = (.known(.finished), 6)
            try await hear(bench, order)
            // An older event that comes once more opens nothing.
            (order.status, order.version) = (.known(.parked), 3)
            try await hear(bench, order)
            #expect(try await delete(caller, me.accessToken).status == 202)
        }
    }

    @Test func whatIsInAStateOfALaterReleaseKeepsWhoIsInIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            var event = EngagementChanged(order(of: me.customer.id, .parked), isFeeDue: false)
            event.engagement.state = .unknown("disputed")
            try await accountReactions(bench.accounts).receive(
                event, .of(event, at: bench.clock.now))
            try await delete(caller, me.accessToken).refused(409, "account.order_unfinished")
        }
    }

    @Test func anUnpaidFeeKeepsItsCustomer() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            let cancelled = order(of: me.customer.id, .cancelled, version: 3)
            try await hear(bench, cancelled, isFeeDue: true)
            try await delete(caller, me.accessToken).refused(409, "account.order_unfinished")
            bench.clock.advance(by: Bonds.retention + 1)
            try await bench.accounts.sweep()
            var token = try await caller.signIn(phone).expect(201, SignedIn.self).accessToken
            try await delete(caller, token).refused(409, "account.order_unfinished")
            try await hear(
                bench, order(of: me.customer.id, .cancelled, version: 4, id: cancelled.id))
            token = try await caller.signIn(phone).expect(201, SignedIn.self).accessToken
            #expect(try await delete(caller, token).status == 202)
        }
    }

    @Test func aCancellationWithoutAFeeKeepsNobody() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            let order = order(of: me.customer.id, .cancelled, version: 2)
            try await hear(bench, order)
            #expect(try await delete(caller, me.accessToken).status == 202)
        }
    }

    @Test func aJobKeepsItsValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let valet = try await caller.valet("+85291111111", by: boss)
            let token = try await caller.signIn("+85291111111").expect(201, SignedIn.self)
                .accessToken
            var order = order(of: .new(), .droppingOff, version: 2)
            order.dropOffValet = valet.id
            try await hear(bench, order)
            try await delete(caller, token).refused(409, "account.order_unfinished")
            (order.status, order.version) = (.known(.parked), 4)
            try await hear(bench, order)
            #expect(try await delete(caller, token).status == 202)
            let listed = try await caller.call(.get, "/v1/admin/valets", token: boss)
                .expect(200, Page<ValetRecord>.self)
            #expect(listed.items.isEmpty)
            try await caller.call(
                .patch, "/v1/admin/valets/\(valet.id)", ValetChange(suspended: true), token: boss
            ).refused(404, "account.unknown")
        }
    }

    @Test func theLastOperatorStays() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            try await delete(caller, token).refused(409, "account.last_operator")
            try await bench.accounts.ensureOperator(
                .init(phone: "+85290001111", password: Caller.password))
            #expect(try await delete(caller, token).status == 202)
            let other = try await caller.signIn("+85290001111").expect(201, SignedIn.self)
            try await delete(caller, other.accessToken).refused(409, "account.last_operator")
        }
    }

    @Test func settledOrdersAreForgottenInTime() async throws {
        let bench = try await Bench()
        let order = order(of: .new(), .finished, version: 6)
        try await hear(bench, order)
        bench.clock.advance(by: Bonds.retention + 1)
        try await bench.accounts.sweep()
        #expect(try await !bench.holds(order.id.description))
    }
}

@Suite struct ExportTests {
    @Test func aServiceGetsAllThatIsHeldOnAPerson() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer()
            let path = "/internal/people/\(me.customer.id)"
            let vehicle = try await caller.call(
                .post, "/v1/me/vehicles", VehicleDescription.tesla, token: me.accessToken
            ).expect(201, Vehicle.self)
            _ = try await caller.call(
                .delete, "/v1/me/vehicles/\(vehicle.id)", token: me.accessToken)
            let token = try await bench.environment.serviceTokens.token(for: "accounts")
            let held = try await caller.call(.get, path, token: token)
                .expect(200, AccountExport.self)
            #expect(held.account == me.customer)
            #expect(held.vehicles.map(\.vehicle) == [vehicle])
            #expect(held.vehicles.map(\.removed) == [true])
            #expect(held.sessions.count == 1)
            try await caller.call(.get, path, token: me.accessToken)
                .refused(401, "auth.token_invalid")
            try await caller.call(.get, "/internal/people/\(PersonID.new())", token: token)
                .refused(404, "account.unknown")
        }
    }
}

@Suite struct AuditTests {
    @Test func whatAnOperatorDoesToAValetIsTold() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            let valet = try await caller.valet("+85291111111", by: token)
            for suspended in [true, true, false] {
                _ = try await caller.call(
                    .patch, "/v1/admin/valets/\(valet.id)", ValetChange(suspended: suspended),
                    token: token)
            }
            let me = try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self)
            let acted = try await outboxEvents(of: OperatorActed.self, in: bench.database)
            #expect(
                acted.map(\.action) == [
                    "accounts.add-valet", "accounts.suspend-valet", "accounts.reinstate-valet",
                ])
            #expect(acted.allSatisfy { $0.subject == valet.id.description })
            #expect(acted.allSatisfy { $0.by == me.id.as(OperatorID.self) })
        }
    }
}

extension Bench {
    /// Whether a text stands anywhere in the database.
    func holds(_ text: String) async throws -> Bool {
        try await database.read { transaction in
            try transaction.rows(TestDatabases.columns).contains { row in
                let (table, column): (String, String) = (try row.get("t"), try row.get("c"))
                return try transaction.row(
                    "SELECT 1 AS one FROM \"\(table)\" WHERE CAST(\"\(column)\" AS TEXT) LIKE ?",
                    "%\(text)%") != nil
            }
        }
    }
}
