import Answers
import Contracts
import Support
import Testing

@testable import CarParks
@testable import Payments

// Guests: drivers without an account, who pay for what they have looked up.

extension Bench {
    func pay(
        _ found: ParkingLookup, _ token: String = "pm_card_visa"
    ) async throws -> Answer {
        try await call(
            .post, "/v1/parking/pay", ParkingPayBody(lookup: found.token, token: token))
    }

    func receipt(_ found: ParkingLookup, _ bill: BillID) async throws -> Answer {
        try await call(
            .post, "/v1/parking/receipt", ParkingReceiptBody(lookup: found.token, bill: bill))
    }

    /// Two guests have looked the same up. The second one's card is declined while the first one pays; afterwards they
    /// are told that it is paid, and nothing of the payment.
    func payBeside(_ first: ParkingLookup, _ second: ParkingLookup) async throws -> ParkingPayment {
        faults.meanwhile {
            try await pay(second, "pm_card_visa_chargeDeclined").refused(402, "payment.declined")
        }
        let paid = try await pay(first).expect(200, ParkingPayment.self)
        #expect((paid.brand, paid.last4) == ("visa", "4242"))
        let body = ParkingPayBody(
            lookup: second.token, token: "pm_card_visa", email: "ada@example.org")
        let told = try await call(.post, "/v1/parking/pay", body).expect(200, ParkingPayment.self)
        #expect((told.status, told.bill) == (.known(.succeeded), paid.bill))
        #expect((told.brand, told.last4) == (nil, nil))
        try await receipt(second, paid.bill).refused(404, "document.unknown")
        let mails = try await outboxEvents(of: MailRequested.self, in: payments.database)
        #expect(mails.isEmpty)
        _ = try await receipt(first, paid.bill).expect(200, PaymentDocument.self)
        return paid
    }
}
