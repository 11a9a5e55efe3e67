import ArgumentParser
import Client
import Contracts
import Foundation
import Simulator

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fills a service area with people who order, drive, park, pay and rate.",
        discussion: """
            Everything goes through the public API of a running system, as the apps use it. An \
            operator creates the valets and reads the codes of text messages; so it needs the \
            operator's sign-in, which it finds in the data folder of an openvalet up, and the `dev` \
            provider of text messages.

              openvalet simulate --valets 40 --customers 120 --speed 8
              openvalet simulate --minutes 0            goes on until Ctrl-C
              openvalet simulate --url https://valet.example --operator-phone +44… \\
                --operator-password-file ./password

            Speed: movement and the pauses that people make run so many times as fast as the clock. \
            What the server measures stays as it is: the grace time of a cancellation, the waiting \
            time for a customer who does not come, the sixty seconds after which a silent valet is \
            lost. Phones report their position every few seconds at any speed, and nobody moves \
            faster than 60 m/s by the clock, since a server takes more for a mistake.

            Seed: who these people are and what each of them decides follows from it. The same seed \
            again signs the same people in and takes up what a former run left unfinished. Their \
            phone numbers are from the range that is set aside for fiction (+1 … 555-01xx).

            Drivers park by themselves: they book, pay, change, cancel, drive in by plate or without a booking, \
            extend and leave, in car parks of the area that can be booked by the hour. Each of these gets a gate \
            (Simulation and the seed), which reports plates as a real one would; where there are none the drivers \
            are left out. A booking's time is the server's at any speed: so only a run of more than an hour and a \
            quarter has some who overstay.

            Commuters share the way: half of them publish trips, once and on working days, the others search, ask \
            for a seat, ride along and rate.

            Strangers: people who use the apps beside the simulation are waited for up to 45 minutes, and \
            nobody reports them absent. In a demo (openvalet up --demo) they and the simulated people hear \
            each other's hand-over codes; elsewhere they don't.

            Rate limits: from one address a gateway lets 30 people a minute sign up or in, so a city \
            comes to life slowly. OPENVALET_GATEWAY_STRICT_PER_MINUTE=600 openvalet up lets them in \
            at once.

            At the end of the time nobody orders any more, and what is under way is brought to its \
            end within ten minutes. Ctrl-C does the same at once; a second one ends it there and \
            then. Exit code: 0 when all went well; 1 when there was an answer of 500 or above, a \
            refusal that should not have been, no answer at all, or an order, booking or stay without a legal end.
            """)

    @Option(help: "How many valets, up to \(Persona.mostValets).")
    var valets = 40

    @Option(help: "How many customers, up to \(Persona.mostCustomers).")
    var customers = 120

    @Option(help: "How many drivers who park by themselves, up to \(Persona.mostDrivers); 0: none.")
    var drivers = 40

    @Option(
        help: """
            How many who drive somewhere and take others along, or ride with them, up to \
            \(Persona.mostCommuters); 0: none.
            """)
    var commuters = 20

    @Option(help: "How many times as fast as the clock, 1 to 60.")
    var speed = 8.0

    @Option(
        help: """
            Service area in which it happens; otherwise the first one that is on a map of the house's own, or \
            the first of all.
            """)
    var area: String?

    @Option(help: "Minutes by the clock until nobody orders any more; 0: until it is stopped.")
    var minutes = 10.0

    @Option(
        help:
            "What everything is derived from, \(Persona.seeds.lowerBound) to \(Persona.seeds.upperBound)."
    )
    var seed = 1

    @Option(help: "Address of the gateway.")
    var url = "http://127.0.0.1:8080"

    @Option(help: "Folder of the running openvalet up, for the operator's password.")
    var data = ".openvalet"

    @Option(help: "The operator's phone number.")
    var operatorPhone = UpSecrets.standardPhone

    @Option(help: "File with the operator's password, in place of --data.")
    var operatorPasswordFile: String?

    @Option(help: "Seconds between two lines of progress where there is no terminal.")
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
        else { throw ValidationError("--url has to be an address as http://127.0.0.1:8080.") }
        let area = try area.map { text in
            guard let area = ServiceAreaID(text) else {
                throw ValidationError("--area has to be the id of a service area.")
            }
            return area
        }
        let password = try Self.read(
            operatorPasswordFile ?? "\(data)/operator-password",
            "No operator's password in %: name the folder of the running openvalet up with --data,"
                + " or a file with --operator-password-file.")
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
