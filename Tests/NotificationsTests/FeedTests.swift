import Contracts
import EventBus
import Foundation
import Store
import Support
import Testing

@testable import Notifications

@Suite struct FeedTests {
    @Test func anAssignmentIsToldToEachInTheirLanguage() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, .traditionalChinese)
        try await bench.knows(.victor, .english)
        let order = OrderSnapshot.of(.droppingOff)
        try await bench.hear(
            ValetAssigned(
                order: order, leg: .dropOff, valet: TestPerson.victor.valet,
                meetingPoint: order.dropOff))
        let alice = try #require(try await bench.feed(.alice).first)
        #expect(alice.title == "代客泊車員正前來")
        #expect(alice.text == "K7-42：代客泊車員約 4 分鐘後到達。")
        #expect(alice.order == order)
        #expect(alice.event == ValetAssigned.type)
        let victor = try #require(try await bench.feed(.victor).first)
        #expect(victor.title == "New job")
        #expect(victor.text == "K7-42: take over a vehicle, about 4 minutes away.")
        let operators = try #require(try await bench.feed(.operators).first)
        #expect(operators.text == nil)
        #expect(operators.order == order)
    }

    @Test func aChangedLanguageCountsFromThenOnAndAnOlderCopyDoesNot() async throws {
        let bench = try Bench()
        try await bench.knows(.alice, .traditionalChinese, version: 3)
        try await bench.knows(.alice, .english, version: 2)
        try await bench.hear(OrderFinished(order: .of(.finished)))
        #expect(try await bench.feed(.alice).first?.title == "多謝使用")
        try await bench.knows(.alice, .english, version: 4)
        try await bench.hear(OrderFinished(order: .of(.finished)))
        #expect(try await bench.feed(.alice).last?.title == "Thank you")
    }

    @Test func numbersHaveNoGapsHoweverManyAtOnce() async throws {
        let bench = try Bench()
        try await withThrowingTaskGroup { group in
            for version in 1...50 {
                group.addTask {
                    let order = OrderSnapshot.of(.unfulfilled, version: version)
                    try await bench.hear(OrderUnfulfilled(order: order))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.feed(.alice).map(\.sequence) == Array(1...50))
        #expect(try await bench.feed(.operators).map(\.sequence) == Array(1...50))
    }

    @Test func anEventThatArrivesTwiceIsToldOnce() async throws {
        let bench = try Bench()
        let id = EventID.new()
        for _ in 0..<3 { try await bench.hear(OrderFinished(order: .of(.finished)), id: id) }
        #expect(try await bench.feed(.alice).count == 1)
        #expect(try await bench.created().count == 3)
    }

    @Test func eachItemIsAnnouncedUnderItsRecipient() async throws {
        let bench = try Bench()
        try await bench.hear(VehicleParked(order: .of(.parked), valet: TestPerson.victor.valet))
        let created = try await bench.created()
        #expect(
            created.map(\.key)
                == [TestPerson.alice.id.description, "operators", TestPerson.victor.id.description])
        #expect(created.first?.item == (try await bench.feed(.alice).first))
    }

    @Test func theReleasedValetHearsOfIt() async throws {
        let bench = try Bench()
        let victor = TestPerson.victor.valet
        try await bench.hear(
            OrderCancelled(
                order: .of(.cancelled), cause: .customer, valet: victor, fee: .hkd(5_000)))
        #expect(try await bench.feed(.victor).last?.title == "Job cancelled")
        #expect(
            try await bench.feed(.alice).last?.text
                == "K7-42 was cancelled. The cancellation fee is HK$50.00.")
        try await bench.hear(
            ValetWithdrawn(
                order: .of(.requested, nil), leg: .dropOff, valet: victor, match: .dropOff))
        #expect(try await bench.feed(.victor).last?.text == "You no longer have K7-42.")
        try await bench.hear(RecallCancelled(order: .of(.parked), valet: TestPerson.vera.valet))
        #expect(try await bench.feed(.vera).last?.title == "Job cancelled")
        #expect(try await bench.feed(.victor).count == 2)
    }

    @Test func aFormerValetHearsNoMoreUntilTheEnd() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.returningBack, .victor, .vera)
        try await bench.hear(VehicleRetrieved(order: order, valet: TestPerson.vera.valet))
        #expect(try await bench.feed(.victor).isEmpty)
        #expect(try await bench.feed(.vera).map(\.text) == [nil])
        try await bench.hear(OrderFinished(order: .of(.finished, .victor, .vera)))
        #expect(try await bench.feed(.victor).map(\.text) == [nil])
        #expect(try await bench.feed(.vera).count == 2)
    }

    @Test func billsAreToldWithTheirAmountOrThatNothingIsDue() async throws {
        let bench = try Bench()
        for (amount, text) in [
            (12_000, "K7-42: HK$120.00 is due. You can pay in the app."),
            (0, "K7-42: there is nothing to pay."),
        ] {
            let bill = Quote(durationSeconds: 60, charge: .hkd(amount), lines: [])
            try await bench.hear(
                VehicleReturned(
                    order: .of(.waitingForPayment), valet: TestPerson.vera.valet, bill: bill))
            #expect(try await bench.feed(.alice).last?.text == text)
        }
    }

    @Test func theTextsOfEveryOtherOrderEvent() async throws {
        let bench = try Bench()
        let (victor, vera) = (TestPerson.victor.valet, TestPerson.vera.valet)
        let place = Place(latitude: 22.2819, longitude: 114.1556)
        let free = Money.hkd(0)
        let told: [(any Event, String?)] = [
            (DropOffRequested(order: .of(.requested, nil), match: .dropOff), nil),
            (MatchRepeated(order: .of(.requested, nil), match: .dropOff), nil),
            (OrderUnfulfilled(order: .of(.unfulfilled)), "No valet is free"),
            (
                OrderCancelled(order: .of(.cancelled), cause: .customer, valet: nil, fee: free),
                "Order cancelled"
            ),
            (
                OrderCancelled(
                    order: .of(.cancelled), cause: .customerAbsent, valet: victor, fee: free),
                "Your valet has left"
            ),
            (
                ValetAssigned(
                    order: .of(.requestingBack, .victor, .vera), leg: .return, valet: vera,
                    meetingPoint: place), "A valet is fetching your vehicle"
            ),
            (
                ValetWithdrawn(
                    order: .of(.requested), leg: .dropOff, valet: victor, match: .dropOff),
                "We look for another valet"
            ),
            (
                VehicleCollected(order: .of(.parking), valet: victor),
                "Your vehicle is in our hands"
            ),
            (VehicleParked(order: .of(.parked), valet: victor), "Your vehicle is parked"),
            (ReturnRequested(order: .of(.requestingBack), match: .dropOff), nil),
            (ReturnUnfulfilled(order: .of(.parked)), "No valet is free"),
            (RecallCancelled(order: .of(.parked), valet: nil), nil),
            (
                VehicleRetrieved(order: .of(.returningBack, .victor, .vera), valet: vera),
                "Your vehicle is coming"
            ),
            (OrderFinished(order: .of(.finished)), "Thank you"),
            (OrderOverdue(order: .of(.parking), limitSeconds: 3_600), nil),
        ]
        for (event, title) in told {
            try await bench.hear(event)
            let item = try #require(try await bench.feed(.alice).last)
            #expect(item.event == type(of: event).type)
            #expect(item.title == title, "\(item.event)")
            #expect((item.text == nil) == (title == nil))
            #expect(item.order != nil)
        }
        #expect(try await bench.feed(.operators).count == told.count)
    }

    @Test func aPhotoRefreshesTheOrderOfItsPartiesWithoutWords() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.droppingOff)
        func photo(of order: OrderID) -> PhotoTaken {
            PhotoTaken(
                photo: .new(), order: order, moment: .handOver, sha256: "", place: nil,
                by: TestPerson.victor.id, role: .valet, takenAt: bench.clock.now)
        }
        try await bench.hear(photo(of: .new()))
        #expect(try await bench.feed(.alice).isEmpty)
        try await bench.hear(MatchRepeated(order: order, match: .dropOff))
        try await bench.hear(photo(of: order.id))
        for person in [TestPerson.alice, .victor] {
            let item = try #require(try await bench.feed(person).last)
            #expect(item.event == PhotoTaken.type)
            #expect(item.text == nil)
            #expect(item.order?.id == order.id)
        }
    }

    @Test func operatorsAreAlertedOfAnOverdueOrder() async throws {
        let bench = try Bench(["OPENVALET_NOTIFICATIONS_OPERATORS_LANGUAGE": "zh-Hant"])
        try await bench.hear(OrderOverdue(order: .of(.parking), limitSeconds: 3_600))
        let item = try #require(try await bench.feed(.operators).last)
        #expect(item.title == "訂單逾時")
        #expect(item.text == "K7-42 處於「泊車中」已超過 60 分鐘。")
    }

    @Test func anOverrideIsToldToTheOldAndTheNewValet() async throws {
        let bench = try Bench()
        try await bench.hear(
            OrderOverridden(
                order: .of(.parking, .vera), from: .droppingOff,
                by: TestPerson.olivia.operatorID, reason: "a mix-up",
                released: TestPerson.victor.valet, match: nil, bill: nil))
        #expect(try await bench.feed(.victor).last?.text == "You no longer have K7-42.")
        #expect(
            try await bench.feed(.vera).last?.text == "K7-42: our staff set it to “being parked”.")
        #expect(
            try await bench.feed(.alice).last?.text == "K7-42: our staff set it to “being parked”.")
    }

    @Test func arrivalPaymentAndRatingAreTold() async throws {
        let bench = try Bench()
        let order = OrderSnapshot.of(.droppingOff)
        try await bench.hear(
            ValetAssigned(
                order: order, leg: .dropOff, valet: TestPerson.victor.valet,
                meetingPoint: order.dropOff))
        let customer = TestPerson.alice.customer
        for (leg, title) in [
            (OrderLeg.dropOff, "Your valet is there"), (.return, "Your valet is at your vehicle"),
        ] {
            try await bench.hear(
                ValetArrived(
                    order: order.id, leg: leg, valet: TestPerson.victor.valet, customer: customer,
                    arrivedAt: bench.clock.now))
            #expect(try await bench.feed(.alice).last?.title == title)
        }
        let payment = Payment(
            id: .new(), order: order.id, amount: .hkd(12_000), status: .succeeded,
            createdAt: bench.clock.now)
        try await bench.hear(PaymentSucceeded(payment: payment, customer: customer))
        let paid = try #require(try await bench.feed(.alice).last)
        #expect(paid.text == "K7-42: we have received HK$120.00. Thank you.")
        #expect(paid.order == order)
        try await bench.hear(PaymentDeclined(payment: payment, customer: customer))
        #expect(try await bench.feed(.alice).last?.title == "Payment declined")
        let refund = Refund(
            id: .new(), payment: payment.id, order: order.id, amount: .hkd(500), reason: "scratch",
            createdAt: bench.clock.now)
        try await bench.hear(
            PaymentRefunded(
                refund: refund, customer: customer, by: TestPerson.olivia.operatorID))
        #expect(
            try await bench.feed(.alice).last?.text
                == "K7-42: we have given HK$5.00 back to you.")
        try await bench.hear(
            TipGiven(
                payment: payment.id, order: order.id, customer: customer,
                valet: TestPerson.victor.valet, amount: .hkd(1_000)))
        #expect(
            try await bench.feed(.victor).last?.text == "K7-42: HK$10.00 for you, with thanks.")
        try await bench.hear(
            RatingGiven(
                order: order.id, from: TestPerson.alice.id, to: TestPerson.victor.id, stars: 5,
                summary: RatingSummary(average: 5, count: 1), version: 1))
        #expect(try await bench.feed(.victor).last?.text == "You got 5 of 5 stars.")
        // Nobody but those concerned, and operators only of orders.
        #expect(try await bench.feed(.operators).count == 1)
    }

    @Test func aPaymentOfAnOrderThatIsNotKnownYetIsToldWithoutItsTicket() async throws {
        let bench = try Bench()
        let payment = Payment(
            id: .new(), order: .new(), amount: .hkd(100), status: .succeeded,
            createdAt: bench.clock.now)
        try await bench.hear(
            PaymentSucceeded(payment: payment, customer: TestPerson.alice.customer))
        let item = try #require(try await bench.feed(.alice).last)
        #expect(item.text == "Your order: we have received HK$1.00. Thank you.")
        #expect(item.order == nil)
    }

    @Test func anOlderSnapshotDoesNotReplaceTheCopy() async throws {
        let bench = try Bench()
        let id = OrderID.new()
        try await bench.hear(OrderFinished(order: .of(.finished, version: 9, id: id)))
        try await bench.hear(
            VehicleParked(
                order: .of(.parked, version: 5, id: id), valet: TestPerson.victor.valet))
        #expect(try await bench.feed(.alice).map { $0.order?.version } == [9, 5])
        #expect(try await bench.database.read { try $0.order(id)?.version } == 9)
    }

    @Test func aSuspendedValetIsTold() async throws {
        let bench = try Bench()
        let account = TestPerson.victor.account(createdAt: bench.clock.now)
        for (version, suspended) in [(1, false), (3, true), (2, false), (4, true), (5, false)] {
            try await bench.hear(
                AccountChanged(account: account, suspended: suspended, version: version))
        }
        #expect(
            try await bench.feed(.victor).map(\.title) == ["You are suspended", "Welcome back"])
    }

    @Test func oldItemsGoAndNumbersGoOn() async throws {
        let bench = try Bench()
        try await bench.hear(OrderFinished(order: .of(.finished)))
        bench.clock.advance(by: 91 * 86_400)
        try await bench.hear(OrderFinished(order: .of(.finished)))
        try await bench.notifications.sweep()
        #expect(try await bench.feed(.alice).map(\.sequence) == [2])
    }

    @Test func aFeedHasALongestLength() async throws {
        let bench = try Bench()
        let now = bench.clock.now
        let item = NewItem(event: OrderFinished.type, title: "t", text: "t", order: nil)
        let recipient = Recipient.person(TestPerson.alice.id)
        try await bench.database.write { transaction in
            try transaction.execute(
                "INSERT INTO feed_heads (recipient, last) VALUES (?, ?)", recipient,
                NotificationStore.longestFeed - 1)
            for _ in 0..<3 { try transaction.append(item, to: recipient, at: now) }
            try transaction.execute(
                "UPDATE feed SET sequence = 3 WHERE sequence = ?", NotificationStore.longestFeed)
            try transaction.append(item, to: recipient, at: now)
        }
        #expect(
            try await bench.feed(.alice).map(\.sequence)
                == (1...3).map { NotificationStore.longestFeed + $0 })
    }
}

