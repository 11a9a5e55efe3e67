import Foundation

/// What processes of a test run: the sources that are tested, or the last release.
public enum TestRelease: Sendable {
    case this
    /// Built by `make last-release`.
    case last

    private static let lastProgram = RunningSystem.debugBinaries.deletingLastPathComponent()
        .appending(path: "last-release/openvalet").path

    public static var isLastBuilt: Bool {
        FileManager.default.isExecutableFile(atPath: lastProgram)
    }

    /// The command that runs a service.
    func program(of service: String) -> [String] {
        switch self {
        case .this:
            [RunningSystem.debugBinaries.appending(path: "openvalet").path, "service", service]
        case .last: [Self.lastProgram, "service", service]
        }
    }

    /// A release build refuses the settings for tests, and each release those of later ones.
    func reads(_ setting: String) -> Bool {
        switch self {
        case .this: true
        case .last:
            RunningSystem.cheapPasswords[setting] == nil && setting != "OPENVALET_STATE_OWNERS"
        }
    }
}
