import ArgumentParser
import Foundation
import Hummingbird
import Logging
import Support

/// Measures what docs/benchmarks.md claims, beside baselines of the same run. Nothing is asserted.
@main
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures a whole system on this machine, and prints docs/benchmarks.md's rows.",
        subcommands: [
            Everything.self, Parking.self, Spots.self, Trips.self, Carpool.self, Geocoder.self,
            PublicTransport.self, Reach.self, Positions.self, Taps.self, Recovery.self, Bare.self,
        ],
        defaultSubcommand: Everything.self)
}

/// The baseline of requests/s: a route that does nothing, in a process of its own.
struct Bare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serves a bare route.")

    @Option var port: Int

    func run() async throws {
        let router = Router()
        router.put("/v1/me/location") { request, _ -> HTTPResponse.Status in
            _ = try await request.body.collect(upTo: 1_024)
            return .noContent
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            logger: logger)
        try await application.runService()
    }
}

/// What is measured, and how long.
struct Measure: ParsableArguments {
    @Option(help: "Seconds of each load.")
    var seconds = 10

    @Option(help: "Folder of the executables; this one's otherwise.")
    var binaries: String?

    var folder: URL {
        binaries.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    /// A hundred people stand for thousands: each may say where they are as often as they like.
    func start(kafkaSettings: String = "") async throws -> RunningSystem {
        try await RunningSystem.measured(
            folder,
            environment: [
                "OPENVALET_GATEWAY_POSITIONS_PER_SECOND": "1000000",
                "OPENVALET_KAFKA_SETTINGS": kafkaSettings,
            ])
    }
}

extension RunningSystem {
    /// As it runs elsewhere: the bus is asked as often as it is by default, which tests do without.
    static func measured(
        _ binaries: URL, folder: URL? = nil, environment: [String: String] = [:]
    ) async throws -> RunningSystem {
        try await start(
            binaries: binaries, folder: folder,
            environment: ["OPENVALET_KAFKA_SETTINGS": ""].merging(environment) { $1 })
    }
}

/// For a profile of the hottest path.
struct Positions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures positions alone.")

    @OptionGroup var measure: Measure

    func run() async throws {
        let system = try await measure.start()
        defer { system.stop() }
        let rates = try await PositionBench(
            system: system, binaries: measure.folder, seconds: measure.seconds
        ).run()
        print("\(Int(rates.gateway)) requests/s; a bare route: \(Int(rates.bare)) requests/s")
    }
}

/// For a profile of what a customer waits for.
struct Taps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures taps alone.")

    @OptionGroup var measure: Measure

    @Option(help: "Taps that are timed.")
    var taps = 100

    @Option(help: "Wait of an empty fetch at the broker, in ms; each service's own otherwise.")
    var fetchWait: Int?

    func run() async throws {
        let system = try await measure.start(
            kafkaSettings: fetchWait.map { "fetch.wait.max.ms=\($0)" } ?? "")
        defer { system.stop() }
        let (both, bare) = try await TapBench(system: system, taps: taps).run()
        print(
            "p50 \(both.p50 * 1_000) ms, p99 \(both.p99 * 1_000) ms; a GET: \(bare.p50 * 1_000) ms")
    }
}

/// Car parks with a million bookings.
struct Parking: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures car parks alone.")

    @OptionGroup var measure: Measure

    @Option(help: "Searches that are timed.")
    var searches = 2_000

    func run() async throws {
        let bench = ParkingBench(binaries: measure.folder, searches: searches)
        print(Self.rows(try await bench.run()))
    }

    static func rows(_ figures: ParkingBench.Figures) -> String {
        func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
        let share = String(format: "%.2f", figures.bookings / figures.inserts)
        return """
            | car parks within 2 km, free for some hours, among 10,000 with 1,000,000 bookings, in the \
            service, p50 | \(milliseconds(figures.search.p50)) ms | `/health/live` of it in the same \
            run: \(milliseconds(figures.bare.p50)) ms |
            | the same, p99 | \(milliseconds(figures.search.p99)) ms | \
            \(milliseconds(figures.bare.p99)) ms |
            | \(ParkingBench.clients * ParkingBench.bookingsEach) bookings by \
            \(ParkingBench.clients) clients, through the gateway, \(figures.errors) errors | \
            \(Int(figures.bookings)) a second | a bare insert of as many rows by as many writers: \
            \(Int(figures.inserts)) a second, so \(share) of it |
            """
    }
}

