import Foundation

/// What this process may open, and who may read what it makes.
public enum ProcessRights {
    /// Files that it makes are its own alone; as many may be open as the system lets it have.
    public static func claim() {
        umask(0o077)
        raiseFileLimit()
    }

    /// Files and connections that may be open at once.
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
