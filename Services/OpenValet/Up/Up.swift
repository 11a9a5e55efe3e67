import ArgumentParser
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts Redis, the message broker and every service, and keeps them running.",
        discussion: """
            Waits until each part is ready, then prints the addresses, the operator's sign-in and \
            three next steps. A part that dies is started again. Ctrl-C stops everything, in \
            reverse order; nothing is left behind.

            Everything is kept in one folder: a database for each service, Redis' append-only \
            file, and the secrets that were made at the first start. Delete the folder to begin anew. \
            With --database, the databases are on that PostgreSQL server instead.

            Where openvalet map has made maps, a router runs on their roads, and is started again when they \
            change.

            With --demo a simulated city lives behind the apps: valets drive, customers order and \
            pay, for as long as everything runs. It signs in many people from one address, so the \
            gateway's limit of sign-ups is raised (\(Demo.gatewaySettings.map { "\($0)=\($1)" }.joined()))\
            . It plays where a map of the house's own is, or else in the first service area. The sign-in pages \
            have buttons to be a customer, a valet or the operator: a demo's sign-ins are open to everybody who \
            reaches it, and it is not for a system with real people.

            A setting of one service goes to it by its name: OPENVALET_MATCHING_PATIENCE_SECONDS=0 \
            openvalet up. Which there are: openvalet service matching --help.

            Apps of GetALift find their API on port 7878, or where OPENVALET_GETALIFT_PORT says.
            """)

    @Option(help: "Port of the gateway (or OPENVALET_PORT).")
    var port: Int?

    @Option(help: "Folder for databases and secrets (or OPENVALET_DATA; .openvalet otherwise).")
    var data: String?

    @Option(
        help: """
            PostgreSQL instead of SQLite, as postgres://user@host:port/ (or OPENVALET_DATABASE, which may \
            say a password, or OPENVALET_DATABASE_FILE). A database openvalet_<service> is made there.
            """)
    var database: String?

    @Option(
        help: """
            Where root starts this, the user as whom everything runs (or \(ServiceUser.key); otherwise who owns the \
            data folder or the folder that it is in, or \(ServiceUser.standardName), if there is one).
            """)
    var user: String?

    @Flag(help: "Show what the services log at info level, not only warnings and errors.")
    var verbose = false

    @Flag(help: "Let a simulated city live behind the apps.")
    var demo = false

    @Flag(help: "Print without colours (so does NO_COLOR).")
    var plain = false

    func run() async throws {
        ProcessRights.claim()
        let environment = ProcessInfo.processInfo.environment
        let settings = try UpSettings(
            environment, port: port, data: data, database: database,
            logLevel: verbose ? "info" : "warning", isDemo: demo)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let printer = LinePrinter(
            colours: isTerminal && !plain && environment["NO_COLOR", default: ""].isEmpty)
        let root = try await ServiceUser.become(
            user ?? environment[ServiceUser.key], folder: settings.data, port: settings.port,
            programs: UpPlan.programs)
        if let root { printer.say("Everything runs as root: \(root).") }
        let folder = try DataFolder(settings.data)
        let secrets = try UpSecrets(folder, environment)
        let plan = try UpPlan(settings: settings, folder: folder, secrets: secrets)
        signal(SIGPIPE, SIG_IGN)
        try RedisProgram.require(environment)

        let processes = ServiceProcesses(plan: plan, printer: printer)
        var configuration = ServiceGroupConfiguration(
            services: processes.services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: Logger(label: "openvalet") { _ in SwiftLogNoOpLogHandler() })
        configuration.maximumGracefulShutdownDuration = ServiceProcesses.stopLimit
        try await ServiceGroup(configuration: configuration).run()
        printer.say("Stopped.")
        if let failure = processes.failure {
            FileHandle.standardError.write(Data("openvalet: \(failure)\n".utf8))
            throw ExitCode.failure
        }
    }
}
