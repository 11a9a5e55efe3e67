import Contracts
import EventBus
import Foundation
import Hummingbird
import ServiceKit
import Store

/// The latest version of each of a product's bills, in the table `bills`. A product whose table has more columns than
/// `id`, `version` and `body` creates it with its own migration.
public enum BillBook {
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
    /// By id; only those that are open have an event.
    func toldBills(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try rows("SELECT body FROM bills WHERE id > ? ORDER BY id LIMIT ?", id, limit).map { row in
            let changed = BillChanged(bill: try row.json())
            let isOpen = changed.bill.state == .open
            return .init(changed.bill.id, isOpen ? changed : nil, marks: changed.marks)
        }
    }

    func ownBill(_ id: BillID) throws -> Bill? {
        try row("SELECT body FROM bills WHERE id = ?", id)?.json()
    }

    /// Stores and publishes a bill; without data about the payer if their account is deleted.
    ///
    /// `columns` fills further columns of the product's table from the published bill. A later `amend` doesn't change
    /// them.
    public func publish(
        _ bill: Bill, at now: Date,
        columns: (Bill) -> KeyValuePairs<String, (any SQLConvertible)?> = { _ in [:] }
    ) throws {
        let bill = try withoutDeletedPayer(bill)
        let columns = columns(bill)
        let names = ["version", "body"] + columns.map(\.key)
        try execute(
            """
            INSERT INTO bills (id, \(names.joined(separator: ", ")))
            VALUES (\(marks(names.count + 1)))
            ON CONFLICT (id) DO UPDATE SET
                \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """,
            arguments: [bill.id, bill.version, try Wire.json(bill)] + columns.map(\.value))
        try publish(BillChanged(bill: bill), at: now)
    }

    /// Publishes the next version of a bill. Throws `StoreError` if it is unknown.
    public func amend(_ id: BillID, at now: Date, _ change: (inout Bill) -> Void) throws {
        guard var bill = try ownBill(id) else { throw StoreError(.other, "a bill is missing") }
        change(&bill)
        bill.version += 1
        bill = try withoutDeletedPayer(bill)
        try execute(
            "UPDATE bills SET version = ?, body = ? WHERE id = ?", bill.version, Wire.json(bill), id
        )
        try publish(BillChanged(bill: bill), at: now)
    }

    /// Publishes a notice. Messages that name what a bill costs go through payments, which fills in the amount; others
    /// don't wait for it. The bill need not be published.
    public func publish(_ notice: Notice, of bill: Bill, at now: Date) throws {
        var (plain, priced) = (notice, notice)
        plain.messages.removeAll(where: \.namesCharge)
        priced.messages.removeAll { !$0.namesCharge }
        if !plain.messages.isEmpty { try publish(NoticeIssued(plain), at: now) }
        if !priced.messages.isEmpty { try publish(BillNoticeIssued(priced, of: bill), at: now) }
    }

    private func withoutDeletedPayer(_ bill: Bill) throws -> Bill {
        var bill = bill
        if try isGone(bill.payer) { bill.forgetPayer() }
        return bill
    }

    /// Withdraws a bill, so that nothing is due any more. A payment that was made remains.
    public func withdraw(_ id: BillID, at now: Date) throws {
        try amend(id, at: now) { $0.state = .known(.withdrawn) }
    }

    /// Whether a bill is neither withdrawn nor refunded, not even partly. False if it is unknown.
    public func isOpen(_ id: BillID) throws -> Bool {
        guard let bill = try ownBill(id) else { return false }
        return bill.state == .open && bill.returns == nil
    }
}

extension ServiceEnvironment {
    /// Tells a product's open bills at any age; the others are only counted.
    public func tellBills(from database: Database) {
        tell(.bills, from: database) { transaction, after, limit in
            try transaction.toldBills(after: after, limit: limit)
        }
    }
}

extension Router where Context == ServiceKit.Context {
    /// Lets payments ask for the latest version of a bill. Throws `notFound` if it is unknown.
    public func bills(in database: Database) {
        on(InternalEndpoints.bill) { call in
            let id: BillID = try call.id()
            guard let bill = try await database.read({ try $0.ownBill(id) }) else {
                throw Refusal.notFound
            }
            return bill
        }
    }
}
