import Foundation
import Synchronization

/// Prints the simulation's progress: one line that rewrites itself on a terminal, otherwise a new line now and then.
package final class Console: Sendable {
    /// Assumed width of a terminal that does not report it, in columns.
    private static let usualWidth = 80

    let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    package init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A permanent line.
    package func say(_ text: String) { write((isTerminal ? "\r\u{1B}[2K" : "") + text + "\n") }

    /// A line that the next one overwrites.
    func show(_ progress: Progress) {
        guard isTerminal else { return say(progress.line()) }
        write("\r\u{1B}[2K" + progress.line(within: Self.width() - 1))
    }

    /// The current width: people may resize the terminal.
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
    private let time: String
    /// In reading order; if they don't fit, those with the least weight are dropped first.
    private let parts: [(text: String, weight: Int)]

    init(_ counts: Counts, people: Int, elapsed: Duration, phase: Simulation.Phase) {
        let seconds = Int(elapsed.inSeconds)
        let mark = phase == .open ? "" : " (closing)"
        time = String(format: "%02d:%02d", seconds / 60, seconds % 60) + mark
        let underWay = counts.running(.droppingOff, .parking, .requestingBack, .returningBack)
        var parts = [
            ("\(counts.peopleHere)/\(people) people", 5),
            ("\(counts.running(.requested)) waiting", 7),
            ("\(underWay) under way", 6),
            ("\(counts.running(.parked)) parked", 3),
            ("\(counts.running(.waitingForPayment)) paying", 2),
            ("\(counts.ended[.finished, default: 0]) finished", 4),
            ("\(counts.ended[.cancelled, default: 0]) cancelled", 0),
            ("\(counts.ended[.unfulfilled, default: 0]) not served", 1),
            ("\(counts.faultCount) errors", 8),
        ]
        if counts.parking.stays + counts.parking.bookings.count > 0 {
            parts.insert(("\(counts.parking.inside.count) in car parks", 4), at: 5)
        }
        self.parts = parts
    }

    /// Only whole parts, as many as fit into the width in columns.
    func line(within width: Int = .max) -> String {
        var shown = parts
        func line() -> String { "\(time)  \(shown.map(\.text).joined(separator: " · "))" }
        while line().count > width,
            let least = shown.indices.min(by: { shown[$0].weight < shown[$1].weight })
        {
            shown.remove(at: least)
        }
        return line()
    }
}
