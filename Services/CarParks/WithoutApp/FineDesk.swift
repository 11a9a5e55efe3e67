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
        let (bill, guest) = (BillID.new(at: now), PersonID.new(at: now))
        try fine.charge(bill, to: guest, isGuest: true)
        var charged = fine.bill(bill, to: guest)
        charged.isGuest = true
        charged.facts.details = []
        try transaction.bills.publish(charged, fine: id, at: now)
        try fineTable.update(&fine, in: transaction)
        return bill
    }
}
