import Contracts
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import ServiceKit
import Synchronization

/// Errors of the web apps, which would otherwise stay unknown to operators.
final class ClientErrors: Sendable {
    /// The most logged errors per minute; more are only counted, because anyone may send them.
    static let linesPerMinute = 60

    private let logger: Logger
    private let clock: ServiceClock
    /// The current minute since 1970, and its logged lines.
    private let written = Mutex((minute: 0, lines: 0))

    init(_ logger: Logger, _ clock: ServiceClock) {
        (self.logger, self.clock) = (logger, clock)
    }

    func add(to router: Router<Context>) {
        router.on(WebEndpoints.reportError) { try self.take($0.body) }
    }

    /// Throws `Refusal.invalid` for a report that no app of ours would send.
    func take(_ error: WebAppError) throws {
        guard let app = WebApp(rawValue: error.app) else {
            throw Refusal.invalid("app", "Use one of customer, valet, operator.")
        }
        guard error.build.wholeMatch(of: /[0-9a-f]{16}/) != nil else {
            throw Refusal.invalid("build", "Use 16 hexadecimal digits.")
        }
        let message = try Check.text(error.message.onOneLine, "message", 1...500)
        let source = try Check.optionalText(error.source, "source", most: 200)
        let line = try error.line.map { try Check.int($0, "line", in: 0...1_000_000) }
        Counter(label: "web_client_errors_total", dimensions: [("app", app.rawValue)]).increment()
        guard mayWrite() else { return }
        logger.warning(
            "an app failed",
            metadata: [
                "app": "\(app)", "build": "\(error.build)",
                "message": "\(message.withoutPersonalData)",
                "source": "\((source ?? "").withoutPersonalData)",
                "line": "\(line.map(String.init) ?? "")",
            ])
    }

    private func mayWrite() -> Bool {
        let minute = Int(clock.now.timeIntervalSince1970 / 60)
        return written.withLock { written in
            if written.minute != minute { written = (minute, 0) }
            written.lines += 1
            return written.lines <= Self.linesPerMinute
        }
    }
}

extension String {
    fileprivate var onOneLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Without query strings, fragments, e-mail addresses, tokens, ids and numbers.
    var withoutPersonalData: String {
        replacing(/[?#][^\s"')]+/, with: "…")
            .replacing(/[^\s@"'(<]+@[^\s@"')>]+/, with: "…")
            .replacing(/[A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]*/, with: "…")
            .replacing(/[A-Za-z0-9_-]{32,}/, with: "…")
    }
}
