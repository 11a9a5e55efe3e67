import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Orders

@Suite(.withoutDatabase) struct OrderTransitionTests {
    /// The rules as they are written down for people: from, action, who, to, event.
    static let rules = """
        - | place | customer | requested | orders.drop-off-requested.v1
        requested | match | system | droppingOff | orders.valet-assigned.v1
        requested | noValet | system | unfulfilled | orders.unfulfilled.v1
        - | schedule | customer | requested | orders.scheduled.v1
        requested | beginSearch | system | requested | orders.drop-off-requested.v1
        requested | offer | system | requested | orders.valet-offered.v1
        requested | offerDelivered | offeredValet | requested | -
        requested | acceptOffer | offeredValet | droppingOff | orders.valet-assigned.v1
        requested | declineOffer | offeredValet | requested | orders.offer-ended.v1
        requested | offerExpired | system | requested | orders.offer-ended.v1
        requested, droppingOff | cancel | customer | cancelled | orders.cancelled.v1
        droppingOff | withdraw | assignedValet, operator | requested | orders.valet-withdrawn.v1
        requestingBack | withdraw | assignedValet, operator | requestingBack \
        | orders.valet-withdrawn.v1
        droppingOff | customerAbsent | assignedValet | cancelled | orders.cancelled.v1
        droppingOff | collect | assignedValet | parking | orders.vehicle-collected.v1
        parking | park | assignedValet | parked | orders.vehicle-parked.v1
        parked | takeTask | anyValet | parked | orders.task-changed.v1
        parked | releaseTask | anyValet | parked | orders.task-changed.v1
        parked | completeTask | anyValet | parked | orders.task-changed.v1
        parked | recall | customer | requestingBack | orders.return-requested.v1
        requestingBack | match | system | requestingBack | orders.valet-assigned.v1
        requestingBack | noValet | system | parked | orders.return-unfulfilled.v1
        requestingBack | offer | system | requestingBack | orders.valet-offered.v1
        requestingBack | offerDelivered | offeredValet | requestingBack | -
        requestingBack | acceptOffer | offeredValet | requestingBack | orders.valet-assigned.v1
        requestingBack | declineOffer | offeredValet | requestingBack | orders.offer-ended.v1
        requestingBack | offerExpired | system | requestingBack | orders.offer-ended.v1
        requestingBack | cancelRecall | customer | parked | orders.recall-cancelled.v1
        requestingBack | retrieve | assignedValet | returningBack | orders.vehicle-retrieved.v1
        returningBack | handBack | assignedValet | waitingForPayment, finished \
        | orders.vehicle-returned.v1
        waitingForPayment | paymentSucceeded | payments | finished | orders.finished.v1
        waitingForPayment | paymentDeclined | payments | waitingForPayment | -
        """

    @Test func theTableInTheCodeIsTheTableOfTheRules() {
        let lines = OrderTransition.table.dropLast().map { row in
            [
                row.from.isEmpty ? "-" : row.from.map(\.rawValue).joined(separator: ", "),
                row.action.rawValue,
                row.actors.map(\.rawValue).joined(separator: ", "),
                row.to.map(\.rawValue).joined(separator: ", "),
                row.event?.type ?? "-",
            ].joined(separator: " | ")
        }
        #expect(lines == Self.rules.split(separator: "\n").map(String.init))
    }

    @Test func operatorsMayOverrideEveryStateButTheEnds() throws {
        let row = try #require(OrderTransition.table.last)
        #expect(row.action == .override)
        #expect(row.actors == [.operator])
        #expect(Set(row.from) == Set(OrderStatus.allCases.filter { !$0.isEnd }))
        #expect(row.event?.type == "orders.overridden.v1")
    }

    @Test func everyActionAndStateHasAtMostOneRow() {
        for action in OrderAction.allCases {
            for status in OrderStatus.allCases {
                let rows = OrderTransition.table.filter {
                    $0.action == action && $0.from.contains(status)
                }
                #expect(rows.count <= 1)
            }
        }
    }

