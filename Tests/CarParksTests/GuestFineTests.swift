import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks
@testable import Payments

/// Fines that anybody pays by the reference on the windscreen.
@Suite struct GuestFineTests {
    @Test func theCodeOnTheWindscreenFindsTheFineAndNothingAboutThePlate() async throws {
        try await Bench.run { bench in
            let fine = try await bench.guestFine()
            let typed = fine.reference.lowercased().replacingOccurrences(of: "-", with: " ")
            let answer = try await bench.ask(typed)
            let found = try answer.expect(200, ParkingLookup.self)
            #expect(found.isFine == true)
            #expect(found.due == fine.amount)
            #expect(found.lines.map(\.kind) == ["fine"])
            #expect(found.enteredAt == fine.issuedAt)
            #expect(found.carPark == fine.carPark.name)
            #expect(found.secondsToLeave == nil)
            let told = try Wire.json(found)
            #expect(!told.contains("GST1") && !told.contains("GST 1"))
        }
    }

    @Test func itIsPaidOnceAndHasAReceipt() async throws {
        try await Bench.run { bench in
            let fine = try await bench.guestFine()
            let found = try await bench.found(fine)
            try await bench.pay(found, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            // The amount of a fine doesn't change, so the page may stay open for long.
            bench.clock.advance(by: GuestPayments.kept + 1)
            let paid = try await bench.pay(found).expect(200, ParkingPayment.self)
            #expect(paid.status == .succeeded)
            #expect(paid.reference == fine.reference)
            #expect(paid.amount == fine.amount)
            #expect(paid.paidAt != nil)
            #expect(paid.leaveBy == nil)
            #expect(
                try await bench.pay(found, "pm_card_mastercard").expect(200, ParkingPayment.self)
                    == paid)
            #expect(try await bench.status(of: fine) == .paid)
            let receipt = try await bench.receipt(found, paid.bill)
                .expect(200, PaymentDocument.self)
            #expect(receipt.total == fine.amount)
            #expect(receipt.reference == fine.reference)
            #expect(receipt.buyer == nil && receipt.details.isEmpty)
        }
    }

    @Test func aFurtherStepIsFinishedByTheSameRequest() async throws {
        try await Bench.run { bench in
            let fine = try await bench.guestFine()
            let found = try await bench.found(fine)
            let token = "pm_card_authenticationRequired"
            let first = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(first.status == .requiresAction)
            #expect(first.clientSecret?.isEmpty == false)
            #expect(first.paidAt == nil)
            try await bench.receipt(found, first.bill).refused(404, "document.unknown")
            let second = try await bench.pay(found, token).expect(200, ParkingPayment.self)
            #expect(second.status == .succeeded)
            #expect(second.bill == first.bill)
            #expect(try await bench.status(of: fine) == .paid)
        }
    }

    @Test func aGuestIsToldNothingOfAnotherGuestsPayment() async throws {
        try await Bench.run { bench in
            let fine = try await bench.guestFine()
            let first = try await bench.found(fine)
            bench.clock.advance(by: 1)
            let second = try await bench.found(fine)
            _ = try await bench.payBeside(first, second)
        }
    }

