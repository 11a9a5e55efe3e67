import Contracts

extension LedgerEntry {
    /// What the entries of a dispute begin with, by the provider's id.
    static func dispute(_ reference: String) -> String { "dispute:\(reference)" }

    /// What a report of a dispute has changed: funds taken or returned, the fee, shares frozen or released, a loss.
    static func disputed(
        _ record: DisputeRecord, _ lines: [Line]
    ) throws(LedgerError) -> LedgerEntry {
        try LedgerEntry(
            id: "\(dispute(record.reference)):\(record.entries)", bill: record.bill, lines: lines)
    }

    /// A refund that had succeeded has failed.
    static func refundFailed(_ refund: RefundID) -> String { "refundFailed:\(refund)" }
}