@Suite struct FeedRouteTests {
    private func told(_ bench: Bench) async throws {
        for version in 1...3 {
            let order = OrderSnapshot.of(.requested, version: version, nil)
            try await bench.hear(DropOffRequested(order: order, match: .dropOff))
            try await bench.hear(OrderUnfulfilled(order: .of(.unfulfilled, version: version + 1)))
        }
    }

    @Test func onesOwnTextsAreListedNewestFirst() async throws {
        let bench = try Bench()
        try await told(bench)
        try await bench.run { caller in
            let all = try await caller.texts(as: .alice)
            #expect(all.items.map(\.sequence) == [6, 4, 2])
            #expect(all.next == nil)
            let first = try await caller.texts("?limit=2", as: .alice)
            #expect(first.items.map(\.sequence) == [6, 4])
            let next = try #require(first.next)
            let rest = try await caller.texts("?limit=2&after=\(next)", as: .alice)
            #expect(rest.items.map(\.sequence) == [2])
            #expect(rest.next == nil)
            #expect(try await caller.texts(as: .bob).items.isEmpty)
        }
    }

    @Test func operatorsReadTheFeedThatTheyShare() async throws {
        let bench = try Bench()
        try await bench.hear(OrderOverdue(order: .of(.parking), limitSeconds: 60))
        try await bench.run { caller in
            let items = try await caller.texts(as: .olivia).items
            #expect(items.map(\.title) == ["Order overdue"])
        }
    }

