import ArgumentParser
import Client
import Contracts
import Foundation
import Simulator

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fills a service area with people who order, drive, park, pay and rate.",
        discussion: """
            Simulated people use the public API of a running system, as the apps do. An operator creates the \
            valets and reads the codes in text messages. So simulate needs the operator's sign-in, which it \
            finds in the data folder of openvalet up, and the `dev` provider of text messages.

              openvalet simulate --valets 40 --customers 120 --speed 8
              openvalet simulate --minutes 0            runs until Ctrl-C
              openvalet simulate --url https://valet.example --operator-phone +44… \\
                --operator-password-file ./password

            Speed: people move and pause this many times faster than the clock. Times that the server measures \
            stay the same: the grace time of a cancellation, the waiting time for an absent customer, the sixty \
            seconds after which a silent valet is lost. Phones report their position every few seconds at any \
            speed. Nobody moves faster than 60 m/s by the clock, because the server refuses such positions.

            Seed: it decides who these people are and what they do. Another run with the same seed signs the \
            same people in and continues what an earlier run left unfinished. Their phone numbers are from the \
            range reserved for fiction (+1 … 555-01xx).

            Drivers park by themselves: they book, pay, change, cancel, enter by plate or without a booking, \
            extend and leave. They use the car parks of the area that can be booked by the hour; without any, \
            there are no drivers. Each car park gets a gate (named "Simulation" and the seed) that reports \
            plates as a real one would. Bookings follow the server's clock at any speed, so drivers overstay only in \
            runs of more than 75 minutes.

            Commuters share lifts: half of them publish trips, single ones and on working days; the others \
            search, request a seat, ride along and rate.

            Real people who use the apps during the simulation: simulated people wait for them for up to 45 \
            minutes and never report them absent. In a demo (openvalet up --demo) they and the simulated people \
            hear each other's hand-over codes; elsewhere they don't.

            Rate limits: a gateway lets 30 people a minute sign up or in from one address, so a city fills slowly. \
            OPENVALET_GATEWAY_STRICT_PER_MINUTE=600 openvalet up lets them in at once.

            When the time is over, nobody orders any more, and everything under way is finished within ten \
            minutes. Ctrl-C does the same at once; a second Ctrl-C stops immediately. Exit code: 0 if all went \
            well; 1 after an answer of 500 or above, an unexpected refusal, a call without an answer, or an \
            order, booking or stay without a legal end.
            """)

    @Option(help: "Number of valets, up to \(Persona.mostValets).")
    var valets = 40

    @Option(help: "Number of customers, up to \(Persona.mostCustomers).")
    var customers = 120

    @Option(help: "Number of drivers who park by themselves, 0 to \(Persona.mostDrivers).")
    var drivers = 40

    @Option(
        help: "Number of people who offer lifts or ride along, 0 to \(Persona.mostCommuters).")
    var commuters = 20

    @Option(help: "How many times faster than the clock, 1 to 60.")
    var speed = 8.0

    @Option(
        help: """
            ID of the service area; by default the first one on a map of your own, or the first of all.
            """)
    var area: String?

    @Option(help: "Minutes by the clock until nobody orders any more; 0: until you stop it.")
    var minutes = 10.0

    @Option(
        help:
            "Seed of all random choices, \(Persona.seeds.lowerBound) to \(Persona.seeds.upperBound)."
    )
    var seed = 1

    @Option(help: "Address of the gateway.")
    var url = "http://127.0.0.1:8080"

    @Option(help: "Data folder of the running openvalet up, for the operator's password.")
    var data = ".openvalet"

    @Option(help: "The operator's phone number.")
    var operatorPhone = UpSecrets.standardPhone

    @Option(help: "File with the operator's password, instead of --data.")
    var operatorPasswordFile: String?

    @Option(help: "Seconds between two lines of progress if the output is not a terminal.")
    var progress = 10.0

    @Flag(help: "Print without colours (so does NO_COLOR).")
    var plain = false

    func validate() throws {
        func check(_ isRight: Bool, _ sentence: String) throws {
            if !isRight { throw ValidationError(sentence) }
        }
        try check(
            (1...Persona.mostValets).contains(valets),
            "--valets has to be from 1 to \(Persona.mostValets).")
        try check(
            (1...Persona.mostCustomers).contains(customers),
            "--customers has to be from 1 to \(Persona.mostCustomers).")
        try check(
            (0...Persona.mostDrivers).contains(drivers),
            "--drivers has to be from 0 to \(Persona.mostDrivers).")
        try check(
            (0...Persona.mostCommuters).contains(commuters),
            "--commuters has to be from 0 to \(Persona.mostCommuters).")
        try check((1...60).contains(speed), "--speed has to be from 1 to 60.")
        try check((0...10_000).contains(minutes), "--minutes has to be from 0 to 10000.")
        try check((1...3_600).contains(progress), "--progress has to be from 1 to 3600.")
        try check(
            Persona.seeds.contains(seed),
            "--seed has to be from \(Persona.seeds.lowerBound) to \(Persona.seeds.upperBound).")
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let noColor = ProcessInfo.processInfo.environment["NO_COLOR", default: ""]
        let printer = LinePrinter(colours: isTerminal && !plain && noColor.isEmpty)
        let console = Console(isTerminal: isTerminal) { printer.write($0) }
        let simulation = try await Simulation.open(try settings(), console: console)
        let outcome = try await SimulationRun(
            simulation, progressInterval: .seconds(isTerminal ? 1 : progress)
        ).run()
        console.say(Summary(outcome, speed: speed, bold: printer.bold).text)
        throw ExitCode(outcome.exitCode)
    }

    func settings() throws -> SimulationSettings {
        guard let address = URL(string: url), address.scheme?.hasPrefix("http") == true,
            address.host != nil
        else { throw ValidationError("--url has to be an address like http://127.0.0.1:8080.") }
        let area = try area.map { text in
            guard let area = ServiceAreaID(text) else {
                throw ValidationError("--area has to be the id of a service area.")
            }
            return area
        }
        let password = try Self.read(
            operatorPasswordFile ?? "\(data)/operator-password",
            "There is no operator's password in %. Name the data folder of the running openvalet up with"
                + " --data, or a file with --operator-password-file.")
        return SimulationSettings(
            url: address, valets: valets, customers: customers, drivers: drivers,
            commuters: commuters, speed: speed, area: area,
            time: minutes > 0 ? .seconds(minutes * 60) : nil, seed: seed,
            operatorPhone: operatorPhone, operatorPassword: password)
    }

    private static func read(_ path: String, _ complaint: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ToolError(complaint.replacing("%", with: path))
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
