import ArgumentParser
import Foundation
import Hummingbird
import Logging
import ServiceKit
import ServiceLifecycle

/// Stands in for a plate recogniser: gives the answer that a picture's own comment asks for.
public struct StubCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "alpr-stub",
        abstract: "Stands in for an OpenALPR-style recogniser, for development and tests.",
        discussion: """
            POST /v3/recognize_bytes takes a picture in base64 and answers in JSON, like OpenALPR's \
            cloud API. It never guesses: it answers with the picture's own comment (JPEG's COM \
            segment, PNG's tEXt chunk "Comment"), or finds nothing. Every answer is marked \
            "stub": true.

            A comment is key=value pairs, or a JSON object of the same keys:

              plate=AB1234;confidence=93.1;make=toyota;model=camry;colour=silver
              {"plate": "AB1234", "confidence": 93.1, "make": "toyota"}

            Keys: plate, confidence (percent), region, make, model, colour, body_type, year; \
            make_confidence, model_confidence, colour_confidence; candidates=A81234:81,AB1Z34:40; \
            status=503 answers with that error; seconds=2 answers two seconds late.

            To write a comment: exiftool -Comment='plate=AB1234' car.jpg

            POST /control sets how the stub answers from then on:

              {"mode": "normal"}                 as described
              {"mode": "slow", "seconds": 3}     as described, but 3 seconds late
              {"mode": "failing", "times": 2}    503 to the next two requests; without times, to all
              {"mode": "rateLimited"}            403, as the API says "too often"
              {"mode": "noCredits"}              402
              {"mode": "badKey"}                 401
            """,
        version: ServiceProgram.version)

    private static let standardHost = "127.0.0.1"
    private static let standardPort = 8_090

    @Option(help: "Address to listen on (or OPENVALET_HOST; default 127.0.0.1).")
    var host: String?

    @Option(help: "Port to listen on (or OPENVALET_PORT; default 8090).")
    var port: Int?

    @Option(
        help: """
            The secret_key that callers need (or OPENVALET_ALPR_STUB_KEY, or a file that \
            OPENVALET_ALPR_STUB_KEY_FILE names); without one, any key is accepted.
            """)
    var key: String?

    @Flag(help: "Ask a running stub whether it answers: exit code 0 if so, else 1.")
    var health = false

    public init() {}

    public func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let host = host ?? environment["OPENVALET_HOST"] ?? Self.standardHost
        let given = try port ?? environment["OPENVALET_PORT"].map(Self.number) ?? Self.standardPort
        guard (0...65_535).contains(given) else {
            throw ValidationError("The port has to be a number from 0 to 65535.")
        }
        if health {
            let isAlive = await Boot.isAlive(["OPENVALET_PORT": String(given)])
            throw isAlive ? ExitCode.success : ExitCode.failure
        }
        signal(SIGPIPE, SIG_IGN)
        let stub = AlprStub(key: try key ?? Self.key(environment))
        var logger = Logger(label: "alpr-stub")
        logger.logLevel = .notice
        let application = Application(
            router: stubRouter(stub), server: .guarded(),
            configuration: .init(address: .hostname(host, port: given), serverName: nil),
            logger: logger)
        var services: [any Service] = [application]
        if environment["OPENVALET_SUPERVISED"] == "1" { services.append(SupervisorWatch()) }
        let configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await ServiceGroup(configuration: configuration).run()
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text) else {
            throw ValidationError("OPENVALET_PORT is not a number.")
        }
        return number
    }

    private static func key(_ environment: [String: String]) throws -> String? {
        if let key = environment["OPENVALET_ALPR_STUB_KEY"], !key.isEmpty { return key }
        guard let file = environment["OPENVALET_ALPR_STUB_KEY_FILE"] else { return nil }
        guard let key = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("OPENVALET_ALPR_STUB_KEY_FILE names a file that can't be read.")
        }
        return key.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
