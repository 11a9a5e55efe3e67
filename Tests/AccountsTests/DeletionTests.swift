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

    @Test func servicesAreToldOfAPersonUntilTheyLeave() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer(phone)
            let token = me.accessToken
            let address = "/internal/accounts/\(me.customer.id)"
            try await caller.call(.get, address, token: token).refused(401, "auth.token_invalid")
            _ = try await caller.call(
                .patch, "/v1/me", ProfileChange(firstName: "Ada"), token: token
            ).expect(200, Account.self)
            let told = try await caller.internally(address).expect(200, AccountChanged.self)
            let events = try await outboxEvents(of: AccountChanged.self, in: bench.database)
            #expect(told == events.last)
            #expect((told.account.firstName, told.version) == ("Ada", 2))
            #expect(try await delete(caller, token).status == 202)
            try await caller.internally(address).refused(404, "account.unknown")
            try await caller.internally("/internal/accounts/\(PersonID.new())")
                .refused(404, "account.unknown")
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

    @Test func whoIsBoundByAProductStaysUntilItSaysOtherwise() async throws {
        let order = EngagementID.new()
        let product = PretendServer(try .having(Binding(order)))
        try await product.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let me = try await caller.customer(phone)
                // The password is not even looked at.
                for password in [Caller.password, "not the password"] {
                    let problem = try await delete(caller, me.accessToken, password)
                        .refused(409, "account.engagement_open")
                    #expect(problem.engagementId == order)
                }
                let asked = "/internal/people/\(me.customer.id)/engagement"
                #expect(Set(product.asked.map(\.path)) == [asked])
                #expect(
                    try await caller.call(.get, "/v1/me", token: me.accessToken).status == 200)
                product.set(try .having(Binding(nil)))
                #expect(try await delete(caller, me.accessToken).status == 202)
            }
        }
    }

    @Test(arguments: [
        PretendServer.Mood.failing(503), .failing(500), .answering("{"),
        .refusing(404, "request.not_found"), .refusing(401, "auth.token_invalid"),
    ])
    func nobodyIsDeletedWhileAProductCanNotSay(mood: PretendServer.Mood) async throws {
        let product = PretendServer(mood)
        try await product.serve { url in
            let bench = try await Bench(owner: url)
            try await bench.run { caller in
                let token = try await caller.customer(phone).accessToken
                let refusal = try await delete(caller, token)
                try refusal.refused(503, "service.unavailable")
                #expect(refusal.headers[.retryAfter] != nil)
                #expect(try await caller.call(.get, "/v1/me", token: token).status == 200)
                #expect(try await outboxEvents(of: AccountDeleted.self, in: bench.database) == [])
                product.set(try .having(Binding(nil)))
                #expect(try await delete(caller, token).status == 202)
            }
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
            let held = try await caller.internally(path).expect(200, AccountExport.self)
            #expect(held.account == me.customer)
            #expect(held.vehicles.map(\.vehicle) == [vehicle])
            #expect(held.vehicles.map(\.removed) == [true])
            #expect(held.sessions.count == 1)
            try await caller.call(.get, path, token: me.accessToken)
                .refused(401, "auth.token_invalid")
            try await caller.internally("/internal/people/\(PersonID.new())")
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
