import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import CarParks
@testable import Payments

/// Drivers without an account, and operators who let them out.
@Suite struct WithoutAppTests {
    private static let hour: TimeInterval = 3_600

    // MARK: Paying

    @Test func aGuestPaysByPlateAndTimeAndDrivesOut() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
            let found = try await bench.lookUp("gst 1", at: entry.at)
            #expect(found.due == Money(amount: 400, currency: "EUR"))
            #expect(found.carPark == "City Gate")
            #expect(found.timeZone == "Europe/Malta")
            #expect(found.lines.map(\.amount.amount) == [400])
            #expect(found.secondsToLeave == 900)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.status == .succeeded)
            #expect(paid.amount.amount == 400)
            #expect(paid.leaveBy == bench.clock.now.addingTimeInterval(900))
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    @Test func theCodeOfTheGateIsEnough() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let code = try #require(entry.code)
            let found = try await bench.ask(ParkingLookupBody(code: code.lowercased()))
                .expect(200, ParkingLookup.self)
            #expect(found.due.amount == 400)
        }
    }

    /// Everything that is not to be paid looks the same to somebody who knows the plate alone.
    @Test func aPlateAloneTellsNothing() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let offer = try await bench.offer()
            let other = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer, plate: "BOOKED 1")
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            let booked = bench.clock.now
            #expect(try await bench.pass(other, .in, "BOOKED1").reason == .booked)
            _ = try await bench.pass(gate, .in, "FREE1")
            bench.clock.advance(by: 60)
            let here = bench.clock.now
            let questions = [
                ParkingLookupBody(plate: "NOBODY1", enteredAt: entry.at),
                ParkingLookupBody(plate: "GST1", enteredAt: entry.at.addingTimeInterval(601)),
                ParkingLookupBody(
                    carParkId: offer.carPark.id, plate: "GST1", enteredAt: entry.at),
                ParkingLookupBody(plate: "GST1", code: "AAA-AAA"),
                ParkingLookupBody(plate: "BOOKED1", enteredAt: booked),
                ParkingLookupBody(plate: "FREE1", enteredAt: here),
                ParkingLookupBody(code: "ZZZ-ZZZ"),
            ]
            var answers: Set<String> = []
            for question in questions {
                var problem = try await bench.ask(question)
                    .refused(404, "parking.nothing_found")
                // The id of the trace.
                problem.instance = nil
                answers.insert("\(problem)")
            }
            #expect(answers.count == 1)
        }
    }

    @Test func guessingIsLimitedForKnownAndUnknownPlates() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            for plate in ["GST1", "NOBODY1"] {
                let wrong = ParkingLookupBody(
                    plate: plate, enteredAt: entry.at.addingTimeInterval(-86_400))
                for _ in 1...GuestPayments.mostTries {
                    try await bench.ask(wrong).refused(404, "parking.nothing_found")
                }
                let problem = try await bench.ask(wrong).refused(429, "parking.too_many_lookups")
                #expect(problem.retryAfterSeconds == 3_600)
            }
            let right = ParkingLookupBody(plate: "GST1", enteredAt: entry.at)
            try await bench.ask(right).refused(429, "parking.too_many_lookups")
            bench.clock.advance(by: GuestPayments.triesKept)
            _ = try await bench.ask(right).expect(200, ParkingLookup.self)
            try await bench.parts.guests.sweep()
        }
    }

    @Test func aRepeatedPaymentChargesOnce() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", at: entry.at)
            let first = try await bench.pay(found).expect(200, ParkingPayment.self)
            let again = try await bench.pay(found, "pm_card_mastercard")
                .expect(200, ParkingPayment.self)
            #expect(again == first)
            #expect(try await bench.taken() == 400)
        }
    }

    @Test func aFurtherStepIsFinishedByTheSameRequest() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", at: entry.at)
            let token = "pm_card_authenticationRequired"
            let first = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(first.status == .requiresAction)
            #expect(first.clientSecret?.isEmpty == false)
            #expect(first.leaveBy == nil)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
            let second = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(second.status == .succeeded)
            #expect(try await bench.taken() == 400)
        }
    }

    @Test func theToldPriceCountsForAWhile() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            bench.clock.advance(by: 3_400)
            let found = try await bench.lookUp("GST1", at: entry.at)
            // Meanwhile the third hour begins.
            bench.clock.advance(by: GuestPayments.kept - 1)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.amount.amount == 400)
            bench.clock.advance(by: 2)
            try await bench.pay(found).refused(409, "parking.lookup_expired")
            let forged = ParkingPayBody(lookup: "\(found.token)x", token: "pm_card_visa")
            try await bench.call(.post, "/v1/parking/pay", forged)
                .refused(409, "parking.lookup_expired")
        }
    }

    @Test func aDeclinedCardLeavesTheStayDue() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", at: entry.at)
            try await bench.pay(found, "pm_card_visa_chargeDeclined").refused(
                402, "payment.declined")
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
        }
    }

    /// The bill is the driver's own, so their app shows it as paid.
    @Test func somebodyElsePaysForARegisteredDriver() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entered = bench.clock.now
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: Self.hour + 60)
            let found = try await bench.lookUp("ABC123", at: entered)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.isPaid) == [true])
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func aGuestEarnsNoPointsAndLeavesNoPlateInTheBill() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", at: entry.at)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            let bills = try await bench.published(BillChanged.self).map(\.bill)
            #expect(bills.allSatisfy { $0.isGuest == true && $0.facts.details.isEmpty })
            let points = try await bench.database.read {
                try $0.rows("SELECT person FROM points").count
            }
            #expect(points == 0)
        }
    }

    @Test func aStayThatIsClaimedLaterIsBilledToItsDriver() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", at: entry.at)
            _ = try await bench.pay(found, "pm_card_authenticationRequired")
                .expect(200, ParkingPayment.self)
            _ = try await bench.vehicle(of: .bob, plate: "GST 1")
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .bob)
                .expect(200, Page<ParkingSession>.self).items
            let stay = try #require(stays.first)
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay.id)/pay", PayBody(token: "pm_card_visa"),
                as: .bob
            ).expect(200, PaymentAnswer.self)
            #expect(try await bench.balance(of: .bob) == 400)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    // MARK: The desk

    @Test func cashAtTheDeskOpensTheExit() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let drawer = try await bench.openDrawer()
            let path = "/v1/admin/parking-sessions/\(try #require(entry.session))/receive"
            let body = ReceiveBody(.cash, given: 1_000)
            let received = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(received.change.amount == 600)
            let again = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(again == received)
            try await bench.call(.post, path, body, as: .olivia)
                .refused(409, "parking_session.nothing_due")
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
            let cash = try await bench.payments.database.read {
                try $0.drawers.balance(of: drawer)
            }
            #expect(cash == [Money(amount: 400, currency: "EUR")])
        }
    }

    @Test func aFineIsPaidAtTheDeskByAnybody() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let fine = try await bench.call(
                .post, "/v1/admin/fines",
                FineBody(plate: "XYZ 1", carParkId: carPark.id, amount: 4_000, reason: "no ticket"),
                as: .olivia
            ).expect(201, Fine.self)
            let path = "/v1/admin/fines/\(fine.id)/receive"
            try await bench.call(.post, path, ReceiveBody(.terminal, given: 3_000), as: .olivia)
                .refused(422, "payment.given_wrong", field: "given")
            let body = ReceiveBody(.terminal)
            let received = try await bench.call(.post, path, body, as: .olivia)
                .expect(201, ReceivedPayment.self)
            #expect(received.payment.amount.amount == 4_000)
            let paid = try await bench.call(.get, "/v1/fines/\(fine.id)", as: .olivia)
                .expect(200, Fine.self)
            #expect(paid.status == .paid)
            try await bench.call(.post, path, body, as: .olivia).refused(409, "fine.not_possible")
        }
    }

    @Test func afterTheEndTheGateLetsTheVehicleOutOnce() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let stay = try #require(entry.session)
            try await bench.end(stay, .writeOff)
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect(exit.open)
            #expect(exit.reason == .free)
            #expect(exit.session == stay)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .unknown)
        }
    }

    @Test func theGraceAfterTheEndIsOver() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .writeOff)
            bench.clock.advance(by: BookingLimits.grace + 1)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .unknown)
        }
    }

    @Test func whatIsBilledLaterIsCollectedWhenThePlateComesAgain() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .later)
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect(exit.open)
            #expect(exit.due?.amount == 400)
            bench.clock.advance(by: 86_400)
            let entered = bench.clock.now
            _ = try await bench.pass(gate, .in, "GST1")
            bench.clock.advance(by: Self.hour)
            let shut = try await bench.pass(gate, .out, "GST1")
            #expect(shut.reason == .paymentDue)
            #expect(shut.due?.amount == 600)
            let found = try await bench.lookUp("GST1", at: entered)
            #expect(found.lines.map(\.kind) == ["driveUp", "earlier"])
            #expect(found.lines.map(\.amount.amount) == [200, 400])
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(try await bench.taken() == 600)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    @Test func aKnownDriverIsBilledLater() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entry = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: Self.hour + 60)
            try await bench.end(try #require(entry.session), .later)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.payer == TestPerson.alice.id)
            #expect(bill.total.amount == 400)
            #expect(bill.state == .open)
        }
    }

    // MARK: Gates

    @Test func anOperatorOpensAGateOnce() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
            let opening = try await bench.open(gate).expect(200, GateOpening.self)
            #expect(opening.expiresAt == bench.clock.now.addingTimeInterval(120))
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect(exit.open)
            #expect(exit.reason == .opened)
            #expect(exit.session == entry.session)
            #expect(exit.due?.amount == 400)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .unknown)
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.last?.action == "carparks.open-gate")
            #expect(acts.last?.reason == "barrier is stuck")
        }
    }

    @Test func anOpeningExpires() async throws {
        try await Bench.run { bench in
            let (gate, _) = try await bench.parked()
            _ = try await bench.open(gate).expect(200, GateOpening.self)
            bench.clock.advance(by: 121)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
        }
    }

    /// A vehicle that the gate lets through anyway leaves the opening to the one that is stuck.
    @Test func anOpeningWaitsForTheVehicleThatIsStuck() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            _ = try await bench.pass(gate, .in, "FREE1")
            _ = try await bench.open(gate, session: entry.session).expect(200, GateOpening.self)
            #expect(try await bench.pass(gate, .out, "FREE1").reason == .free)
            // The plate is dirty.
            let exit = try await bench.pass(gate, .out, "G5T1")
            #expect(exit.reason == .opened)
            #expect(exit.session == entry.session)
        }
    }

    @Test func aVehicleThatCantBeReadIsLetOut() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            #expect(try await bench.pass(gate, .out, nil).reason == .unreadable)
            _ = try await bench.open(gate, plate: "GST 1").expect(200, GateOpening.self)
            let exit = try await bench.pass(gate, .out, nil)
            #expect(exit.reason == .opened)
            #expect(exit.session == entry.session)
            #expect(try await bench.pass(gate, .out, nil).reason == .unreadable)
        }
    }

    @Test func onlyWhatIsThereIsOpened() async throws {
        try await Bench.run { bench in
            let (gate, _) = try await bench.parked()
            try await bench.open(gate, session: .new()).refused(404, "parking_session.unknown")
            let body = GateOpenBody(reason: "barrier is stuck")
            try await bench.call(.post, "/v1/admin/gates/\(GateID.new())/open", body, as: .olivia)
                .refused(404, "gate.unknown")
            try await bench.call(.post, "/v1/admin/gates/\(gate.id)/open", body, as: .alice)
                .refused(403, "auth.role")
            try await bench.call(
                .post, "/v1/admin/gates/\(gate.id)/open", GateOpenBody(reason: " "), as: .olivia
            ).refused(422, "request.invalid", field: "reason")
        }
    }

    @Test func theCodeForAnExitLeadsToThePage() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let path = "/v1/admin/car-parks/\(carPark.id)/pay-code?origin="
            let code = try await bench.call(
                .get, path + "https://valet.example.org".percentEncoded, as: .olivia
            ).expect(200, PayCode.self)
            #expect(code.url == "https://valet.example.org/pay?carPark=\(carPark.id)")
            #expect(code.qrCode.path.hasPrefix("M"))
            try await bench.call(.get, path + "nowhere", as: .olivia)
                .refused(422, "request.invalid", field: "origin")
        }
    }
}

