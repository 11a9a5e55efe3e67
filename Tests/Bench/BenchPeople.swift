import Client
import Contracts
import Foundation
import Support
import Synchronization

/// Customers and valets of a benchmark, all in one place.
struct BenchPeople: Sendable {
    static let place = Place(latitude: 22.2819, longitude: 114.1556)
    static let garage = ParkedAt(latitude: 22.2830, longitude: 114.1580)
    static let car = VehicleDescription(plate: "B 1", make: "VW", model: "Golf", colour: "blue")
    private static let counter = Mutex(0)

    struct Member: Sendable {
        let client: OpenValetClient
        let id: PersonID
    }

    var customers: [Member] = []
    var valets: [PersonID: Member] = [:]

    /// Signs up so many of each; the valets are on shift.
    init(_ system: RunningSystem, customers: Int, valets: Int) async throws {
        let boss = try await system.signedInOperator()
        for _ in 0..<customers {
            let client = system.client()
            let signedUp = try await client.signUp(
                SignUpBody(
                    firstName: "Ben", lastName: "Chan", phone: Self.phone(),
                    password: "a password of a bench"))
            self.customers.append(Member(client: client, id: signedUp.customer.id))
        }
        for _ in 0..<valets {
            let phone = Self.phone()
            _ = try await boss(
                AccountEndpoints.addValet(
                    body: NewValetBody(
                        firstName: "Val", lastName: "Lam", phone: phone,
                        password: "a password of a bench")))
            let client = system.client()
            let signedIn = try await client.signIn(phone: phone, password: "a password of a bench")
            self.valets[signedIn.account.id] = Member(client: client, id: signedIn.account.id)
            try await client(
                LocationEndpoints.setAvailability(body: AvailabilityBody(status: .available))
            )
        }
        try await report()
    }

    private static func phone() -> String {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        return "+8526\(String(format: "%07d", number))"
    }

    /// Every valet says where they are: a silent one is offered no job.
    func report() async throws {
        for valet in valets.values {
            let jitter = Double.random(in: -0.0005...0.0005)
            try await valet.client(
                LocationEndpoints.recordPosition(
                    body: PositionBody(
                        latitude: Self.place.latitude + jitter, longitude: Self.place.longitude,
                        accuracyMeters: 5)))
        }
    }
}
