import Answers
import Contracts
import EventBus
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceKit
import Store
import Support
import Testing

@testable import Areas

extension Tariff {
    static let usual = Tariff.standard(currency: "HKD")

    static var free: Tariff {
        var tariff = Tariff.usual
        (tariff.baseFee, tariff.incrementPrice, tariff.dailyCap) = (0, 0, 0)
        (tariff.cancellationFee, tariff.noShowFee) = (0, 0)
        return tariff
    }
}

/// Areas as it runs, with a clock that stands still.
struct Bench: Sendable {
    let clock = TestClock()
    let environment: ServiceEnvironment
    let areas: AreaUseCases

    var database: Database { areas.database }

    /// In memory, unless a folder is given.
    init(folder: String? = nil) async throws {
        environment = try ServiceEnvironment.test("areas", clock: clock, folder: folder)
        areas = AreaUseCases(
            database: try environment.database(areaMigrations), clock: environment.clock)
        try await areas.seed()
    }

    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        try await Application(router: areaRouter(areas, environment)).test(.router) { client in
            try await body(Caller(client: client, bench: self))
        }
    }

    func published<E: Event>(_ type: E.Type) async throws -> [E] {
        try await outboxEvents(of: type, in: database)
    }
}

/// A client that speaks to the router.
struct Caller: Sendable {
    let client: any TestClientProtocol
    let bench: Bench

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil,
        as person: TestPerson? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        let text = try body.map { String(decoding: try Wire.encode($0), as: UTF8.self) }
        return try await call(method, path, raw: text, as: person, headers: headers)
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, raw: String?, as person: TestPerson?,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let person {
            headers[.authorization] = try await person.bearer(at: bench.clock.now)
        }
        if raw != nil { headers[.contentType] = "application/json" }
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: raw.map { ByteBuffer(string: $0) })
        return Answer(response)
    }
}
