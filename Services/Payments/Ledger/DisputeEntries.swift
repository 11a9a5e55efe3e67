import Contracts

extension LedgerEntry {
    /// The prefix of a dispute's entries, by the provider's id.
    static func dispute(_ reference: String) -> String { "dispute:\(reference)" }

    /// Changes by a report of a dispute: an entry of its movements, and one of its loss. Empty for neither.
    static func disputed(
        _ record: DisputeRecord, _ lines: DisputeRecord.Lines
    ) throws(LedgerError) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        if !lines.moved.isEmpty {
            entries.append(
                try LedgerEntry(
                    id: "\(dispute(record.reference)):\(record.entries)", bill: record.bill,
                    lines: lines.moved))
        }
        if !lines.lost.isEmpty {
            entries.append(
                try LedgerEntry(
                    id: "lost:\(record.reference):\(record.entries)", bill: record.bill,
                    lines: lines.lost))
        }
        return entries
    }

    /// A refund that had succeeded has failed.
    static func refundFailed(_ refund: RefundID) -> String { "refundFailed:\(refund)" }
}
