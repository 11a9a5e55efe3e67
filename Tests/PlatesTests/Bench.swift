import Answers
import Blobs
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import AlprStub
@testable import Plates

/// Plates as it runs, beside the stub of a recogniser on a port of its own, with a clock that stands still.
struct Bench: Sendable {
    static let key = "a key+of/tests&more"

    let clock = TestClock()
    let environment: ServiceEnvironment
    let database: Database
    let blobs: FolderBlobs
    let folder: TestFolder
    let stub = AlprStub(key: Self.key)
    let patience: Duration
    let owners: Owners

    /// Impatient unless told otherwise: most tests have nothing to wait for.
    init(patience: Duration = .zero, owner: URL? = nil) throws {
        environment = try ServiceEnvironment.test("plates", clock: clock)
        database = try environment.database(plateMigrations)
        folder = try TestFolder("plates")
        blobs = try FolderBlobs(folder.path)
        self.patience = patience
        owners = Owners(
            [owner].compactMap(\.self).map { [environment] in
                // A busy machine is slow.
                environment.peer($0, audience: "owner", within: Support.patience)
            })
    }

    func plates(recogniserAt port: Int = 1, key: String = Self.key) -> PlateUseCases {
        let url = URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
        let settings = AlprSettings(url: url, key: key, country: "gb")
        return PlateUseCases(
            database: database, blobs: blobs,
            recogniser: AlprRecogniser(
                settings, client: environment.httpClient, tryLimit: Support.patience),
            addresses: environment.signedAddresses, clock: environment.clock,
            logger: environment.logger, owners: owners, patience: patience)
    }

    func run(_ body: @escaping @Sendable (Caller) async throws -> Void) async throws {
        try await withServer(stubRouter(stub)) { port in
            let router = plateRouter(plates(recogniserAt: port), environment)
            try await Application(router: router).test(.router) { client in
                try await body(Caller(client: client, clock: clock))
            }
        }
    }

    /// Hears an event as if it came from the bus; of an order's, what the platform hears of it.
    func hear(_ event: some Event, id: EventID = .new()) async throws {
        if let event = event as? any OrderEvent {
            return try await hear(EngagementChanged(event.order), id: id)
        }
        let delivery = Delivery.of(event, id: id, at: clock.now)
        try await plateReactions(plates()).receive(event, delivery)
    }

    /// Alice's order, which Victor serves.
    @discardableResult
    func order(
        _ status: OrderStatus = .parking, version: Int = 3, id: OrderID = .new()
    ) async throws -> OrderSnapshot {
        let order = OrderSnapshot.of(status, version: version, id: id, at: clock.now)
        try await hear(OrderOverdue(order: order, limitSeconds: 60))
        return order
    }

    func made() async throws -> [RecognitionMade] {
        try await outboxEvents(of: RecognitionMade.self, in: database)
    }

    func taken() async throws -> [PhotoTaken] {
        try await outboxEvents(of: PhotoTaken.self, in: database)
    }

    /// Pictures that are kept.
    var files: [String] {
        let path = folder.url.appending(path: "vehicles").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}

extension OrderSnapshot {
    static func of(
        _ status: OrderStatus, version: Int, id: OrderID, at now: Date
    ) -> OrderSnapshot {
        var order = OrderSnapshot(
            id: id, ticket: "K7-42", status: status, version: version,
            serviceArea: ServiceAreaID("hk-island")!, customer: TestPerson.alice.customer,
            dropOff: Place(latitude: 22.2819, longitude: 114.1556), extras: [], createdAt: now)
        order.dropOffValet = TestPerson.victor.valet
        order.vehicle = OrderVehicle(
            id: nil, plate: "AB 1234", make: "Toyota", model: "Camry", colour: "red")
        if status.isEnd { order.endedAt = now }
        return order
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "plates"

    let client: any TestClientProtocol
    let clock: TestClock

    /// With a picture, if any.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ picture: Data? = nil,
        as person: TestPerson?, key: String? = nil
    ) async throws -> Answer {
        try await call(
            method, path, raw: picture, as: person, key: key,
            headers: picture == nil ? [:] : [.contentType: "application/octet-stream"])
    }

    func recognise(
        _ picture: Data, of order: OrderID? = nil, as person: TestPerson? = .victor,
        key: String? = nil
    ) async throws -> Answer {
        let query = order.map { "?orderId=\($0)" } ?? ""
        return try await send(
            .post, "/v1/plates/recognitions\(query)", picture, as: person, key: key)
    }

    func photograph(
        _ picture: Data = TestPicture.jpeg(), of order: OrderID,
        _ query: String = "moment=handOver",
        as person: TestPerson? = .victor, key: String? = nil
    ) async throws -> Answer {
        try await send(.post, "/v1/orders/\(order)/photos?\(query)", picture, as: person, key: key)
    }

    func photos(
        of order: OrderID, _ query: String = "", as person: TestPerson?
    ) async throws -> Answer {
        try await send(.get, "/v1/orders/\(order)/photos\(query)", as: person)
    }

    /// As a browser does: without a token.
    func open(_ address: String) async throws -> Answer { try await send(.get, address, as: nil) }
}
