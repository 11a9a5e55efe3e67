import Foundation
import Synchronization

/// What the simulation says while it runs: one line that rewrites itself on a terminal, a line now
/// and then elsewhere.
package final class Voice: Sendable {
    /// A terminal that does not say how wide it is.
    private static let usualWidth = 80

    let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    package init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A line that stays.
    package func say(_ text: String) { write((isTerminal ? "\r\u{1B}[2K" : "") + text + "\n") }

    /// The line that is written over the next time.
    func progress(_ text: String) {
        guard isTerminal else { return say(text) }
        write("\r\u{1B}[2K" + text.prefix(Self.width() - 1))
    }

    private static func width() -> Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return usualWidth
        }
        return Int(size.ws_col)
    }
}

/// The state of the city in one line.
struct Progress: Sendable {
    let line: String

    init(_ counts: Counts, people: Int, elapsed: Duration, phase: Simulation.Phase) {
        let seconds = Int(elapsed.inSeconds)
        let time = String(format: "%02d:%02d", seconds / 60, seconds % 60)
        let underWay = counts.running(.droppingOff, .parking, .requestingBack, .returningBack)
        let parts = [
            "\(counts.peopleHere)/\(people) people",
            "\(counts.running(.requested)) waiting",
            "\(underWay) under way",
            "\(counts.running(.parked)) parked",
            "\(counts.running(.waitingForPayment)) paying",
            "\(counts.ended[.finished, default: 0]) finished",
            "\(counts.ended[.cancelled, default: 0]) cancelled",
            "\(counts.ended[.unfulfilled, default: 0]) not served",
            "\(counts.faultCount) errors",
        ]
        let mark = phase == .open ? "" : " (closing)"
        line = "\(time)\(mark)  \(parts.joined(separator: " · "))"
    }
}
