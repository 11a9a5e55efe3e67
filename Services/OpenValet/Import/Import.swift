import ArgumentParser
import Client
import Contracts
import Foundation

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports data from another system.", subcommands: [ImportGetalift.self])
}

/// `openvalet import getalift`: imports a dump of the original's database through the public API.
struct ImportGetalift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "getalift",
        abstract: "Imports a mysqldump of a GetALift server into a running openvalet up.",
        discussion: """
            People get accounts and keep their user names and integer ids. Nobody knows their new passwords: they \
            set one with a code by e-mail or text message, like anybody who has forgotten theirs. Each gets one \
            message, with a code that verifies the address or number. Routes with future dates become trips with \
            their ids; favourites are kept. Past rides, passengers and ratings are not imported. People whose e-mail \
            address or phone number already has an account are skipped, so a second import changes nothing.

              openvalet import getalift gal_db.sql
            """)

    @Argument(help: "The dump file.") var file: String

    @Option(
        help: "Data folder of the running openvalet up (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    @Option(help: "IANA time zone of its dates.")
    var timeZone = "Europe/Malta"

    @Option(help: "Country code of phone numbers that have none.")
    var countryCode = "356"

    func run() async throws {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw ValidationError("--time-zone has to be an IANA name like Europe/Malta.")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw ToolError("\(file) can't be read.")
        }
        let dump: SQLDump
        do {
            dump = try SQLDump(bytes)
        } catch let error as SQLDump.Failure {
            throw ToolError("\(file) is not a MySQL dump: see byte \(error.offset).")
        }
        let services = try LocalServices.running(data)
        guard let gateway = services.url(of: "gateway") else {
            throw ToolError("The running openvalet up has no gateway.")
        }
        let run = GetaliftImporter(
            database: GetaliftDatabase(dump), services: services, gateway: gateway, zone: zone,
            countryCode: countryCode)
        LinePrinter(colours: false).say(try await run.run().text)
    }
}

/// The result of an import.
struct ImportSummary: Sendable, Equatable {
    var users = 0
    /// Users who were not imported, with the reason: for example an existing account, or neither an address
    /// nor a number.
    var leftUsers: [String] = []
    var trips = 0
    /// Routes without a future date, or that the platform refused.
    var leftRoutes = 0
    var favourites = 0
    var passengers = 0
    var ratings = 0

    var text: String {
        var lines = ["Imported \(users) people, \(trips) trips and \(favourites) favourites."]
        if !leftUsers.isEmpty {
            lines.append("People not imported: \(leftUsers.joined(separator: "; ")).")
        }
        if leftRoutes > 0 {
            lines.append(
                "\(leftRoutes) routes not imported: they have no future date, or were refused.")
        }
        if passengers + ratings > 0 {
            lines.append("\(passengers) past passengers and \(ratings) past ratings not imported.")
        }
        return lines.joined(separator: "\n")
    }
}

struct GetaliftImporter {
    let database: GetaliftDatabase
    let services: LocalServices
    let gateway: URL
    let zone: TimeZone
    let countryCode: String

    /// How long to wait for the gateway, which limits sign-ups from one address.
    private static let longestWait = Duration.seconds(600)

    func run() async throws -> ImportSummary {
        var summary = ImportSummary()
        (summary.passengers, summary.ratings) = (database.passengers, database.ratings)
        var people: [Int: OpenValetClient] = [:]
        for user in database.users {
            do {
                people[user.number] = try await signUp(user)
                summary.users += 1
            } catch let error as ClientError {
                guard let problem = error.problem else { throw error }
                summary.leftUsers.append(
                    "\(user.username) (\(problem.detail ?? problem.title))")
            }
        }
        var trips: [Int: TripID] = [:]
        for route in database.routes {
            guard let client = people[route.driver],
                let trip = try await publish(route, by: client)
            else {
                summary.leftRoutes += 1
                continue
            }
            trips[route.number] = trip
            summary.trips += 1
        }
        let routes = trips.map { GetaliftImport.Route(number: $0.key, trip: $0.value) }
        try await tell(GetaliftImport(routes: routes.sorted { $0.number < $1.number }))
        for favourite in database.favourites {
            guard let client = people[favourite.user], let trip = trips[favourite.route] else {
                continue
            }
            try await client(TripEndpoints.addFavouriteTrip(trip))
            summary.favourites += 1
        }
        for client in people.values { try? await client.signOut() }
        return summary
    }

    private func signUp(_ user: GetaliftDatabase.User) async throws -> OpenValetClient {
        let client = OpenValetClient(gateway)
        let phone = phone(user.mobile)
        let name = user.name.isEmpty ? user.username : user.name
        let body = SignUpBody(
            firstName: name, lastName: user.surname.isEmpty ? name : user.surname, phone: phone,
            email: user.email.isEmpty ? nil : user.email,
            password: "\(UUID()) \(UUID())")
        let account = try await patiently { try await client.signUp(body).customer }
        try await tell(
            GetaliftImport(users: [
                GetaliftImport.User(
                    number: user.number, username: user.username, person: account.id,
                    email: account.email, phone: account.phone)
            ]))
        return client
    }

    /// Eight digits get the country code; numbers with a code stay; others are nil, which needs an e-mail address.
    private func phone(_ text: String) -> String? {
        let plain = text.filter { ("0"..."9").contains($0) || $0 == "+" }
        if plain.hasPrefix("+") { return plain }
        if plain.hasPrefix("00") { return "+" + plain.dropFirst(2) }
        return plain.count == 8 && plain.first != "0" ? "+\(countryCode)\(plain)" : nil
    }

    /// Publishes the future dates of a route; returns the first trip, or nil without any.
    private func publish(
        _ route: GetaliftDatabase.Route, by client: OpenValetClient
    ) async throws -> TripID? {
        var first: TripID?
        for body in route.trips(in: zone, at: Date()) {
            do {
                let trip = try await patiently {
                    try await client(TripEndpoints.publishTrip(body: body))
                }
                first = first ?? trip.id
            } catch let error as ClientError where error.problem != nil {
                continue
            }
        }
        return first
    }

    private func tell(_ imported: GetaliftImport) async throws {
        let (status, _) = try await services.send(
            InternalEndpoints.getaliftImport(body: imported).request, to: "getalift")
        guard status == 200 else { throw ToolError("getalift answered \(status).") }
    }

    /// Waits and tries again while the gateway refuses with 429.
    private func patiently<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        let deadline = ContinuousClock.now + Self.longestWait
        while true {
            do {
                return try await body()
            } catch let error as ClientError
                where error.status == 429 && ContinuousClock.now < deadline
            {
                let seconds = error.problem?.retryAfterSeconds ?? 2
                try await Task.sleep(for: .seconds(max(1, seconds)))
            }
        }
    }
}