/// Spots with a hundred thousand of them open.
struct Spots: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures spots alone.")

    @OptionGroup var measure: Measure

    @Option(help: "Searches that are timed.")
    var searches = 2_000

    func run() async throws {
        print(Self.rows(try await SpotBench(binaries: measure.folder, searches: searches).run()))
    }

    static func rows(_ figures: SpotBench.Figures) -> String {
        func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
        let creations = figures.creations.map { one in
            """
            | \(SpotBench.offers) offers of spots by \(one.clients) clients, through the gateway, \
            \(one.errors) errors | mean \(milliseconds(one.mean)) ms, \(Int(one.rate)) a second | \
            a bare insert of as many rows by as many writers: \(Int(one.inserts)) a second, so \
            \(String(format: "%.2f", one.rate / one.inserts)) of it |
            """
        }
        return """
            \(creations.joined(separator: "\n"))
            | spots within 1 km among 100,000 open ones, in the service, p50 | \
            \(milliseconds(figures.search.p50)) ms | `/health/live` of it in the same run: \
            \(milliseconds(figures.bare.p50)) ms |
            | the same, p99 | \(milliseconds(figures.search.p99)) ms | \
            \(milliseconds(figures.bare.p99)) ms |
            | offer to the live stream of who waits for it, at 1,000 offers a minute beside 100,000 alerts, p50 | \
            \(milliseconds(figures.alert.p50)) ms | – |
            | the same, p99 | \(milliseconds(figures.alert.p99)) ms | – |
            """
    }
}

/// A search without a service around it.
struct Trips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the search of trips alone.")

    @Option(help: "Searches that are timed.")
    var searches = 2_000

    @Flag(inversion: .prefixedNo, help: "Among a million, too: a minute, and 3 GB.")
    var million = true

    func run() async throws {
        print(Self.rows([1_000, 10_000, 100_000] + (million ? [1_000_000] : []), searches))
    }

    static func rows(_ counts: [Int], _ searches: Int) -> String {
        counts.map { TripSearchBench(count: $0, searches: searches).run().rows }
            .joined(separator: "\n")
    }
}

/// Trips through a whole system.
struct Carpool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures carpool alone.")

    @OptionGroup var measure: Measure

    func run() async throws {
        print(Self.rows(try await CarpoolBench(binaries: measure.folder).run()))
    }

    static func rows(_ figures: CarpoolBench.Figures) -> String {
        func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
        return """
            | \(CarpoolBench.trips) trips published by \(CarpoolBench.clients) clients, through the \
            gateway, \(figures.errors) errors | \(Int(figures.published)) a second | a bare insert of as \
            many rows by as many writers: \(Int(figures.inserts)) a second, so \
            \(String(format: "%.2f", figures.published / figures.inserts)) of it |
            | from there until a search through the gateway has the trip, p50 | \
            \(milliseconds(figures.found.p50)) ms | such a search: \
            \(milliseconds(figures.search.p50)) ms |
            | the same, p99 | \(milliseconds(figures.found.p99)) ms | \
            \(milliseconds(figures.search.p99)) ms |
            """
    }
}

/// A map's addresses without a service around them.
struct Geocoder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the search for addresses alone.")

    @Argument(help: "The extract of OpenStreetMap that questions are drawn from.")
    var extract = "data/helsinki.osm.pbf"

    static let usualNames = 500_000

    @Option(help: "Made-up names among which searches are timed.")
    var names = usualNames

    @Option(help: "Searches that are timed, of each kind.")
    var searches = 2_000

    @Flag(help: "Prints what is answered wrongly, too.")
    var wrong = false

    func run() async throws {
        let figures = try await GeocoderBench(
            extract: extract, names: names, searches: searches
        ).run()
        if wrong { print(figures.wrong.joined(separator: "\n")) }
        print(figures.rows)
    }
}

/// Vendors and ways of a city in a whole system, beside Valhalla.
struct Reach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "Measures vendors within reach, and ways to them, alone.")

    @OptionGroup var measure: Measure

    @Argument(help: "The extract of OpenStreetMap of a city.")
    var extract = "data/helsinki.osm.pbf"

    static let (usualSearches, usualPairs) = (600, 200)

    @Option(help: "Searches that are timed.")
    var searches = usualSearches

    @Option(help: "Ways from door to door that are timed.")
    var pairs = usualPairs

    func run() async throws {
        let figures = try await PlacesBench(
            binaries: measure.folder, extract: URL(filePath: extract), searches: searches,
            pairs: pairs
        ).run()
        print(figures.rows)
    }
}

