import Client
import Contracts
import Foundation
import Geo
import Support

/// Carpool through the gateway: how fast trips are published, and how soon whoever searches finds them.
struct CarpoolBench {
    struct Figures {
        /// A second, of all, and the same number of rows in a bare database.
        var published, inserts: Double
        var errors: Int
        /// Seconds from the answer of a publication until a search has the trip, and of a search.
        var found, search: Sample
    }

    static let trips = 500
    static let clients = 10
    private static let timed = 200

    let binaries: URL

    func run() async throws -> Figures {
        let system = try await RunningSystem.measured(binaries)
        defer { system.stop() }
        let people = try await BenchPeople(system, customers: Self.trips / 5 + 1, valets: 0)
            .customers
        let (drivers, passenger) = (Array(people.dropLast()), people[people.count - 1].client)
        let begun = ContinuousClock.now
        let errors = await publish(drivers)
        let seconds = (ContinuousClock.now - begun).inSeconds
        let (found, search) = try await follow(drivers, passenger)
        return Figures(
            published: Double(Self.trips - errors) / seconds,
            inserts: try await ParkingBench.inserts(
                system.folder, writers: Self.clients, each: Self.trips / Self.clients),
            errors: errors, found: Sample(found), search: Sample(search))
    }

    /// Everybody publishes five, so many at a time; how many failed.
    private func publish(_ drivers: [BenchPeople.Member]) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<Self.clients {
                group.addTask {
                    var errors = 0
                    for driver in SpotTown.part(number, of: Self.clients, drivers) {
                        for hour in 0..<5 {
                            let body = Self.body(number, hour: 1 + hour)
                            let isPublished =
                                (try? await driver.client(TripEndpoints.publishTrip(body: body)))
                                != nil
                            errors += isPublished ? 0 : 1
                        }
                    }
                    return errors
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// One after the other, each looked for at once.
    private func follow(
        _ drivers: [BenchPeople.Member], _ passenger: OpenValetClient
    ) async throws -> (found: [Double], search: [Double]) {
        var (found, search) = ([Double](), [Double]())
        for number in 0..<Self.timed {
            let body = Self.body(number + 100, hour: 8 + 2 * (number / drivers.count))
            let trip = try await drivers[number % drivers.count].client(
                TripEndpoints.publishTrip(body: body))
            let departure = trip.nextDepartureAt ?? Date()
            let query = TripSearchBody(
                from: trip.origin.coordinate, to: trip.destination.coordinate,
                departAfter: departure.addingTimeInterval(-60),
                departBefore: departure.addingTimeInterval(60), maxWalkMeters: 100)
            let begun = ContinuousClock.now
            var isFound = false
            while !isFound {
                let asked = ContinuousClock.now
                isFound = try await passenger(TripEndpoints.searchTrips(body: query)).items.contains
                { $0.tripId == trip.id }
                search.append((ContinuousClock.now - asked).inSeconds)
            }
            found.append((ContinuousClock.now - begun).inSeconds)
        }
        return (found, search)
    }

    /// Five kilometres to the north, tomorrow.
    private static func body(_ number: Int, hour: Int) -> TripBody {
        let start = SpotTown.point(number)
        let end = Coordinate(latitude: start.latitude + 0.05, longitude: start.longitude)
        let day = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601.year().month().day())
        return TripBody(
            origin: Place(start), destination: Place(end),
            departsAt: "\(day)T\(hour < 10 ? "0" : "")\(hour):00:00", timeZone: "UTC")
    }
}
