import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

/// Feeds as people would read them: each notice in its reader's language.
private struct Readers {
    struct Line {
        let event: String
        let title: String?
        let text: String?
        let push: Notice.Push?
        let order: OrderBrief?
    }

    var languages: [PersonID: Language] = [:]
    private var lines: [Recipient: [Line]] = [:]

    /// - Parameter charge: What the order's bill costs, as payments fills it in.
    mutating func hear(_ event: some AnnouncedEvent, at charge: Money = .hkd(0)) throws {
        let notice = try event.notice().notice().naming(charge)
        let order: OrderBrief? = try notice.state?.data.decoded()
        #expect(notice.subject == event.key)
        for message in notice.messages {
            var language = Language.english
            if case .person(let person) = message.to { language = languages[person] ?? .english }
            let line = Line(
                event: notice.cause, title: message.title?[language],
                text: message.text?[language], push: message.push, order: order)
            lines[message.to, default: []].append(line)
        }
    }

    func feed(_ person: TestPerson) -> [Line] { feed(.person(person.id)) }
    func feed(_ recipient: Recipient) -> [Line] { lines[recipient] ?? [] }
}

extension OrderSnapshot {
    /// Alice's order: Victor takes the vehicle, Vera brings it back.
    fileprivate static func of(
        _ status: OrderStatus, version: Int = 3, id: OrderID = .new(),
        _ dropOff: TestPerson? = .victor, _ back: TestPerson? = nil
    ) -> OrderSnapshot {
        var order = OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("hk-island")!, customer: TestPerson.alice.customer,
            dropOff: .central, extras: [], createdAt: start)
        order.dropOffValet = dropOff?.valet
        order.returnValet = back?.valet
        order.etaSeconds = 240
        return order
    }
}

extension Money {
    fileprivate static func hkd(_ amount: Int) -> Money { Money(amount: amount, currency: "HKD") }
}

extension MatchRequest {
    fileprivate static let dropOff = MatchRequest(
        leg: .dropOff, attempt: 1, meetingPoint: .central, excluded: [])
}

/// The notifications about an order: who gets them, and in which words.
@Suite struct NoticeTests {
    @Test(.withoutDatabase) func anAssignmentIsToldToEachInTheirLanguage() throws {
        var readers = Readers()
        readers.languages[TestPerson.alice.id] = .traditionalChinese
        readers.languages[TestPerson.victor.id] = .english
        let order = OrderSnapshot.of(.droppingOff)
        try readers.hear(
            ValetAssigned(
                order: order, leg: .dropOff, valet: TestPerson.victor.valet,
                meetingPoint: order.dropOff))
        let alice = try #require(readers.feed(.alice).first)
        #expect(alice.title == "代客泊車員正前來")
        #expect(alice.text == "代客泊車員約 4 分鐘後到達。")
        #expect(alice.order?.id == order.id)
        #expect(alice.event == ValetAssigned.type)
        let victor = try #require(readers.feed(.victor).first)
        #expect(victor.title == "New job")
        #expect(victor.text == "Collect a vehicle, about 4 minutes away (K7-42).")
        let operators = try #require(readers.feed(.operators).first)
        #expect(operators.text == nil)
        #expect(operators.order?.version == order.version)
    }

