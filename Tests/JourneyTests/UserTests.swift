import Foundation
import Support
import Testing

/// What root starts need not run as root.
struct UserTests {
    private static let name = "daemon"
    private static let isRoot = geteuid() == 0

    private func owner(_ path: String) throws -> uid_t? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.ownerAccountID] as? NSNumber).map { uid_t($0.uint32Value) }
    }

    /// All four user ids of a process: real, effective, saved and of the file system.
    private func users(of process: Int32) throws -> Set<uid_t> {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return Set(line?.split(separator: "\t").dropFirst().compactMap { uid_t($0) } ?? [])
    }

    /// The first process is the test's own way of ending `up`.
    private func isEverything(of system: RunningSystem, runBy user: uid_t) throws -> Bool {
        let all = try system.everyProcess().dropFirst()
        return try all.count > 12 && all.allSatisfy { try users(of: $0) == [user] }
    }

    @Test(.enabled(if: isRoot, "only root can become somebody else"))
    func everythingRunsAsWhoWasNamedAndLaterAsWhoOwnsTheData() async throws {
        let user = try #require(getpwnam(Self.name)?.pointee.pw_uid)
        // What root has left there becomes theirs, but for what somebody else may have put there.
        let place = try TestFolder("user")
        let folder = place.url.appending(path: "data")
        let files = FileManager.default
        try files.createDirectory(
            at: folder.appending(path: "redis"), withIntermediateDirectories: true)
        let (left, trap) = (folder.appending(path: "redis/left"), place.url.appending(path: "trap"))
        for file in [left, trap] {
            #expect(files.createFile(atPath: file.path, contents: nil))
        }
        try files.linkItem(at: trap, to: folder.appending(path: "linked"))
        let system = try await RunningSystem.start(
            folder: folder, environment: ["OPENVALET_USER": Self.name])
        #expect(try isEverything(of: system, runBy: user))
        #expect(!system.log.contains("as root"))
        system.stop()
        for file in try files.subpathsOfDirectory(atPath: folder.path) {
            let path = folder.appending(path: file).path
            #expect(try owner(path) == (file == "linked" ? 0 : user), "\(file)")
        }

        let again = try await RunningSystem.start(folder: folder)
        #expect(try isEverything(of: again, runBy: user))
        again.stop()
    }

    @Test(.enabled(if: isRoot, "only root can become somebody else"))
    func whereTheyCannotReachTheDataItSaysThatItRunsAsRoot() async throws {
        let closed = try TestFolder("closed")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed.path)
        let system = try await RunningSystem.start(
            folder: closed.url.appending(path: "data"), environment: ["OPENVALET_USER": Self.name])
        #expect(try isEverything(of: system, runBy: 0))
        #expect(system.log.contains("Everything runs as root: daemon can't reach"))
        system.stop()
    }
}
