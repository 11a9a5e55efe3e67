import Contracts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Routing
import ServiceKit
import Store

/// All car parks in formats for other systems. Each document is cached for `seconds` and shared by all requests.
struct CarParkExports: Sendable {
    enum Format: Sendable, Hashable, CaseIterable { case geoJSON, apds, datex }

    /// The most car parks in one document.
    static let most = 10_000
    /// Car parks per query.
    private static let batch = 500
    /// How long a document is cached, in seconds.
    static let seconds = 30.0

    struct Document: Sendable {
        let body: ByteBuffer
        let tag: String
    }

    let database: Database
    let clock: ServiceClock
    private let documents = BoundedCache<Format, Document>(
        most: Format.allCases.count, seconds: Self.seconds)
    private let gate = SerialGate()

    init(database: Database, clock: ServiceClock) {
        (self.database, self.clock) = (database, clock)
    }

    func response(to request: Request, _ format: Format) async throws -> Response {
        let document = try await document(format)
        var headers: HTTPFields = [
            .eTag: document.tag, .cacheControl: "public, max-age=\(Int(Self.seconds))",
        ]
        if request.knows(document.tag) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] =
            format == .geoJSON ? MediaType.geoJSON.rawValue : MediaType.json.rawValue
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: document.body))
    }

    /// The document, made if there is no fresh one. Requests that wait while it is made get the same document.
    func document(_ format: Format) async throws -> Document {
        @Sendable func known() -> Document? { documents.value(of: format, at: clock.now)?.value }
        if let document = known() { return document }
        return try await gate.take {
            if let document = known() { return document }
            return try await make(format, at: clock.now)
        }
    }

    /// Documents that differ only in the time they were made have the same tag, which is therefore weak (RFC 9110
    /// §8.8.1).
    private func make(_ format: Format, at now: Date) async throws -> Document {
        let carParks = try await carParks(at: now)
        let undated = try Self.data(carParks.map(\.undated), format, at: CarPark.undatedAt)
        let hash = SHA256.hash(data: undated).prefix(16).hex
        let document = Document(
            body: ByteBuffer(bytes: try Self.data(carParks, format, at: now)),
            tag: "W/\"\(hash)\"")
        documents.keep(document, of: format, at: now)
        return document
    }

    private static func data(_ carParks: [CarPark], _ format: Format, at now: Date) throws -> Data {
        let value =
            switch format {
            case .geoJSON: carParks.geoJSON
            case .apds: carParks.apds
            case .datex: carParks.datexStatus(at: now)
            }
        let encoder = JSONEncoder()
        // Sorted keys give the same bytes for the same car parks.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    private func carParks(at now: Date) async throws -> [CarPark] {
        try await database.read { transaction in
            let records = try transaction.carParks.list(in: [], words: nil, most: Self.most)
            return try records.chunks(of: Self.batch).flatMap { part in
                let ids = part.map(\.id)
                let (spaces, products, tariffs) = (
                    try transaction.carParks.liveSpaces(of: part, at: now),
                    try transaction.carParks.products(of: ids),
                    try transaction.tariffs.published(of: ids)
                )
                return part.map { record in
                    var carPark = CarPark(
                        id: record.id, record.body, terms: record.terms,
                        products: (products[record.id] ?? []).filter(\.isOffered),
                        spaces: spaces[record.id] ?? [], version: record.version)
                    carPark.tariff = tariffs[record.id]
                    carPark.status = record.status(with: carPark.spaces)
                    carPark.openingState = record.openingState(at: now)
                    carPark.isOpenNow = carPark.openingState == .open
                    return carPark
                }
            }
        }
    }
}

extension CarPark {
    fileprivate static let undatedAt = Date(timeIntervalSince1970: 0)

    /// Without the times of counts by gates, which are always those of the request.
    fileprivate var undated: CarPark {
        var carPark = self
        for index in spaces.indices where spaces[index].source == .gates {
            carPark.spaces[index].at = Self.undatedAt
        }
        return carPark
    }
}
