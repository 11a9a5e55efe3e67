import Contracts
import EventBus

/// What orders' events mean here: who owes what.
func paymentReactions(_ payments: PaymentUseCases) -> Reactions {
    Reactions {
        when(DropOffRequested.self) { event, delivery in
            try await payments.know(event.order, delivery)
        }
        when(VehicleReturned.self) { event, delivery in
            try await payments.owe(event.bill.charge, for: event.order, delivery)
        }
        when(OrderCancelled.self) { event, delivery in
            try await payments.owe(event.fee, for: event.order, delivery)
        }
        when(OrderOverridden.self) { event, delivery in
            try await payments.owe(event.due, for: event.order, delivery)
        }
    }
}

extension OrderOverridden {
    /// An order that waits for payment owes its bill; with any other state the operator has waived
    /// it.
    var due: Money? {
        guard order.status == .waitingForPayment else { return nil }
        return bill?.charge ?? order.charge
    }
}
