public struct FeedProblem: Sendable, Hashable, CustomStringConvertible {
    public enum Severity: String, Sendable, Hashable {
        /// The row, the trip or the whole feed is left out.
        case error
        /// The data is read anyway.
        case warning
    }

    public let severity: Severity
    /// For example `stops.txt`.
    public let file: String
    /// From 1, the header's; nil for the whole file.
    public let line: Int?
    /// A sentence.
    public let text: String

    /// For example `stops.txt:12: error: …`
    public var description: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(text)"
    }
}

/// All problems of a feed. Only the first ones of each file are stored, but all are counted.
public struct FeedReport: Sendable, Hashable {
    /// Maximum number of stored problems per file.
    public static let mostOfFile = 200

    public private(set) var problems: [FeedProblem] = []
    public private(set) var errorCount = 0
    public private(set) var warningCount = 0
    private var counts: [String: Int] = [:]

    public init() {}

    mutating func add(
        _ severity: FeedProblem.Severity, _ file: String, _ line: Int?, _ text: String
    ) {
        if severity == .error { errorCount += 1 } else { warningCount += 1 }
        counts[file, default: 0] += 1
        guard counts[file, default: 0] <= Self.mostOfFile else { return }
        problems.append(FeedProblem(severity: severity, file: file, line: line, text: text))
    }
}

/// A feed of which nothing can be used, with its problems.
public struct FeedRefusal: Error, CustomStringConvertible {
    /// A sentence.
    public let reason: String
    public let report: FeedReport

    public var description: String { reason }
}
