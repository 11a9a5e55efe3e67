import Contracts
import Metrics
import ServiceKit
import Store

/// Payments as an operator watches them.
enum PaymentMetrics {
    private static let outcomes: Set<PaymentStatus> = [.succeeded, .declined, .held, .released]

    /// Counts the outcome of an attempt, if the row is one, once its transaction is committed.
    static func count(
        _ row: AttemptTransition, of product: Product, in transaction: Transaction
    ) {
        let outcome = row.to
        guard outcomes.contains(outcome), !row.from.contains(outcome) else { return }
        transaction.afterCommit {
            Counter(
                label: "payments_outcomes_total",
                dimensions: [("outcome", outcome.rawValue), ("product", product.description)]
            ).increment()
        }
    }
}

extension PaymentUseCases {
    /// How often the whole ledger is summed.
    private static let ledgerPause: Duration = .seconds(300)

    /// Measures what only the database knows.
    func addMeasures(to environment: ServiceEnvironment) {
        environment.measure("payments_open_holds") {
            let holds = try await database.read { try $0.attempts.openHolds() }
            Gauge(label: "payments_open_holds").record(holds)
        }
        environment.measure("payments_ledger_imbalance", atMostEvery: Self.ledgerPause) {
            // The whole ledger is read: once, however many processes share it.
            guard database.leads else { return }
            for sum in try await database.read({ try $0.ledger.sums() }) {
                Gauge(
                    label: "payments_ledger_imbalance", dimensions: [("currency", sum.currency)]
                ).record(sum.amount)
            }
        }
    }
}
