import Contracts
import EventBus

/// What others' events mean here: who owes what, and who is gone.
func paymentReactions(_ payments: PaymentUseCases) -> Reactions {
    Reactions {
        when(DropOffRequested.self) { event, delivery in
            try await payments.know(event.order, delivery)
        }
        when(VehicleReturned.self) { event, delivery in
            try await payments.owe(Due(event.bill), for: event.order, delivery)
        }
        when(OrderCancelled.self) { event, delivery in
            try await payments.owe(event.due, for: event.order, delivery)
        }
        when(OrderOverridden.self) { event, delivery in
            try await payments.owe(event.due, for: event.order, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await payments.know(event, delivery)
        }
        when(AccountDeleted.self) { event, delivery in
            try await payments.forget(event, delivery)
        }
    }
}

extension OrderCancelled {
    /// The fee, on a receipt of one line.
    var due: Due {
        let kind: Quote.Line.Kind =
            switch cause {
            case .customer: .cancellation
            case .customerAbsent: .noShow
            }
        return Due(fee, lines: [.init(kind: kind, amount: fee)], valet: valet)
    }
}

extension OrderOverridden {
    /// An order that waits for payment owes its bill; with any other state the operator has waived
    /// it.
    var due: Due {
        guard order.status == .waitingForPayment else { return Due(nil, by: by) }
        return Due(bill?.charge ?? order.charge, lines: bill?.lines ?? [], by: by)
    }
}
