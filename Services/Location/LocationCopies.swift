import Contracts
import Foundation
import Redis
import ServiceKit

extension Location {
    /// The copies, as `openvalet doctor` compares them with their owners.
    func counts() async throws -> [StateCount] {
        let valets = try await useCases.store.valets()
        return [
            try await areaStore.count(), valets.count(of: .valets), valets.count(of: .shifts),
            try await useCases.store.openEngagements(),
        ]
    }
}

extension [StateMark] {
    fileprivate func count(of set: StateSet) -> StateCount {
        StateDigest(filter { $0.set == set }).count(of: set)
    }
}

// All keys are looked through, so that nothing has to be kept for these counts.
extension LocationStore {
    /// Valets whose account has been heard of, with its version, and those who are on shift.
    fileprivate func valets() async throws -> [StateMark] {
        let keys = Array(try await redis.keys(matching: LocationKeys.people))
        let replies = try await redis.executeAll(
            keys.map { RawCommand("HMGET", $0, "role", "epoch", "moved", "account", "told") })
        // A person who has moved may have a state in two regions: the last one counts, even if the move is unfinished.
        var newest: [PersonID: (rank: Int, marks: [StateMark])] = [:]
        for (key, reply) in zip(keys, replies) {
            let fields = (reply.array ?? []).map { $0.string ?? "" }
            guard let person = key.split(separator: ":").last.flatMap({ PersonID(String($0)) }),
                fields.count == 5, fields[0] == "valet", let epoch = Int(fields[1]),
                let account = Int(fields[3])
            else { continue }
            let rank = 2 * epoch + (fields[2].isEmpty ? 1 : 0)
            guard rank > newest[person]?.rank ?? -1 else { continue }
            var marks: [StateMark] = []
            if account > 0 { marks.append(StateMark(.valets, person, version: account)) }
            if fields[4] != ValetStatus.offline.rawValue {
                marks.append(StateMark(.shifts, person, version: 0))
            }
            newest[person] = (rank, marks)
        }
        return newest.values.flatMap(\.marks)
    }

    fileprivate func openEngagements() async throws -> StateCount {
        let keys = try await redis.keys(matching: LocationKeys.engagements)
        let replies = try await redis.executeAll(
            keys.map { RawCommand("HGET", $0, "body") })
        let marks = try replies.compactMap(\.string).flatMap { body in
            EngagementChanged(try Wire.decode(Engagement.self, from: Data(body.utf8))).marks
        }
        return marks.count(of: .engagements)
    }
}
