import Foundation

/// The Redis program that `up` runs.
enum RedisProgram {
    static let name = "redis-server"

    /// Throws with what to install if Redis is missing.
    static func require(_ environment: [String: String]) throws {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        guard
            folders.contains(where: {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
            })
        else {
            throw ToolError(
                "\(name) is not installed. On Debian: apt-get install redis-server; on a Mac: brew install redis."
            )
        }
    }
}
