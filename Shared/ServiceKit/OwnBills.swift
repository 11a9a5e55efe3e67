import Contracts
import EventBus
import Foundation
import Store

/// The bills of a product, as they were told last.
public enum OwnBills {
    public static let migration = Migration(
        "bills-1",
        """
        CREATE TABLE bills (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            body TEXT NOT NULL)
        """)
}

extension Transaction {
    public func ownBill(_ id: BillID) throws -> Bill? {
        try row("SELECT body FROM bills WHERE id = ?", id)?.json()
    }

    /// Tells payments the bill as it is now; nothing of who is gone.
    public func publish(_ bill: Bill, at now: Date) throws {
        var bill = bill
        if try isGone(bill.payer) { bill.forgetPayer() }
        try execute(
            """
            INSERT INTO bills (id, version, body) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body
            """, bill.id, bill.version, Wire.json(bill))
        try publish(BillChanged(bill: bill), at: now)
    }

    /// Tells payments what has changed of a bill.
    public func amend(_ id: BillID, at now: Date, _ change: (inout Bill) -> Void) throws {
        guard var bill = try ownBill(id) else { throw StoreError(.other, "a bill is missing") }
        change(&bill)
        bill.version += 1
        try publish(bill, at: now)
    }
}