extension Bench {
    struct Entry {
        let at: Date
        let session: ParkingSessionID?
        let code: String?
    }

    /// A vehicle of nobody, inside for an hour and a minute at 2.00 an hour.
    fileprivate func parked() async throws -> (NewGate, Entry) {
        let offer = try await offer()
        let gate = try await gate(of: offer.carPark)
        let at = clock.now
        let answer = try await pass(gate, .in, "GST1")
        clock.advance(by: 3_660)
        return (gate, Entry(at: at, session: answer.session, code: answer.code))
    }

    fileprivate func ask(_ body: ParkingLookupBody) async throws -> Answer {
        try await call(.post, "/v1/parking/lookup", body)
    }

    fileprivate func lookUp(_ plate: String, at time: Date) async throws -> ParkingLookup {
        try await ask(ParkingLookupBody(plate: plate, enteredAt: time.addingTimeInterval(300)))
            .expect(200, ParkingLookup.self)
    }

    fileprivate func pay(
        _ found: ParkingLookup, _ token: String = "pm_card_visa"
    ) async throws -> Answer {
        try await call(
            .post, "/v1/parking/pay", ParkingPayBody(lookup: found.token, token: token))
    }

    /// In minor units: what was taken of everybody.
    fileprivate func taken() async throws -> Int {
        let page = PageRequest(limit: 200)
        return try await payments.entries(of: nil, bill: nil, page).items
            .compactMap(\.payment).filter { $0.status == .succeeded }
            .reduce(0) { $0 + $1.amount.amount }
    }

    fileprivate func end(
        _ stay: ParkingSessionID, _ settlement: EndSessionBody.Settlement
    ) async throws {
        let body = EndSessionBody(reason: "barrier is stuck", settlement: settlement)
        _ = try await call(.post, "/v1/admin/parking-sessions/\(stay)/end", body, as: .olivia)
            .expect(200, ParkingSession.self)
    }

    fileprivate func open(
        _ gate: NewGate, session: ParkingSessionID? = nil, plate: String? = nil
    ) async throws -> Answer {
        let body = GateOpenBody(reason: "barrier is stuck", sessionId: session, plate: plate)
        return try await call(.post, "/v1/admin/gates/\(gate.id)/open", body, as: .olivia)
    }

    fileprivate func openDrawer() async throws -> DrawerID {
        try await payments.openDrawer(
            OpenDrawerBody(name: "Desk"), by: Teller(person: TestPerson.olivia.id, isValet: false),
            key: nil
        ).id
    }
}