    static let attempts: [(OrderAction, OrderStatus)] = OrderAction.allCases.flatMap { action in
        OrderStatus.allCases.map { (action, $0) }
    }.filter { ![.place, .schedule, .paymentDeclined, .offerDelivered, .override].contains($0.0) }

    @Test(arguments: attempts)
    func anActionLeadsWhereItsRowSaysAndIsRefusedWithoutARow(
        _ action: OrderAction, _ status: OrderStatus
    ) throws {
        var order = try Self.order(in: status, for: action)
        let before = order
        guard let row = OrderTransition.row(action, from: status) else {
            // To who was never asked, an offer's order does not exist.
            let isAnswer = [.acceptOffer, .declineOffer].contains(action)
            let isStranger = isAnswer && order.dropOffValet != TestPerson.victor.valet
            let refusal: Refusal =
                isStranger
                ? .orderUnknown : isAnswer ? .orderNotAssigned : order.notPossible(action)
            #expect(throws: refusal) { _ = try Self.perform(action, on: &order) }
            #expect(order == before)
            return
        }
        let event = try Self.perform(action, on: &order)
        #expect(row.to.contains(order.status))
        #expect(type(of: event).type == row.event?.type)
        #expect(event.order == order.snapshot)
        #expect(order.version.number == before.version.number + 1)
        #expect(order.isEnded == (order.endedAt != nil))
    }

    /// States have halves: with a valet and without, with an offer, ahead of its time, with a task.
    static func order(in status: OrderStatus, for action: OrderAction) throws -> Order {
        if action == .beginSearch, status == .requested { return try .ahead() }
        var order = try Order.inState(status, extras: [.wash])
        let isRowed = OrderTransition.row(action, from: status) != nil
        switch action {
        case .withdraw where status == .requestingBack, .retrieve where isRowed:
            _ = try order.assign(TestPerson.vera.valet, etaSeconds: 1, at: start)
        case .acceptOffer where isRowed, .declineOffer where isRowed, .offerExpired where isRowed:
            _ = try order.offer(
                to: TestPerson.victor.valet, etaSeconds: 1,
                OfferTerms(deliverySeconds: 7_200, answerSeconds: 20), at: start)
        case .releaseTask where isRowed, .completeTask where isRowed:
            _ = try order.takeTask(.wash, by: TestPerson.vera.valet, at: start)
        default:
            break
        }
        return order
    }

    /// As the person who may, with everything that it needs.
    static func perform(_ action: OrderAction, on order: inout Order) throws -> any OrderEvent {
        let now = start.addingTimeInterval(3_600)
        let valet = order.activeValet ?? TestPerson.victor.valet
        let customer = order.customer
        if let event = try performDispatch(action, on: &order, at: now) { return event }
        switch action {
        case .match: return try order.assign(TestPerson.victor.valet, etaSeconds: 60, at: now)
        case .noValet: return try order.giveUpSearch(at: now)
        case .cancel: return try order.cancel(by: .customer(customer), reason: nil, at: now)
        case .withdraw: return try order.withdraw(by: .valet(valet), reason: nil, at: now)
        case .customerAbsent:
            return try order.reportAbsence(
                by: .valet(valet), arrivedAt: start, reason: nil, at: now)
        case .collect: return try order.collect(by: valet, at: now)
        case .park:
            return try order.park(Parking(place: .garage, vehicle: .tesla), by: valet, at: now)
        case .recall:
            return try order.recall(to: .central, code: "0001", by: customer, at: now)
        case .cancelRecall: return try order.cancelRecall(by: customer, reason: nil, at: now)
        case .retrieve: return try order.retrieve(by: valet, at: now)
        case .handBack: return try order.handBack(by: valet, at: now)
        case .paymentSucceeded: return try order.finish(at: now)
        default: throw order.notPossible(action)
        }
    }

