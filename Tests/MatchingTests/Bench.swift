import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import Kafka
import Redis
import Routing
import ServiceKit
import Support
import Synchronization
import Testing

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
                throw Unavailable("no port")
            }
            try await body(url)
        }
    }
}

/// What matching has said on the bus; may be told to refuse.
final class Said: Sendable {
    private struct State {
        var records: [KafkaRecord] = []
        var isAway = false
    }

    private let state = Mutex(State())

    var isAway: Bool {
        get { state.withLock { $0.isAway } }
        set { state.withLock { $0.isAway = newValue } }
    }

    var records: [KafkaRecord] { state.withLock { $0.records } }

    /// Of each record.
    var ids: [String] {
        records.compactMap { record in record.headers.first { $0.name == "ce_id" }?.value }
    }

    func take(_ records: [KafkaRecord]) throws {
        try state.withLock { state in
            guard !state.isAway else { throw KafkaError(.retriable, "away") }
            state.records += records
        }
    }

    /// What a reader with an inbox makes of it.
    private func events<E: Event>(_ type: E.Type) -> [E] {
        var heard: Set<String> = []
        return zip(records, ids).filter { record, id in
            record.headers.contains { $0.name == "ce_type" && $0.value == E.type }
                && heard.insert(id).inserted
        }.compactMap { try? Wire.decode(E.self, from: $0.0.value) }
    }

    var matched: [ValetMatched] { events(ValetMatched.self) }
    var nobody: [NoValetFound] { events(NoValetFound.self) }
}

/// Matching beside a real Redis and a location over HTTP; the time stands still unless moved.
struct Bench: Sendable {
    static let area = ServiceAreaID("hk-island")!
    static let centre = Coordinate(latitude: 22.2819, longitude: 114.1556)

    let clock: TestClock
    let redis: TestRedis
    let location: PretendLocation
    let said: Said
    let url: URL
    let environment: ServiceEnvironment
    let parts: MatchingParts

    var matching: MatchingUseCases { MatchingUseCases(parts) }
    var reactions: Reactions { matchingReactions(matching) }

    private init(
        _ rules: MatchingRules, _ clock: TestClock, _ redis: TestRedis,
        _ location: PretendLocation, _ said: Said, _ url: URL, _ roads: Roads
    ) throws {
        self.clock = clock
        self.redis = redis
        self.location = location
        self.said = said
        self.url = url
        environment = try ServiceEnvironment.test(
            "matching", clock: clock, redis: redis.address)
        parts = MatchingParts(
            environment, rules: rules, store: MatchingStore(redis: redis.pool),
            location: environment.peer(url, audience: "location"), roads: roads,
            announcer: Announcer { try said.take($0) })
    }

    /// Looks again soon, so that moving the clock is noticed soon.
    static let rules = MatchingRules(
        patienceSeconds: 20, windowSeconds: 2, graceSeconds: 10, retry: .milliseconds(20))

    /// With a database of the shared Redis, unless a server is given.
    static func with(
        _ rules: MatchingRules = rules, roads: Roads = Roads(nil, attribution: nil),
        redis: TestRedis? = nil, _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        let shared = try await TestRedis.shared()
        let location = PretendLocation()
        try await location.serve { url in
            try await body(
                Bench(rules, TestClock(), redis ?? shared, location, Said(), url, roads))
        }
    }

    /// Another replica, or the same one after a restart: nothing of memory is kept.
    func again() throws -> Bench {
        try Bench(parts.rules, clock, redis, location, said, url, parts.roads)
    }

    /// Runs the loops while `body` does.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Matcher(parts: parts).run() }
            try await body()
            group.cancelAll()
        }
    }

    func receive(_ event: some Event) async throws {
        try await reactions.receive(event, .of(event, at: clock.now))
    }

    /// Orders has acted on the answer.
    func assign(_ order: OrderSnapshot, _ valet: ValetID) async throws {
        try await receive(
            ValetAssigned(
                order: order.then(.droppingOff), leg: .dropOff, valet: valet,
                meetingPoint: order.dropOff))
    }

    // MARK: Mothers

    /// So many metres east of the centre.
    static func place(_ metersEast: Double) -> Coordinate {
        let metersPerDegree = 111_195.0 * 0.92532
        return Coordinate(
            latitude: centre.latitude, longitude: centre.longitude + metersEast / metersPerDegree)
    }

    static func valet(_ metersEast: Double, idle: Double = 0) -> PretendLocation.Valet {
        PretendLocation.Valet(id: .new(), at: place(metersEast), idleSeconds: idle)
    }

    func order(version: Int = 1) -> OrderSnapshot {
        OrderSnapshot(
            id: .new(), ticket: "K7-42", status: .requested, version: version,
            serviceArea: Self.area, customer: .new(), dropOff: Place(Self.centre), extras: [],
            createdAt: clock.now)
    }

    static func match(
        _ metersEast: Double = 0, leg: OrderLeg = .dropOff, attempt: Int = 1,
        excluded: [ValetID] = []
    ) -> MatchRequest {
        MatchRequest(
            leg: leg, attempt: attempt, meetingPoint: Place(place(metersEast)), excluded: excluded)
    }

    /// Places an order there.
    @discardableResult
    func ask(at metersEast: Double = 0) async throws -> OrderSnapshot {
        let order = order()
        try await receive(DropOffRequested(order: order, match: Self.match(metersEast)))
        return order
    }
}

/// Expects something to become true soon.
func until(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    #expect(try await eventually(condition), sourceLocation: sourceLocation)
}

extension OrderSnapshot {
    /// The same order, later.
    func then(_ status: OrderStatus, version: Int? = nil) -> OrderSnapshot {
        var order = self
        order.status = .known(status)
        order.version = version ?? self.version + 1
        return order
    }
}
