import Foundation

/// The process's limit of open files, and the permissions of files that it creates.
public enum ProcessRights {
    /// Makes new files private to their owner, and raises the limit of open files to the system's maximum.
    public static func claim() {
        umask(0o077)
        raiseFileLimit()
    }

    /// Maximum number of open files and connections.
    public static var mostOpenFiles: Int {
        fileLimit().map { Int(clamping: $0.rlim_cur) } ?? 1_024
    }

    #if canImport(Darwin)
    private static let files = RLIMIT_NOFILE
    #else
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif

    private static func fileLimit() -> rlimit? {
        var limit = rlimit()
        return getrlimit(files, &limit) == 0 ? limit : nil
    }

    private static func raiseFileLimit() {
        guard var limit = fileLimit(), limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }
}
