import ArgumentParser
import Client
import Contracts
import Foundation

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Takes over what another system has kept.", subcommands: [ImportGetalift.self])
}

/// Reads a dump of the original's database into a running house, by the house's own API.
struct ImportGetalift: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "getalift",
        abstract: "Reads a mysqldump of a GetALift server into a running openvalet up.",
        discussion: """
            People get accounts with a password that nobody knows, and keep their names and integers: a code for a \
            new password comes to their mail or phone, as to anybody who has forgotten theirs. Each is sent one \
            message: the code that verifies it. Their routes that are still driven become trips, with their \
            integers, and favourites go along. Rides, passengers and ratings of the past stay behind: ratings here \
            are of rides that were driven here. Who is known already, by mail or phone, is left as they are, and \
            so is the whole file if it is read a second time.

              openvalet import getalift gal_db.sql
            """)

    @Argument(help: "The dump.") var file: String

    @Option(help: "Folder of the running openvalet up (or OPENVALET_DATA; .openvalet otherwise).")
    var data: String?

    @Option(help: "IANA name of the clocks that its dates are of.")
    var timeZone = "Europe/Malta"

    @Option(help: "Country code of phone numbers that have none.")
    var countryCode = "356"

    func run() async throws {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw ValidationError("--time-zone has to be as Europe/Malta.")
        }
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw ToolError("\(file) can't be read.")
        }
        let dump: SQLDump
        do {
            dump = try SQLDump(bytes)
        } catch let error as SQLDump.Failure {
            throw ToolError("\(file) is no dump of MySQL's: look at byte \(error.offset).")
        }
        let services = try LocalServices.running(data)
        guard let gateway = services.url(of: "gateway") else {
            throw ToolError("There is no gateway.")
        }
        let run = GetaliftImporter(
            database: GetaliftDatabase(dump), services: services, gateway: gateway, zone: zone,
            countryCode: countryCode)
        LinePrinter(colours: false).say(try await run.run().text)
    }
}

/// What came of it.
struct ImportSummary: Sendable, Equatable {
    var users = 0
    /// Users who were not imported, with the reason: for example an existing account, or neither an address
    /// nor a number.
    var leftUsers: [String] = []
    var trips = 0
    /// That are driven no more, or that the house refused.
    var leftRoutes = 0
    var favourites = 0
    var passengers = 0
    var ratings = 0

    var text: String {
        var lines = ["\(users) people, \(trips) trips and \(favourites) favourites are here."]
        if !leftUsers.isEmpty {
            lines.append("Left as they are: \(leftUsers.joined(separator: "; ")).")
        }
        if leftRoutes > 0 { lines.append("\(leftRoutes) routes are driven no more.") }
        if passengers + ratings > 0 {
            lines.append("\(passengers) passengers and \(ratings) ratings of the past stay behind.")
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

    /// The door lets so many sign up a minute from one address.
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

    /// Of Malta's eight digits, or with a country's code; others are left out, where there is an address.
    private func phone(_ text: String) -> String? {
        let plain = text.filter { ("0"..."9").contains($0) || $0 == "+" }
        if plain.hasPrefix("+") { return plain }
        if plain.hasPrefix("00") { return "+" + plain.dropFirst(2) }
        return plain.count == 8 && plain.first != "0" ? "+\(countryCode)\(plain)" : nil
    }

    /// The first of its dates that is to come; nil when none is.
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

    /// Waits where the door counts.
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
