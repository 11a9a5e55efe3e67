import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks
@testable import Payments
@testable import Store

/// Drivers without an account, and operators who let them out.
@Suite struct WithoutAppTests {
    private static let hour: TimeInterval = 3_600

    // MARK: Paying

    @Test func aGuestPaysByPlateAndTimeAndDrivesOut() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paymentDue)
            let found = try await bench.lookUp("gst 1", entry)
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
                ParkingLookupBody(
                    carParkId: entry.carPark, plate: "NOBODY1", enteredAt: entry.at),
                ParkingLookupBody(
                    carParkId: entry.carPark, plate: "GST1",
                    enteredAt: entry.at.addingTimeInterval(601)),
                ParkingLookupBody(
                    carParkId: offer.carPark.id, plate: "GST1", enteredAt: entry.at),
                ParkingLookupBody(plate: "GST1", code: "AAA-AAA"),
                ParkingLookupBody(
                    carParkId: offer.carPark.id, plate: "BOOKED1", enteredAt: booked),
                ParkingLookupBody(carParkId: entry.carPark, plate: "FREE1", enteredAt: here),
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

    /// The wait doubles, and after some only the code is left until the day is over.
    @Test func guessingIsLimitedForKnownAndUnknownPlates() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let first = bench.clock.now
            func ask(_ plate: String) async throws -> Answer {
                try await bench.ask(
                    ParkingLookupBody(
                        carParkId: entry.carPark, plate: plate,
                        enteredAt: entry.at.addingTimeInterval(-86_400)))
            }
            let plates = ["GST1", "NOBODY1"]
            for plate in plates {
                for _ in 1...GuestPayments.mostTries {
                    try await ask(plate).refused(404, "parking.nothing_found")
                }
            }
            // 24 hours since the first question are left of the last wait.
            for wait in [3_600, 7_200, 14_400, 28_800, 32_400] {
                for plate in plates {
                    let problem = try await ask(plate).refused(429, "parking.too_many_lookups")
                    #expect(problem.retryAfterSeconds == wait)
                }
                let right = ParkingLookupBody(
                    carParkId: entry.carPark, plate: "GST1", enteredAt: entry.at)
                try await bench.ask(right).refused(429, "parking.too_many_lookups")
                bench.clock.advance(by: TimeInterval(wait))
                for plate in plates where wait < 32_400 {
                    try await ask(plate).refused(404, "parking.nothing_found")
                }
            }
            #expect(bench.clock.now.timeIntervalSince(first) == GuestPayments.triesKept)
            _ = try await bench.lookUp("GST1", entry)
            try await bench.parts.guests.sweep()
        }
    }

    @Test func theCodeIsAnsweredWhenThePlateIsNot() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            for _ in 1...GuestPayments.mostTries {
                try await bench.ask(
                    ParkingLookupBody(
                        carParkId: entry.carPark, plate: "GST1", enteredAt: bench.clock.now)
                ).refused(404, "parking.nothing_found")
            }
            let question = ParkingLookupBody(
                carParkId: entry.carPark, plate: "GST1", enteredAt: entry.at)
            try await bench.ask(question).refused(429, "parking.too_many_lookups")
            let code = try #require(entry.code)
            for plate in [nil, "GST1"] {
                _ = try await bench.ask(
                    ParkingLookupBody(plate: plate, code: code)
                ).expect(200, ParkingLookup.self)
            }
        }
    }

    @Test func aPlateIsLookedForInOneCarPark() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            try await bench.ask(ParkingLookupBody(plate: "GST1", enteredAt: entry.at))
                .refused(422, "request.invalid", field: "carParkId")
        }
    }

    @Test func aRepeatedPaymentChargesOnce() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let first = try await bench.pay(found).expect(200, ParkingPayment.self)
            let again = try await bench.pay(found, "pm_card_mastercard")
                .expect(200, ParkingPayment.self)
            #expect(again == first)
            #expect(try await bench.taken() == 400)
        }
    }

    /// A person who looked the stay up learns that it is paid, and nothing about the driver's card.
    @Test func theCardOfSomebodyElseIsNotTold() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entered = bench.clock.now
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            bench.clock.advance(by: Self.hour + 60)
            let found = try await bench.lookUp("ABC123", in: offer.carPark.id, at: entered)
            try await bench.pay(found, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            let told = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(told.status == .succeeded && told.amount.amount == 400)
            #expect((told.brand, told.last4) == (nil, nil))
            #expect(try await bench.taken() == 400)
        }
    }

    /// The second guest asks while the first one pays.
    @Test func aGuestIsToldNothingOfAnotherGuestsPayment() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let first = try await bench.lookUp("GST1", entry)
            bench.clock.advance(by: 1)
            let second = try await bench.lookUp("GST1", entry)
            let paid = try await bench.payBeside(first, second)
            #expect(try await bench.pay(first).expect(200, ParkingPayment.self) == paid)
        }
    }

    @Test func aGuestIsToldTheirCardAfterALostAnswer() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            bench.faults.happen(inPercent: 100, onlyAfterwards: true)
            try await bench.pay(found).refused(503, "service.unavailable")
            bench.faults.happen(inPercent: 0)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect((paid.brand, paid.last4) == ("visa", "4242"))
            #expect(try await bench.taken() == 400)
        }
    }

    /// A guest tried, and then somebody paid at the desk.
    @Test func theReceiptOfThePaymentAtTheDeskIsNotTheGuests() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            try await bench.pay(found, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            let path = "/v1/admin/parking-sessions/\(try #require(entry.session))/receive"
            let received = try await bench.call(
                .post, path, ReceiveBody(.terminal), as: .olivia
            ).expect(201, ReceivedPayment.self)
            try await bench.receipt(found, received.payment.bill)
                .refused(404, "document.unknown")
        }
    }

    @Test func aGuestIsToldTheirCard() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            for _ in 1...2 {
                let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
                #expect((paid.brand, paid.last4) == ("visa", "4242"))
            }
        }
    }

    @Test func aFurtherStepIsFinishedByTheSameRequest() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
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
            let found = try await bench.lookUp("GST1", entry)
            // Meanwhile the third hour begins.
            bench.clock.advance(by: GuestPayments.kept - 1)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.amount.amount == 400)
            // A repeat after that is still told that it is paid.
            bench.clock.advance(by: 2)
            let again = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(again == paid)
            let forged = ParkingPayBody(lookup: "\(found.token)x", token: "pm_card_visa")
            try await bench.call(.post, "/v1/parking/pay", forged)
                .refused(409, "parking.lookup_expired")
        }
    }

    @Test func anExpiredPriceIsNotPaid() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            try await bench.pay(found, "pm_card_visa_chargeDeclined").refused(
                402, "payment.declined")
            bench.clock.advance(by: GuestPayments.kept)
            try await bench.pay(found).refused(409, "parking.lookup_expired")
            #expect(try await bench.taken() == 0)
        }
    }

    /// Another card is not charged the old price.
    @Test func anExpiredPriceBeginsNoOtherPayment() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let first = try await bench.pay(found, "pm_card_authenticationRequired")
                .expect(200, ParkingPayment.self)
            #expect(first.status == .requiresAction)
            bench.clock.advance(by: GuestPayments.kept + 1)
            let second = try await bench.pay(found, "pm_card_mastercard")
                .expect(200, ParkingPayment.self)
            #expect((second.status, second.last4) == (.known(.succeeded), "3155"))
            #expect(try await bench.taken() == 400)
        }
    }

    /// The bank has charged the card meanwhile, however long the payer took.
    @Test func aFurtherStepMayTakeLongerThanThePriceIsKept() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let token = "pm_card_authenticationRequired"
            let first = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(first.status == .requiresAction)
            bench.clock.advance(by: GuestPayments.kept + 1)
            let second = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(second.status == .succeeded)
            #expect(try await bench.taken() == 400)
        }
    }

    // MARK: Prices

    @Test func theLinesOfATariffAddUp() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked { rates in rates.dailyMaximum = 150 }
            bench.clock.advance(by: Self.hour)
            let found = try await bench.lookUp("GST1", entry)
            #expect(found.due.amount == 150)
            #expect(found.lines.map(\.amount.amount) == [300, -150])
            #expect(found.lines.map(\.text) == ["Parking", "Daily maximum"])
            #expect(found.lines[0].quantity == 3)
            #expect(found.lines[0].unit == "hours")
            #expect(found.lines[0].unitPrice?.amount == 100)
            #expect(found.tax == nil)
        }
    }

    @Test func everybodyIsToldTheSameTimeToLeave() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(graceMinutes: 5)
            let stay = try #require(entry.session)
            let due = try await bench.due(of: stay)
            let found = try await bench.lookUp("GST1", entry)
            #expect(found.secondsToLeave == 300)
            // A vehicle whose stay an operator ends may need longer.
            #expect(due.secondsToLeave == 900)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.leaveBy == bench.clock.now.addingTimeInterval(300))
            bench.clock.advance(by: 300)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    @Test func theAppIsToldTheTimeToLeave() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let (gate, _) = try await bench.parked(graceMinutes: 5)
            func stays() async throws -> [ParkingSession] {
                try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                    .expect(200, Page<ParkingSession>.self).items
            }
            #expect(try await stays().map(\.secondsToLeave) == [300])
            _ = try await bench.open(gate).expect(200, GateOpening.self)
            _ = try await bench.pass(gate, .out, "GST1")
            #expect(try await stays().map(\.secondsToLeave) == [nil])
        }
    }

    /// Each stay has the tariff of its entry, and the list asks no more for several than for one.
    @Test func theAppReadsAllStaysAtOnce() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            var asked: [Int] = []
            for grace in [5, 7] {
                let (_, entry) = try await bench.parked(graceMinutes: grace)
                // Another tariff comes too late for this stay.
                var later = ParkingTariffBody(rates: [
                    ParkingRates(bands: [TariffBand(price: 100, unitMinutes: 60)])
                ])
                later.graceMinutes = 9
                try await bench.call(
                    .put, "/v1/admin/car-parks/\(entry.carPark)/tariff", later, as: .olivia
                ).expect(200, ParkingTariff.self)
                let stay = try #require(entry.session)
                try await bench.call(
                    .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                    as: .alice
                ).expect(200, PaymentAnswer.self)
                let before = bench.database.statements.load(ordering: .relaxed)
                let stays = try await bench.database.read {
                    try $0.sessions.list(of: TestPerson.alice.id, PageRequest(limit: 50)).items
                }
                asked.append(bench.database.statements.load(ordering: .relaxed) - before)
                #expect(stays.first?.secondsToLeave == grace * 60)
                #expect(stays.allSatisfy { $0.paidBills?.count == 1 })
            }
            #expect(asked[0] > 0)
            #expect(asked[0] == asked[1])
        }
    }

    @Test func taxOnTopIsToldEverywhere() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (gate, entry) = try await bench.parked()
            let stay = try #require(entry.session)
            #expect(try await bench.pass(gate, .out, "GST1").due?.amount == 472)
            let due = try await bench.due(of: stay)
            #expect((due.due?.amount, due.tax?.amount) == (472, 72))
            #expect(due.lines.map(\.amount.amount) == [400])
            let found = try await bench.lookUp("GST1", entry)
            #expect((found.due.amount, found.tax?.amount) == (472, 72))
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.amount.amount == 472)
            #expect(try await bench.taken() == 472)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    /// The vehicle would wait for an amount that nobody reads.
    @Test func aGateThatOpensAsksForNoTax() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (gate, _) = try await bench.parked()
            _ = try await bench.open(gate).expect(200, GateOpening.self)
            let opened = try await bench.pass(gate, .out, "GST1")
            #expect((opened.reason, opened.due?.amount) == (.opened, 400))
            _ = try await bench.pass(gate, .in, "LATE1")
            bench.clock.advance(by: Self.hour)
            let late = try await bench.pass(gate, .out, "LATE1", ago: 120)
            #expect((late.reason, late.due?.amount) == (.billed, 200))
        }
    }

    /// What a gate says without tax is better than a gate that says nothing.
    @Test func aGateAnswersThoughPaymentsDoesNot() async throws {
        try await Bench.run { bench in
            let (gate, _) = try await bench.parked()
            bench.faults.happen(inPercent: 100)
            let shut = try await bench.pass(gate, .out, "GST1")
            #expect((shut.reason, shut.due?.amount) == (.paymentDue, 400))
            bench.faults.happen(inPercent: 0)
        }
    }

    @Test func aDeclinedCardLeavesTheStayDue() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
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
            let found = try await bench.lookUp("ABC123", in: offer.carPark.id, at: entered)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.isPaid) == [true])
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func aGuestEarnsNoPointsAndIsShownNoPlateInTheBill() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            let bills = try await bench.published(BillChanged.self).map(\.bill)
            #expect(bills.allSatisfy { $0.isGuest == true && $0.facts.details.isEmpty })
            #expect(bills.allSatisfy { $0.facts.plates?.count == 1 })
            let points = try await bench.database.read {
                try $0.rows("SELECT person FROM points").count
            }
            #expect(points == 0)
        }
    }

    @Test func aGuestGetsTheReceiptByMail() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            func pay(_ address: String) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/parking/pay",
                    ParkingPayBody(lookup: found.token, token: "pm_card_visa", email: address))
            }
            func mails() async throws -> [MailRequested] {
                try await outboxEvents(of: MailRequested.self, in: bench.payments.database)
            }
            try await pay("nobody").refused(422, "request.invalid", field: "email")
            #expect(try await bench.taken() == 0)
            for _ in 1...5 { _ = try await pay("Ada@Example.org").expect(200, ParkingPayment.self) }
            let sent = try await mails()
            #expect(sent.count == DocumentMailStore.mostForGuest)
            #expect(sent[0].subject.hasPrefix("Receipt "))
            #expect(!sent[0].text.contains("GST1"))
            let address = try bench.parts.environment.sealer.open(
                String.self, from: try #require(sent[0].sealedAddress))
            #expect(address == "ada@example.org")
        }
    }

    @Test func aGuestGetsTheNumberedReceipt() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            let first = try await bench.receipt(found, paid.bill)
                .expect(200, PaymentDocument.self)
            #expect(first.kind == .known(.receipt))
            #expect(first.number.hasSuffix("-000001"))
            #expect(first.total == paid.amount)
            #expect(first.bill == paid.bill)
            #expect(first.buyer == nil)
            #expect(first.details.isEmpty)
            // It is still theirs when the price has expired, and when they have paid for more time.
            bench.clock.advance(by: Self.hour)
            let later = try await bench.lookUp("GST1", entry)
            let more = try await bench.pay(later).expect(200, ParkingPayment.self)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
            #expect(
                try await bench.receipt(found, paid.bill).expect(200, PaymentDocument.self)
                    == first)
            let second = try await bench.receipt(later, more.bill)
                .expect(200, PaymentDocument.self)
            #expect(second.number.hasSuffix("-000002"))
        }
    }

    /// Their mail has it as well, if it is sent after the refund.
    @Test func theReceiptOfAGuestHasItsCreditNote() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            let before = try await bench.receipt(found, paid.bill)
                .expect(200, PaymentDocument.self)
            #expect(before.creditNotes == nil)
            try await bench.giveBack(100)
            let after = try await bench.receipt(found, paid.bill)
                .expect(200, PaymentDocument.self)
            #expect((after.number, after.total) == (before.number, before.total))
            let note = try #require(after.creditNotes?.first)
            #expect(after.creditNotes?.count == 1)
            #expect((note.kind, note.total.amount) == (.known(.creditNote), -100))
            _ = try await bench.payments.mailGuest(
                paid.bill, BillMailBody(email: "ada@example.org", in: .english),
                bench.parts.environment.sealer)
            let mail = try #require(
                try await outboxEvents(of: MailRequested.self, in: bench.payments.database).last)
            #expect(mail.subject.contains(after.number))
            #expect(mail.text.contains("Credit note \(note.number)"))
        }
    }

    @Test func aReceiptIsForThePersonWhoPaid() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let waiting = try await bench.pay(found, "pm_card_authenticationRequired")
                .expect(200, ParkingPayment.self)
            try await bench.receipt(found, waiting.bill).refused(404, "document.unknown")
            try await bench.receipt(found, .new(at: bench.clock.now))
                .refused(404, "document.unknown")
            _ = try await bench.pay(found, "pm_card_authenticationRequired")
                .expect(200, ParkingPayment.self)
            var forged = found
            forged.token += "x"
            try await bench.receipt(forged, waiting.bill).refused(404, "document.unknown")
            _ = try await bench.receipt(found, waiting.bill).expect(200, PaymentDocument.self)
        }
    }

    @Test func theReceiptOfADriverWithAnAccountIsOnlyInTheirApp() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            try await bench.receipt(found, paid.bill).refused(404, "document.unknown")
        }
    }

    /// Their receipt names them.
    @Test func nobodyGetsTheReceiptOfADriverWithAnAccount() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let (_, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
            let body = ParkingPayBody(
                lookup: found.token, token: "pm_card_visa", email: "ada@example.org")
            _ = try await bench.call(.post, "/v1/parking/pay", body)
                .expect(200, ParkingPayment.self)
            let mails = try await outboxEvents(
                of: MailRequested.self, in: bench.payments.database)
            #expect(mails.isEmpty)
        }
    }

    @Test func aStayThatIsClaimedLaterIsBilledToItsDriver() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let found = try await bench.lookUp("GST1", entry)
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

    @Test func whatIsDueIsToldAtTheDeskHoweverOften() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let stay = try #require(entry.session)
            for _ in 1...(GuestPayments.mostTries * 2) {
                #expect(try await bench.due(of: stay).due?.amount == 400)
            }
            let path = "/v1/admin/parking-sessions/\(stay)/receive"
            try await bench.call(.post, path, ReceiveBody(.terminal), as: .olivia)
                .expect(201, ReceivedPayment.self)
            let after = try await bench.due(of: stay)
            #expect(after.due == nil)
            #expect(after.lines.isEmpty)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
            try await bench.call(
                .get, "/v1/admin/parking-sessions/\(ParkingSessionID.new())/due", as: .olivia
            ).refused(404, "parking_session.unknown")
            try await bench.call(.get, "/v1/admin/parking-sessions/\(stay)/due", as: .alice)
                .refused(403, "auth.role")
        }
    }

    /// A booking has begun by now, which takes the stay over when it is paid.
    @Test func askingWhatIsDueChangesNothing() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let vehicle = try await bench.vehicle()
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            let booking = try await bench.book(
                bench.body(offer, [vehicle], startsIn: Self.hour)
            ).expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            bench.clock.advance(by: Self.hour + 60)
            let before = try await bench.stored()
            let path = "/v1/parking-sessions/\(stay)"
            for _ in 1...2 {
                #expect(try await bench.due(of: stay).due?.amount == 200)
                let told = try await bench.call(.get, path + "/due", as: .alice)
                    .expect(200, ParkingDue.self)
                #expect(told.due?.amount == 200)
            }
            #expect(try await bench.stored() == before)
            let paid = try await bench.call(
                .post, path + "/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, PaymentAnswer.self).payment
            #expect(paid.amount.amount == 200)
            #expect(try await bench.booking(booking.id).status == .active)
            #expect(try await bench.due(of: stay).due == nil)
        }
    }

    @Test func anOverstayIsToldAtTheDesk() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            bench.clock.advance(
                by: booking.end.timeIntervalSince(bench.clock.now) + Self.hour)
            let due = try await bench.due(of: stay)
            #expect(due.due?.amount == 200)
            #expect(due.lines.map(\.kind) == ["overstay"])
        }
    }

    /// The answer was lost, or we died before we could give it.
    @Test func aRepeatAtTheDeskFindsThePaymentThatWasMade() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            _ = try await bench.openDrawer()
            let stay = try #require(entry.session)
            let path = "/v1/admin/parking-sessions/\(stay)/receive"
            let body = ReceiveBody(.cash, given: 1_000)
            bench.faults.happen(inPercent: 100, onlyAfterwards: true)
            try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .refused(503, "service.unavailable")
            bench.faults.happen(inPercent: 0)
            // Meanwhile the third hour begins.
            bench.clock.advance(by: Self.hour)
            let again = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect((again.payment.amount.amount, again.change.amount) == (400, 600))
            #expect(try await bench.taken() == 400)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    /// The first try had no drawer, and the price has changed since.
    @Test func aRepeatAtTheDeskPaysTheBillOfNow() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let path = "/v1/admin/parking-sessions/\(try #require(entry.session))/receive"
            let body = ReceiveBody(.cash)
            try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .refused(422, "drawer.required", field: "drawerId")
            bench.clock.advance(by: Self.hour)
            let found = try await bench.lookUp("GST1", entry)
            try await bench.pay(found, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            try await bench.carryEvents()
            _ = try await bench.openDrawer()
            let received = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(received.payment.amount.amount == 600)
            let again = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(again == received)
        }
    }

    /// Its own cash was not taken, and its change is another.
    @Test func aRepeatAtTheDeskIsNotToldWhatAnotherRequestPaid() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let path = "/v1/admin/parking-sessions/\(try #require(entry.session))/receive"
            let body = ReceiveBody(.cash, given: 1_000)
            try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .refused(422, "drawer.required", field: "drawerId")
            _ = try await bench.openDrawer()
            let received = try await bench.call(
                .post, path, ReceiveBody(.cash, given: 500), as: .olivia, key: "other"
            ).expect(201, ReceivedPayment.self)
            #expect(received.change.amount == 100)
            try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .refused(409, "payment.already_paid")
            #expect(try await bench.taken() == 400)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    /// The stay has ended, but the vehicle is still inside.
    @Test func aStayThatIsPaidAfterItsEndOpensTheExit() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            let stay = try #require(entry.session)
            try await bench.end(stay, .later)
            bench.clock.advance(by: 2 * Self.hour)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .unknown)
            try await bench.call(
                .post, "/v1/admin/parking-sessions/\(stay)/receive", ReceiveBody(.terminal),
                as: .olivia
            ).expect(201, ReceivedPayment.self)
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect((exit.reason, exit.session) == (.paid, stay))
        }
    }

    @Test func theAuditSaysWhatWasWrittenOff() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .writeOff)
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.last?.reason == "barrier is stuck (written off: €4.00)")
        }
    }

    /// As the desk tells it, whether the booking has taken the stay over by then or not.
    @Test func theAuditSaysWhatIsDueBesideABookingThatHasBegun() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let stay = try #require(try await bench.pass(gate, .in, "GST1").session)
            let vehicle = try await bench.vehicle(of: .bob, plate: "GST 1", isProven: false)
            let body = bench.body(offer, [vehicle], startsIn: Self.hour)
            let booking = try await bench.book(body, as: .bob).expect(201, Booking.self)
            try await bench.pay(booking.id, as: .bob).expect(200, BookingPayment.self)
            bench.clock.advance(by: Self.hour + 60)
            try await bench.end(stay, .writeOff)
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.last?.reason == "barrier is stuck (written off: €2.00)")
        }
    }

    // MARK: Lost tickets

    @Test func aLostTicketOpensTheExitForAPlateThatNobodySawEnter() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            let price = try await bench.call(.get, path, as: .olivia).expect(200, ParkingDue.self)
            #expect(price.due?.amount == 3_000)
            #expect(price.lines.map(\.text) == ["Lost ticket"])
            _ = try await bench.openDrawer()
            let body = LostTicketBody(plate: "un 1", .cash, given: 5_000)
            let received = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect((received.payment.amount.amount, received.change.amount) == (3_000, 2_000))
            let again = try await bench.call(.post, path, body, as: .olivia, key: "tap")
                .expect(201, ReceivedPayment.self)
            #expect(again == received)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.lines.map(\.kind) == ["lostTicket"])
            #expect(bill.facts.details.isEmpty)
            #expect(try await bench.pass(gate, .out, "UN1").reason == .paid)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "UN1").reason == .unknown)
        }
    }

    @Test func aLostTicketEndsTheKnownStay() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            // A refusal changes nothing.
            try await bench.call(
                .post, path, LostTicketBody(plate: "GST1", .terminal, given: 100), as: .olivia
            ).refused(422, "payment.given_wrong", field: "given")
            #expect(try await bench.due(of: try #require(entry.session)).due?.amount == 200)
            try await bench.call(
                .post, path, LostTicketBody(plate: "NEW1", .terminal, given: 100), as: .olivia
            ).refused(422, "payment.given_wrong", field: "given")
            let received = try await bench.call(
                .post, path, LostTicketBody(plate: "GST1", .terminal), as: .olivia
            ).expect(201, ReceivedPayment.self)
            #expect(received.payment.amount.amount == 3_000)
            let stays = try await bench.call(.get, "/v1/admin/parking-sessions", as: .olivia)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.id) == [entry.session])
            #expect(stays.map(\.leftAt) == [bench.clock.now])
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect((exit.reason, exit.session) == (.paid, entry.session))
        }
    }

    /// The answer was lost, and the same driver is recorded anew.
    @Test func aLostTicketThatIsPaidIsNotTakenBack() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            let body = LostTicketBody(plate: "UN1", .terminal)
            bench.faults.happen(inPercent: 100, onlyAfterwards: true)
            try await bench.call(.post, path, body, as: .olivia, key: "one")
                .refused(503, "service.unavailable")
            bench.faults.happen(inPercent: 0)
            try await bench.call(.post, path, body, as: .olivia, key: "two")
                .refused(409, "payment.already_paid")
            #expect(try await bench.taken() == 3_000)
            #expect(try await bench.pass(gate, .out, "UN1").reason == .paid)
        }
    }

    @Test func aLostTicketThatIsJustBeingPaidIsNotTakenBack() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            bench.faults.meanwhile { throw Refusal.paymentInProgress }
            try await bench.call(
                .post, path, LostTicketBody(plate: "UN1", .terminal), as: .olivia
            ).refused(409, "payment.in_progress")
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.state == .open)
            _ = try await bench.receiveElsewhere(bill.id)
            for event in try await outboxEvents(
                of: PaymentSucceeded.self, in: bench.payments.database)
            { try await bench.hear(event) }
            #expect(try await bench.pass(gate, .out, "UN1").reason == .paid)
        }
    }

    /// It was paid in the moment in which it was taken back.
    @Test func thePaymentOfALostTicketThatIsGoneGoesBack() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            bench.faults.meanwhile {
                let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
                _ = try await bench.receiveElsewhere(bill.id)
                throw Refusal.givenTooLittle
            }
            try await bench.call(
                .post, path, LostTicketBody(plate: "UN1", .terminal), as: .olivia
            ).refused(422, "payment.given_wrong", field: "given")
            let paid = try #require(
                try await outboxEvents(of: PaymentSucceeded.self, in: bench.payments.database)
                    .last)
            for _ in 1...2 { try await bench.hear(paid) }
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.id == paid.payment.bill)
            #expect(bill.returns?.map(\.amount.amount) == [3_000])
        }
    }

    /// The exit was opened, or the stay ended, while payments was asked for a payment that it refused.
    @Test(arguments: [false, true])
    func theLostTicketOfAVehicleThatHasLeftStaysDue(isEnded: Bool) async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked(lostTicketPrice: 3_000)
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            let stay = try #require(entry.session)
            bench.faults.meanwhile {
                if isEnded {
                    try await bench.end(stay, .later)
                } else {
                    _ = try await bench.open(gate).expect(200, GateOpening.self)
                    #expect(try await bench.pass(gate, .out, "GST1").reason == .opened)
                }
                throw Refusal.givenTooLittle
            }
            try await bench.call(
                .post, path, LostTicketBody(plate: "GST1", .terminal), as: .olivia
            ).refused(422, "payment.given_wrong", field: "given")
            let stays = try await bench.call(.get, "/v1/admin/parking-sessions", as: .olivia)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.id) == [stay])
            #expect(stays.map(\.due?.amount) == [3_000])
            let bill = try #require(await bench.published(BillChanged.self).last?.bill)
            #expect(bill.state == .open)
        }
    }

    @Test func aLostTicketWithoutAPriceIsRefused() async throws {
        try await Bench.run { bench in
            let (_, entry) = try await bench.parked()
            let path = "/v1/admin/car-parks/\(entry.carPark)/lost-tickets"
            try await bench.call(.get, path, as: .olivia)
                .refused(409, "parking.lost_ticket_without_price")
            let body = LostTicketBody(plate: "GST1", .terminal)
            try await bench.call(.post, path, body, as: .olivia)
                .refused(409, "parking.lost_ticket_without_price")
            try await bench.call(
                .post, "/v1/admin/car-parks/\(CarParkID.new())/lost-tickets", body, as: .olivia
            ).refused(404, "car_park.unknown")
            try await bench.call(
                .post, path, LostTicketBody(plate: " ", .terminal), as: .olivia
            ).refused(422, "request.invalid", field: "plate")
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
            let found = try await bench.lookUp("GST1", in: entry.carPark, at: entered)
            #expect(found.lines.map(\.kind) == ["driveUp", "earlier"])
            #expect(found.lines.map(\.amount.amount) == [200, 400])
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(try await bench.taken() == 600)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .paid)
        }
    }

    /// It came in again although nobody saw it leave.
    @Test func whatIsOpenIsNotLostWithAStayThatNobodySawEnd() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .later)
            _ = try await bench.pass(gate, .out, "GST1")
            bench.clock.advance(by: 86_400)
            _ = try await bench.pass(gate, .in, "GST1")
            bench.clock.advance(by: 86_400)
            let entered = bench.clock.now
            _ = try await bench.pass(gate, .in, "GST1")
            bench.clock.advance(by: Self.hour)
            let found = try await bench.lookUp("GST1", in: entry.carPark, at: entered)
            #expect(found.lines.map(\.kind) == ["driveUp", "earlier"])
            #expect(found.lines.map(\.amount.amount) == [200, 400])
        }
    }

    /// Somebody else may have left without paying in a vehicle that the booking's person has not proven.
    @Test func aBookingThatTakesAStayOverOwesNothingOfStrangers() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let first = try await bench.pass(gate, .in, "GST1")
            bench.clock.advance(by: Self.hour + 60)
            try await bench.end(try #require(first.session), .later)
            _ = try await bench.pass(gate, .out, "GST1")
            bench.clock.advance(by: 86_400)
            let entered = bench.clock.now
            let stay = try #require(try await bench.pass(gate, .in, "GST1").session)
            #expect(try await bench.due(of: stay).lines.map(\.kind) == ["earlier"])
            let vehicle = try await bench.vehicle(of: .bob, plate: "GST 1", isProven: false)
            let body = bench.body(offer, [vehicle], startsIn: Self.hour)
            let booking = try await bench.book(body, as: .bob).expect(201, Booking.self)
            try await bench.pay(booking.id, as: .bob).expect(200, BookingPayment.self)
            bench.clock.advance(by: Self.hour + 60)
            await bench.work()
            let due = try await bench.due(of: stay)
            #expect(due.lines.map(\.kind) == ["driveUp"])
            #expect(due.due?.amount == 200)
            // It stays open for the plate.
            let found = try await bench.lookUp("GST1", in: offer.carPark.id, at: entered)
            #expect(found.lines.map(\.kind) == ["earlier"])
            #expect(found.due.amount == 400)
        }
    }

    @Test func whatEarlierStaysOweHasTheTaxOfDriveUps() async throws {
        try await Bench.run { bench in
            let rate = TaxRate(
                country: "MT", kind: "driveUp", name: "VAT", percentThousandths: 18_000)
            _ = try await bench.payments.putTaxes(
                TaxSettingsBody(pricesIncludeTax: false, rates: [rate]),
                by: TestPerson.olivia.id, ifVersion: .none)
            bench.clock.advance(by: 1)
            let (gate, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .later)
            _ = try await bench.pass(gate, .out, "GST1")
            bench.clock.advance(by: 86_400)
            let stay = try #require(try await bench.pass(gate, .in, "GST1").session)
            let due = try await bench.due(of: stay)
            #expect(due.lines.map(\.kind) == ["earlier"])
            #expect((due.due?.amount, due.tax?.amount) == (472, 72))
        }
    }

    /// Also what was paid for earlier stays.
    @Test func allThatWentBackIsTold() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            try await bench.end(try #require(entry.session), .later)
            _ = try await bench.pass(gate, .out, "GST1")
            bench.clock.advance(by: 86_400)
            let entered = bench.clock.now
            _ = try await bench.pass(gate, .in, "GST1")
            bench.clock.advance(by: Self.hour)
            let found = try await bench.lookUp("GST1", in: entry.carPark, at: entered)
            #expect(found.due.amount == 600)
            _ = try await bench.pay(found).expect(200, ParkingPayment.self)
            try await bench.giveBack(600)
            let stays = try await bench.call(.get, "/v1/admin/parking-sessions", as: .olivia)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.first?.refunded?.amount == 600)
        }
    }

    /// With tax on top, a stay counts what came back and what did not without it.
    @Test func aRefundThatFailsWithTaxIsTakenBackWithoutIt() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let (_, entry) = try await bench.parked()
            _ = try await bench.pay(try await bench.lookUp("GST1", entry))
                .expect(200, ParkingPayment.self)
            for _ in 1...2 { try await bench.giveBack(118) }
            func refunded() async throws -> Int? {
                try await bench.call(.get, "/v1/admin/parking-sessions", as: .olivia)
                    .expect(200, Page<ParkingSession>.self).items.first?.refunded?.amount
            }
            #expect(try await refunded() == 200)
            let first = try #require(
                try await outboxEvents(of: PaymentRefunded.self, in: bench.payments.database).first)
            try await bench.hear(
                RefundFailed(
                    refund: first.refund, product: first.product, payer: first.payer,
                    reason: "expired_or_canceled_card"))
            #expect(try await refunded() == 100)
        }
    }

    @Test func aKnownDriverIsBilledLater() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entry = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: Self.hour + 60)
            let stay = try #require(entry.session)
            try await bench.end(stay, .later)
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.payer == TestPerson.alice.id)
            #expect(bill.total.amount == 400)
            #expect(bill.state == .open)
            #expect(
                try await bench.published(OperatorActed.self).last?.reason
                    == "barrier is stuck (billed later: €4.00)")
            #expect(
                try await bench.notices(to: .alice).last
                    == "You owe €4.00 for your stay at City Gate. You can pay in the app.")
            let told = try await bench.published(BillNoticeIssued.self).last
            #expect(told?.notice.subject == stay.description)
            #expect(told?.notice.state?.link == "/stays")
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
            // The gate repeats itself; then comes the next one.
            #expect(try await bench.pass(gate, .out, nil) == exit)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, nil).reason == .unreadable)
        }
    }

    @Test func anOpeningIsForTheVehicleThatWasMeant() async throws {
        try await Bench.run { bench in
            let (gate, entry) = try await bench.parked()
            _ = try await bench.pass(gate, .in, "OTHER1")
            bench.clock.advance(by: Self.hour)
            _ = try await bench.open(gate, session: entry.session).expect(200, GateOpening.self)
            #expect(try await bench.pass(gate, .out, "OTHER1").reason == .paymentDue)
            #expect(try await bench.pass(gate, .in, nil).reason == .unreadable)
            #expect(try await bench.pass(gate, .out, "GST1").reason == .opened)
        }
    }

    @Test func aVehicleThatPaysByItselfUsesNoOpening() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle()
            let method = try await bench.savedMethod()
            try await bench.call(
                .put, "/v1/me/auto-pay", AutoPay(paymentMethodId: method), as: .alice
            )
            .expect(200, AutoPay.self)
            let (gate, entry) = try await bench.parked()
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: Self.hour)
            _ = try await bench.open(gate).expect(200, GateOpening.self)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
            let exit = try await bench.pass(gate, .out, "GST1")
            #expect((exit.reason, exit.session) == (.opened, entry.session))
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
        let carPark: CarParkID
        let at: Date
        let session: ParkingSessionID?
        let code: String?
    }

    /// A vehicle of nobody, inside for an hour and a minute at 2.00 an hour.
    fileprivate func parked() async throws -> (NewGate, Entry) {
        let offer = try await offer()
        return try await parked(in: offer.carPark)
    }

    /// The same by a tariff of 1.00 an hour.
    fileprivate func parked(
        graceMinutes: Int? = nil, lostTicketPrice: Int? = nil,
        _ change: (inout ParkingRates) -> Void = { _ in }
    ) async throws -> (NewGate, Entry) {
        let carPark = try await carPark()
        // The day of a daily maximum does not end meanwhile.
        goToNine()
        var rates = ParkingRates(bands: [TariffBand(price: 100, unitMinutes: 60)])
        change(&rates)
        var body = ParkingTariffBody(rates: [rates])
        (body.graceMinutes, body.lostTicketPrice) = (graceMinutes, lostTicketPrice)
        _ = try await call(
            .put, "/v1/admin/car-parks/\(carPark.id)/tariff", body, as: .olivia
        ).expect(200, ParkingTariff.self)
        return try await parked(in: carPark)
    }

    private func parked(in carPark: CarPark) async throws -> (NewGate, Entry) {
        let gate = try await gate(of: carPark)
        let at = clock.now
        let answer = try await pass(gate, .in, "GST1")
        clock.advance(by: 3_660)
        return (
            gate, Entry(carPark: carPark.id, at: at, session: answer.session, code: answer.code)
        )
    }

    fileprivate func ask(_ body: ParkingLookupBody) async throws -> Answer {
        try await call(.post, "/v1/parking/lookup", body)
    }

    fileprivate func lookUp(_ plate: String, _ entry: Entry) async throws -> ParkingLookup {
        try await lookUp(plate, in: entry.carPark, at: entry.at)
    }

    fileprivate func lookUp(
        _ plate: String, in carPark: CarParkID, at time: Date
    ) async throws -> ParkingLookup {
        try await ask(
            ParkingLookupBody(
                carParkId: carPark, plate: plate, enteredAt: time.addingTimeInterval(300))
        ).expect(200, ParkingLookup.self)
    }

    /// Prices without tax from now on.
    func taxOnTop(_ percentThousandths: Int) async throws {
        let rate = TaxRate(
            country: "MT", name: "VAT", percentThousandths: percentThousandths)
        _ = try await payments.putTaxes(
            TaxSettingsBody(pricesIncludeTax: false, rates: [rate]), by: TestPerson.olivia.id,
            ifVersion: .none)
        clock.advance(by: 1)
    }

    fileprivate func due(of stay: ParkingSessionID) async throws -> ParkingDue {
        try await call(.get, "/v1/admin/parking-sessions/\(stay)/due", as: .olivia)
            .expect(200, ParkingDue.self)
    }

    /// All stays, bookings and bills.
    fileprivate func stored() async throws -> [String] {
        try await database.read { transaction in
            try ["sessions", "bookings", "bills"].flatMap { table in
                try transaction.rows("SELECT body FROM \(table) ORDER BY id")
                    .map { try $0.get("body", as: String.self) }
            }
        }
    }

    /// In minor units: what was taken of everybody.
    fileprivate func taken() async throws -> Int {
        let page = PageRequest(limit: 200)
        return try await payments.entries(of: nil, bill: nil, page).items
            .compactMap(\.payment).filter { $0.status == .succeeded }
            .reduce(0) { $0 + $1.amount.amount }
    }

    /// By terminal, on its own way to payments, of which no word comes here yet.
    fileprivate func receiveElsewhere(_ bill: BillID) async throws -> ReceivedPayment {
        try await payments.receive(
            bill, ReceiveBody(.terminal),
            by: Teller(person: TestPerson.olivia.id, isValet: false), key: nil)
    }

    func end(
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
