import Answers
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import ProductKit

/// What a product keeps of its bills, tells payments of them, and answers when payments asks.
@Suite struct BillBookTests {
    private let clock = TestClock()
    private let environment: ServiceEnvironment
    private let database: Database
    private let payer = PersonID.new()

    init() throws {
        environment = try ServiceEnvironment.test("billing", clock: clock)
        database = try environment.database([Standings.migration, BillBook.migration])
    }

    private func bill() -> Bill {
        let text = LocalizedText { _ in "Box" }
        let detail = Bill.Detail(label: text, value: "ABC123", isPersonal: true)
        var bill = Bill(
            id: .new(), product: .parking, version: 1, payer: payer, currency: "EUR",
            facts: Bill.Facts(title: text, reference: "B-7", place: "Dock", details: [detail]))
        bill.lines = [
            Bill.Line(kind: "box", text: text, amount: Money(amount: 500, currency: "EUR"))
        ]
        return bill
    }

    private var deleted: AccountDeleted {
        AccountDeleted(account: payer, role: .customer, version: 2, deletedAt: clock.now)
    }

    private func stored(_ id: BillID) async throws -> Bill? {
        try await database.read { try $0.ownBill(id) }
    }

    private func published() async throws -> [Bill] {
        try await outboxEvents(of: BillChanged.self, in: database).map(\.bill)
    }

    @Test func eachAmendmentIsPublishedAsTheNextVersion() async throws {
        let bill = bill()
        #expect(try await stored(bill.id) == nil)
        try await database.write { [payer, now = clock.now] transaction in
            try transaction.publish(bill, at: now)
            try transaction.amend(bill.id, at: now) { $0.tipped = [payer] }
            try transaction.amend(bill.id, at: now) { $0.lines = [] }
        }
        let told = try await published()
        #expect(told.map(\.version) == [1, 2, 3])
        #expect(told.first == bill)
        #expect(told.last?.tipped == [payer])
        #expect(told.last?.lines == [])
        #expect(try await stored(bill.id) == told.last)
    }

