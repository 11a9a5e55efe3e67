import Foundation

/// Reads QR codes as a scanner does, by zxing-cpp of the project's virtual environment.
public enum QRScanner {
    /// Dots of a module.
    private static let scale = 4

    /// What the code says that is drawn by an SVG path of rectangles, in a square of so many units; empty when no
    /// scanner could read it.
    public static func text(ofPath path: String, size: Int) throws -> String {
        var rows = Array(repeating: Array(repeating: "255", count: size), count: size)
        for run in path.matches(of: /M(\d+) (\d+)h(\d+)v1h-\d+z/) {
            guard let x = Int(run.1), let y = Int(run.2), let width = Int(run.3) else { continue }
            for x in x..<x + width { rows[y][x] = "0" }
        }
        let lines = rows.flatMap { row in
            let line = row.map { Array(repeating: $0, count: scale).joined(separator: " ") }
                .joined(separator: " ")
            return Array(repeating: line, count: scale)
        }
        let side = size * scale
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pgm")
        defer { try? FileManager.default.removeItem(at: file) }
        try "P2\n\(side) \(side)\n255\n\(lines.joined(separator: "\n"))\n"
            .write(to: file, atomically: true, encoding: .ascii)
        return try Command.output(
            ChildProcess.installed("bin/python"), [ChildProcess.script("read_qr.py"), file.path])
    }
}
