import Contracts
import Foundation
import Geo
import Redis
import ServiceKit
import Synchronization

/// The parts of a service area that location needs.
struct KnownArea: Sendable {
    let id: ServiceAreaID
    let area: Area
}

/// The service areas in memory. They are copied from Redis, where events of areas keep them up to date.
final class AreaBook: Sendable {
    private struct State {
        var revision: Int?
        var areas: [KnownArea] = []
    }

    private let store: AreaStore
    private let state = Mutex(State())

    init(_ store: AreaStore) { self.store = store }

    /// Throws until the areas are read, so that no point counts as outside all areas before.
    func areas() throws -> [KnownArea] {
        try state.withLock { state in
            guard state.revision != nil else {
                throw Refusal.unavailable("The service areas are not read yet.")
            }
            return state.areas
        }
    }

    /// The first area, by name, that contains the point.
    static func region(of point: Coordinate, in areas: [KnownArea]) -> Region {
        Region(area: areas.first { $0.area.contains(point) }?.id)
    }

    /// All regions in which people may be.
    func regions() throws -> [Region] { [.nowhere] + (try areas().map { Region(area: $0.id) }) }

    /// Reads the areas again if they have changed.
    func refresh() async throws {
        let revision = try await store.revision()
        guard state.withLock({ $0.revision != revision }) else { return }
        let read = try await store.all()
        state.withLock { $0 = State(revision: revision, areas: read) }
    }
}

/// Service areas in Redis.
struct AreaStore: Sendable {
    let redis: RedisPool

    /// Stores only a newer version of an area, as an event may arrive twice, late or out of order.
    private static let keep = RedisScript(PackageResources.keepArea_lua)

    func keep(_ change: ServiceAreaChanged) async throws {
        let geometry = String(decoding: try Wire.encode(change.feature.geometry), as: UTF8.self)
        // An invalid area would break every reader of the list.
        _ = try Area(change.feature.geometry)
        _ = try await redis.run(
            script: Self.keep, keys: [LocationKeys.areas],
            arguments: [
                change.area.description, String(change.version), geometry,
                LocationKeys.areasRevision,
            ])
    }

    func revision() async throws -> Int {
        try await redis.execute(
            RawCommand("HGET", LocationKeys.areas, LocationKeys.areasRevision)
        ).int ?? 0
    }

    func all() async throws -> [KnownArea] {
        try await stored().map { id, _, geometry in
            let shape = try Wire.decode(AreaGeometry.self, from: Data(geometry.utf8))
            return KnownArea(id: id, area: try Area(shape))
        }
    }

    /// As `openvalet doctor` compares them.
    func count() async throws -> StateCount {
        let marks = try await stored().map { StateMark(.areas, $0.id, version: $0.version) }
        return StateDigest(marks).count(of: .areas)
    }

    private func stored() async throws -> [(id: ServiceAreaID, version: Int, geometry: Substring)] {
        let fields = try await redis.execute(RawCommand("HGETALL", LocationKeys.areas)).pairs
        return fields.sorted { $0.key < $1.key }.compactMap { name, text in
            guard let id = ServiceAreaID(name), let space = text.firstIndex(of: " "),
                let version = Int(text[..<space])
            else { return nil }
            return (id, version, text[text.index(after: space)...])
        }
    }
}

extension RedisValue {
    /// A flat list of names and values, as returned by `HGETALL`.
    var pairs: [String: String] {
        let texts = (array ?? []).map { $0.string ?? "" }
        var pairs: [String: String] = [:]
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            pairs[texts[index]] = texts[index + 1]
        }
        return pairs
    }
}
