import Foundation
import Subprocess
import SystemPackage

/// The user as whom `up` and its child processes run if root starts it, so that a break-in into one of them does
/// not give away the machine.
struct ServiceUser: Equatable {
    /// The user to take if no other is named and this one exists.
    static let standardName = "openvalet"
    /// The setting that names the user.
    static let key = "OPENVALET_USER"

    let name: String
    let id: uid_t
    let group: gid_t
    let home: String

    init?(named name: String) { self.init(getpwnam(name)) }
    init?(id: uid_t) { self.init(getpwuid(id)) }

    private init?(_ entry: UnsafeMutablePointer<passwd>?) {
        guard let entry = entry?.pointee else { return nil }
        (name, home) = (String(cString: entry.pw_name), String(cString: entry.pw_dir))
        (id, group) = (entry.pw_uid, entry.pw_gid)
    }

    /// The user that was asked for; otherwise the owner of the data folder, or of the nearest existing folder above
    /// it. If that is root, the user `standardName`, or nil without one: root has to be asked for by name.
    static func choose(_ asked: String?, for folder: String) throws -> ServiceUser? {
        if let asked {
            guard let user = ServiceUser(named: asked) else {
                throw ToolError("There is no user \(asked) on this machine.")
            }
            return user
        }
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        var status = stat()
        while stat(url.path, &status) != 0, url.path != "/" { url.deleteLastPathComponent() }
        return status.st_uid == 0
            ? ServiceUser(named: standardName) : ServiceUser(id: status.st_uid)
    }

    /// If root runs this: becomes that user for good, hands over the data folder, and starts the program again.
    ///
    /// - Parameter port: A port on which that user must be able to listen; nil: none.
    /// - Returns: Why everything keeps running as root; nil if root doesn't run this, or was asked for.
    static func become(
        _ asked: String?, folder: String, port: Int?, programs: String
    ) async throws -> String? {
        guard geteuid() == 0 else { return nil }
        guard let user = try choose(asked, for: folder) else {
            return "name another user with --user, or make one: adduser --system \(standardName)"
        }
        guard user.id != 0 else { return nil }
        if let port, port < 1_024 { return "only root may listen on port \(port)" }
        guard await user.canUse("\(programs)/openvalet", folder) else {
            return "\(user.name) can't reach \(programs) and \(folder)"
        }
        try user.own(folder)
        guard user.join(), setgid(user.group) == 0, setuid(user.id) == 0 else {
            throw ToolError("Can't become \(user.name).")
        }
        setenv("HOME", user.home, 1)
        startAnew("\(programs)/openvalet")
        throw ToolError("Can't start again as \(user.name).")
    }

    /// Starts the same program again, so that nothing in it ever belonged to root. Returns only if that fails.
    private static func startAnew(_ program: String) {
        // A pool's threads block signals, and the new program would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        execv(program, CommandLine.unsafeArgv)
    }

    /// Whether the user can run our programs with their libraries and reach the data: it is tried, as that user for
    /// the moment.
    private func canUse(_ program: String, _ folder: String) async -> Bool {
        defer {
            seteuid(0)
            setegid(0)
            setgroups(0, nil)
        }
        guard join(), setegid(group) == 0, seteuid(id) == 0 else { return false }
        let parent = URL(fileURLWithPath: folder).standardizedFileURL.deletingLastPathComponent()
        var status = stat()
        guard stat("\(parent.path)/.", &status) == 0 else { return false }
        let result = try? await Subprocess.run(
            .path(FilePath(program)), arguments: ["--help"], output: .discarded, error: .discarded)
        return result?.terminationStatus == .exited(0)
    }

    private func join() -> Bool { initgroups(name, numericCast(group)) == 0 }

    /// Gives the folder, with everything of root's in it, to the user. A folder that is theirs already stays as it is:
    /// its content may be a trap.
    private func own(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let (inside, before) = (open(folder, O_RDONLY | O_DIRECTORY), open(".", O_RDONLY))
        defer {
            fchdir(before)
            close(inside)
            close(before)
        }
        var status = stat()
        guard fstat(inside, &status) == 0, status.st_uid == 0 else { return }
        // From now on nobody else has access, even if the folder is renamed.
        guard fchmod(inside, 0o700) == 0, fchdir(inside) == 0 else { throw notGiven(folder) }
        for path in FileManager.default.enumerator(atPath: ".")?.compactMap({ "\($0)" }) ?? [] {
            guard lstat(path, &status) == 0, status.st_uid == 0,
                status.st_mode & S_IFMT == S_IFDIR || status.st_nlink == 1
            else { continue }
            guard lchown(path, id, group) == 0 else { throw notGiven("\(folder)/\(path)") }
        }
        guard fchown(inside, id, group) == 0 else { throw notGiven(folder) }
    }

    private func notGiven(_ path: String) -> ToolError {
        ToolError("Can't give \(path) to \(name).")
    }
}
