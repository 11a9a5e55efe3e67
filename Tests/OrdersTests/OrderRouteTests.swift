import Answers
import Contracts
import EventBus
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Orders

struct PlacingTests {
    @Test func aCustomerPlacesAnOrderAndItsEventLeavesWithIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.alice)
            let answer = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central, extras: [.wash]), as: .alice)
            let order = try answer.expect(201, OrderView.self)
            #expect(order.status == .requested)
            #expect(order.serviceArea.description == "hk-island")
            #expect(order.customer.firstName == "Alice")
            #expect(order.extras == [.wash])
            #expect(order.dropOff == .central)
            #expect(order.handoverCode?.count == 4)
            #expect(order.version == 1)
            #expect(answer.headers[.eTag] == "\"1\"")
            #expect(answer.headers[.location] == "/v1/orders/\(order.id)")
            let events = try await bench.published(DropOffRequested.self)
            #expect(events.map(\.order.id) == [order.id])
            #expect(events.first?.match.attempt == 1)
        }
    }

    @Test func aSecondUnfinishedOrderIsRefusedWithTheIdOfTheFirst() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.place()
            let problem = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice
            ).refused(409, "order.unfinished_exists")
            #expect(problem.engagementId == first.id.as(EngagementID.self))
            _ = try await caller.place(as: .bob)
        }
    }

    @Test func ofManyAtOnceOneIsPlaced() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await caller.call(
                            .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice
                        ).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 409, count: 11))
            #expect(try await bench.published(DropOffRequested.self).count == 1)
        }
    }

    @Test func outsideEveryAreaTheNearestServicePointIsNamed() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let problem = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .lantau), as: .alice
            ).refused(422, "order.outside_service_area", field: "dropOff")
            #expect(problem.servicePoint == Place(latitude: 22.2819, longitude: 114.1556))
            #expect(try await bench.published(DropOffRequested.self).isEmpty)
        }
    }

    @Test func onlyACustomersOwnVehicleIsTaken() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try #require(OrderVehicle.tesla.id)
            let mine = Vehicle(
                id: id, plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white")
            try await bench.hear(
                VehicleChanged(
                    owner: TestPerson.bob.customer, vehicle: mine, removed: false, version: 1))
            let body = PlaceOrderBody(dropOff: .central, vehicleId: id)
            try await caller.call(.post, "/v1/orders", body, as: .alice)
                .refused(422, "order.vehicle_unknown", field: "vehicleId")
            let order = try await caller.call(.post, "/v1/orders", body, as: .bob)
                .expect(201, OrderView.self)
            #expect(order.vehicle == .tesla)
            try await caller.act("cancel", order.id, as: .bob)
            try await bench.hear(
                VehicleChanged(
                    owner: TestPerson.bob.customer, vehicle: mine, removed: true, version: 2))
            try await caller.call(.post, "/v1/orders", body, as: .bob)
                .refused(422, "order.vehicle_unknown", field: "vehicleId")
        }
    }

    @Test func aVehicleThatHasNotBeenHeardOfIsAskedFor() async throws {
        let id = VehicleID.new()
        let vehicle = Vehicle(id: id, plate: "X", make: "X", model: "X", colour: "X")
        let accounts = PretendServer(.failing(500))
        try await accounts.serve { url in
            let bench = try await Bench(accounts: url)
            try await bench.learn(.alice)
            try await bench.run { caller in
                func place() async throws -> Answer {
                    try await caller.call(
                        .post, "/v1/orders", PlaceOrderBody(dropOff: .central, vehicleId: id),
                        as: .alice)
                }
                try await place().refused(503, "service.unavailable")
                for (isRemoved, version) in [(true, 2), (false, 3)] {
                    accounts.set(
                        try .having(
                            VehicleChanged(
                                owner: TestPerson.alice.customer, vehicle: vehicle,
                                removed: isRemoved, version: version)))
                    let answer = try await place()
                    #expect(answer.status == (isRemoved ? 422 : 201))
                }
            }
        }
        #expect(Set(accounts.asked.map(\.path)) == ["/internal/vehicles/\(id)"])
    }

    @Test func whoHasNotBeenHeardOfIsAskedForAndHasANameAtOnce() async throws {
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            let bench = try await Bench(accounts: url)
            try await bench.run { caller in
                try accounts.know(.alice, at: bench.clock.now)
                let order = try await caller.place()
                #expect(order.customer.firstName == "Alice")
                try accounts.know(.victor, at: bench.clock.now)
                try await bench.match(order.id, .victor)
                let valet = try await caller.read(order.id, as: .alice).dropOffValet
                #expect(valet?.firstName == "Victor")
                #expect(valet?.phone == TestPerson.victor.phone)
            }
        }
        let people = [TestPerson.alice, .victor]
        #expect(accounts.asked.map(\.path) == people.map { "/internal/accounts/\($0.id)" })
    }

    @Test(arguments: [
        PretendServer.Mood.failing(503), .answering("{"), .refusing(404, "account.unknown"),
    ])
    func nobodyIsRefusedForANameThatAccountsDoesNotSay(mood: PretendServer.Mood) async throws {
        let accounts = PretendServer(mood)
        try await accounts.serve { url in
            let bench = try await Bench(accounts: url)
            try await bench.run { caller in
                let order = try await caller.order(in: .droppingOff)
                #expect(order.customer.firstName.isEmpty)
                try await bench.learn(.alice)
                #expect(try await caller.read(order.id, as: .alice).customer.firstName == "Alice")
            }
        }
    }

    @Test func theSameKeyGivesTheSameOrderAndAnotherBodyIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let headers: HTTPFields = [.idempotencyKey: "tap-1"]
            func place(_ at: Place) async throws -> Answer {
                try await caller.call(
                    .post, "/v1/orders", PlaceOrderBody(dropOff: at), as: .alice, headers: headers)
            }
            let first = try await place(.central).expect(201, OrderView.self)
            let second = try await place(.central).expect(201, OrderView.self)
            #expect(first == second)
            try await place(.mongKok).refused(422, "idempotency.key_reused")
            #expect(try await bench.published(DropOffRequested.self).count == 1)
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var body: String
        var status = 422
        var code = "request.invalid"
        var field: String?
        var testDescription: String { body.prefix(80).description }
    }

    static let point = #""latitude":22.2819,"longitude":114.1556"#

    @Test(arguments: [
        Bad(body: "", status: 400, code: "request.malformed"),
        Bad(body: "{", status: 400, code: "request.malformed"),
        Bad(body: "[]", status: 400, code: "request.malformed"),
        Bad(body: "{}", status: 400, code: "request.malformed", field: "dropOff"),
        Bad(
            body: #"{"dropOff":{"latitude":"x","longitude":1}}"#, status: 400,
            code: "request.malformed", field: "dropOff.latitude"),
        Bad(
            body: #"{"dropOff":{"latitude":1e999,"longitude":1}}"#, status: 400,
            code: "request.malformed"),
        Bad(body: #"{"dropOff":{"latitude":91,"longitude":1}}"#, field: "dropOff.latitude"),
        Bad(body: #"{"dropOff":{"latitude":1,"longitude":-181}}"#, field: "dropOff.longitude"),
        Bad(
            body: "{\"dropOff\":{\(point),\"address\":\"\(String(repeating: "a", count: 201))\"}}",
            field: "dropOff.address"),
        Bad(
            body: "{\"dropOff\":{\(point)},\"extras\":[\"wash\",\"wash\"]}", field: "extras"),
        Bad(
            body: "{\"dropOff\":{\(point)},\"extras\":[\"polish\"]}", status: 400,
            code: "request.malformed", field: "extras[0]"),
        Bad(
            body: "{\"dropOff\":{\(point)},\"vehicleId\":\"7\"}", status: 400,
            code: "request.malformed", field: "vehicleId"),
    ])
    func aBadBodyIsRefusedWithItsField(_ bad: Bad) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.post, "/v1/orders", raw: bad.body, as: .alice)
            #expect(answer.status == bad.status)
            let problem = try Wire.decode(Problem.self, from: answer.data)
            #expect(problem.code == bad.code)
            if let field = bad.field { #expect(problem.field == field) }
            #expect(try await bench.published(DropOffRequested.self).isEmpty)
        }
    }

    @Test func unknownFieldsAreIgnored() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(
                .post, "/v1/orders", raw: "{\"dropOff\":{\(Self.point),\"z\":1},\"q\":[]}",
                as: .alice)
            #expect(answer.status == 201)
        }
    }

    @Test func aBodyBeyondTheLimitIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let body = String(repeating: " ", count: Context.largestBody + 1)
            try await caller.call(.post, "/v1/orders", raw: body, as: .alice)
                .refused(413, "request.too_large")
        }
    }

    @Test func anExtraThatTheAreaDoesNotOfferIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.change(.central) { $0.tariff?.extras = [:] }
            try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central, extras: [.wash]), as: .alice
            ).refused(422, "order.extra_unavailable", field: "extras")
        }
    }

    @Test func anOrderKeepsTheTariffOfItsPlacing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            try await bench.change(.central) { $0.tariff = .free }
            #expect(try await bench.stored(order.id).tariff.baseFee == 8_000)
            let next = try await caller.place(as: .bob)
            #expect(try await bench.stored(next.id).tariff.baseFee == 0)
        }
    }

    @Test func ticketsOfUnfinishedOrdersDiffer() async throws {
        var names = OrderNames.random
        names.newTicket = { digits in "K7-" + String(repeating: "4", count: digits) }
        let bench = try await Bench(names: names)
        try await bench.run { caller in
            let first = try await caller.place()
            let second = try await caller.place(as: .bob)
            #expect(first.ticket == "K7-44")
            #expect(second.ticket == "K7-444")
            try await caller.act("cancel", first.id, as: .alice)
            #expect(try await caller.place().ticket == "K7-44")
        }
    }
}

