import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

extension GateUseCases {
    /// The answer with what the driver will be charged: tax may come on top of what the stay costs.
    func told(_ answer: PassageAnswer, at time: Date) async -> PassageAnswer {
        guard let due = answer.due, let session = answer.session else { return answer }
        let offer = try? await database.read { transaction in
            try transaction.sessions.find(session).flatMap {
                try transaction.sessions.offer(of: $0, at: time)
            }
        }
        guard let offer, offer.due == due,
            let charge = await bookings.cashier.charge(
                of: offer.bill, within: Cashier.taxPatience)
        else { return answer }
        var told = answer
        told.due = charge.charge
        return told
    }
}
