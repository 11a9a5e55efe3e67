import Contracts
import Foundation
import ServiceKit
import Store

extension GateUseCases {
    /// How long a gate waits for the tax on an amount due.
    private static let patience: Duration = .seconds(2)

    /// The answer with what the driver will be charged: tax may come on top of what the stay costs.
    func withTax(_ answer: PassageAnswer, at time: Date) async -> PassageAnswer {
        guard let due = answer.due, let session = answer.session else { return answer }
        let offer = try? await database.read { transaction in
            try transaction.sessions.find(session).flatMap {
                try transaction.sessions.offer(of: $0, at: time)
            }
        }
        guard let offer, offer.due == due, let charge = await charge(of: offer.bill) else {
            return answer
        }
        var taxed = answer
        taxed.due = charge
        return taxed
    }

    /// Nil if payments gives no answer in time: the vehicle waits at the gate.
    private func charge(of bill: Bill) async -> Money? {
        await withTaskGroup(of: Money?.self) { group in
            group.addTask { try? await bookings.cashier.charge(of: bill).charge }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
