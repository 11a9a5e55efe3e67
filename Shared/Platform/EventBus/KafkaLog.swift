import Kafka
import Logging
import Synchronization

extension Logger {
    /// Writes librdkafka's lines to this logger. A line that repeats, from whichever client of the process, is
    /// written once a minute, with the number of those left out.
    public var kafkaHandler: KafkaConfiguration.LogHandler {
        let repeats = RepeatedLines()
        return { line in
            let level = Level(severity: line.severity)
            guard level >= logLevel, let omitted = repeats.omitted(before: line) else { return }
            var metadata: Metadata = [
                "facility": "\(line.facility)", "client": "\(line.client)",
            ]
            if omitted > 0 { metadata["repeated"] = "\(omitted)" }
            log(level: level, "\(line.message)", metadata: metadata)
        }
    }
}

extension Logger.Level {
    /// The level for syslog's severity: 0 emergency … 7 debug.
    init(severity: Int) {
        switch severity {
        case ...2: self = .critical
        case 3: self = .error
        case 4: self = .warning
        case 5: self = .notice
        case 6: self = .info
        default: self = .debug
        }
    }
}

/// Counts lines that say the same, apart from digits.
final class RepeatedLines: Sendable {
    private struct Entry {
        var written: ContinuousClock.Instant
        var omitted = 0
    }

    static let interval: Duration = .seconds(60)
    /// Different lines that it remembers.
    static let most = 200

    private let entries = Mutex<[String: Entry]>([:])

    /// Nil if the same was written within the last minute; otherwise the number of lines left out since then.
    func omitted(
        before line: KafkaLogLine, at now: ContinuousClock.Instant = .now
    ) -> Int? {
        let text = line.facility + line.message.filter { !$0.isNumber }
        return entries.withLock { entries in
            if let entry = entries[text], now - entry.written < Self.interval {
                entries[text]?.omitted += 1
                return nil
            }
            let omitted = entries[text]?.omitted ?? 0
            if entries.count >= Self.most { entries.removeAll() }
            entries[text] = Entry(written: now)
            return omitted
        }
    }
}