/// How long what dies keeps people waiting.
struct Recovery: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures what follows a kill -9.")

    @OptionGroup var measure: Measure

    func run() async throws {
        let system = try await measure.start()
        defer { system.stop() }
        print(Self.rows(try await RecoveryBench(system: system).run()))
    }

    static func rows(_ times: [(part: String, seconds: Double)]) -> String {
        times.map { part, seconds in
            let text = String(format: "%.1f", seconds)
            return "| `kill -9` of \(part) to the next order that has a valet | \(text) s | – |"
        }.joined(separator: "\n")
    }
}

/// RAPTOR on one core.
struct PublicTransport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transit", abstract: "Measures journeys by public transport alone.")

    @Option(help: "Searches that are timed.")
    var searches = 2_000

    @Option(help: "A GTFS archive, as a map's transit.zip; a made-up city's otherwise.")
    var gtfs: String?

    func run() throws {
        if let gtfs, !FileManager.default.fileExists(atPath: gtfs) {
            throw ValidationError("There is no \(gtfs).")
        }
        print(try Self.rows(searches, gtfs))
    }

    static func rows(_ searches: Int, _ gtfs: String? = nil) throws -> String {
        try TransitBench(searches: searches, feed: gtfs).run()?.rows ?? ""
    }
}

struct Everything: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures everything.")

    @OptionGroup var measure: Measure

    @Option(help: "Orders whose way to both sides is timed.")
    var taps = 200

    @Option(help: "Searches for car parks, for spots and for trips, that are timed.")
    var searches = 2_000

    func run() async throws {
        let (binaries, seconds) = (measure.folder, measure.seconds)
        say("| what | measured | beside |\n|---|---|---|")
        let starts = try await StartBench(binaries: binaries).run()
        say("| start to ready, median of \(starts.count) | \(seconds1(starts.median)) s | – |")
        let system = try await measure.start()
        defer { system.stop() }
        let memory = try system.memory()
        say("| idle memory of all \(memory.count) processes | \(memory.megabytes) MB | – |")
        let tap = try await TapBench(system: system, taps: taps).run()
        say(
            """
            | tap to both sides informed, p50 | \(milliseconds(tap.both.p50)) ms | \
            a `GET /v1/me` in the same run: \(milliseconds(tap.bare.p50)) ms |
            | tap to both sides informed, p99 | \(milliseconds(tap.both.p99)) ms | \
            \(milliseconds(tap.bare.p99)) ms |
            """)
        let journeys = try await JourneyBench(system: system, seconds: seconds).run()
        say("| whole journeys, tap to paid | \(String(format: "%.1f", journeys)) a second | – |")
        let positions = try await PositionBench(
            system: system, binaries: binaries, seconds: seconds
        ).run()
        say(
            """
            | `PUT /v1/me/location` through the gateway | \(Int(positions.gateway)) requests/s | \
            a bare route: \(Int(positions.bare)) requests/s, so \
            \(String(format: "%.2f", positions.gateway / positions.bare)) of it |
            """)
        say(Recovery.rows(try await RecoveryBench(system: system).run()))
        system.stop()
        say(Parking.rows(try await ParkingBench(binaries: binaries, searches: searches).run()))
        say(Spots.rows(try await SpotBench(binaries: binaries, searches: searches).run()))
        say(Trips.rows([100_000], searches))
        say(Carpool.rows(try await CarpoolBench(binaries: binaries).run()))
        let geocoder = try await GeocoderBench(
            extract: TestMap.extract.path, names: Geocoder.usualNames, searches: searches
        ).run()
        say(geocoder.rows)
        say(try PublicTransport.rows(searches))
        let places = try await PlacesBench(
            binaries: binaries, extract: TestMap.extract, searches: Reach.usualSearches,
            pairs: Reach.usualPairs
        ).run()
        say(places.rows)
    }

    /// The whole takes its time: each row is there as soon as it is measured, through a pipe too.
    private func say(_ rows: String) {
        print(rows)
        fflush(nil)
    }

    private func seconds1(_ value: Double) -> String { String(format: "%.1f", value) }
    private func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
}

/// Times in seconds.
struct Sample {
    let sorted: [Double]
    init(_ values: [Double]) { sorted = values.sorted() }

    var count: Int { sorted.count }
    var median: Double { p50 }
    var p50: Double { at(0.5) }
    var p99: Double { at(0.99) }

    /// Nearest rank.
    private func at(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}
