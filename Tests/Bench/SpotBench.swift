import Client
import Contracts
import Foundation
import Geo
import Support
import Synchronization

/// Spots: how fast they are offered, found among a hundred thousand, and told to who waits for one.
struct SpotBench {
    struct Creations {
        var clients: Int
        /// Seconds of each.
        var mean: Double
        /// A second, of all.
        var rate: Double
        /// The same number of rows in a bare database.
        var inserts: Double
        var errors: Int
    }

    struct Figures {
        var creations: [Creations]
        /// Seconds of a search, and of a request that does nothing, to the same service.
        var search, bare: Sample
        /// Seconds from an offer until the live stream of who waits for it has said so, while so many are made in a
        /// minute.
        var alert: Sample
    }

    static let offers = 500
    static let clients = [10, 50]
    static let open = 100_000
    static let alerts = 100_000
    static let offersInAMinute = 1_000
    /// Alerts of one person.
    private static let alertsEach = 20
    private static let listeners = 10
    private static let warmUp = 100

    let binaries: URL
    let searches: Int

    func run() async throws -> Figures {
        let first = try await RunningSystem.measured(binaries)
        // Its folder goes with it.
        defer { withExtendedLifetime(first) {} }
        let people = try await BenchPeople(
            first, customers: Self.offers + Self.listeners, valets: 0
        )
        .customers
        let sellers = people.prefix(Self.offers).enumerated().map {
            SpotSeller(client: $1.client, place: SpotTown.place($0))
        }
        let listeners = people.suffix(Self.listeners).map(\.client)
        let creations = try await create(sellers, first.folder)
        try await waitForSpots(sellers, listeners)
        let template = try await sellers[0].offer().id
        first.stop()
        try SpotTown.fill(
            first.folder.appending(path: "spots.sqlite"), spot: template)
        let system = try await RunningSystem.measured(binaries, folder: first.folder)
        defer { system.stop() }
        let token = await listeners[0].session.tokens?.accessToken
        return Figures(
            creations: creations,
            search: try await search(system, token),
            bare: try await measured {
                _ = $0
                _ = try await system.answer(of: "spots", to: "/health/live")
            },
            alert: try await alerts(system, sellers, listeners))
    }

    // MARK: Offers

    /// Everybody offers one spot, so many at a time, and takes it back when all have.
    private func create(_ sellers: [SpotSeller], _ folder: URL) async throws -> [Creations] {
        // Spots have heard of the area, and connections are open.
        try await sellers[0].isHeardOf()
        try await everybody(sellers, 50) { try await $0.stand() }
        _ = await offers(sellers, 50)
        var figures: [Creations] = []
        for clients in Self.clients {
            try await everybody(sellers, 50) { try await $0.takeBack() }
            try await everybody(sellers, 50) { try await $0.stand() }
            let begun = ContinuousClock.now
            let times = await offers(sellers, clients)
            let seconds = (ContinuousClock.now - begun).inSeconds
            let fine = times.compactMap { $0 }
            figures.append(
                Creations(
                    clients: clients, mean: fine.reduce(0, +) / Double(max(1, fine.count)),
                    rate: Double(fine.count) / seconds,
                    inserts: try await ParkingBench.inserts(
                        folder, writers: clients, each: Self.offers / clients),
                    errors: times.count - fine.count))
        }
        try await everybody(sellers, 50) { try await $0.takeBack() }
        return figures
    }

