import Contracts
import Foundation
import Logging

/// Writes log events to standard error, one per line, as text for people or as JSON for machines.
struct LogLines: LogHandler {
    let service: String
    let asJSON: Bool
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var output = FileHandle.standardError

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
            .filter { $0.key != "hb.request.id" }
        let line = asJSON ? json(event, values) : text(event, values)
        // If the reader of the log has gone, the line is lost and work continues.
        try? output.write(contentsOf: Data((line + "\n").utf8))
    }

    private func text(_ event: LogEvent, _ values: Logger.Metadata) -> String {
        var line = "\(Wire.text(Date())) \(event.level) \(service): \(event.message)"
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        return line.replacingOccurrences(of: "\n", with: "\\n")
    }

    private func json(_ event: LogEvent, _ values: Logger.Metadata) -> String {
        var fields = values.mapValues { "\($0)" }
        fields["time"] = Wire.text(Date())
        fields["level"] = event.level.rawValue
        fields["service"] = service
        fields["message"] = "\(event.message)"
        let data = (try? Wire.encode(fields)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
