import Foundation

/// The time of day as a service sees it.
public struct ServiceClock: Sendable {
    private let read: @Sendable () -> Date

    public init(now: @escaping @Sendable () -> Date) { read = now }

    public var now: Date { read() }

    public static let system = ServiceClock { Date() }

    /// The setting by which a test moves the clock of running services.
    public static let testKey = ConfigKey.forTests(
        "OPENVALET_TEST_CLOCK", default: "",
        "a file that holds by how many microseconds the clock is ahead.")

    /// The system's clock, or the one that `testKey` asks for.
    ///
    /// The file holds one signed integer of 64 bits in the byte order of this machine. It is read each time, so a test
    /// moves all services at once. Throws when it can't be opened.
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
