import Client
import Contracts
import Foundation
import Geo
import Store
import Support

/// Car parks of a large region with a million bookings: how long a search takes in the service, and how fast many
/// people book at once.
struct ParkingBench {
    struct Figures {
        /// Seconds of a search, and of a request that does nothing, to the same service.
        var search, bare: Sample
        /// A second.
        var bookings, inserts: Double
        var errors: Int
    }

    static let carParks = 10_000
    static let bookings = 1_000_000
    static let clients = 50
    static let bookingsEach = 10
    /// The most that one person may hold unpaid.
    private static let holdsEach = 3
    /// Searches before the first that counts.
    private static let warmUp = 100

    let binaries: URL
    let searches: Int

    func run() async throws -> Figures {
        let first = try await RunningSystem.measured(binaries)
        // Its folder goes with it.
        defer { withExtendedLifetime(first) {} }
        let template = try await ParkingRegion.Template(first)
        first.stop()
        let begun = ContinuousClock.now
        try ParkingRegion(template).fill(first.folder.appending(path: "carparks.sqlite"))
        // Beside the table, not within it.
        let seconds = Int((ContinuousClock.now - begun).inSeconds)
        FileHandle.standardError.write(Data("A million bookings in \(seconds) s.\n".utf8))
        let system = try await RunningSystem.measured(binaries, folder: first.folder)
        defer { system.stop() }
        let search = try await search(system)
        let bare = try await measured(Self.warmUp + searches) { _ in
            _ = try await system.answer(of: "carparks", to: "/health/live")
        }
        let (bookings, errors) = try await book(system, in: template.carPark)
        return Figures(
            search: search, bare: bare, bookings: bookings,
            inserts: try await Self.inserts(
                system.folder, writers: Self.clients, each: Self.bookingsEach),
            errors: errors)
    }

    // MARK: Searches

    /// Within two kilometres of points all over the region, for some hours of a day of the next month.
    private func search(_ system: RunningSystem) async throws -> Sample {
        try await measured(Self.warmUp + searches) { number in
            let start = Self.morning(inDays: 1 + number % 30) + 3_600 * Double(number % 12)
            let end = start + 3_600 * Double(1 + number % 6)
            let point = ParkingRegion.point(number)
            let answer = try await system.answer(
                of: "carparks",
                to: "/v1/car-parks?latitude=\(point.latitude)&longitude=\(point.longitude)"
                    + "&radiusMeters=2000&from=\(Wire.text(start))&until=\(Wire.text(end))")
            // Not a part of the time: what the service does is measured, and not what is made of it here.
            return {
                let found: Page<CarParkSummary> = try Wire.decode(from: answer)
                guard found.items.contains(where: { $0.bookableSpaces != nil }) else {
                    throw RunningSystem.Failure(description: "nothing was found")
                }
            }
        }
    }

    /// Six o'clock, in UTC.
    static func morning(inDays days: Int) -> Date {
        let today = (Date().timeIntervalSince1970 / 86_400).rounded(.down)
        return Date(timeIntervalSince1970: (today + Double(days)) * 86_400 + 6 * 3_600)
    }

    /// Without the first, to which everything is new.
    private func measured(
        _ count: Int, _ body: (Int) async throws -> (() throws -> Void)
    ) async throws -> Sample {
        var times: [Double] = []
        for number in 0..<count {
            let begun = ContinuousClock.now
            let check = try await body(number)
            times.append((ContinuousClock.now - begun).inSeconds)
            try check()
        }
        return Sample(Array(times.dropFirst(Self.warmUp)))
    }

    private func measured(
        _ count: Int, _ body: (Int) async throws -> Void
    ) async throws -> Sample {
        try await measured(count) { number in
            try await body(number)
            return {}
        }
    }

    // MARK: Bookings

    /// Each client books hours of one car park, one after the other, for as many people as it takes, through the
    /// gateway; bookings a second.
    private func book(
        _ system: RunningSystem, in carPark: CarPark
    ) async throws -> (rate: Double, errors: Int) {
        let peopleEach = (Self.bookingsEach + Self.holdsEach - 1) / Self.holdsEach
        let people = try await BenchPeople(
            system, customers: Self.clients * peopleEach, valets: 0)
        var drivers: [(client: OpenValetClient, vehicle: VehicleID)] = []
        for member in people.customers {
            drivers.append(
                (
                    member.client,
                    try await member.client(AccountEndpoints.addVehicle(body: BenchPeople.car)).id
                ))
        }
        guard let product = carPark.products.first else {
            throw RunningSystem.Failure(description: "nothing to book")
        }
        let day = Self.morning(inDays: 2)
        let begun = ContinuousClock.now
        let errors = try await withThrowingTaskGroup(of: Int.self) { group in
            for first in stride(from: 0, to: drivers.count, by: peopleEach) {
                let own = Array(drivers[first..<first + peopleEach])
                group.addTask {
                    var errors = 0
                    for hour in 0..<Self.bookingsEach {
                        let (client, vehicle) = own[hour / Self.holdsEach]
                        do {
                            _ = try await client(
                                CarParkEndpoints.book(
                                    body: BookingBody(
                                        carParkId: carPark.id, productId: product.id,
                                        start: day + 3_600 * Double(hour), quantity: 1,
                                        vehicleIds: [vehicle], termsVersion: carPark.terms.version))
                            )
                        } catch is ClientError {
                            errors += 1
                        }
                    }
                    return errors
                }
            }
            return try await group.reduce(0, +)
        }
        let count = Double(Self.clients * Self.bookingsEach)
        return (count / (ContinuousClock.now - begun).inSeconds, errors)
    }

    /// The same number of rows by as many writers, each in a transaction of its own, on the same disk.
    static func inserts(
        _ folder: URL, writers: Int, each: Int
    ) async throws -> Double {
        let table = Migration(
            "bare-1", "CREATE TABLE bare (id TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL)")
        let database = try Database(
            .file(folder.appending(path: "bare.sqlite").path), migrations: [table])
        let begun = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask {
                    for _ in 0..<each {
                        try await database.write { transaction in
                            try transaction.execute(
                                "INSERT INTO bare (id, body) VALUES (?, ?)", BookingID.new(), "{}")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(writers * each) / (ContinuousClock.now - begun).inSeconds
    }
}
