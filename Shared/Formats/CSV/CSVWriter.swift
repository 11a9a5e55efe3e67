/// A cell of a file of comma-separated values.
public enum CSVCell: Sendable, Hashable {
    /// Text that people have written. A spreadsheet must not take it for a formula.
    case text(String)
    /// A number or a time that the program has written.
    case plain(String)
    case empty

    /// Characters at the start of a cell that make spreadsheets calculate it, in either width; also those that some of
    /// them skip before it.
    private static let formulas: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "\u{2212}",
    ]

    /// The cell as it is in the file. A text that would be a formula begins with an apostrophe, which spreadsheets
    /// show.
    public var field: String {
        switch self {
        case .text(let text): (Self.isFormula(text) ? "'\(text)" : text).csvField
        case .plain(let text): text.csvField
        case .empty: ""
        }
    }

    private static func isFormula(_ text: String) -> Bool {
        // Spaces before a formula, and invisible marks such as U+200B, don't keep all spreadsheets from calculating it.
        let first = text.unicodeScalars.first {
            !($0 == " " || $0 == "\u{A0}" || $0 == "\u{3000}"
                || $0.properties.generalCategory == .format)
        }
        return first.map(formulas.contains) ?? false
    }
}

/// A line of a file of comma-separated values (RFC 4180), with its end.
public func csvLine(_ cells: [CSVCell]) -> String {
    cells.map(\.field).joined(separator: ",") + "\r\n"
}

/// The byte order mark by which spreadsheets recognise UTF-8.
public let csvByteOrderMark = "\u{FEFF}"