    @Test(.withoutDatabase) func theReleasedValetHearsOfIt() throws {
        var readers = Readers()
        let victor = TestPerson.victor.valet
        try readers.hear(
            OrderCancelled(
                order: .of(.cancelled), cause: .customer, valet: victor, fee: .hkd(5_000)),
            at: .hkd(5_000))
        #expect(readers.feed(.victor).last?.title == "Job cancelled")
        #expect(
            readers.feed(.alice).last?.text
                == "Your order is cancelled. The cancellation fee is HK$50.00.")
        try readers.hear(
            ValetWithdrawn(
                order: .of(.requested, nil), leg: .dropOff, valet: victor, match: .dropOff))
        #expect(readers.feed(.victor).last?.text == "You no longer have K7-42.")
        try readers.hear(RecallCancelled(order: .of(.parked), valet: TestPerson.vera.valet))
        #expect(readers.feed(.vera).last?.title == "Job cancelled")
        #expect(readers.feed(.victor).count == 2)
    }

    @Test(.withoutDatabase) func aFormerValetHearsNoMoreUntilTheEnd() throws {
        var readers = Readers()
        let order = OrderSnapshot.of(.returningBack, .victor, .vera)
        try readers.hear(VehicleRetrieved(order: order, valet: TestPerson.vera.valet))
        #expect(readers.feed(.victor).isEmpty)
        #expect(readers.feed(.vera).map(\.text) == [nil])
        try readers.hear(OrderFinished(order: .of(.finished, .victor, .vera)))
        #expect(readers.feed(.victor).map(\.text) == [nil])
        #expect(readers.feed(.vera).count == 2)
    }

    @Test(.withoutDatabase) func billsAreToldWithTheirAmountOrThatNothingIsDue() throws {
        var readers = Readers()
        for (amount, text) in [
            (12_000, "HK$120.00 is due. You can pay in the app."),
            (0, "There is nothing to pay."),
        ] {
            let bill = Quote(durationSeconds: 60, charge: .hkd(amount), lines: [])
            try readers.hear(
                VehicleReturned(
                    order: .of(.waitingForPayment), valet: TestPerson.vera.valet, bill: bill),
                at: bill.charge)
            #expect(readers.feed(.alice).last?.text == text)
        }
    }

    @Test(.withoutDatabase) func theTextsOfEveryOtherOrderEvent() throws {
        var readers = Readers()
        let (victor, vera) = (TestPerson.victor.valet, TestPerson.vera.valet)
        let place = Place(latitude: 22.2819, longitude: 114.1556)
        let free = Money.hkd(0)
        let told: [(any AnnouncedEvent, String?)] = [
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
                "We’re looking for another valet"
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
            (OrderNeedsOperator(order: .of(.parking), cause: .valetSuspended), nil),
            (OrderNeedsOperator(order: .of(.parking), cause: .wrongCodes), "Too many wrong codes"),
        ]
        for (event, title) in told {
            try readers.hear(event)
            let item = try #require(readers.feed(.alice).last)
            #expect(item.event == type(of: event).type)
            #expect(item.title == title, "\(item.event)")
            #expect((item.text == nil) == (title == nil))
            #expect(item.order != nil)
        }
        #expect(readers.feed(.operators).count == told.count)
    }

    @Test(.withoutDatabase) func anOverrideIsToldToTheOldAndTheNewValet() throws {
        var readers = Readers()
        try readers.hear(
            OrderOverridden(
                order: .of(.parking, .vera), from: .droppingOff,
                by: TestPerson.olivia.operatorID, reason: "a mix-up",
                released: TestPerson.victor.valet, match: nil, bill: nil))
        #expect(readers.feed(.victor).last?.text == "You no longer have K7-42.")
        #expect(
            readers.feed(.vera).last?.text == "Our staff changed K7-42 to “being parked”.")
        #expect(
            readers.feed(.alice).last?.text
                == "Our staff changed its status to “being parked”.")
    }

    private func offered(_ leg: OrderLeg = .dropOff) -> ValetOffered {
        var order = OrderSnapshot.of(leg == .dropOff ? .requested : .requestingBack, nil)
        order.offeredTo = TestPerson.victor.valet
        return ValetOffered(
            order: order, leg: leg, attempt: 1, valet: TestPerson.victor.valet,
            meetingPoint: order.dropOff, etaSeconds: 200, answerSeconds: 20)
    }

    private func ended(_ outcome: OfferEnded.Outcome) -> OfferEnded {
        OfferEnded(
            order: .of(.requested, version: 4, nil), leg: .dropOff,
            valet: TestPerson.victor.valet, outcome: outcome,
            match: outcome == .withdrawn ? nil : .dropOff)
    }

    @Test(.withoutDatabase) func anOfferIsToldToTheValetAloneInTheirLanguage() throws {
        var readers = Readers()
        readers.languages[TestPerson.victor.id] = .traditionalChinese
        try readers.hear(offered())
        #expect(readers.feed(.victor).map(\.title) == ["有工作給您"])
        #expect(readers.feed(.alice).isEmpty)
        #expect(readers.feed(.operators).map(\.text) == [nil])
        readers.languages[TestPerson.victor.id] = .english
        try readers.hear(offered(.return))
        #expect(
            readers.feed(.victor).last?.text
                == "Bring a parked vehicle back, about 4 minutes away. Will you take it?")
    }

    @Test(.withoutDatabase) func whoDoesNotAnswerHearsThatTheyMissedIt() throws {
        var readers = Readers()
        for outcome in OfferEnded.Outcome.allCases { try readers.hear(ended(outcome)) }
        let titles = readers.feed(.victor).map(\.title)
        #expect(titles == [nil, "You missed a job", "You missed a job", "Job no longer open"])
        #expect(readers.feed(.alice).isEmpty)
    }

    @Test(.withoutDatabase) func anOrderAheadIsConfirmedAndRemembered() throws {
        var readers = Readers()
        readers.languages[TestPerson.alice.id] = .english
        var order = OrderSnapshot.of(.requested, version: 1, nil)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        order.scheduledFor = time
        try readers.hear(OrderScheduled(order: order, scheduledFor: time))
        order.version = 2
        try readers.hear(DropOffRequested(order: order, match: .dropOff))
        #expect(
            readers.feed(.alice).map(\.title) == ["Order scheduled", "It’s nearly time"])
    }

    @Test(.withoutDatabase) func aTaskThatIsDoneIsToldToTheCustomer() throws {
        var readers = Readers()
        func hear(_ kind: Extra, _ status: OrderTask.Status, _ order: OrderStatus) throws {
            let vera = TestPerson.vera.valet
            try readers.hear(
                TaskChanged(
                    order: .of(order),
                    task: OrderTask(
                        kind: kind, status: status, valet: status == .open ? nil : vera),
                    by: vera))
        }
        try hear(.wash, .taken, .parked)
        #expect(readers.feed(.alice).map(\.title) == [nil])
        try hear(.wash, .done, .parked)
        try hear(.refuel, .done, .parked)
        #expect(
            readers.feed(.alice).compactMap(\.title)
                == ["Your vehicle is clean", "Your vehicle is refuelled"])
        #expect(readers.feed(.vera).allSatisfy { $0.title == nil })
        // The vehicle was called back: whoever had taken it hears so.
        try hear(.wash, .open, .requestingBack)
        #expect(readers.feed(.vera).last?.title == "Task no longer needed")
        #expect(readers.feed(.operators).count == 4)
    }

    @Test(.withoutDatabase) func operatorsAreAlertedOfAnOverdueOrder() throws {
        let notice = try OrderOverdue(order: .of(.parking), limitSeconds: 3_600).notice().notice()
        let alert = try #require(notice.messages.first { $0.to == .operators })
        #expect(alert.title?[.traditionalChinese] == "訂單逾時")
        #expect(alert.text?[.traditionalChinese] == "訂單 K7-42 處於「泊車中」已超過 60 分鐘。")
        #expect(alert.push == .soon)
    }

    @Test(.withoutDatabase) func aNoticeHasLittleOfTheOrderAndNotWhoIsAsked() throws {
        var order = OrderSnapshot.of(.requested, nil)
        order.offeredTo = TestPerson.victor.valet
        order.dropOff.address = "1 Secret Road"
        let notice = try OrderOverdue(order: order, limitSeconds: 300).notice().notice()
        let text = String(decoding: try Wire.encode(notice), as: UTF8.self)
        #expect(!text.contains("Secret Road") && !text.contains("\(TestPerson.victor.id)"))
        let state = try #require(notice.state)
        #expect(state.about == [TestPerson.alice.id])
        #expect(state.link == "/orders/\(order.id)")
        #expect(
            try state.data.decoded()
                == OrderBrief(id: order.id, ticket: "K7-42", status: .known(.requested), version: 3)
        )
    }

    @Test(.withoutDatabase) func pushesSayHowPressingTheyAre() throws {
        var readers = Readers()
        let order = OrderSnapshot.of(.requested, nil)
        try readers.hear(offered())
        #expect(readers.feed(.victor).last?.push == .question)
        try readers.hear(
            ValetAssigned(
                order: .of(.droppingOff), leg: .dropOff, valet: TestPerson.victor.valet,
                meetingPoint: order.dropOff))
        #expect(readers.feed(.victor).last?.push == .now)
        #expect(readers.feed(.alice).last?.push == .now)
        try readers.hear(OrderFinished(order: .of(.finished)))
        #expect(readers.feed(.alice).last?.push == nil)
        #expect(readers.feed(.operators).allSatisfy { $0.push == nil })
    }

    @Test(.withoutDatabase) func everyLanguageSaysTheSame() {
        #expect(OrderNotice.words.differences == [])
        #expect(OrderNotice.words.keys.count > 60)
        for status in OrderStatus.allCases {
            #expect(OrderNotice.words.keys.contains("status.\(status.rawValue)"))
        }
    }

    @Test(.withoutDatabase) func everyEventOfAnOrderIsAnnounced() {
        for event in allEvents where event is any OrderEvent.Type {
            #expect(event is any AnnouncedEvent.Type, "\(event.type)")
        }
    }

    @Test func anArrivalIsToldOnceAndAPhotoRefreshesTheOrderOfItsParties() async throws {
        let bench = try await Bench()
        let id = try await bench.run { try await $0.order(in: .droppingOff).id }
        func arrived(_ leg: OrderLeg) -> PartyArrived {
            PartyArrived(
                engagement: id.as(EngagementID.self), product: .valet, meeting: leg.rawValue,
                mover: TestPerson.victor.id, peers: [TestPerson.alice.id],
                arrivedAt: bench.clock.now)
        }
        func told(_ cause: any Event.Type) async throws -> [Notice] {
            try await bench.published(NoticeIssued.self).map(\.notice)
                .filter { $0.cause == cause.type }
        }
        for _ in 0..<2 { try await bench.hear(arrived(.dropOff)) }
        try await bench.hear(arrived(.return))
        let arrivals = try await told(PartyArrived.self).flatMap(\.messages)
        #expect(
            arrivals.map { $0.title?[.english] }
                == ["Your valet has arrived", "Your valet is at your vehicle"])
        #expect(arrivals.allSatisfy { $0.to == .person(TestPerson.alice.id) && $0.push == .now })
        try await bench.hear(
            PhotoTaken(
                photo: .new(), engagement: id.as(EngagementID.self), product: .valet,
                moment: .handOver, sha256: "", place: nil, by: TestPerson.victor.id, role: .valet,
                takenAt: bench.clock.now))
        let photos = try await told(PhotoTaken.self)
        #expect(photos.count == 1)
        #expect(
            Set(photos.flatMap(\.messages).map(\.to))
                == [.operators, .person(TestPerson.alice.id), .person(TestPerson.victor.id)])
        #expect(photos.flatMap(\.messages).allSatisfy { $0.text == nil })
    }
}
