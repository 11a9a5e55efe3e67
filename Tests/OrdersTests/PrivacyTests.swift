import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Orders
@testable import Store

struct PrivacyTests {
    private func deleted(_ person: TestPerson, _ bench: Bench, version: Int = 9) -> AccountDeleted {
        AccountDeleted(
            account: person.id, role: person.role, version: version, deletedAt: bench.clock.now)
    }

    private func held(on person: TestPerson, _ caller: Caller) async throws -> HeldOnPerson {
        try await caller.internally("/internal/people/\(person.id)")
            .expect(200, HeldOnPerson.self)
    }

    private func addCar(_ bench: Bench, version: Int = 1) async throws {
        let car = Vehicle(
            id: .new(), plate: "ZZ 99", make: "Audi", model: "A3", colour: "red")
        try await bench.hear(
            VehicleChanged(
                owner: TestPerson.alice.customer, vehicle: car, removed: false, version: version))
    }

    @Test func aPersonsPhotoHasASignedAddressForThoseWhoSeeTheOrder() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let photo = PictureID.new()
            try await bench.hear(
                AccountChanged(
                    account: TestPerson.victor.account(createdAt: bench.clock.now),
                    suspended: false, version: 1, photo: photo))
            let order = try await caller.order(in: .droppingOff)
            let path = "/v1/pictures/people/\(photo)"
            let address = try #require(order.dropOffValet?.photoURL)
            let parts = try #require(URLComponents(string: address))
            #expect(parts.path == path)
            func value(_ name: String) -> String? {
                parts.queryItems?.first { $0.name == name }?.value
            }
            try bench.parts.environment.signedAddresses.verify(
                path, expires: value("expires").flatMap(Int.init), signature: value("signature"),
                at: bench.clock.now)
            #expect(order.customer.photoURL == nil)
            let list = try await caller.call(.get, "/v1/orders", as: .victor)
                .expect(200, Page<OrderView>.self)
            #expect(list.items.first?.dropOffValet?.photoURL == address)
            try await bench.hear(
                AccountChanged(
                    account: TestPerson.victor.account(createdAt: bench.clock.now),
                    suspended: false, version: 2))
            #expect(try await caller.read(order.id, as: .alice).dropOffValet?.photoURL == nil)
        }
    }

    @Test func whoeverDeletedTheirAccountHasNoNameAddressOrVehicleLeft() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.alice)
            try await addCar(bench)
            let order = try await caller.order(in: .finished)
            let before = try await bench.stored(order.id)
            let id = EventID.new()
            for _ in 1...2 { try await bench.hear(deleted(.alice, bench), id: id) }
            let after = try await caller.read(order.id, as: .olivia)
            #expect(after.customer.firstName.isEmpty)
            #expect(after.customer.lastName.isEmpty)
            #expect(after.customer.phone.isEmpty)
            #expect(after.customer.id == TestPerson.alice.id)
            #expect(after.vehicle == nil)
            #expect(after.dropOff.address == nil)
            #expect(after.dropOff.latitude == order.dropOff.latitude)
            #expect(after.charge == order.charge)
            #expect(after.returnedAt == order.returnedAt)
            #expect(after.version == before.version.number + 1)
            #expect(try await bench.stored(order.id).chosenVehicle == nil)
            let held = try await held(on: .alice, caller)
            #expect(held.profile == nil)
            #expect(held.vehicles.isEmpty)
            #expect(held.orders.first?.custody.count == 4)
            let verified = try await caller.call(
                .get, "/v1/admin/orders/\(order.id)/custody/verification", as: .olivia
            ).expect(200, CustodyVerification.self)
            #expect(verified.isIntact)
        }
    }

    @Test func freeTextGoesAndTheHousesOwnReasonsStay() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let first = try await caller.place()
            try await caller.act("cancel", first.id, ReasonBody(reason: "my mother"), as: .alice)
            let second = try await caller.place()
            try await bench.hear(
                NoValetFound(order: second.id, leg: .known(.dropOff), attempt: 1))
            try await bench.hear(deleted(.alice, bench))
            #expect(try await bench.stored(first.id).reason == nil)
            #expect(try await bench.stored(second.id).reason == "noValetAvailable")
        }
    }

    @Test func anOrderThatWasStillGoingOnIsForgottenWhenItEnds() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .waitingForPayment)
            try await bench.hear(deleted(.alice, bench))
            #expect(try await bench.stored(order.id).dropOff.address != nil)
            try await bench.pay(order)
            let stored = try await bench.stored(order.id)
            #expect(stored.status == .finished)
            #expect(stored.dropOff.address == nil)
            #expect(stored.vehicle == nil)
        }
    }

    @Test func whatComesLateBringsNobodyBack() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            try await bench.hear(deleted(.alice, bench))
            try await bench.hear(deleted(.victor, bench))
            try await bench.learn(.alice, version: 3)
            try await bench.learn(.victor, version: 99)
            try await addCar(bench, version: 99)
            try await bench.hear(
                RatingGiven(
                    engagement: order.id.as(EngagementID.self), product: "valet",
                    from: TestPerson.alice.id, to: TestPerson.victor.id,
                    stars: 4, summary: RatingSummary(average: 4, count: 1), version: 1))
            let view = try await caller.read(order.id, as: .olivia)
            #expect(view.customer.firstName.isEmpty)
            #expect(view.dropOffValet?.firstName == "")
            #expect(view.dropOffValet?.rating == nil)
            #expect(try await held(on: .alice, caller).vehicles.isEmpty)
        }
    }

    @Test func accountsIsNotAskedForThoseWhoAreGone() async throws {
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            let bench = try await Bench(accounts: url)
            try await bench.run { caller in
                try await bench.hear(deleted(.alice, bench))
                try await caller.call(
                    .post, "/v1/orders", PlaceOrderBody(dropOff: .central), as: .alice
                ).refused(401, "auth.token_invalid")
            }
        }
        #expect(accounts.asked.isEmpty)
    }

    @Test func aValetWhoIsGoneIsGivenNoJob() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.hear(deleted(.victor, bench))
            let order = try await caller.place()
            try await bench.match(order.id, .victor)
            #expect(try await bench.stored(order.id).status == .requested)
        }
    }

    @Test func whatIsHeldOnAPersonIsGivenToServicesOnly() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.learn(.alice)
            try await addCar(bench)
            let order = try await caller.order(in: .finished)
            let alice = try await held(on: .alice, caller)
            #expect(alice.profile?.firstName == "Alice")
            #expect(alice.vehicles.map(\.plate) == ["ZZ 99"])
            #expect(alice.orders.map(\.order.id) == [order.id])
            #expect(alice.orders.first?.order.dropOff.address == "1 Queen's Road")
            #expect(alice.orders.first?.custody.count == 4)
            #expect(alice.jobs.isEmpty)
            #expect(alice.debts.isEmpty)
            let victor = try await held(on: .victor, caller)
            #expect(victor.orders.isEmpty)
            #expect(victor.jobs.map(\.order) == [order.id])
            #expect(victor.jobs.first?.legs == [.dropOff])
            let nobody = try await held(on: .bob, caller)
            #expect(nobody.profile == nil)
            #expect(nobody.orders.isEmpty)
            let path = "/internal/people/\(TestPerson.alice.id)"
            for person in [TestPerson.alice, .olivia] {
                try await caller.call(.get, path, as: person).refused(401, "auth.token_invalid")
            }
            try await caller.call(.get, path).refused(401, "auth.token_missing")
        }
    }

    @Test func anUnpaidFeeIsAmongWhatIsHeld() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            bench.clock.advance(by: 121)
            try await caller.act("cancel", order.id, as: .alice)
            let held = try await held(on: .alice, caller)
            #expect(held.debts.map(\.order) == [order.id])
            #expect(held.debts.map(\.amount.amount) == [5_000])
        }
    }
    @Test func anExportOfManyOrdersAsksNoMoreThanOneOfFew() async throws {
        let bench = try await Bench()
        let orders = try (0..<50).map { _ in try Order.inState(.finished, extras: [.wash]) }
        try await bench.run { caller in
            var asked: [Int] = []
            for part in [orders[..<5], orders[5...]] {
                try await bench.database.write { transaction in
                    for order in part { try transaction.orders.insert(order, .usual) }
                }
                let before = bench.database.statements.load(ordering: .relaxed)
                let held = try await held(on: .alice, caller)
                #expect(held.orders.count == part.endIndex)
                asked.append(bench.database.statements.load(ordering: .relaxed) - before)
            }
            #expect(asked[0] > 0)
            #expect(asked[0] == asked[1])
        }
    }
}
