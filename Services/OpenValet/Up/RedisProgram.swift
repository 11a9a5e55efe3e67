import Foundation

/// Redis, as far as `up` has to look after it.
enum RedisProgram {
    static let name = "redis-server"

    /// Says what to install where it is missing, before anything is started.
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
