import Answers
import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Accounts

@Suite struct ReportTests {
    private let subject = ReportSubject(product: "spots", id: .new())

    private func report(
        _ caller: Caller, _ body: ReportBody, _ token: String, key: String? = nil
    ) async throws -> Answer {
        try await caller.call(.post, "/v1/reports", body, token: token, key: key)
    }

    private func list(
        _ caller: Caller, _ token: String, _ query: String = ""
    ) async throws -> [ReportRecord] {
        try await caller.call(.get, "/v1/admin/reports\(query)", token: token)
            .expect(200, Page<ReportRecord>.self).items
    }

    private func close(
        _ caller: Caller, _ id: ReportID, _ decision: ReportDecision, _ token: String
    ) async throws -> Answer {
        try await caller.call(
            .post, "/v1/admin/reports/\(id)/close", decision, token: token)
    }

    @Test func operatorsSeeWhoReportedWhomAndWhy() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            let first = try await report(
                caller,
                ReportBody(
                    person: bob, subject: subject, reason: .fraud, text: " He was gone.\r\nTwice. "),
                me.accessToken, key: "r"
            ).expect(201, Report.self)
            #expect(first.status == .open)
            #expect(first.text == "He was gone.\nTwice.")
            #expect(first.subject == subject)
            #expect(first.createdAt == bench.clock.now)
            bench.clock.advance(by: 1)
            let second = try await report(
                caller, ReportBody(person: bob, reason: .spam), me.accessToken
            ).expect(201, Report.self)
            let listed = try await list(caller, boss)
            #expect(listed.map(\.id) == [second.id, first.id])
            #expect(listed.map(\.openReports) == [2, 2])
            #expect(listed[1].reporter.id == me.customer.id)
            #expect(listed[1].person.firstName == "Ottoline")
            #expect(listed[1].person.lastName == "Wongsuwan")
            #expect(listed[1].reason == .fraud)
            #expect(listed[0].text == nil)
            #expect(try await list(caller, boss, "?status=closed") == [])
            #expect(try await list(caller, boss, "?status=open&limit=1").map(\.id) == [second.id])
            try await caller.call(.get, "/v1/admin/reports?status=new", token: boss)
                .refused(422, "request.invalid", field: "status")
            try await caller.call(.get, "/v1/admin/reports", token: me.accessToken)
                .refused(403, "auth.role")
        }
    }

    @Test func theSameIsReportedOnceWhileItIsOpen() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            let body = ReportBody(person: bob, subject: subject, reason: .safety)
            let first = try await report(caller, body, me.accessToken, key: "r")
            let report = try first.expect(201, Report.self)
            let repeated = try await self.report(caller, body, me.accessToken, key: "r")
            #expect(repeated.data == first.data)
            for reason in [ReportReason.safety, .other] {
                let problem = try await self.report(
                    caller, ReportBody(person: bob, subject: subject, reason: reason),
                    me.accessToken
                ).refused(409, "report.open_exists")
                #expect(problem.reportId == report.id)
            }
            #expect(
                try await self.report(
                    caller, ReportBody(person: bob, reason: .safety), me.accessToken
                ).status == 201)
            _ = try await close(caller, report.id, ReportDecision(outcome: .dismissed), boss)
            #expect(try await self.report(caller, body, me.accessToken).status == 201)
        }
    }

    @Test func whatCanNotBeIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            try await report(
                caller, ReportBody(person: me.customer.id, reason: .spam), me.accessToken
            ).refused(422, "request.invalid", field: "person")
            try await report(
                caller, ReportBody(person: .new(), reason: .spam), me.accessToken
            ).refused(404, "account.unknown")
            let long = String(repeating: "a", count: 1_001)
            for text in [long, "a\u{1B}b"] {
                try await report(
                    caller, ReportBody(person: bob, reason: .spam, text: text), me.accessToken
                ).refused(422, "request.invalid", field: "text")
            }
        }
    }

    @Test func aDayHasTenReports() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            func next() async throws -> Answer {
                let subject = ReportSubject(product: "spots", id: .new())
                return try await report(
                    caller, ReportBody(person: bob, subject: subject, reason: .spam),
                    me.accessToken)
            }
            for _ in 1...10 { #expect(try await next().status == 201) }
            let refusal = try await next()
            try refusal.refused(429, "report.too_many")
            #expect(refusal.headers[.retryAfter] == "86400")
            bench.clock.advance(by: 86_401)
            let token = try await caller.signIn("+85261234567").expect(201, SignedIn.self)
                .accessToken
            let subject = ReportSubject(product: "spots", id: .new())
            let again = try await report(
                caller, ReportBody(person: bob, subject: subject, reason: .spam), token)
            #expect(again.status == 201)
        }
    }

    @Test func aDecisionIsToldAndAuditedOnce() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            let id = try await report(
                caller, ReportBody(person: bob, reason: .behaviour), me.accessToken
            ).expect(201, Report.self).id
            let decision = ReportDecision(outcome: .warned, note: "First time.")
            for _ in 1...2 {
                let record = try await close(caller, id, decision, boss)
                    .expect(200, ReportRecord.self)
                #expect(record.status == .closed)
                #expect(record.outcome == .warned)
                #expect(record.note == "First time.")
                #expect(record.openReports == 0)
                #expect(record.closedAt == bench.clock.now)
            }
            try await close(caller, id, ReportDecision(outcome: .dismissed), boss)
                .refused(409, "report.closed")
            try await close(caller, .new(), decision, boss).refused(404, "report.unknown")
            try await close(caller, id, decision, me.accessToken).refused(403, "auth.role")
            let told = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
                .flatMap(\.notice.messages)
            #expect(told.map(\.to) == [.person(me.customer.id), .person(bob)])
            #expect(told.first?.title?[.english] == "We looked at your report")
            let acted = try await outboxEvents(of: OperatorActed.self, in: bench.database)
            #expect(acted.map(\.action) == ["accounts.close-report"])
            #expect(acted.map(\.subject) == [id.description])
            #expect(acted.map(\.reason) == ["warned"])
        }
    }

    @Test func whoIsNotWarnedHearsNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            for outcome in [ReportOutcome.dismissed, .suspended] {
                let id = try await report(
                    caller, ReportBody(person: bob, reason: .behaviour), me.accessToken
                ).expect(201, Report.self).id
                _ = try await close(caller, id, ReportDecision(outcome: outcome), boss)
            }
            let told = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
                .flatMap(\.notice.messages)
            #expect(Set(told.map(\.to)) == [.person(me.customer.id)])
        }
    }

    @Test(arguments: [true, false])
    func ofWhoHasDeletedTheirAccountNoWordIsKept(reporterGoes: Bool) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568")
            let id = try await report(
                caller,
                ReportBody(person: bob.customer.id, reason: .fraud, text: "Quetzalcoatl did it"),
                me.accessToken
            ).expect(201, Report.self).id
            let gone = reporterGoes ? me : bob
            _ = try await caller.call(
                .post, "/v1/me/deletion", DeletionBody(password: Caller.password),
                token: gone.accessToken)
            let record = try #require(try await list(caller, boss).first)
            let someone = reporterGoes ? record.reporter : record.person
            #expect(someone == .init(id: gone.customer.id, firstName: nil, lastName: nil))
            #expect(record.text == nil)
            #expect(record.reason == .fraud)
            #expect(try await !bench.holds("Quetzalcoatl"))
            let closed = try await close(caller, id, ReportDecision(outcome: .warned), boss)
            #expect(closed.status == 200)
            let told = try await outboxEvents(of: NoticeIssued.self, in: bench.database)
                .flatMap(\.notice.messages)
            let left = reporterGoes ? bob : me
            #expect(told.map(\.to) == [.person(left.customer.id)])
        }
    }

    @Test func whatSomebodyWroteAndWhomTheyBlockedIsInTheirExport() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            let written = try await report(
                caller, ReportBody(person: bob, reason: .other, text: "Well."), me.accessToken
            ).expect(201, Report.self)
            _ = try await caller.call(.put, "/v1/me/blocks/\(bob)", token: me.accessToken)
            func held(_ person: PersonID) async throws -> AccountExport {
                try await caller.internally("/internal/people/\(person)")
                    .expect(200, AccountExport.self)
            }
            #expect(try await held(me.customer.id).reports == [written])
            #expect(try await held(me.customer.id).blocks.map(\.person) == [bob])
            #expect(try await held(bob).reports == [])
        }
    }

    @Test func closedOnesGoAfterAYear() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let boss = try await caller.operatorToken()
            let me = try await caller.customer("+85261234567")
            let bob = try await caller.customer("+85261234568").customer.id
            let closed = try await report(
                caller, ReportBody(person: bob, reason: .other), me.accessToken
            ).expect(201, Report.self).id
            _ = try await close(caller, closed, ReportDecision(outcome: .dismissed), boss)
            let open = try await report(
                caller, ReportBody(person: bob, reason: .other), me.accessToken
            ).expect(201, Report.self).id
            bench.clock.advance(by: FiledReport.kept - 1)
            try await bench.accounts.sweep()
            #expect(try await bench.database.read { try $0.reports.find(closed) } != nil)
            bench.clock.advance(by: 2)
            try await bench.accounts.sweep()
            #expect(try await bench.database.read { try $0.reports.find(closed) } == nil)
            #expect(try await bench.database.read { try $0.reports.find(open) } != nil)
        }
    }
}
