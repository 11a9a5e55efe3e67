/// Something that is wrong with a feed.
public struct FeedProblem: Sendable, Hashable, CustomStringConvertible {
    public enum Severity: String, Sendable, Hashable {
        /// What is meant is left out: a row, a trip, or all of the feed.
        case error
        /// What is meant is read nevertheless.
        case warning
    }

    public let severity: Severity
    /// As `stops.txt`.
    public let file: String
    /// From 1, the header's; nil when all of the file is meant.
    public let line: Int?
    /// A sentence.
    public let text: String

    /// As `stops.txt:12: error: …`
    public var description: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(text)"
    }
}

/// All that is wrong with a feed. Of problems, the first of each file are kept; all are counted.
public struct FeedReport: Sendable, Hashable {
    /// Kept of one file.
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

/// A feed of which nothing can be used, with what is wrong in it.
public struct FeedRefusal: Error, CustomStringConvertible {
    /// A sentence.
    public let reason: String
    public let report: FeedReport

    public var description: String { reason }
}
