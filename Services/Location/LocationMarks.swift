import Contracts
import Foundation
import Redis
import ServiceKit

/// Marks in Redis that location has copies of everything that it needs. If Redis, or a part of it, comes back empty,
/// marks are missing, and all copies are filled again.
struct LocationMarks: CopyMarks {
    private static let (filling, whole) = ("filling", "whole")

    let redis: RedisPool

    var lookPause: Duration? { .seconds(2) }

    func gaps(in kinds: [StateKind]) async throws -> [CopyGap] {
        let marks = try await send { RawCommand("GET", $0) }
        guard marks.contains(where: { $0.string != Self.whole }) else { return [] }
        return kinds.map { CopyGap($0, isUrgent: true) }
    }

    func begin(_ gaps: [CopyGap]) async throws {
        _ = try await send { RawCommand("SET", $0, Self.filling, "NX") }
    }

    /// A mark that was lost in the meantime stays missing.
    func finish(_ kinds: [StateKind]) async throws {
        guard !kinds.isEmpty else { return }
        _ = try await send { RawCommand("SET", $0, Self.whole, "XX") }
    }

    private func send(_ command: (String) -> RawCommand) async throws -> [RedisValue] {
        try await redis.executeAll(LocationKeys.marks.map(command))
    }
}
