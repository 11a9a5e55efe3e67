import ArgumentParser
import Contracts
import Foundation

struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publishes the present state again, and stored events from a point in time.",
        discussion: """
            Publishes what services tell whole, at any age: areas, people, vehicles, blocks, open engagements and \
            bills. With --since also stored events, which services keep for seven days (matching doesn't: orders \
            asks it again). A replay does no harm, because consumers ignore events that they have handled and \
            versions that they have. It helps a service or a broker that has lost data. openvalet doctor says \
            which service has to replay.

              openvalet replay --service areas
              openvalet replay --since 2026-11-21T08:00:00Z
              openvalet replay --since 2026-11-21T08:00:00Z --service orders
              openvalet replay --since 2026-11-21T08:00:00Z --service orders --url http://orders:8080

            Finds the services of a running openvalet up by its data folder. Elsewhere give --url and \
            OPENVALET_SERVICE_SECRET.
            """)

    @Option(
        help: "Time of the oldest stored event (RFC 3339), for example 2026-11-21T08:00:00Z.")
    var since: String?

    @Option(help: "Only this service, for example orders.")
    var service: String?

    @Option(help: "Address of that service.")
    var url: String?

    @Option(
        help: "Data folder of the running openvalet up (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    func run() async throws {
        let date = since.flatMap(Wire.date)
        guard since == nil || date != nil else {
            throw ValidationError("--since has to be a time like 2026-11-21T08:00:00Z.")
        }
        let services = try services()
        let chosen = service.map { [$0] } ?? Self.withDatabase
        for name in chosen {
            guard services.names.contains(name) else {
                throw ToolError("There is no service \(name). See openvalet service --help.")
            }
            let events = try await services.replay(name, since: date)
            LinePrinter(colours: false).say("\(name): \(events) events")
        }
    }

    static let withDatabase = allServices.filter { $0.parts.contains(.database) }.map(\.name)

    private func services() throws -> LocalServices {
        guard let url else { return try LocalServices.running(data) }
        guard let service else { throw ValidationError("--url needs --service.") }
        return LocalServices(urls: [service: url], secret: try LocalServices.secret(data))
    }

    /// The data folder that an option names, or the environment.
    static func folder(_ data: String?) -> String {
        data ?? ProcessInfo.processInfo.environment["OPENVALET_DATA"] ?? ".openvalet"
    }
}

extension LocalServices {
    /// The services with these addresses; without any, those of a running `openvalet up`.
    static func reached(at urls: String?, _ data: String?) throws -> LocalServices {
        guard let urls else { return try running(data) }
        let pairs = try urls.split(separator: ",").map { part in
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else {
                throw ValidationError("--urls has to look like areas=http://areas:8080.")
            }
            return (pair[0], pair[1])
        }
        return LocalServices(
            urls: Dictionary(pairs) { $1 }, secret: try secret(data))
    }

    /// The services of a running `openvalet up`.
    static func running(_ data: String?) throws -> LocalServices {
        let (folder, secret) = (Replay.folder(data), try secret(data))
        guard let text = read(fileName, in: folder) else {
            throw ToolError(
                "No openvalet up is running on \(folder). Start it with: openvalet up")
        }
        return LocalServices(
            urls: try Wire.decode([String: String].self, from: Data(text.utf8)), secret: secret)
    }

    fileprivate static func secret(_ data: String?) throws -> String {
        let given =
            ProcessInfo.processInfo.environment["OPENVALET_SERVICE_SECRET"]
            ?? read("service-secret", in: Replay.folder(data))
        guard let secret = given?.trimmingCharacters(in: .whitespacesAndNewlines) else {
            throw ToolError(
                "The service secret is missing. Give OPENVALET_SERVICE_SECRET or --data.")
        }
        return secret
    }

    private static func read(_ name: String, in folder: String) -> String? {
        try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
}