    /// Seconds of each; nil for one that failed.
    private func offers(_ sellers: [SpotSeller], _ clients: Int) async -> [Double?] {
        await withTaskGroup(of: [Double?].self) { group in
            for number in 0..<clients {
                group.addTask {
                    var times: [Double?] = []
                    for seller in SpotTown.part(number, of: clients, sellers) {
                        let begun = ContinuousClock.now
                        let isOffered = (try? await seller.offer()) != nil
                        times.append(isOffered ? (ContinuousClock.now - begun).inSeconds : nil)
                    }
                    return times
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func everybody(
        _ sellers: [SpotSeller], _ clients: Int,
        _ body: @escaping @Sendable (SpotSeller) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<clients {
                group.addTask {
                    for seller in SpotTown.part(number, of: clients, sellers) {
                        try await body(seller)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Searches

    /// Within a kilometre of points all over the town.
    private func search(_ system: RunningSystem, _ token: String?) async throws -> Sample {
        try await measured { number in
            let point = SpotTown.point(number)
            let answer = try await system.answer(
                of: "spots",
                to: "/v1/spots?latitude=\(point.latitude)&longitude=\(point.longitude)",
                token: token)
            guard answer.count > 1_000 else {
                throw RunningSystem.Failure(description: "nothing was found")
            }
        }
    }

    /// Without the first, to which everything is new.
    private func measured(_ body: (Int) async throws -> Void) async throws -> Sample {
        var times: [Double] = []
        for number in 0..<(Self.warmUp + searches) {
            let begun = ContinuousClock.now
            try await body(number)
            times.append((ContinuousClock.now - begun).inSeconds)
        }
        return Sample(Array(times.dropFirst(Self.warmUp)))
    }

    // MARK: Alerts

    /// Each of a few people waits for a spot at many places: an alert tells something once in five minutes.
    private func waitForSpots(
        _ sellers: [SpotSeller], _ listeners: [OpenValetClient]
    ) async throws {
        for (number, client) in listeners.enumerated() {
            for place in 0..<Self.alertsEach {
                let seller = sellers[number * Self.alertsEach + place]
                _ = try await client(
                    ParkingAlertEndpoints.addParkingAlert(
                        body: ParkingAlertBody(center: seller.place, radiusMeters: 50)))
            }
        }
    }

    /// As many as come in a minute, evenly; whoever comes again takes the first back.
    private func offerAtPace(
        _ sellers: [SpotSeller]
    ) async throws -> [(spot: SpotID, begun: ContinuousClock.Instant)] {
        let begun = ContinuousClock.now
        return try await withThrowingTaskGroup(
            of: (Int, SpotID, ContinuousClock.Instant).self
        ) { group in
            for number in 0..<Self.offersInAMinute {
                let seller = sellers[number % sellers.count]
                let time = begun + .seconds(60) * number / Self.offersInAMinute
                group.addTask {
                    try await Task.sleep(until: time, clock: .continuous)
                    try await seller.takeBack()
                    try await seller.stand()
                    let begun = ContinuousClock.now
                    return (number, try await seller.offer().id, begun)
                }
            }
            var offers: [(number: Int, spot: SpotID, begun: ContinuousClock.Instant)] = []
            for try await (number, spot, begun) in group { offers.append((number, spot, begun)) }
            return offers.sorted { $0.number < $1.number }.map { ($0.spot, $0.begun) }
        }
    }

    private func alerts(
        _ system: RunningSystem, _ sellers: [SpotSeller], _ listeners: [OpenValetClient]
    ) async throws -> Sample {
        let heard = HeardSpots()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for client in listeners {
                let client = await client.moved(to: system)
                group.addTask {
                    for try await event in client.stream() {
                        if case .notification(let item) = event, let subject = item.subject {
                            heard.note(subject.id)
                        }
                    }
                }
            }
            // Streams begin with what happens from now on, so they have to be there first.
            try await Task.sleep(for: .milliseconds(500))
            var moved: [SpotSeller] = []
            for seller in sellers {
                moved.append(
                    SpotSeller(client: await seller.client.moved(to: system), place: seller.place))
            }
            let offers = try await offerAtPace(moved)
            var times: [Double] = []
            // Each alert tells once in five minutes: the first has told of the spot that the others are copies of.
            for offer in offers.prefix(Self.listeners * Self.alertsEach).dropFirst() {
                guard let time = await heard.time(of: "\(offer.spot)") else {
                    throw RunningSystem.Failure(description: "an offer was not heard of")
                }
                times.append((time - offer.begun).inSeconds)
            }
            group.cancelAll()
            return Sample(times)
        }
    }
}

/// One with a spot of their own.
struct SpotSeller: Sendable {
    let client: OpenValetClient
    let place: Coordinate

    func stand() async throws {
        try await client(
            LocationEndpoints.recordPosition(
                body: PositionBody(
                    latitude: place.latitude, longitude: place.longitude, accuracyMeters: 5)))
    }

    func offer() async throws -> Spot {
        try await client(
            SpotEndpoints.offerSpot(
                body: SpotBody(
                    position: place, accuracyMeters: 5, price: 500,
                    leavesAt: Date(timeIntervalSinceNow: 7_200))))
    }

    func takeBack() async throws {
        for spot in try await client(SpotEndpoints.mySpots(limit: 1)).items
        where spot.status == .offered {
            try await client(SpotEndpoints.cancelSpot(spot.id))
        }
    }

    func isHeardOf() async throws {
        let isHeardOf = try await eventually {
            try await stand()
            return (try? await offer()) != nil
        }
        guard isHeardOf else { throw RunningSystem.Failure(description: "nothing can be offered") }
        try await takeBack()
    }
}

/// Where spots are: sellers in the area, a hundred metres apart, and copies in forty kilometres square around it.
enum SpotTown {
    private static let (south, west) = (22.270, 114.145)
    private static let rows = 11

    static func place(_ number: Int) -> Coordinate {
        Coordinate(
            latitude: south + 0.001 * Double(number % rows),
            longitude: west + 0.001_1 * Double(number / rows))
    }

    /// Somewhere in the square.
    static func point(_ number: Int) -> Coordinate {
        Coordinate(
            latitude: south - 0.18 + 0.36 * Double(number * 7_919 % 99_991) / 99_991,
            longitude: west - 0.2 + 0.4 * Double(number * 104_729 % 99_989) / 99_989)
    }

    static func part<Item>(_ number: Int, of parts: Int, _ items: [Item]) -> [Item] {
        stride(from: number, to: items.count, by: parts).map { items[$0] }
    }

    /// Copies of an open spot, and alerts of people who are not there, while the service does not run.
    static func fill(_ database: URL, spot: SpotID) throws {
        try ParkingRegion.execute(
            """
            PRAGMA synchronous = OFF;
            PRAGMA cache_size = -200000;
            BEGIN;
            \(spots(like: spot))
            \(alerts)
            COMMIT;
            """, in: database)
    }

    private static func spots(like spot: SpotID) -> String {
        let latitude = "\(south) - 0.18 + 0.36 * (i * 7919 % 99991) / 99991.0"
        let longitude = "\(west) - 0.2 + 0.4 * (i * 104729 % 99989) / 99989.0"
        let (id, seller) = (ParkingRegion.id(0, "i"), ParkingRegion.id(1, "i"))
        return """
            \(ParkingRegion.numbers(SpotBench.open))
            INSERT INTO spots (
                id, version, seller, buyer, area, status, is_open, is_offered, is_disputed,
                is_forgotten, sale, price, latitude, longitude, created_at, body)
            SELECT \(id), t.version, \(seller), NULL, t.area, t.status, 1, 1, 0, 0, t.sale,
                t.price, \(latitude), \(longitude), t.created_at,
                json_set(t.body, '$.id', \(id), '$.seller', \(seller),
                    '$.offer.position.latitude', \(latitude),
                    '$.offer.position.longitude', \(longitude))
            FROM n, spots AS t WHERE t.id = '\(spot)';
            """
    }

    private static var alerts: String {
        let radius = 500.0
        return (0..<SpotBench.alerts).map { number in
            let center = point(number)
            let id = String(format: "01900002-0000-7000-8000-%012x", number)
            let person = String(format: "01900003-0000-7000-8000-%012x", number)
            let cells = Cell.covering(center: center, radiusMeters: radius, sizeMeters: 1_000)
                .map { "('\($0)', '\(id)')" }.joined(separator: ", ")
            return """
                INSERT INTO parking_alerts (id, person, told_at, body)
                SELECT '\(id)', '\(person)', 0, json_set(body, '$.id', '\(id)',
                    '$.center.latitude', \(center.latitude),
                    '$.center.longitude', \(center.longitude), '$.radiusMeters', \(radius))
                FROM (SELECT body FROM parking_alerts ORDER BY id DESC LIMIT 1);
                INSERT INTO parking_alert_cells (cell, alert) VALUES \(cells);
                """
        }.joined(separator: "\n")
    }
}

extension OpenValetClient {
    /// The same person, at the address of a system that was started anew.
    fileprivate func moved(to system: RunningSystem) async -> OpenValetClient {
        OpenValetClient(system.baseURL, tokens: await session.tokens)
    }
}

/// Which spots were heard of, when.
private final class HeardSpots: Sendable {
    private static let limit: Duration = .seconds(30)
    private let times = Mutex<[String: ContinuousClock.Instant]>([:])

    func note(_ spot: String) {
        times.withLock { times in
            if times[spot] == nil { times[spot] = .now }
        }
    }

    func time(of spot: String) async -> ContinuousClock.Instant? {
        _ = try? await eventually(within: Self.limit) { times.withLock { $0[spot] != nil } }
        return times.withLock { $0[spot] }
    }
}
