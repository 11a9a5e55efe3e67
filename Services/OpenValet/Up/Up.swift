import ArgumentParser
import Foundation
import Logging
import ServiceKit
import ServiceLifecycle

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts Redis, the message broker and every service, and keeps them running.",
        discussion: """
            Waits until every part is ready, then prints the addresses, the operator's sign-in and three next \
            steps. A part that ends is started again. Ctrl-C stops everything in reverse order.

            One folder has everything: a database for each service, Redis' log, pictures, maps, and the secrets \
            made at the first start. Delete the folder to start over. With --database, the databases are on that \
            PostgreSQL server instead.

            OPENVALET_KAFKA and OPENVALET_REDIS name engines that somebody else runs, for example kafka:9092 and \
            redis://:password@cache:6379. Then none is started here, and missing topics are made there. \
            OPENVALET_KAFKA_SETTINGS has librdkafka's settings, such as the login.

            If openvalet map has made maps, a router runs on their roads and is restarted when they change.

            With --demo, simulated people use the apps: valets drive, customers order and pay. They all sign in \
            from one address, so the gateway's limit of sign-ups is raised \
            (\(Demo.gatewaySettings.map { "\($0)=\($1)" }.joined())). The city is the first service area that is \
            on a map of your own, or else the first of all. The sign-in pages have buttons to try it as a \
            customer, a valet or the operator. Everyone who reaches a demo can use these accounts: don't use it \
            for real customers.

            A setting of one service is passed on to it: OPENVALET_MATCHING_PATIENCE_SECONDS=0 openvalet up. \
            openvalet service matching --help lists the settings of matching.

            Apps of GetALift find their API on port 7878, or on OPENVALET_GETALIFT_PORT.
            """)

    @Option(help: "Port of the gateway (or OPENVALET_PORT).")
    var port: Int?

    @Option(help: "Folder of databases and secrets (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    @Option(
        help: """
            PostgreSQL instead of SQLite: postgres://user@host:port/ (or OPENVALET_DATABASE, which may include a \
            password, or OPENVALET_DATABASE_FILE). Each service creates its database openvalet_<service> there.
            """)
    var database: String?

    @Option(
        help: """
            If root starts this, the user to run everything as (or \(ServiceUser.key); default: the owner of the \
            data folder or of the folder above it; if that is root, the user \(ServiceUser.standardName), if it \
            exists).
            """)
    var user: String?

    @Flag(help: "Show the services' logs from info level on, not only warnings and errors.")
    var verbose = false

    @Flag(help: "Add a simulated city and accounts to sign in with.")
    var demo = false

    @Flag(help: "Print without colours (so does NO_COLOR).")
    var plain = false

    func run() async throws {
        ProcessRights.claim()
        let environment = UpSettings.given(ProcessInfo.processInfo.environment)
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
        if plan.outside.redis == nil { try RedisProgram.require(environment) }
        for line in try await plan.outside.prepare(settings) { printer.say(line) }

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
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as ServiceGroupError {
            // If two services refuse their settings, the group expects only one of them to end.
            guard processes.failure != nil else { throw error }
        }
        printer.say("Stopped.")
        if let failure = processes.failure {
            FileHandle.standardError.write(Data("openvalet: \(failure)\n".utf8))
            throw ExitCode.failure
        }
    }
}
