import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

/// Boris is a customer who works as a valet besides.
struct BothRolesTests {
    private func list(
        _ caller: Caller, _ query: String = "", as person: TestPerson = .boris
    ) async throws -> [OrderID] {
        try await caller.call(.get, "/v1/orders\(query)", as: person)
            .expect(200, Page<OrderView>.self).items.map(\.id)
    }

    private func current(_ caller: Caller, _ query: String = "") async throws -> OrderID {
        try await caller.call(.get, "/v1/orders/current\(query)", as: .boris)
            .expect(200, OrderView.self).id
    }

    @Test func ownOrdersAndJobsStandInOneList() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let job = try await caller.place(as: .alice)
            try await bench.match(job.id, .boris)
            bench.clock.advance(by: 1)
            let own = try await caller.place(as: .boris)
            bench.clock.advance(by: 1)
            _ = try await caller.place(as: .bob)
            #expect(try await list(caller) == [own.id, job.id])
            #expect(try await list(caller, "?status=requested") == [own.id])
            #expect(try await list(caller, "?as=customer") == [own.id])
            #expect(try await list(caller, "?as=valet") == [job.id])
            #expect(try await list(caller, "?as=valet", as: .bob).isEmpty)
            try await caller.call(.get, "/v1/orders?as=operator", as: .boris)
                .refused(422, "request.invalid", field: "as")
            #expect(try await current(caller) == job.id)
            #expect(try await current(caller, "?as=valet") == job.id)
            #expect(try await current(caller, "?as=customer") == own.id)
        }
    }

    @Test func whatIsShownFollowsFromWhatSomebodyIsToTheOrder() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .boris, .victor] { try await bench.learn(person) }
            let job = try await caller.place(as: .alice)
            try await bench.match(job.id, .boris)
            let own = try await caller.place(as: .boris)
            try await bench.match(own.id, .victor)

            let asValet = try await caller.read(job.id, as: .boris)
            #expect(asValet.handoverCode == nil)
            #expect(asValet.customer.phone == TestPerson.alice.phone)
            let asCustomer = try await caller.read(own.id, as: .boris)
            #expect(asCustomer.handoverCode != nil)
            #expect(asCustomer.dropOffValet?.phone == TestPerson.victor.phone)
            #expect(asCustomer.dropOff.address != nil)

            let code = try await CodeBody(code: bench.stored(job.id).handoverCode)
            try await caller.act("collect", job.id, code, as: .boris)
            let over = try await caller.act(
                "park", job.id, ParkBody(at: .garage, vehicle: .tesla), as: .boris)
            #expect(over.customer.phone.isEmpty)
        }
    }

    @Test func whatIsDoneFollowsFromWhatSomebodyIsToTheOrder() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let job = try await caller.place(as: .alice)
            try await bench.match(job.id, .boris)
            let own = try await caller.place(as: .boris)
            try await bench.match(own.id, .victor)
            let code = try await CodeBody(code: bench.stored(own.id).handoverCode)
            try await caller.call(.post, "/v1/orders/\(own.id)/collect", code, as: .boris)
                .refused(403, "order.not_assigned")
            try await caller.call(.post, "/v1/orders/\(own.id)/withdraw", as: .boris)
                .refused(403, "order.not_assigned")
            try await caller.call(.post, "/v1/orders/\(job.id)/cancel", as: .boris)
                .refused(404, "order.unknown")
            #expect(try await caller.act("cancel", own.id, as: .boris).status == .cancelled)
            #expect(try await caller.act("withdraw", job.id, as: .boris).status == .requested)
        }
    }

    @Test func nobodyIsTheirOwnValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let own = try await caller.place(as: .boris)
            try await bench.match(own.id, .boris)
            let order = try await bench.stored(own.id)
            #expect(order.status == .requested)
            #expect(order.search(.dropOff).excluded == [TestPerson.boris.valet])
            #expect(try await bench.published(MatchRepeated.self).count == 1)
            try await bench.match(own.id, .victor)
            #expect(try await bench.stored(own.id).status == .droppingOff)
        }
    }

    @Test func aSuspendedValetStillGetsTheirOwnVehicleBack() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let own = try await caller.order(in: .parked, of: .boris)
            try await bench.learn(.boris, suspended: true, version: 2)
            let recalled = try await caller.act(
                "recall", own.id, RecallBody(returnTo: .mongKok), as: .boris)
            #expect(recalled.status == .requestingBack)
            try await caller.call(.post, "/v1/orders/\(own.id)/withdraw", as: .boris)
                .refused(403, "order.valet_suspended")
        }
    }

    @Test func aPushOpensTheAppInWhichItIsRead() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place(as: .boris)
            try await bench.match(order.id, .victor)
            let notice = try #require(try await bench.published(NoticeIssued.self).last?.notice)
            #expect(notice.messages.map(\.role) == [.known(.customer), nil, .known(.valet)])
        }
    }
}