    /// A code that was never given, a fine that is paid, appealed or cancelled, and one looked for with a plate.
    @Test func whatIsNotDueLooksTheSame() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let (paid, cancelled) = (try await bench.guestFine(), try await bench.guestFine())
            let (appealed, open) = (try await bench.guestFine(), try await bench.guestFine())
            _ = try await bench.pay(bench.found(paid)).expect(200, ParkingPayment.self)
            try await bench.call(
                .post, "/v1/admin/fines/\(cancelled.id)/decision",
                FineDecisionBody(.cancelled, text: "A mistake."), as: .olivia
            ).expect(200, Fine.self)
            _ = try await bench.call(
                .post, "/v1/fines/\(appealed.id)/appeal", AppealBody(text: "I had a ticket."),
                as: .alice)
            #expect(try await bench.status(of: appealed) == .appealed)
            var answers: Set<String> = []
            for body in [
                ParkingLookupBody(code: paid.reference),
                ParkingLookupBody(code: cancelled.reference),
                ParkingLookupBody(code: appealed.reference),
                ParkingLookupBody(plate: "GST1", code: open.reference),
                ParkingLookupBody(carParkId: .new(at: bench.clock.now), code: open.reference),
                ParkingLookupBody(code: "ZZZ-ZZZ"),
            ] {
                var problem = try await bench.call(.post, "/v1/parking/lookup", body)
                    .refused(404, "parking.nothing_found")
                // The id of the trace.
                problem.instance = nil
                answers.insert("\(problem)")
            }
            #expect(answers.count == 1)
            _ = try await bench.found(open)
        }
    }

    @Test func whatWasPaidElsewhereIsNotPaidAgain() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let fine = try await bench.guestFine()
            let found = try await bench.found(fine)
            _ = try await bench.call(
                .post, "/v1/fines/\(fine.id)/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, FinePayment.self)
            try await bench.pay(found).refused(409, "parking.lookup_expired")
            let bill = try #require(
                try await bench.database.read { try $0.fines.find(fine.id) }?.bill)
            try await bench.receipt(found, bill).refused(404, "document.unknown")
        }
    }

    /// The guest has a bill of their own, and the owner's is withdrawn.
    @Test func theOwnersUnpaidBillIsReplaced() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "GST 1")
            let fine = try await bench.guestFine()
            try await bench.call(
                .post, "/v1/fines/\(fine.id)/pay", PayBody(token: "pm_card_visa_chargeDeclined"),
                as: .alice
            ).refused(402, "payment.declined")
            let paid = try await bench.pay(bench.found(fine)).expect(200, ParkingPayment.self)
            let bills = try await bench.published(BillChanged.self).map(\.bill)
            #expect(bills.last { $0.id == paid.bill }?.isGuest == true)
            let owned = try #require(bills.last { $0.payer == TestPerson.alice.id })
            #expect(owned.state == .withdrawn)
            #expect(try await bench.status(of: fine) == .paid)
        }
    }

    @Test func operatorsPrintTheCodeOfAFineThatIsDue() async throws {
        try await Bench.run { bench in
            let fine = try await bench.guestFine()
            let path = "/v1/admin/fines/\(fine.id)/pay-code?origin=https://valet.example.org"
            let code = try await bench.call(.get, path, as: .olivia).expect(200, PayCode.self)
            #expect(code.url == "https://valet.example.org/pay/\(fine.reference)")
            #expect(code.qrCode.size > 20)
            try await bench.call(.get, path, as: .alice).refused(403, "auth.role")
            try await bench.call(
                .get, "/v1/admin/fines/\(fine.id)/pay-code?origin=javascript:alert", as: .olivia
            ).refused(422, "request.invalid", field: "origin")
            let unknown = FineID.new(at: bench.clock.now)
            try await bench.call(
                .get, "/v1/admin/fines/\(unknown)/pay-code?origin=https://a.example", as: .olivia
            ).refused(404, "fine.unknown")
            _ = try await bench.pay(bench.found(fine)).expect(200, ParkingPayment.self)
            try await bench.call(.get, path, as: .olivia).refused(409, "fine.not_possible")
        }
    }
}

extension Bench {
    fileprivate func guestFine() async throws -> Fine {
        clock.advance(by: 1)
        let body = FineBody(
            plate: "GST 1", carParkId: try await carPark().id, amount: 4_000, reason: "No ticket.")
        return try await call(.post, "/v1/admin/fines", body, as: .olivia).expect(201, Fine.self)
    }

    fileprivate func ask(_ code: String) async throws -> Answer {
        try await call(.post, "/v1/parking/lookup", ParkingLookupBody(code: code))
    }

    fileprivate func found(_ fine: Fine) async throws -> ParkingLookup {
        try await ask(fine.reference).expect(200, ParkingLookup.self)
    }

    fileprivate func status(of fine: Fine) async throws -> FineStatus {
        try await call(.get, "/v1/fines/\(fine.id)", as: .olivia).expect(200, Fine.self).status
    }
}