    @Test func aBillThatIsMissingCannotBeAmended() async throws {
        await #expect(throws: StoreError.self) {
            try await database.write { [now = clock.now] in try $0.withdraw(.new(), at: now) }
        }
        #expect(try await published().isEmpty)
    }

    @Test func aBillIsOpenUntilItIsWithdrawnOrRefundedInPart() async throws {
        let (kept, withdrawn, refunded, missing) = (bill(), bill(), bill(), bill())
        let part = Bill.Return(
            id: .new(), amount: Money(amount: 1, currency: "EUR"), reason: "late")
        try await database.write { [now = clock.now] transaction in
            for bill in [kept, withdrawn, refunded] { try transaction.publish(bill, at: now) }
            try transaction.withdraw(withdrawn.id, at: now)
            try transaction.amend(refunded.id, at: now) { $0.returns = [part] }
        }
        let open = try await database.read { transaction in
            try [kept, withdrawn, refunded, missing].map { try transaction.isOpen($0.id) }
        }
        #expect(open == [true, false, false, false])
        let news = try #require(try await stored(withdrawn.id))
        #expect(news.state == .known(.withdrawn))
        #expect(news.version == 2)
    }

    @Test func openBillsAreToldAndAllAreCounted() async throws {
        let (open, withdrawn) = (bill(), bill())
        try await database.write { [now = clock.now] transaction in
            for bill in [open, withdrawn] { try transaction.publish(bill, at: now) }
            try transaction.withdraw(withdrawn.id, at: now)
        }
        let told = try await database.read { try $0.toldBills(after: "", limit: 10) }
        #expect(told.compactMap { ($0.event as? BillChanged)?.bill.id } == [open.id])
        #expect(
            Set(told.flatMap(\.marks).map(\.id)) == Set([open, withdrawn].map(\.id.description)))
    }

    @Test func nothingTellsOfAPayerWhoseAccountIsDeleted() async throws {
        let (bill, other) = (bill(), bill())
        try await database.write { [deleted, now = clock.now] transaction in
            try transaction.publish(bill, at: now)
            try transaction.keepStanding(deleted)
            try transaction.amend(bill.id, at: now) { $0.lines = [] }
            try transaction.publish(other, at: now)
        }
        let told = try await published()
        #expect(told.map(\.tellsOfPayer) == [true, false, false])
        #expect(told.map(\.facts.place) == ["Dock", nil, nil])
        #expect(try await stored(bill.id) == told[1])
    }

    @Test func onlyWhatNamesTheCostOfABillWaitsForPayments() async throws {
        let words = Catalogue([
            .english: Array(#"{ "due": { "title": "Pay", "text": "{amount}" } }"#.utf8)
        ])
        let due = words.message(to: .person(payer), "due", ["amount": .charge], push: .soon)
        let free = words.message(to: .operators, "due", ["amount": .text("-")])
        let bill = bill()
        func issue(_ messages: [Notice.Message]) async throws {
            let notice = Notice(subject: "B-7", cause: BillChanged.self, messages)
            try await database.write { [now = clock.now] in
                try $0.publish(notice, of: bill, at: now)
            }
        }
        for messages in [[due, free], [due], [free]] { try await issue(messages) }
        let told = try await outboxEvents(of: NoticeIssued.self, in: database)
        #expect(told.map(\.notice.messages) == [[free], [free]])
        let waiting = try await outboxEvents(of: BillNoticeIssued.self, in: database)
        #expect(waiting.map(\.notice.messages) == [[due], [due]])
        #expect(waiting.map(\.bill) == [bill, bill])
    }

    @Test func furtherColumnsAreOfTheBillAsPublishedAndOutlastAmendments() async throws {
        let database = try ServiceEnvironment.test("billing-of-boxes").database([
            Standings.migration,
            Migration(
                "bills-of-boxes-1",
                """
                CREATE TABLE bills (
                    id TEXT NOT NULL PRIMARY KEY,
                    version BIGINT NOT NULL,
                    box BIGINT NOT NULL,
                    tells_of TEXT,
                    body TEXT NOT NULL)
                """),
        ])
        let bill = bill()
        func publish(_ version: Int, box: Int) async throws {
            try await database.write { [now = clock.now] transaction in
                var bill = bill
                bill.version = version
                try transaction.publish(bill, at: now) {
                    ["box": box, "tells_of": $0.tellsOfPayer ? $0.payer : nil]
                }
            }
        }
        func columns() async throws -> [String] {
            try await database.read { transaction in
                try transaction.rows("SELECT version, box, tells_of FROM bills").map { row in
                    let (version, box): (Int, Int) = (try row.get("version"), try row.get("box"))
                    let person: PersonID? = try row.getIfPresent("tells_of")
                    return "\(version) \(box) \(person?.description ?? "-")"
                }
            }
        }
        try await publish(1, box: 7)
        #expect(try await columns() == ["1 7 \(payer)"])
        try await database.write { [now = clock.now] in try $0.withdraw(bill.id, at: now) }
        #expect(try await columns() == ["2 7 \(payer)"])
        try await database.write { [deleted] in try $0.keepStanding(deleted) }
        try await publish(3, box: 8)
        #expect(try await columns() == ["3 8 -"])
    }

    @Test func servicesAreAnsweredTheNewestBillAndPeopleAreNot() async throws {
        let bill = bill()
        try await database.write { [now = clock.now] transaction in
            try transaction.publish(bill, at: now)
            try transaction.withdraw(bill.id, at: now)
        }
        let router = environment.router()
        router.bills(in: database)
        let tokens = ServiceTokens(
            service: "payments", secret: ServiceEnvironment.testSecret, clock: clock.serviceClock)
        let service = "Bearer \(try await tokens.token(for: "billing"))"
        let person = try await TestPerson.olivia.bearer(at: clock.now)
        try await Application(router: router).test(.router) { client in
            func ask(_ id: BillID, _ bearer: String) async throws -> Answer {
                Answer(
                    try await client.execute(
                        uri: "/internal/bills/\(id)", method: .get,
                        headers: [.authorization: bearer]))
            }
            let answer = try await ask(bill.id, service).expect(200, Bill.self)
            #expect(answer.version == 2)
            #expect(answer.state == .known(.withdrawn))
            try await ask(.new(), service).refused(404, "request.not_found")
            try await ask(bill.id, person).refused(401, "auth.token_invalid")
        }
    }
}
