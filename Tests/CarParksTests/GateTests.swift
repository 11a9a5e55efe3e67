import Answers
import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import CarParks

/// What happens at gates, and what stays cost.
@Suite struct GateTests {
    @Test func whoHasBookedIsLetInByPlateAndTheBookingEndsWhenTheyLeave() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now) - 600)
            let entry = try await bench.pass(gate, .in, "abc-123")
            #expect(entry.open)
            #expect(entry.reason == .booked)
            #expect(entry.booking == booking.id)
            #expect(try await bench.booking(booking.id).status == .active)
            #expect(try await bench.bonds() == [TestPerson.alice.id])
            let bound = try #require(try await bench.binding())
            let open = try await bench.internally("/internal/engagements/\(bound)")
                .expect(200, Engagement.self)
            #expect(open.participant(TestPerson.alice.id)?.isPresent == true)
            #expect(try await bench.binding(of: .bob) == nil)
            // A gate that repeats itself says the same; a second vehicle of that plate is none.
            #expect(try await bench.pass(gate, .in, "ABC 123", ago: 3) == entry)
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .in, "ABC123").reason == .alreadyInside)
            bench.clock.advance(by: 3_600)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(exit.open)
            #expect(exit.reason == .booked)
            #expect(try await bench.bonds() == [])
            #expect(try await bench.binding() == nil)
            let told = try await outboxEvents(of: EngagementChanged.self, in: bench.database)
            let ended = try await bench.internally("/internal/engagements/\(bound)")
                .expect(200, Engagement.self)
            #expect(ended == told.last?.engagement)
            #expect(ended.state == .ended)
            #expect(try await bench.booking(booking.id).status == .completed)
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self)
            #expect(stays.items.map(\.booking) == [booking.id])
            #expect(stays.items.first?.leftAt == bench.clock.now)
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func whoseplateCannotBeReadShowsTheTicket() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            #expect(try await bench.pass(gate, .in, nil).reason == .unreadable)
            #expect(try await bench.pass(gate, .in, nil, ticket: "AAA-AAA").reason == .unreadable)
            #expect(
                try await bench.pass(gate, .in, nil, ticket: booking.reference.lowercased()).open)
            bench.clock.advance(by: 600)
            #expect(try await bench.pass(gate, .out, nil, ticket: booking.reference).open)
        }
    }

    @Test func whoHasBookedDaysComesAndGoesUntilTheEnd() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1, .monthly, price: 9_000)
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer, quantity: 1)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            for _ in 0..<2 {
                #expect(try await bench.pass(gate, .in, "ABC123").reason == .booked)
                #expect(try await bench.booking(booking.id).status == .active)
                bench.clock.advance(by: 8 * 3_600)
                #expect(try await bench.pass(gate, .out, "ABC123").open)
                #expect(try await bench.booking(booking.id).status == .confirmed)
                bench.clock.advance(by: 16 * 3_600)
            }
            // The space is theirs while they are away.
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await bench.book(bench.body(offer, [bobs], startsIn: 3_600, quantity: 1), as: .bob)
                .refused(409, "booking.full")
            bench.clock.advance(by: booking.end.timeIntervalSince(bench.clock.now))
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .completed)
            #expect(try await bench.balance() == 9_000)
        }
    }

    @Test func aBookingLetsInAsManyVehiclesAsItHasSpaces() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            let vehicles = [
                try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "TWO 2"),
            ]
            let booking = try await bench.book(bench.body(offer, vehicles))
                .expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            #expect(try await bench.pass(gate, .in, "ONE1").reason == .booked)
            // The other one is somebody who drives up, and pays for it.
            #expect(try await bench.pass(gate, .in, "TWO2").reason == .driveUp)
            bench.clock.advance(by: 3_600)
            #expect(try await bench.pass(gate, .out, "TWO2").reason == .paymentDue)
            #expect(try await bench.booking(booking.id).status == .active)
            #expect(try await bench.pass(gate, .out, "ONE1").reason == .booked)
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }

    @Test func eachVehicleOfABookingPaysItsOwnOverstayOnce() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let vehicles = [
                try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "TWO 2"),
            ]
            var body = bench.body(offer, vehicles)
            body.spaces = 2
            let booking = try await bench.book(body).expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            for plate in ["ONE1", "TWO2"] { _ = try await bench.pass(gate, .in, plate) }
            bench.clock.advance(by: 3 * 3_600)
            for plate in ["ONE1", "TWO2"] {
                let exit = try await bench.pass(gate, .out, plate)
                #expect(exit.due == Money(amount: 200, currency: "EUR"))
            }
        }
    }

    @Test func theSpaceOfASecondVehicleIsKeptWhileTheFirstIsInside() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark(bookable: 2) {
                $0.capacity = SpaceCounts([.general: 2])
            }
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            let gate = try await bench.gate(of: carPark)
            var body = bench.body(
                offer,
                [try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "TWO 2")])
            body.spaces = 2
            let booking = try await bench.book(body).expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            #expect(try await bench.pass(gate, .in, "ONE1").reason == .booked)
            #expect(try await bench.pass(gate, .in, "XYZ9").reason == .full)
            #expect(try await bench.pass(gate, .in, "TWO2").reason == .booked)
        }
    }

    @Test func whoOnlyAsksAtTheGateIsNotBilled() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let id = try #require(try await bench.pass(gate, .in, "ABC123").session)
            for hour in 1...3 {
                bench.clock.advance(by: 3_600)
                let due = try await bench.pass(gate, .out, "ABC123").due
                #expect(due?.amount == 250 * hour)
            }
            #expect(try await outboxEvents(of: BillChanged.self, in: bench.database).isEmpty)
            try await bench.pay(id).expect(200, PaymentAnswer.self)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
            #expect(try await bench.balance() == 750)
        }
    }

    @Test func whoStaysLongerPaysStartedUnitsAndTheFee() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark { $0.overstayFee = 1_000 }
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 2 * 3_600 + 5_400)
            let exit = try await bench.pass(gate, .out, "ABC123")
            // Nobody is kept inside; two started hours and the fee are to be paid.
            #expect(exit.open)
            #expect(exit.reason == .billed)
            #expect(exit.due == Money(amount: 1_400, currency: "EUR"))
            // A person who owes something can't delete their account.
            #expect(try await bench.bonds() == [TestPerson.alice.id])
            #expect(try await bench.binding() != nil)
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self)
            let stay = try #require(stays.items.first)
            try await bench.pay(stay.id).expect(200, PaymentAnswer.self)
            #expect(try await bench.balance() == 1_800)
            try await bench.carryEvents()
            #expect(try await bench.bonds() == [])
            #expect(try await bench.binding() == nil)
            try await bench.pay(stay.id).refused(409, "parking_session.nothing_due")
        }
    }

    @Test func whoDrivesUpPaysBeforeLeaving() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let entry = try await bench.pass(gate, .in, "ABC123")
            #expect(entry.reason == .driveUp)
            bench.clock.advance(by: 3_700)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(!exit.open)
            #expect(exit.reason == .paymentDue)
            #expect(exit.due == Money(amount: 500, currency: "EUR"))
            let id = try #require(entry.session)
            try await bench.pay(id, as: .bob).refused(404, "parking_session.unknown")
            try await bench.pay(id).expect(200, PaymentAnswer.self)
            bench.clock.advance(by: 600)
            let last = try await bench.pass(gate, .out, "ABC123")
            #expect(last.open)
            #expect(last.reason == .paid)
            #expect(try await bench.balance() == 500)
        }
    }

    /// The other device's bill replaces that of the first, since the next hour has begun.
    @Test func whatIsDueIsPaidThoughAnotherDeviceTriesMeanwhile() async throws {
        try await Bench.run { bench in
            let (gate, stay) = try await bench.driveUp()
            bench.faults.meanwhile {
                bench.clock.advance(by: 20)
                try await bench.pay(stay, "pm_card_visa_chargeDeclined")
                    .refused(402, "payment.declined")
            }
            try await bench.pay(stay).expect(200, PaymentAnswer.self)
            #expect(try await bench.balance() == 750)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
        }
    }

    @Test func nothingIsDueOfAStayThatIsEndedWhileItIsPaid() async throws {
        try await Bench.run { bench in
            let (_, stay) = try await bench.driveUp()
            bench.faults.meanwhile {
                try await bench.call(
                    .post, "/v1/admin/parking-sessions/\(stay)/end",
                    EndSessionBody(reason: "it was towed", settlement: .writeOff), as: .olivia
                ).expect(200, ParkingSession.self)
            }
            try await bench.pay(stay).refused(409, "parking_session.nothing_due")
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func theSameKeyPaysAStayOnce() async throws {
        try await Bench.run { bench in
            let (gate, stay) = try await bench.driveUp()
            let first = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
            // Once there is nothing due, and once the next unit has begun.
            for wait in [1.0, 3_600] {
                bench.clock.advance(by: wait)
                let again = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
                #expect(again.payment.id == first.payment.id)
                #expect(try await bench.balance() == 500)
            }
            try await bench.pay(stay, "pm_card_mastercard", key: "one")
                .refused(422, "idempotency.key_reused")
            try await bench.pay(stay, key: "two").expect(200, PaymentAnswer.self)
            #expect(try await bench.balance() == 750)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
        }
    }

    @Test func theSameKeyPaysWhatIsDueByNowIfItHasPaidNothing() async throws {
        try await Bench.run { bench in
            let (gate, stay) = try await bench.driveUp()
            bench.faults.meanwhile { throw Refusal.unavailable("It died before.") }
            try await bench.pay(stay, key: "one").refused(503, "service.unavailable")
            bench.clock.advance(by: 3_600)
            let paid = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
            #expect(paid.payment.amount.amount == 750)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
        }
    }

    @Test func theSameKeyPaysOnceThoughItsFirstTryFailed() async throws {
        try await Bench.run { bench in
            let (_, stay) = try await bench.driveUp()
            bench.faults.meanwhile { throw Refusal.unavailable("It died before.") }
            try await bench.pay(stay, key: "one").refused(503, "service.unavailable")
            bench.clock.advance(by: 3_600)
            let paid = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
            for wait in [1.0, 3_600] {
                bench.clock.advance(by: wait)
                let again = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
                #expect(again.payment.id == paid.payment.id)
            }
            #expect(try await bench.balance() == 750)
        }
    }

    @Test func theSameKeyIsAnsweredWithWhatWasPaidBeforeTheAnswerWasLost() async throws {
        try await Bench.run { bench in
            let (_, stay) = try await bench.driveUp()
            bench.faults.meanwhile {
                let bills = try await bench.published(BillChanged.self)
                try await bench.payElsewhere(
                    try #require(bills.last).bill.id.as(BookingID.self))
                try await bench.carryEvents()
                throw Refusal.unavailable("It died afterwards.")
            }
            try await bench.pay(stay, key: "one").refused(503, "service.unavailable")
            bench.clock.advance(by: 3_600)
            let again = try await bench.pay(stay, key: "one").expect(200, PaymentAnswer.self)
            #expect(again.payment.amount.amount == 500)
            #expect(try await bench.balance() == 500)
        }
    }

    // MARK: Paid at the exit

    /// A gate of a car park at 2.50 an hour, before which Alice's vehicle has stood for an hour.
    private func anHour(_ bench: Bench) async throws -> (NewGate, ParkingSessionID) {
        let offer = try await bench.offer(price: 250)
        let gate = try await bench.gate(of: offer.carPark)
        _ = try await bench.vehicle()
        let entry = try await bench.pass(gate, .in, "ABC123")
        bench.clock.advance(by: 3_600)
        return (gate, try #require(entry.session))
    }

    private func put(_ method: PaymentMethodID?, _ bench: Bench) async throws -> Answer {
        try await bench.call(
            .put, "/v1/me/auto-pay", AutoPay(paymentMethodId: method), as: .alice)
    }

    @Test func whoHasSaidYesPaysAtTheExitByThemselves() async throws {
        try await Bench.run { bench in
            let (gate, session) = try await anHour(bench)
            // A saved method alone is no yes.
            let method = try await bench.savedMethod()
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paymentDue)
            #expect(
                try await put(method, bench).expect(200, AutoPay.self).paymentMethodId == method)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect(exit.open)
            #expect(exit.reason == .paid)
            #expect(exit.session == session)
            #expect(try await bench.balance() == 250)
            // A gate that repeats itself charges nothing again.
            #expect(try await bench.pass(gate, .out, "ABC123", ago: -3) == exit)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 250)
            #expect(try await bench.bonds() == [])
        }
    }

    @Test func aMethodIsTakenOnlyWhenPaymentsHasConfirmedWhoseItIs() async throws {
        try await Bench.run { bench in
            let method = try await bench.savedMethod()
            bench.faults.happen(inPercent: 100)
            try await put(method, bench).refused(503, "service.unavailable")
            bench.faults.happen(inPercent: 0)
            #expect(
                try await bench.call(.get, "/v1/me/auto-pay", as: .alice)
                    .expect(200, AutoPay.self) == AutoPay(paymentMethodId: nil))
        }
    }

    /// Declined, as often as it is asked; or its bank asks for a step, which nobody can take at a gate.
    @Test(arguments: ["pm_card_visa_chargeDeclined", "pm_card_authenticationRequired"])
    func whoseCardPaysNothingIsToldWhatIsOwed(card: String) async throws {
        try await Bench.run { bench in
            let (gate, session) = try await anHour(bench)
            let method = try await bench.savedMethod(card)
            try await put(method, bench).expect(200, AutoPay.self)
            for _ in 0..<2 {
                let exit = try await bench.pass(gate, .out, "ABC123")
                #expect(!exit.open)
                #expect(exit.reason == .paymentDue)
                #expect(exit.due == Money(amount: 250, currency: "EUR"))
            }
            #expect(try await bench.balance() == 0)
            // Payments sends a message only to a payer who is not there, and only once.
            let asked = try await bench.asked()
            #expect(asked.count == (card == "pm_card_authenticationRequired" ? 1 : 0))
            // The stay has the payment that waits, also on another device.
            let path = "/v1/parking-sessions/\(session)/due"
            let due = try await bench.call(.get, path, as: .alice).expect(200, ParkingDue.self)
            #expect(due.payment?.bill == asked.first)
            try await bench.pay(session).expect(200, PaymentAnswer.self)
            #expect(try await bench.pass(gate, .out, "ABC123").open)
            #expect(try await bench.balance() == 250)
        }
    }

    @Test func aPassageThatComesLateIsChargedByItsTime() async throws {
        try await Bench.run { bench in
            let (gate, _) = try await anHour(bench)
            try await put(bench.savedMethod(), bench).expect(200, AutoPay.self)
            bench.clock.advance(by: 10 * 3_600)
            let exit = try await bench.pass(gate, .out, "ABC123", ago: 10 * 3_600)
            #expect(exit.reason == .billed)
            #expect(try await bench.balance() == 250)
        }
    }

    @Test func theSettingIsOnesOwnAndCanBeTakenBack() async throws {
        try await Bench.run { bench in
            func setting(of person: TestPerson) async throws -> AutoPay {
                try await bench.call(.get, "/v1/me/auto-pay", as: person).expect(200, AutoPay.self)
            }
            #expect(try await setting(of: .alice) == AutoPay(paymentMethodId: nil))
            let method = try await bench.savedMethod()
            try await bench.call(
                .put, "/v1/me/auto-pay", AutoPay(paymentMethodId: method), as: .bob
            ).refused(404, "payment.method_unknown", field: "paymentMethodId")
            try await put(method, bench).expect(200, AutoPay.self)
            #expect(try await setting(of: .alice).paymentMethodId == method)
            #expect(try await setting(of: .bob).paymentMethodId == nil)
            try await put(.new(), bench)
                .refused(404, "payment.method_unknown", field: "paymentMethodId")
            #expect(try await setting(of: .alice).paymentMethodId == method)
            try await put(nil, bench).expect(200, AutoPay.self)
            #expect(try await setting(of: .alice).paymentMethodId == nil)
            let (gate, _) = try await anHour(bench)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paymentDue)
        }
    }

    // MARK: Recognitions

    @Test func aPlateMayBeNamedByItsRecognition() async throws {
        let (id, plates) = (RecognitionID.new(), PretendServer(.failing(503)))
        try await plates.serve { url in
            try await Bench.run(plates: url) { bench in
                let gate = try await bench.gate(of: try await bench.offer().carPark)
                let path = "/v1/gates/\(gate.id)/passages"
                func pass(_ token: String? = nil) async throws -> Answer {
                    let body = PassageBody(
                        .in, plate: " ", recognitionId: id, at: bench.clock.now)
                    return try await bench.call(
                        .post, path, body, as: nil, headers: [.gateToken: token ?? gate.token])
                }
                func made(_ plate: String?) throws -> PretendServer.Mood {
                    try .having(
                        RecognitionMade(
                            recognition: id, engagement: nil, valet: TestPerson.victor.valet,
                            plate: plate, madeAt: bench.clock.now))
                }
                // A stranger has nothing looked up.
                try await pass("forged").refused(401, "gate.token_invalid")
                #expect(plates.asked.isEmpty)
                let away = try await pass().refused(503, "service.unavailable")
                #expect(away.retryAfterSeconds != nil)
                for mood: PretendServer.Mood in [.answering("{}"), .refusing(403, "auth.role")] {
                    plates.set(mood)
                    try await pass().refused(503, "service.unavailable")
                }
                plates.set(.refusing(404, "plates.recognition_unknown"))
                try await pass().refused(422, "gate.recognition_unknown", field: "recognitionId")
                plates.set(try made(nil))
                #expect(try await pass().expect(200, PassageAnswer.self).reason == .unreadable)
                plates.set(try made("rec 123"))
                #expect(try await pass().expect(200, PassageAnswer.self).reason == .driveUp)
                #expect(Set(plates.asked.map(\.path)) == ["/internal/recognitions/\(id)"])
                // What the gate has read itself counts.
                let count = plates.asked.count
                let body = PassageBody(
                    .in, plate: "REC123", recognitionId: id, at: bench.clock.now)
                let again = try await bench.call(
                    .post, path, body, as: nil, headers: [.gateToken: gate.token]
                ).expect(200, PassageAnswer.self)
                #expect(again.reason == .driveUp)
                #expect(plates.asked.count == count)
            }
        }
    }

    /// What was good when the gate asked still is when the charge is done.
    @Test func whoHasPaidAtTheExitIsLetOutWhateverHasHappenedMeanwhile() async throws {
        let (id, plates) = (RecognitionID.new(), PretendServer(.failing(503)))
        try await plates.serve { url in
            try await Bench.run(plates: url) { bench in
                let (gate, _) = try await anHour(bench)
                try await put(bench.savedMethod(), bench).expect(200, AutoPay.self)
                plates.set(
                    try .having(
                        RecognitionMade(
                            recognition: id, engagement: nil, valet: TestPerson.victor.valet,
                            plate: "ABC 123", madeAt: bench.clock.now)))
                bench.faults.meanwhile {
                    plates.set(.failing(503))
                    try await bench.call(.post, "/v1/admin/gates/\(gate.id)/token", as: .olivia)
                        .expect(200, NewGate.self)
                }
                let exit = try await bench.call(
                    .post, "/v1/gates/\(gate.id)/passages",
                    PassageBody(.out, recognitionId: id, at: bench.clock.now), as: nil,
                    headers: [.gateToken: gate.token]
                ).expect(200, PassageAnswer.self)
                #expect(exit.open)
                #expect(exit.reason == .paid)
                #expect(try await bench.balance() == 250)
            }
        }
    }

    @Test func aPassageThatIsSevenDaysOldAfterItsChargeIsAnswered() async throws {
        try await Bench.run { bench in
            let (gate, _) = try await anHour(bench)
            try await put(bench.savedMethod(), bench).expect(200, AutoPay.self)
            bench.clock.advance(by: GateUseCases.kept)
            bench.faults.meanwhile { bench.clock.advance(by: 1) }
            let exit = try await bench.pass(gate, .out, "ABC123", ago: GateUseCases.kept)
            #expect(exit.reason == .billed)
            #expect(try await bench.balance() == 250)
        }
    }

    @Test func whoOnlyTurnsAroundPaysNothing() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.pass(gate, .in, "XYZ1")
            bench.clock.advance(by: 300)
            let exit = try await bench.pass(gate, .out, "XYZ1")
            #expect(exit.open)
            #expect(exit.reason == .free)
        }
    }

    @Test func whatIsBookedForNowIsNotGivenToWhoDrivesUp() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark(bookable: 1) {
                $0.capacity = SpaceCounts([.general: 2])
            }
            let offer = Bench.Offer(carPark: carPark, product: try await bench.product(of: carPark))
            let gate = try await bench.gate(of: carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now) + 60)
            #expect(try await bench.pass(gate, .in, "ONE1").reason == .driveUp)
            #expect(try await bench.pass(gate, .in, "TWO2").reason == .full)
            let seen = try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                .expect(200, CarPark.self)
            #expect(seen.status == .full)
            #expect(seen.spaces.first?.free == 0)
            #expect(seen.spaces.first?.source == .gates)
            #expect(try await bench.pass(gate, .in, "ABC123").reason == .booked)
        }
    }

    @Test func passagesThatComeLateCountByTheirTime() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            bench.clock.advance(by: 20_000)
            _ = try await bench.pass(gate, .in, "XYZ1", ago: 2 * 3_600)
            let exit = try await bench.pass(gate, .out, "XYZ1", ago: 2 * 3_600 - 600)
            #expect(exit.reason == .free)
            let body = PassageBody(
                .in, plate: "XYZ1", at: bench.clock.now.addingTimeInterval(-8 * 86_400))
            try await bench.call(
                .post, "/v1/gates/\(gate.id)/passages", body, as: nil,
                headers: [.gateToken: gate.token]
            ).refused(422, "request.invalid", field: "at")
        }
    }

    @Test func onlyTheGatesOwnTokenOpensIt() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let (one, other) = (
                try await bench.gate(of: carPark), try await bench.gate(of: carPark)
            )
            let path = "/v1/gates/\(one.id)/passages"
            let body = PassageBody(.in, plate: "XYZ1", at: bench.clock.now)
            try await bench.call(.post, path, body, as: nil).refused(401, "gate.token_invalid")
            try await bench.call(.post, path, body, as: .olivia).refused(401, "gate.token_invalid")
            try await bench.call(.post, path, body, as: nil, headers: [.gateToken: other.token])
                .refused(401, "gate.token_invalid")
            let new = try await bench.call(.post, "/v1/admin/gates/\(one.id)/token", as: .olivia)
                .expect(200, NewGate.self)
            try await bench.call(.post, path, body, as: nil, headers: [.gateToken: one.token])
                .refused(401, "gate.token_invalid")
            #expect(try await bench.pass(new, .in, "XYZ1").open)
        }
    }

    // MARK: Entries of who is known to be inside

    @Test func whoseExitNobodySawIsLetInAgain() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            let first = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 5 * 3_600)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 1_250)
            let again = try await bench.pass(gate, .in, "ABC123")
            #expect(again.open)
            #expect(again.reason == .driveUp)
            #expect(again.session != first.session)
            // Of the stay before nothing more is asked.
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.leftAt) == [nil, bench.clock.now])
            #expect(stays.map(\.exitGate) == [nil, nil])
            #expect(stays.map(\.due) == [nil, nil])
            bench.clock.advance(by: 3_600)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 250)
        }
    }

    @Test func whatIsReadTwiceAtTheEntranceIsOneEntry() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let (north, south) = (
                try await bench.gate(of: carPark), try await bench.gate(of: carPark)
            )
            let first = try await bench.pass(north, .in, "XYZ1")
            for gate in [south, north, south] {
                bench.clock.advance(by: GateUseCases.ahead / 3)
                let again = try await bench.pass(gate, .in, "XYZ1")
                #expect(!again.open)
                #expect(again.reason == .alreadyInside)
                #expect(again.session == first.session)
            }
            bench.clock.advance(by: 1)
            #expect(try await bench.pass(south, .in, "XYZ1").open)
        }
    }

    @Test(arguments: [false, true])
    func whoComesAgainGoesOnWithTheBooking(byTicket: Bool) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            for _ in 1...2 {
                let entry = try await bench.pass(
                    gate, .in, byTicket ? nil : "ABC123",
                    ticket: byTicket ? booking.reference : nil)
                #expect(entry.open)
                #expect(entry.booking == booking.id)
                #expect(try await bench.booking(booking.id).status == .active)
                bench.clock.advance(by: 1_800)
            }
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .booked)
            #expect(try await bench.booking(booking.id).status == .completed)
            #expect(try await bench.balance() == 400)
        }
    }

    @Test func whoIsAtTheEntranceTakesNoSpaceInside() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark(bookable: 0) {
                $0.capacity = SpaceCounts([.general: 1])
            }
            let gate = try await bench.gate(of: carPark)
            #expect(try await bench.pass(gate, .in, "ONE1").open)
            bench.clock.advance(by: 600)
            #expect(try await bench.pass(gate, .in, "TWO2").reason == .full)
            #expect(try await bench.pass(gate, .in, "ONE1").open)
            bench.clock.advance(by: 600)
            // Nobody is let in, but the space is free.
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/status", CarParkStatusBody(.closed),
                as: .olivia
            ).expect(200, CarPark.self)
            #expect(try await bench.pass(gate, .in, "ONE1").reason == .closed)
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/status", CarParkStatusBody(.open),
                as: .olivia
            ).expect(200, CarPark.self)
            #expect(try await bench.pass(gate, .in, "TWO2").open)
        }
    }

    @Test func aTicketThatIsNotGoodEndsNobodysStay() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let cancelled = try await bench.confirmed(offer)
            try await bench.call(.post, "/v1/bookings/\(cancelled.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 3_600)
            let refused = try await bench.pass(gate, .in, nil, ticket: cancelled.reference)
            #expect(refused.reason == .unknown)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paymentDue)
        }
    }

    // MARK: Clocks of gates

    @Test(arguments: [-600.0, 600]) func aClockThatIsOffCountsForNothing(off: Double) async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle()
            bench.clock.advance(by: 86_400)
            let entry = try await bench.pass(gate, .in, "ABC123", clockOff: off)
            #expect(entry.reason == .driveUp)
            bench.clock.advance(by: 3_600)
            // It is asked now, and by our clock.
            let exit = try await bench.pass(gate, .out, "ABC123", clockOff: off)
            #expect(!exit.open)
            #expect(exit.reason == .paymentDue)
            #expect(exit.due?.amount == 250)
            bench.clock.advance(by: 7_200)
            // What waited while it was cut off is told with its own time.
            let late = try await bench.pass(gate, .out, "ABC123", ago: 7_200, clockOff: off)
            #expect(late.reason == .billed)
            #expect(late.due?.amount == 250)
            let stays = try await bench.call(.get, "/v1/me/parking-sessions", as: .alice)
                .expect(200, Page<ParkingSession>.self).items
            #expect(stays.map(\.leftAt) == [bench.clock.now - 7_200])
        }
    }

    @Test func whatHasNotHappenedYetIsRefusedByWhateverClock() async throws {
        try await Bench.run { bench in
            let gate = try await bench.gate(of: try await bench.carPark())
            let body = PassageBody(
                .in, plate: "XYZ1", at: bench.clock.now, sentAt: bench.clock.now - 600)
            try await bench.call(
                .post, "/v1/gates/\(gate.id)/passages", body, as: nil,
                headers: [.gateToken: gate.token]
            ).refused(422, "request.invalid", field: "at")
        }
    }
}

extension Bench {
    /// Alice's stay without a booking, of two hours at 2.50 less ten seconds, and the gate at which she wants to leave.
    fileprivate func driveUp() async throws -> (NewGate, ParkingSessionID) {
        let offer = try await offer(price: 250)
        let gate = try await gate(of: offer.carPark)
        _ = try await vehicle()
        let entry = try await pass(gate, .in, "ABC123")
        clock.advance(by: 2 * 3_600 - 10)
        return (gate, try #require(entry.session))
    }

    fileprivate func pay(
        _ stay: ParkingSessionID, _ token: String = "pm_card_visa", as person: TestPerson = .alice,
        key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: token), as: person, key: key)
    }
}
