import Foundation

/// The current time for a service.
public struct ServiceClock: Sendable {
    private let read: @Sendable () -> Date

    public init(now: @escaping @Sendable () -> Date) { read = now }

    public var now: Date { read() }

    public static let system = ServiceClock { Date() }

    /// The setting with which a test moves the clock of running services.
    public static let testKey = ConfigKey.forTests(
        "OPENVALET_TEST_CLOCK", default: "",
        "a file that holds by how many microseconds the clock is ahead.")

    /// The system's clock, or the one that `testKey` sets.
    ///
    /// The file contains one signed 64-bit integer in this machine's byte order. It is read each time, so that a test
    /// moves the clocks of all services at once. Throws if the file can't be opened.
    public static func configured(_ setting: (String) throws -> String?) throws -> ServiceClock {
        guard let testKey, let path = try setting(testKey.name) else { return .system }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ConfigError("\(testKey.name) names a file that can't be read")
        }
        return ServiceClock {
            var ahead: Int64 = 0
            pread(file.fileDescriptor, &ahead, MemoryLayout<Int64>.size, 0)
            return Date().addingTimeInterval(Double(ahead) / 1_000_000)
        }
    }
}
