import Contracts
import Foundation
import ServiceKit
import Store

// Fines that drivers without an account pay by the reference on their windscreen.

extension FineUseCases {
    /// Pays a fine by a guest's bill. A repeat never charges twice.
    ///
    /// - Throws: `parkingLookupExpired` if it is not due any more, and `parkingPaymentReturned` if that became known
    ///   only after the payment.
    func pay(
        _ id: FineID, _ token: String, asGuest claims: LookupClaims
    ) async throws -> Payment {
        let now = clock.now
        let (bill, payer) = try await database.write { transaction in
            try transaction.fines.chargeGuest(id, claims, at: now)
        }
        let payment = try await bookings.pay(bill, token, by: payer, asGuest: claims)
        guard payment.status == .succeeded else { return payment }
        try await bookings.settle(payment)
        guard try await fine(id, for: .operator).isPaid(by: bill) else {
            throw Refusal.parkingPaymentReturned
        }
        return payment
    }
}

extension FineStore {
    /// The fine with the code, if it can be paid. A plate finds none.
    func asked(_ question: LookupQuestion) throws -> FineRecord? {
        guard let code = question.code, question.plate == nil else { return nil }
        let fine: FineRecord? = try transaction.row(
            "SELECT body FROM fines WHERE reference = ?", code)?.json()
        guard let fine, fine.isPayable,
            question.carPark == nil || question.carPark == fine.carPark.id
        else { return nil }
        return fine
    }

    /// The guest's bill for a fine, paid or not. An open bill of a person is withdrawn; nothing is paid on it.
    fileprivate func chargeGuest(
        _ id: FineID, _ claims: LookupClaims, at now: Date
    ) throws -> (bill: BillID, payer: PersonID) {
        guard var fine = try find(id) else { throw Refusal.parkingLookupExpired }
        let known = fine.isByGuest == true ? fine.bill : nil
        if fine.status == .paid, let known, let payer = fine.payer { return (known, payer) }
        guard fine.isPayable else { throw Refusal.parkingLookupExpired }
        let charged: (bill: BillID, payer: PersonID)
        if let known, let payer = fine.payer, try transaction.isOpen(known) {
            charged = (known, payer)
        } else {
            if let bill = fine.bill { try transaction.bills.withdrawOpen(bill, at: now) }
            charged = try chargeGuest(&fine, at: now)
        }
        fine.keepGuest(claims.asking(after: fine.guestTold), of: charged.bill)
        try fineTable.update(&fine, in: transaction)
        return charged
    }
}

extension FineRecord {
    func isPaid(by bill: BillID) -> Bool { self.bill == bill && paidAt != nil }

    func lookup(
        _ token: String, _ claims: LookupClaims, _ charge: BillCharge, of bill: Bill,
        in language: Language
    ) -> ParkingLookup {
        var lookup = ParkingLookup(
            token: token, carPark: carPark.name, timeZone: carPark.timeZone, enteredAt: issuedAt,
            lines: bill.lines.views(in: language), tax: charge.tax, due: charge.charge,
            expiresAt: claims.expiresAt,
            secondsToLeave: nil)
        lookup.isFine = true
        return lookup
    }

    func paid(_ payment: Payment) -> ParkingPayment {
        var answer = ParkingPayment(
            payment, reference: reference, carPark: carPark.name, timeZone: carPark.timeZone,
            enteredAt: issuedAt)
        if payment.status == .succeeded { answer.paidAt = paidAt }
        return answer
    }
}
