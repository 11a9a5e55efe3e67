import Contracts
import ServiceKit
import Store

/// Refunds that products ask for while a bank keeps the money of a disputed payment: they wait for
/// its end.
struct WaitingReturns {
    static let migration = Migration.addition(
        "disputes-2",
        """
        CREATE TABLE waiting_returns (
            id TEXT NOT NULL PRIMARY KEY,
            payment_id TEXT NOT NULL REFERENCES payments (id),
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX waiting_returns_of_payment ON waiting_returns (payment_id, id)")

    let transaction: Transaction

    /// A product asks for the same refund each time that it publishes its bill.
    func keep(_ back: Bill.Return, of payment: PaymentID) throws {
        try transaction.execute(
            """
            INSERT INTO waiting_returns (id, payment_id, body) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """, back.id, payment, Wire.json(back))
    }

    /// Removes and returns those of a payment, in the order in which they were asked for.
    func take(of payment: PaymentID) throws -> [Bill.Return] {
        let returns: [Bill.Return] = try transaction.rows(
            "SELECT body FROM waiting_returns WHERE payment_id = ? ORDER BY id", payment
        ).map { try $0.json() }
        try transaction.execute("DELETE FROM waiting_returns WHERE payment_id = ?", payment)
        return returns
    }
}

extension Transaction {
    var waitingReturns: WaitingReturns { WaitingReturns(transaction: self) }
}
