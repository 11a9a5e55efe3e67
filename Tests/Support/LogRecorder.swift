import Logging
import Synchronization

/// Keeps what is logged, from a level on.
public final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    private let level: Logger.Level

    public init(_ level: Logger.Level = .trace) { self.level = level }

    public var all: [String] { lines.withLock(\.self) }
    public var text: String { all.joined(separator: "\n") }

    public var logger: Logger {
        var logger = Logger(label: "recorder") { _ in Handler(recorder: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            recorder.lines.withLock { $0.append("\(event.message) \(all)") }
        }
    }
}
