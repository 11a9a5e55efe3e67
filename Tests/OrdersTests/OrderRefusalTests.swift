import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Orders

struct OrderRefusalTests {
    static let actions = [
        "cancel", "cancel-recall", "customer-absent", "withdraw", "collect", "park", "recall",
        "retrieve", "hand-back",
    ]

    static func body(_ action: String) -> (any Encodable)? {
        switch action {
        case "collect", "hand-back": CodeBody(code: "0000")
        case "park": ParkBody(at: .garage, vehicle: .tesla)
        case "recall": RecallBody(returnTo: .central)
        default: nil
        }
    }

    @Test(arguments: actions)
    func withoutATokenNothingIsDone(_ action: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            try await caller.call(.post, "/v1/orders/\(order.id)/\(action)", Self.body(action))
                .refused(401, "auth.token_missing")
        }
    }

    @Test(arguments: actions)
    func someoneElsesOrderIsUnknown(_ action: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let isCustomers = ["cancel", "cancel-recall", "recall"].contains(action)
            let stranger = isCustomers ? TestPerson.bob : .vera
            for id in [order.id, OrderID.new()] {
                try await caller.call(
                    .post, "/v1/orders/\(id)/\(action)", Self.body(action), as: stranger
                ).refused(404, "order.unknown")
            }
            #expect(try await bench.stored(order.id).version.number == order.version)
        }
    }

    @Test(arguments: actions)
    func theWrongRoleIsRefused(_ action: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let isCustomers = ["cancel", "cancel-recall", "recall"].contains(action)
            var others: [TestPerson] = [isCustomers ? .victor : .alice]
            if action != "withdraw" { others.append(.olivia) }
            for person in others {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/\(action)", Self.body(action), as: person
                ).refused(403, "auth.role")
            }
        }
    }

    @Test func whatTheStateDoesNotAllowIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            for (action, person) in [
                ("cancel", TestPerson.alice), ("cancel-recall", .alice), ("recall", .alice),
                ("collect", .victor), ("retrieve", .victor), ("hand-back", .victor),
                ("customer-absent", .victor), ("withdraw", .victor), ("withdraw", .olivia),
            ] {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/\(action)", Self.body(action), as: person
                ).refused(409, "order.not_possible")
            }
            #expect(try await bench.stored(order.id).version.number == order.version)
        }
    }

    @Test func theValetOfTheOtherLegDoesNotAct() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            try await bench.match(order.id, .vera)
            for action in ["retrieve", "withdraw"] {
                try await caller.call(.post, "/v1/orders/\(order.id)/\(action)", as: .victor)
                    .refused(403, "order.not_assigned")
            }
            try await caller.act("retrieve", order.id, as: .vera)
            let code = try await bench.stored(order.id).handoverCode
            try await caller.call(
                .post, "/v1/orders/\(order.id)/hand-back", CodeBody(code: code), as: .victor
            ).refused(403, "order.not_assigned")
        }
    }

    @Test func anOperatorCannotWithdrawNobody() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            try await caller.call(.post, "/v1/orders/\(order.id)/withdraw", as: .olivia)
                .refused(409, "order.nothing_assigned")
        }
    }

    @Test func anOperatorWithdrawsAValetAndAnotherIsLookedFor() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let after = try await caller.act(
                "withdraw", order.id, ReasonBody(reason: "ill"), as: .olivia)
            #expect(after.status == .requested)
            #expect(after.dropOffValet == nil)
            let event = try #require(try await bench.published(ValetWithdrawn.self).first)
            #expect(event.match.excluded == [TestPerson.victor.valet])
            // The valet is a stranger now.
            try await caller.call(.get, "/v1/orders/\(order.id)", as: .victor)
                .refused(404, "order.unknown")
        }
    }

    @Test func whoGivesTheJobBackIsAnsweredWithoutNames() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.alice)
            let order = try await caller.order(in: .droppingOff)
            let answer = try await caller.act("withdraw", order.id, as: .victor)
            #expect(answer.status == .requested)
            #expect(answer.dropOffValet == nil)
            #expect(answer.customer.phone.isEmpty)
            try await caller.call(.post, "/v1/orders/\(order.id)/withdraw", as: .victor)
                .refused(404, "order.unknown")
        }
    }

    @Test func wrongCodesAreCountedAlthoughTheyAreRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let path = "/v1/orders/\(order.id)/collect"
            let right = try #require(order.handoverCode)
            let wrong = CodeBody(code: right == "0000" ? "0001" : "0000")
            for _ in 1...5 {
                try await caller.call(.post, path, wrong, as: .victor)
                    .refused(422, "order.wrong_code", field: "code")
            }
            bench.clock.advance(by: 15)
            let answer = try await caller.call(
                .post, path, CodeBody(code: right), as: .victor)
            let problem = try answer.refused(429, "order.code_locked")
            #expect(problem.retryAfterSeconds == 45)
            #expect(answer.headers[.retryAfter] == "45")
            bench.clock.advance(by: 45)
            try await caller.act("collect", order.id, CodeBody(code: right), as: .victor)
        }
    }

    /// Types wrong codes until none is left to try.
    private func useUpCodes(_ caller: Caller, _ order: OrderView) async throws {
        let wrong = CodeBody(code: order.handoverCode == "0000" ? "0001" : "0000")
        for _ in 1...2 {
            for _ in 1...5 {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/collect", wrong, as: .victor
                ).refused(422, "order.wrong_code", field: "code")
            }
            caller.bench.clock.advance(by: 60)
        }
    }

    @Test func afterTenWrongCodesAnOperatorHasToLook() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await useUpCodes(caller, order)
            let path = "/v1/orders/\(order.id)/collect"
            let right = CodeBody(code: try #require(order.handoverCode))
            try await caller.call(.post, path, right, as: .victor)
                .refused(409, "order.codes_used_up")
            let told = try await bench.published(OrderNeedsOperator.self)
            #expect(told.map(\.cause.known) == [.wrongCodes])
            let alerts = try await caller.call(.get, "/v1/admin/alerts?status=open", as: .olivia)
                .expect(200, Page<Alert>.self).items
            #expect(alerts.map(\.kind) == [.wrongCodes])
            let notice = try #require(
                try await bench.published(NoticeIssued.self)
                    .last { $0.notice.cause == OrderNeedsOperator.type }?.notice)
            for recipient in [Recipient.person(TestPerson.alice.id), .operators] {
                let message = try #require(notice.messages.first { $0.to == recipient })
                #expect(message.title?[.english] == "Too many wrong codes")
                #expect(message.title?[.traditionalChinese] == "交接碼錯誤次數過多")
                #expect(message.push == .now)
            }
        }
    }

    @Test func anOperatorsOverrideOpensTheOrderAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await useUpCodes(caller, order)
            let override = OverrideBody(status: .requested, reason: "spoke to both")
            _ = try await caller.call(
                .post, "/v1/admin/orders/\(order.id)/override", override, as: .olivia
            ).expect(200, OrderView.self)
            try await bench.match(order.id, .vera)
            let code = CodeBody(code: try await bench.stored(order.id).handoverCode)
            try await caller.act("collect", order.id, code, as: .vera)
        }
    }

    @Test func theSameWrongTryUnderOneKeyCountsOnce() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let code = CodeBody(code: order.handoverCode == "0000" ? "0001" : "0000")
            for _ in 1...6 {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/collect", code, as: .victor,
                    headers: [.idempotencyKey: "k"]
                ).refused(422, "order.wrong_code", field: "code")
            }
            #expect(try await bench.stored(order.id).wrongCodes == 1)
        }
    }

    @Test func theFirstCodeDoesNotOpenTheReturn() async throws {
        var names = OrderNames.random
        let codes = Counter()
        names.newCode = { "000\(codes.next())" }
        let bench = try await Bench(names: names)
        try await bench.run { caller in
            let order = try await caller.order(in: .returningBack)
            #expect(order.handoverCode == "0002")
            try await caller.call(
                .post, "/v1/orders/\(order.id)/hand-back", CodeBody(code: "0001"), as: .vera
            ).refused(422, "order.wrong_code", field: "code")
        }
    }

    @Test func absenceIsReportedAfterArrivalAndWaiting() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let path = "/v1/orders/\(order.id)/customer-absent"
            try await caller.call(.post, path, as: .victor).refused(409, "order.not_arrived")
            // Another valet's arrival is not this one's.
            for valet in [TestPerson.vera, .victor] {
                try await bench.hear(
                    PartyArrived(
                        engagement: order.id.as(EngagementID.self), product: "valet",
                        meeting: "dropOff",
                        mover: valet.valet.as(PersonID.self),
                        peers: [TestPerson.alice.customer.as(PersonID.self)],
                        arrivedAt: bench.clock.now))
                if valet.id == TestPerson.vera.id {
                    try await caller.call(.post, path, as: .victor)
                        .refused(409, "order.not_arrived")
                }
            }
            bench.clock.advance(by: 200)
            let problem = try await caller.call(.post, path, as: .victor)
                .refused(409, "order.waiting")
            #expect(problem.retryAfterSeconds == 100)
            bench.clock.advance(by: 100)
            let after = try await caller.act("customer-absent", order.id, as: .victor)
            #expect(after.status == .cancelled)
            #expect(after.charge?.amount == 10_000)
            let quote = try await caller.call(.get, "/v1/orders/\(order.id)/quote", as: .alice)
                .expect(200, Quote.self)
            #expect(quote.lines.map(\.kind.known) == [.noShow])
        }
    }

    struct BadPark: Sendable {
        var field: String
        var change: @Sendable (inout ParkBody) -> Void
    }

    static let badParks: [BadPark] = [
        BadPark(field: "latitude") { $0.latitude = 90.1 },
        BadPark(field: "longitude") { $0.longitude = 181 },
        BadPark(field: "lot") { $0.lot = String(repeating: "x", count: 41) },
        BadPark(field: "level") { $0.level = String(repeating: "x", count: 41) },
        BadPark(field: "bay") { $0.bay = "a\u{1}b" },
        BadPark(field: "keyTag") { $0.keyTag = String(repeating: "x", count: 10_000) },
        BadPark(field: "vehicle.plate") { $0.vehicle.plate = " " },
        BadPark(field: "vehicle.plate") { $0.vehicle.plate = String(repeating: "9", count: 21) },
        BadPark(field: "vehicle.make") { $0.vehicle.make = "" },
        BadPark(field: "vehicle.model") { $0.vehicle.model = "" },
        BadPark(field: "vehicle.colour") { $0.vehicle.colour = "" },
    ]

    @Test func aBadParkingPlaceIsRefusedWithItsField() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            for bad in Self.badParks {
                var body = ParkBody(at: .garage, vehicle: .tesla)
                bad.change(&body)
                try await caller.call(.post, "/v1/orders/\(order.id)/park", body, as: .victor)
                    .refused(422, "request.invalid", field: bad.field)
            }
            #expect(try await bench.stored(order.id).status == .parking)
        }
    }

    @Test func theReturnPointIsInsideAnArea() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parked)
            let path = "/v1/orders/\(order.id)/recall"
            try await caller.call(.post, path, RecallBody(returnTo: .lantau), as: .alice)
                .refused(422, "order.outside_service_area", field: "returnTo")
            var off = Place.central
            off.latitude = -91
            try await caller.call(.post, path, RecallBody(returnTo: off), as: .alice)
                .refused(422, "request.invalid", field: "returnTo.latitude")
        }
    }

    @Test func aReasonThatIsTooLongIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let body = ReasonBody(reason: String(repeating: "x", count: 501))
            for (action, person) in [
                ("cancel", TestPerson.alice), ("withdraw", .victor), ("customer-absent", .victor),
            ] {
                try await caller.call(
                    .post, "/v1/orders/\(order.id)/\(action)", body, as: person
                ).refused(422, "request.invalid", field: "reason")
            }
        }
    }

    @Test func aMalformedIdIsNotFound() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for id in ["7", "x'--", "019000000000-0000-7000-8000-000000000001"] {
                try await caller.call(.get, "/v1/orders/\(id)", as: .alice)
                    .refused(404, "request.not_found")
            }
        }
    }
}

