import Foundation

/// Redis, as far as `up` has to look after it.
enum RedisProgram {
    static let name = "redis-server"
    /// In Redis' own folder.
    static let processFile = "redis.pid"
    /// How long one that was left behind may take to stop.
    private static let patience: Duration = .seconds(10)

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

    /// Ends a Redis that outlived its guard, by `kill -9`: two of them must not write one file.
    static func stopStray(in folder: DataFolder) async {
        guard let process = stray(in: folder) else { return }
        kill(process, SIGTERM)
        let deadline = ContinuousClock.now + patience
        while stray(in: folder) == process {
            if ContinuousClock.now > deadline { kill(process, SIGKILL) }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
    }

    /// The process that the file names, if it still is a Redis which works in that folder.
    private static func stray(in folder: DataFolder) -> pid_t? {
        guard let text = folder.read("redis/\(processFile)"), let process = pid_t(text),
            let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
            String(decoding: command, as: UTF8.self).contains(name),
            let home = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process)/cwd")
        else { return nil }
        let wanted = URL(fileURLWithPath: folder.file("redis")).resolvingSymlinksInPath().path
        return home == wanted ? process : nil
    }
}
