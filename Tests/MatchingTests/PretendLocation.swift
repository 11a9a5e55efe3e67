import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit
import Support
import Synchronization

@testable import Matching

/// What matching asks location for, answered over real HTTP from a list.
final class PretendLocation: Sendable {
    struct Valet: Sendable {
        let id: ValetID
        var at: Coordinate
        var idleSeconds = 0.0
    }

    private struct State {
        var valets: [Valet] = []
        var isAway = false
        var asked: [CandidateQuery] = []
    }

    private let state = Mutex(State())

    var asked: [CandidateQuery] { state.withLock { $0.asked } }

    func set(_ valets: Valet...) { state.withLock { $0.valets = valets } }
    func set(_ valets: [Valet]) { state.withLock { $0.valets = valets } }
    func goAway() { state.withLock { $0.isAway = true } }
    func comeBack() { state.withLock { $0.isAway = false } }

    private func answer(_ query: CandidateQuery) -> CandidateAnswer? {
        state.withLock { state in
            state.asked.append(query)
            guard !state.isAway else { return nil }
            let found = query.points.map { point in
                let near = state.valets
                    .map { ($0, Geo.distanceMeters(point.at, $0.at)) }
                    .filter { $0.1 <= point.radiusMeters }.sorted { $0.1 < $1.1 }
                return CandidateAnswer.Found(
                    engagement: point.engagement,
                    candidates: near.prefix(query.limit).map { valet, distance in
                        CandidateAnswer.Candidate(
                            valet: valet.id, at: valet.at, distanceMeters: distance,
                            idleSeconds: valet.idleSeconds)
                    })
            }
            return CandidateAnswer(found: found)
        }
    }

    /// Serves on a free port while `body` runs.
    func serve(_ body: @escaping @Sendable (URL) async throws -> Void) async throws {
        let router = Router()
        router.post("/internal/candidates") { request, _ in
            let bytes = try await request.body.collect(upTo: 1_024 * 1_024)
            let query = try Wire.decode(CandidateQuery.self, from: Data(bytes.readableBytesView))
            guard let answer = self.answer(query) else {
                return Response(status: .serviceUnavailable)
            }
            let json = ByteBuffer(bytes: try Wire.encode(answer))
            return Response(status: .ok, body: .init(byteBuffer: json))
        }
        try await withServer(router) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else {
                throw Refusal.unavailable("no port")
            }
            try await body(url)
        }
    }
}
