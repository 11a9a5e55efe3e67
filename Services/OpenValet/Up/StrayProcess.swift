import Foundation

/// A program whose guard was killed with `kill -9`: it would block the next one.
enum StrayProcess {
    /// How long a process may take to stop before it is killed.
    private static let patience: Duration = .seconds(10)

    /// Ends the processes of a program that have this working folder.
    static func stop(_ name: String, in folder: String) async {
        let deadline = ContinuousClock.now + patience
        for process in all(name, in: folder) { kill(process, SIGTERM) }
        while true {
            let left = all(name, in: folder)
            if left.isEmpty { return }
            if ContinuousClock.now > deadline { for process in left { kill(process, SIGKILL) } }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
        }
    }

    static func all(_ name: String, in folder: String) -> [pid_t] {
        let home = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.filter { process in
            let place = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/\(process)/cwd")
            guard place == home,
                let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else { return false }
            return String(decoding: command, as: UTF8.self).contains(name)
        }
    }
}
