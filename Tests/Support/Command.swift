import Foundation

/// Another program, which is waited for by the C library: on Linux, Foundation needs a run loop for that, and a
/// child that hears of its own children by a signal that our threads block.
public enum Command {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// What it prints. Throws when it can't be started or fails.
    public static func output(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> String {
        let settings = environment.map { "\($0)=\($1)" }
        let words = (["env"] + settings + [program] + arguments).map { word in
            "'" + word.replacing("'", with: #"'\''"#) + "'"
        }
        let line = words.joined(separator: " ") + " </dev/null 2>/dev/null"
        // Its pipe is inherited by nobody else, so that starts need not wait for each other.
        guard let pipe = popen(line, "re") else {
            throw Failure(description: "\(program) can't be started")
        }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, pipe), count > 0 {
            text += piece[..<count]
        }
        guard pclose(pipe) == 0 else { throw Failure(description: "\(program) failed") }
        return String(decoding: text, as: UTF8.self)
    }
}