struct OperatorTests {
    @Test func anOverrideIsForOperatorsAndNeedsAReason() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            let path = "/v1/admin/orders/\(order.id)/override"
            let body = OverrideBody(status: .parked, reason: "the phone broke")
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.post, path, body, as: person).refused(403, "auth.role")
            }
            for reason in ["", "  ", String(repeating: "x", count: 501)] {
                try await caller.call(
                    .post, path, OverrideBody(status: .parked, reason: reason), as: .olivia
                ).refused(422, "request.invalid", field: "reason")
            }
            try await caller.call(.post, path, raw: #"{"status":"none","reason":"x"}"#, as: .olivia)
                .refused(400, "request.malformed", field: "status")
            try await caller.call(
                .post, path, OverrideBody(status: .parking, reason: "x"), as: .olivia
            ).refused(409, "order.not_possible", field: "status")
            try await caller.call(
                .post, "/v1/admin/orders/\(OrderID.new())/override", body, as: .olivia
            ).refused(404, "order.unknown")
            let view = try await caller.call(.post, path, body, as: .olivia)
                .expect(200, OrderView.self)
            #expect(view.status == .parked)
            let event = try #require(try await bench.published(OrderOverridden.self).first)
            #expect(event.released == TestPerson.victor.valet)
            #expect(event.by == TestPerson.olivia.operatorID)
            #expect(event.reason == "the phone broke")
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.map(\.action) == ["orders.override"])
            #expect(acts.first?.subject == order.id.description)
            #expect(acts.first?.reason == "the phone broke")
        }
    }

    @Test func anOverrideDoesNotGiveAValetTwoJobs() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.order(in: .parked)
            _ = try await caller.order(in: .droppingOff, of: .bob)
            try await caller.call(
                .post, "/v1/admin/orders/\(first.id)/override",
                OverrideBody(status: .parking, reason: "moved"), as: .olivia
            ).refused(409, "order.valet_busy")
        }
    }

    @Test func listsShowWhatTheReaderMaySee() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let mine = try await caller.order(in: .parked)
            let other = try await caller.order(in: .droppingOff, of: .bob)
            func ids(_ path: String, _ person: TestPerson) async throws -> [OrderID] {
                try await caller.call(.get, path, as: person)
                    .expect(200, Page<OrderView>.self).items.map(\.id)
            }
            #expect(try await ids("/v1/orders", .alice) == [mine.id])
            #expect(try await ids("/v1/orders", .victor) == [other.id, mine.id])
            #expect(try await ids("/v1/orders", .vera) == [])
            #expect(try await ids("/v1/orders", .olivia) == [other.id, mine.id])
            #expect(try await ids("/v1/admin/orders?status=parked", .olivia) == [mine.id])
            #expect(try await ids("/v1/orders?status=parked", .victor) == [mine.id])
            #expect(try await ids("/v1/orders?status=finished", .alice) == [])
            try await caller.call(.get, "/v1/admin/orders", as: .alice).refused(403, "auth.role")
            try await caller.call(.get, "/v1/orders").refused(401, "auth.token_missing")
            let current = try await caller.call(.get, "/v1/orders/current", as: .victor)
                .expect(200, OrderView.self)
            #expect(current.id == other.id)
            #expect(current.handoverCode == nil)
            try await caller.call(.get, "/v1/orders/current", as: .olivia)
                .refused(403, "auth.role")
            #expect(try await caller.call(.get, "/v1/orders/current", as: .vera).status == 204)
            let active = try await caller.call(.get, "/v1/orders/current", as: .alice)
                .expect(200, OrderView.self)
            #expect(active.id == mine.id)
        }
    }

    @Test func pagesFollowEachOtherWithoutGapOrRepeat() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var placed: [OrderID] = []
            for _ in 0..<5 {
                let order = try await caller.place()
                placed.insert(order.id, at: 0)
                try await caller.act("cancel", order.id, as: .alice)
                bench.clock.advance(by: 1)
            }
            var (seen, cursor): ([OrderID], String?) = ([], nil)
            repeat {
                let after = cursor.map { "&after=\($0)" } ?? ""
                let page = try await caller.call(.get, "/v1/orders?limit=2\(after)", as: .alice)
                    .expect(200, Page<OrderView>.self)
                #expect(page.items.count <= 2)
                seen += page.items.map(\.id)
                // What is placed meanwhile is newer than every later page.
                if cursor == nil {
                    let order = try await caller.place()
                    try await caller.act("cancel", order.id, as: .alice)
                }
                cursor = page.next
            } while cursor != nil
            #expect(seen == placed)
        }
    }

    @Test func badListRequestsAreRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for (query, field) in [
                ("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"),
                ("after=x", "after"), ("status=none", "status"),
            ] {
                try await caller.call(.get, "/v1/orders?\(query)", as: .alice)
                    .refused(422, "request.invalid", field: field)
            }
        }
    }
}

/// Counts from 1, from several tasks.
final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
