import Foundation
import Synchronization

/// Prints lines, those of a service with its name and colour.
final class LinePrinter: Sendable {
    /// ANSI foreground colours that are readable on light and dark backgrounds.
    private static let palette = [36, 32, 35, 34, 33, 96, 92, 95, 94, 93]
    private static let nameWidth = 13

    private let colours: Bool
    private let output = Mutex(FileHandle.standardOutput)

    init(colours: Bool) { self.colours = colours }

    func say(_ text: String) { write(text + "\n") }

    /// Prints a line of a service, or about it.
    func line(_ service: String, _ text: String) {
        let name = service.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0)
        guard colours else { return write("\(name) | \(text)\n") }
        let sum = service.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        let colour = Self.palette[abs(sum) % Self.palette.count]
        write("\u{1B}[\(colour)m\(name) |\u{1B}[0m \(text)\n")
    }

    func bold(_ text: String) -> String { colours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    func write(_ text: String) {
        output.withLock { _ = try? $0.write(contentsOf: Data(text.utf8)) }
    }
}