struct WaitingTests {
    @Test func aClientMayWaitForTheValet() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            async let waiting = caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice,
                headers: [.prefer: "respond-async, wait=99"])
            #expect(
                try await eventually {
                    try await bench.published(DropOffRequested.self).count == 1
                })
            let id = try #require(try await bench.published(DropOffRequested.self).first).order.id
            async let reading = caller.call(
                .get, "/v1/orders/\(id)", as: .alice, headers: [.prefer: "wait=30"])
            try await bench.match(id, .victor)
            let answer = try await waiting
            #expect(answer.headers[.preferenceApplied] == "wait=30")
            #expect(try answer.expect(201, OrderView.self).status == .droppingOff)
            let read = try await reading
            #expect(read.headers[.preferenceApplied] == "wait=30")
            #expect(try read.expect(200, OrderView.self).status == .droppingOff)
        }
    }

    @Test func aWaitThatEndsGivesTheOrderAsItIs() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(
                .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice,
                headers: [.prefer: "wait=0"])
            #expect(answer.headers[.preferenceApplied] == "wait=0")
            #expect(try answer.expect(201, OrderView.self).status == .requested)
        }
    }

    @Test func anUnchangedOrderIsNotSentAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            let path = "/v1/orders/\(order.id)"
            for tag in ["\"1\"", "W/\"1\"", "\"7\", \"1\"", "*"] {
                let answer = try await caller.call(
                    .get, path, as: .alice, headers: [.ifNoneMatch: tag])
                #expect(answer.status == 304)
                #expect(answer.headers[.eTag] == "\"1\"")
                #expect(answer.data.isEmpty)
            }
            for tag in ["\"2\"", "1", "\"x\"", ""] {
                let answer = try await caller.call(
                    .get, path, as: .alice, headers: [.ifNoneMatch: tag])
                #expect(answer.status == 200)
            }
        }
    }
}

