import Contracts
import Foundation
import Redis
import ServiceKit

/// Marks in Redis that location has copies of what it needs. If Redis, or a part of it, comes back empty, marks of each
/// kind are missing, and all copies are filled again.
struct LocationMarks: CopyMarks {
    private enum Mark: String { case filling, untold, whole }

    private static let numbers = 0..<16

    let redis: RedisPool

    var lookPause: Duration? { .seconds(2) }

    func gaps(in kinds: [StateKind]) async throws -> [CopyGap] {
        let replies = try await redis.executeAll(
            Self.numbers.map { number in
                RawCommand(["MGET"] + kinds.map { LocationKeys.mark(number, $0) })
            })
        return kinds.enumerated().compactMap { index, kind in
            let marks = replies.map { $0.array?[index].string.flatMap(Mark.init) ?? .filling }
            if marks.allSatisfy({ $0 == .whole }) { return nil }
            return CopyGap(kind, isUrgent: marks.contains(.filling))
        }
    }

    func begin(_ gaps: [CopyGap]) async throws {
        try await set(gaps.map(\.kind), .filling, if: "NX")
    }

    func finish(_ kinds: [StateKind]) async throws { try await set(kinds, .whole, if: "XX") }

    func skip(_ kinds: [StateKind]) async throws { try await set(kinds, .untold, if: "XX") }

    /// `XX` doesn't set a mark that was lost in the meantime, `NX` sets only those.
    private func set(_ kinds: [StateKind], _ mark: Mark, if condition: String) async throws {
        _ = try await redis.executeAll(
            kinds.flatMap { kind in
                Self.numbers.map { number in
                    RawCommand("SET", LocationKeys.mark(number, kind), mark.rawValue, condition)
                }
            })
    }
}
