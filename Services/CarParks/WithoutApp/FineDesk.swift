import Contracts
import Foundation
import ServiceKit
import Store

extension FineUseCases {
    /// Records that somebody has paid a fine at the desk. A repeat with the same key gets the same answer.
    func receive(
        _ id: FineID, _ body: ReceiveBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> ReceivedPayment {
        let now = clock.now
        let received = try await bookings.receive(body, by: person, once: key) {
            try $0.fines.chargeAnybody(id, at: now)
        }
        try await bookings.settle(received.payment)
        return received
    }
}

extension FineStore {
    /// The open bill of the person who wanted to pay the fine last, or else a guest's.
    fileprivate func chargeAnybody(_ id: FineID, at now: Date) throws -> BillID {
        var fine = try require(id, for: .operator)
        guard fine.isPayable else { throw fine.notPossible }
        if let bill = fine.bill, try transaction.isOpen(bill) { return bill }
        return try chargeGuest(&fine, at: now).bill
    }

    /// A new bill of a guest.
    func chargeGuest(
        _ fine: inout FineRecord, at now: Date
    ) throws -> (bill: BillID, payer: PersonID) {
        let (bill, guest) = (BillID.new(at: now), PersonID.new(at: now))
        try fine.charge(bill, to: guest, isGuest: true)
        try transaction.bills.publish(fine.guestBill(bill, to: guest), fine: fine.id, at: now)
        try fineTable.update(&fine, in: transaction)
        return (bill, guest)
    }
}

extension FineRecord {
    /// The bill of somebody without an account. Its receipt doesn't name the vehicle; operators find it by the plate.
    func guestBill(_ id: BillID, to guest: PersonID) -> Bill {
        var bill = bill(id, to: guest)
        bill.isGuest = true
        (bill.facts.details, bill.facts.plates) = ([], [plate])
        return bill
    }
}