    @Test func theStreamCatchesUpOldestFirstWithEverything() async throws {
        let bench = try Bench()
        try await told(bench)
        let path = "/internal/feed?recipient=\(TestPerson.alice.id)"
        try await bench.run { caller in
            let all = try await caller.internally(path).expect(200, Page<FeedItem>.self)
            #expect(all.items.map(\.sequence) == Array(1...6))
            #expect(all.next == nil)
            let page = try await caller.internally("\(path)&after=2&limit=3")
                .expect(200, Page<FeedItem>.self)
            #expect(page.items.map(\.sequence) == [3, 4, 5])
            #expect(page.next == "5")
            let operators = try await caller.internally("/internal/feed?recipient=operators")
                .expect(200, Page<FeedItem>.self)
            #expect(operators.items.count == 6)
        }
    }

    @Test func theStreamBeginsAtTheNewestItem() async throws {
        let bench = try Bench()
        try await told(bench)
        try await bench.run { caller in
            for (person, head) in [(TestPerson.alice, 6), (.vera, 0)] {
                let path = "/internal/feed/head?recipient=\(person.id)"
                let found = try await caller.internally(path).expect(200, FeedHead.self)
                #expect(found.sequence == head)
            }
        }
    }

    @Test func badInputIsRefused() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            try await caller.call(.get, "/v1/notifications", as: nil)
                .refused(401, "auth.token_missing")
            for cursor in ["x", "-1", "1.5"] {
                try await caller.call(.get, "/v1/notifications?after=\(cursor)", as: .alice)
                    .refused(422, "request.invalid", field: "after")
            }
            try await caller.call(.get, "/v1/notifications?limit=201", as: .alice)
                .refused(422, "request.invalid", field: "limit")
            for query in ["", "?recipient=x", "/head", "/head?recipient=x"] {
                try await caller.internally("/internal/feed\(query)")
                    .refused(422, "request.invalid", field: "recipient")
            }
            for path in ["/internal/feed", "/internal/feed/head"] {
                let path = "\(path)?recipient=operators"
                try await caller.call(.get, path, as: .olivia).refused(401, "auth.token_invalid")
                try await caller.call(.get, path, as: nil).refused(401, "auth.token_missing")
                try await caller.internally(path, for: "orders")
                    .refused(401, "auth.token_invalid")
            }
        }
    }
}