struct JourneyTests {
    @Test func anOrderGoesAllTheWay() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .victor, .vera] { try await bench.learn(person) }
            let order = try await caller.order(in: .finished, extras: [.refuel])
            #expect(order.dropOffValet?.firstName == "Victor")
            #expect(order.returnValet?.firstName == "Vera")
            #expect(order.parked == .garage)
            #expect(order.returnTo == .mongKok)
            #expect(order.charge == Money(amount: 18_000, currency: "HKD"))
            #expect(order.vehicle?.plate == "AB 1234")
            for time in [
                order.assignedAt, order.collectedAt, order.parkedAt, order.recalledAt,
                order.retrievedAt, order.returnedAt, order.endedAt,
            ] {
                #expect(time != nil)
            }
            #expect(
                try await bench.published(ValetAssigned.self).map(\.leg.known) == [
                    .dropOff, .return,
                ])
            #expect(try await bench.published(VehicleCollected.self).count == 1)
            #expect(try await bench.published(VehicleParked.self).count == 1)
            #expect(try await bench.published(ReturnRequested.self).count == 1)
            #expect(try await bench.published(VehicleRetrieved.self).count == 1)
            #expect(try await bench.published(VehicleReturned.self).count == 1)
            #expect(try await bench.published(OrderFinished.self).count == 1)
            #expect(try await caller.call(.get, "/v1/orders/current", as: .alice).status == 204)
            _ = try await caller.place()
        }
    }

    @Test func theValetSeesNoCodeAndTheCustomerDoes() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            #expect(order.handoverCode != nil)
            #expect(order.etaSeconds == 240)
            #expect(try await caller.read(order.id, as: .victor).handoverCode == nil)
            #expect(try await caller.read(order.id, as: .olivia).handoverCode == nil)
            let events = try await bench.published(ValetAssigned.self)
            let text = String(decoding: try Wire.encode(events), as: UTF8.self)
            #expect(!text.contains("\"\(order.handoverCode ?? "-")\""))
        }
    }

    @Test func aNewOrderIsPossibleAfterCancelling() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let cancelled = try await caller.act(
                "cancel", order.id, ReasonBody(reason: " changed my mind "), as: .alice)
            #expect(cancelled.status == .cancelled)
            #expect(cancelled.reason == "changed my mind")
            #expect(cancelled.charge?.amount == 0)
            let event = try #require(try await bench.published(OrderCancelled.self).first)
            #expect(event.valet == TestPerson.victor.valet)
            let next = try await caller.place()
            try await bench.match(next.id, .victor)
            #expect(try await caller.read(next.id, as: .alice).status == .droppingOff)
        }
    }

    @Test func theRecallMayBeCancelledAndAskedForAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            let first = try #require(order.handoverCode)
            try await bench.match(order.id, .vera)
            let parked = try await caller.act("cancel-recall", order.id, as: .alice)
            #expect(parked.status == .parked)
            #expect(parked.returnValet == nil)
            #expect(parked.returnTo == nil)
            #expect(
                try await bench.published(RecallCancelled.self).map(\.valet)
                    == [TestPerson.vera.valet])
            let again = try await caller.act(
                "recall", order.id, RecallBody(returnTo: .central), as: .alice)
            #expect(again.handoverCode != nil)
            let events = try await bench.published(ReturnRequested.self)
            #expect(events.map(\.match.attempt) == [1, 2])
            _ = first
        }
    }

    @Test func theQuoteGrowsWhileTheVehicleIsWithUs() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parked)
            bench.clock.advance(by: 3_600)
            for person in [TestPerson.alice, .victor, .olivia] {
                let quote = try await caller.call(
                    .get, "/v1/orders/\(order.id)/quote", as: person
                ).expect(200, Quote.self)
                #expect(quote.durationSeconds == 3_660)
                #expect(quote.charge.amount == 8_000 + 2 * 2_500)
            }
            try await caller.call(.get, "/v1/orders/\(order.id)/quote", as: .bob)
                .refused(404, "order.unknown")
        }
    }
}
