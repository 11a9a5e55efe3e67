import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// One running system for the journeys that do not break it; starts with the first, stops with the process.
actor City {
    static let shared = City()

    private var starting: Task<RunningSystem, any Error>?

    func system() async throws -> RunningSystem {
        if let starting { return try await starting.value }
        let task = Task { try await RunningSystem.start() }
        starting = task
        return try await task.value
    }
}

/// Places of the seeded areas, far enough from each other that one's valets don't serve another's customers.
enum Spot {
    static let central = Place(latitude: 22.2819, longitude: 114.1556, address: "Central")
    static let causewayBay = Place(latitude: 22.2800, longitude: 114.1850)
    static let chaiWan = Place(latitude: 22.2700, longitude: 114.2350)
    static let garage = ParkedAt(
        latitude: 22.2830, longitude: 114.1580, lot: "Star Ferry", level: "B2", bay: "17",
        keyTag: "K-17")
    /// In the harbour, outside every area.
    static let sea = Place(latitude: 22.2400, longitude: 114.0900)

    /// A point so many metres east of another.
    static func east(of place: Place, meters: Double) -> Place {
        let degrees = meters / (111_320 * cos(place.latitude * .pi / 180))
        return Place(latitude: place.latitude, longitude: place.longitude + degrees)
    }
}

/// A person of a journey with a client of their own.
struct Someone: Sendable {
    let client: OpenValetClient
    let account: Account
    let password: String

    static let car = VehicleDescription(
        plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white")

    private static let counter = Mutex(Int.random(in: 0...8_000_000))

    /// A Hong Kong number that nobody has had before.
    static func phone() -> String {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        return "+8529\(String(format: "%07d", number % 10_000_000))"
    }

    static func customer(of system: RunningSystem, _ name: String = "Ada") async throws -> Someone {
        let client = system.client()
        let password = "journey of \(name) \(UUID())"
        let signedUp = try await client.signUp(
            SignUpBody(firstName: name, lastName: "Wong", phone: phone(), password: password))
        return Someone(client: client, account: signedUp.customer, password: password)
    }

    /// A valet on shift at the place, who can be given a job.
    static func valet(
        of system: RunningSystem, at place: Place?, _ name: String = "Lee"
    ) async throws -> Someone {
        let boss = try await system.signedInOperator()
        let phone = phone()
        let password = "journey of \(name) \(UUID())"
        _ = try await boss.addValet(
            NewValetBody(firstName: name, lastName: "Chan", phone: phone, password: password))
        let client = system.client()
        let signedIn = try await client.signIn(phone: phone, password: password)
        let valet = Someone(client: client, account: signedIn.account, password: password)
        if let place {
            try await valet.stand(at: place)
            try await client.setAvailability(.available)
        }
        return valet
    }

    /// Sends a position.
    func stand(at place: Place) async throws {
        try await client.sendLocation(
            PositionBody(
                latitude: place.latitude, longitude: place.longitude, accuracyMeters: 5,
                recordedAt: Date()))
    }

    /// Off shift, so that no later journey gets this valet.
    func goHome() async throws {
        _ = try await eventually {
            do {
                try await client.setAvailability(.offline)
                return true
            } catch let error as ClientError where error.code == "location.on_job" {
                return false
            }
        }
    }

    func order(_ id: OrderID, reaches status: OrderStatus) async throws -> OrderView {
        var last: OrderView?
        let isReached = try await eventually(within: .seconds(30)) {
            last = try await client.order(id)
            return last?.status == status
        }
        #expect(isReached, "\(String(describing: last?.status)) instead of \(status)")
        return try #require(last)
    }

    /// The order with the valet of that leg known.
    func order(_ id: OrderID, hasValetFor leg: OrderLeg) async throws -> OrderView {
        var last: OrderView?
        let isAssigned = try await eventually(within: .seconds(30)) {
            last = try await client.order(id)
            return leg == .dropOff ? last?.dropOffValet != nil : last?.returnValet != nil
        }
        #expect(isAssigned, "nobody was assigned: \(String(describing: last?.status))")
        return try #require(last)
    }
}

/// Expects a refusal with a code of the API, and gives the problem.
@discardableResult
func refused(_ code: String, _ body: () async throws -> Void) async throws -> Problem? {
    do {
        try await body()
        Issue.record("it was not refused with \(code)")
        return nil
    } catch let error as ClientError {
        #expect(error.code == code)
        return error.problem
    }
}