    private static func performDispatch(
        _ action: OrderAction, on order: inout Order, at now: Date
    ) throws -> (any OrderEvent)? {
        let (victor, vera) = (TestPerson.victor.valet, TestPerson.vera.valet)
        let terms = OfferTerms(deliverySeconds: 15, answerSeconds: 20)
        return switch action {
        case .beginSearch: try order.beginSearch(at: now)
        case .offer: try order.offer(to: victor, etaSeconds: 60, terms, at: now)
        case .acceptOffer: try order.acceptOffer(by: victor, at: now)
        case .declineOffer: try order.declineOffer(by: victor, at: now)
        case .offerExpired: try order.expireOffer(at: now)
        case .takeTask: try order.takeTask(.wash, by: vera, at: now)
        case .releaseTask: try order.releaseTask(.wash, by: vera, at: now)
        case .completeTask: try order.completeTask(.wash, by: vera, at: now)
        default: nil
        }
    }
}

@Suite(.withoutDatabase) struct OrderTests {
    @Test func placingAsksForADropOffValetAtTheCustomer() throws {
        let (order, event) = try Order.place(Order.draft(extras: [.wash]), at: start)
        #expect(order.status == .requested)
        #expect(
            event.match
                == MatchRequest(leg: .dropOff, attempt: 1, meetingPoint: .central, excluded: []))
        #expect(event.order.vehicle == .tesla)
    }

    @Test func anExtraWithoutAPriceIsRefused() throws {
        var tariff = Tariff.usual
        tariff.extras = ["wash": 1]
        #expect(throws: Refusal.extraUnavailable.because(Extra.refuel.rawValue)) {
            _ = try Order.placed(tariff: tariff, extras: [.wash, .refuel])
        }
    }

    @Test func cancellingIsFreeUntilTheGraceTimeIsOver() throws {
        for (seconds, fee) in [(0.0, 0), (120, 0), (120.5, 5_000), (900, 5_000)] {
            var order = try Order.placed()
            _ = try order.assign(TestPerson.victor.valet, etaSeconds: 240, at: start)
            let now = start.addingTimeInterval(seconds)
            let event = try order.cancel(by: .customer(order.customer), reason: "late", at: now)
            #expect(event.fee == Money(amount: fee, currency: "HKD"))
            #expect(event.valet == TestPerson.victor.valet)
            #expect(order.charge?.amount == fee)
            #expect(
                order.quote(at: now).lines.map(\.kind.known) == (fee == 0 ? [] : [.cancellation]))
            #expect(order.activeValet == nil)
        }
    }

    @Test func cancellingBeforeAssignmentIsAlwaysFree() throws {
        var order = try Order.placed()
        let now = start.addingTimeInterval(10_000)
        let event = try order.cancel(by: .customer(order.customer), reason: nil, at: now)
        #expect(event.fee.amount == 0)
        #expect(event.valet == nil)
    }

    @Test func anAbsentCustomerOwesTheNoShowFeeAfterTheWaitingTime() throws {
        var order = try Order.inState(.droppingOff)
        let valet = OrderActor.valet(TestPerson.victor.valet)
        let arrivedAt = start.addingTimeInterval(600)
        #expect(throws: Refusal.valetNotArrived) {
            _ = try order.reportAbsence(by: valet, arrivedAt: nil, reason: nil, at: arrivedAt)
        }
        #expect(throws: Refusal.customerHasTime.because("Try again in 1 s.").retrying(after: 1)) {
            _ = try order.reportAbsence(
                by: valet, arrivedAt: arrivedAt, reason: nil,
                at: arrivedAt.addingTimeInterval(299.5))
        }
        let event = try order.reportAbsence(
            by: valet, arrivedAt: arrivedAt, reason: nil, at: arrivedAt.addingTimeInterval(300))
        #expect(event.cause == .customerAbsent)
        #expect(event.fee.amount == 10_000)
        #expect(order.reason == "customerAbsent")
    }

    @Test func aWithdrawnValetIsNotAskedAgainForTheLeg() throws {
        var order = try Order.inState(.droppingOff)
        let event = try order.withdraw(
            by: .operator(TestPerson.olivia.operatorID), reason: "flat tyre", at: start)
        #expect(event.match.excluded == [TestPerson.victor.valet])
        #expect(event.match.attempt == 2)
        #expect(order.dropOffValet == nil)
        #expect(order.assignedAt == nil)
        _ = try order.assign(TestPerson.vera.valet, etaSeconds: 1, at: start)
        let second = try order.withdraw(
            by: .valet(TestPerson.vera.valet), reason: nil, at: start)
        #expect(second.match.excluded == [TestPerson.victor.valet, TestPerson.vera.valet])
    }

    @Test func aNewRecallStartsWithoutExclusionsAndCountsAttemptsOn() throws {
        var order = try Order.inState(.requestingBack)
        _ = try order.assign(TestPerson.vera.valet, etaSeconds: 1, at: start)
        _ = try order.withdraw(by: .valet(TestPerson.vera.valet), reason: nil, at: start)
        _ = try order.cancelRecall(by: order.customer, reason: nil, at: start)
        let event = try order.recall(
            to: .central, code: "0000", by: order.customer, at: start)
        #expect(event.match.excluded.isEmpty)
        #expect(event.match.attempt == 3)
    }

    @Test func theReturnMeetsAtTheParkedVehicle() throws {
        let order = try Order.inState(.requestingBack)
        #expect(order.meetingPoint(.return).latitude == ParkedAt.garage.latitude)
    }

    @Test func fiveWrongCodesLockForAMinuteAndThenCountAnew() throws {
        var order = try Order.inState(.droppingOff)
        let valet = OrderActor.valet(TestPerson.victor.valet)
        for _ in 1...5 {
            #expect(try !order.accepts("0000", for: .collect, by: valet, at: start))
        }
        let later = start.addingTimeInterval(59.2)
        #expect(throws: Refusal.orderCodeLocked.retrying(after: 1)) {
            _ = try order.accepts(Order.code, for: .collect, by: valet, at: later)
        }
        let afterwards = start.addingTimeInterval(60)
        for _ in 1...4 {
            #expect(try !order.accepts("0000", for: .collect, by: valet, at: afterwards))
        }
        #expect(try order.accepts(Order.code, for: .collect, by: valet, at: afterwards))
    }

    @Test func theRecallReplacesTheCode() throws {
        var order = try Order.inState(.returningBack)
        let vera = OrderActor.valet(TestPerson.vera.valet)
        #expect(try !order.accepts(Order.code, for: .handBack, by: vera, at: start))
        #expect(try order.accepts(Order.returnCode, for: .handBack, by: vera, at: start))
    }

    @Test func theCodeIsVisibleToTheCustomerOnlyWhileAHandOverIsToCome() throws {
        for status in OrderStatus.allCases {
            let order = try Order.inState(status)
            func code(_ person: TestPerson) -> String? {
                let reader = Identity(person: person.id, roles: person.roles, session: .new())
                return order.view(for: reader, Parties([])).handoverCode
            }
            let shown = code(.alice)
            let isToCome: Set<OrderStatus> = [
                .requested, .droppingOff, .requestingBack, .returningBack,
            ]
            #expect((shown != nil) == isToCome.contains(status))
            #expect(code(.victor) == nil)
            #expect(code(.olivia) == nil)
        }
    }

    @Test func noEventCarriesTheCode() throws {
        var order = try Order.inState(.parked)
        let event = try order.recall(to: .central, code: "9753", by: order.customer, at: start)
        let text = String(decoding: try Wire.encode(event), as: UTF8.self)
        #expect(!text.contains("9753"))
    }

    @Test func handingBackFinishesAtOnceWhenNothingIsDue() throws {
        var order = try Order.inState(.returningBack, tariff: .free)
        let event = try order.handBack(by: TestPerson.vera.valet, at: start)
        #expect(event.order.status == .finished)
        #expect(event.order.endedAt == start)
        #expect(event.bill.charge.amount == 0)
    }

    @Test func theBillCountsFromCollectingToReturning() throws {
        var order = try Order.inState(.returningBack, extras: [.wash])
        let collectedAt = try #require(order.collectedAt)
        let event = try order.handBack(
            by: TestPerson.vera.valet, at: collectedAt.addingTimeInterval(901.9))
        #expect(event.bill.durationSeconds == 901)
        #expect(event.bill.charge.amount == 8_000 + 2_500 + 18_000)
        #expect(event.order.charge == event.bill.charge)
    }

    @Test func theQuoteIsNothingBeforeCollectingAndGrowsAfterwards() throws {
        let requested = try Order.inState(.droppingOff)
        #expect(requested.quote(at: start.addingTimeInterval(9_999)).charge.amount == 0)
        let parked = try Order.inState(.parked)
        let collectedAt = try #require(parked.collectedAt)
        let quote = parked.quote(at: collectedAt.addingTimeInterval(1_000))
        #expect(quote.durationSeconds == 1_000)
        #expect(quote.charge.amount == 10_500)
    }

    @Test func theConfirmedVehicleKeepsTheIdOfTheChosenOneOnlyWhenThePlateIsTheSame() throws {
        for (plate, isSame) in [("ab1234", true), ("AB-1234", true), ("XY 1", false)] {
            var order = try Order.inState(.parking)
            var found = VehicleDescription.tesla
            found.plate = plate
            _ = try order.park(
                Parking(place: .garage, vehicle: found), by: TestPerson.victor.valet, at: start)
            #expect((order.vehicle?.id == OrderVehicle.tesla.id) == isSame)
            #expect(order.vehicle?.plate == plate)
            #expect(order.chosenVehicle == .tesla)
        }
    }

    @Test func onlyTheAssignedValetActs() throws {
        var order = try Order.inState(.droppingOff)
        #expect(throws: Refusal.orderNotAssigned) {
            _ = try order.collect(by: TestPerson.vera.valet, at: start)
        }
        var back = try Order.inState(.requestingBack)
        #expect(throws: Refusal.orderNotAssigned) {
            _ = try back.retrieve(by: TestPerson.victor.valet, at: start)
        }
        #expect(throws: Refusal.noValetAssigned) {
            _ = try back.withdraw(
                by: .operator(TestPerson.olivia.operatorID), reason: nil, at: start)
        }
    }

    @Test func askingAgainEndsWhenItWasDoneTooOften() throws {
        var order = try Order.placed()
        for number in 1...Order.mostRepeats {
            let event = try order.repeatSearch(at: start)
            #expect((event as? MatchRepeated)?.match.attempt == number + 1)
        }
        #expect(try order.repeatSearch(at: start) is OrderUnfulfilled)
    }

    @Test func storedAndReadAgainAnOrderIsTheSame() throws {
        for status in OrderStatus.allCases {
            let order = try Order.inState(status)
            let data = try JSONEncoder().encode(order)
            #expect(try JSONDecoder().decode(Order.self, from: data) == order)
        }
    }
}

@Suite(.withoutDatabase) struct OrderNamesTests {
    @Test func ticketsAndCodesCanBeReadOut() throws {
        for _ in 1...200 {
            let ticket = OrderNames.random.newTicket(2)
            #expect(ticket.wholeMatch(of: /[ACDEFHJKMNPRTWXY]\d-\d\d/) != nil)
            #expect(OrderNames.random.newCode().wholeMatch(of: /\d{4}/) != nil)
        }
    }
}
