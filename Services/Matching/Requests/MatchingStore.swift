import Contracts
import Foundation
import Redis
import ServiceKit

/// Open requests, unpublished answers, held valets and traces, in Redis.
///
/// Every key of an area has the area as its hash tag, so that a script uses only one slot.
struct MatchingStore: Sendable {
    /// The version of the form of all these keys, see `RedisFormat`.
    static let format = 1
    /// The most open requests per area; further ones are answered with "nobody".
    static let mostOpenPerArea = 1_000
    static let mostDecisionsPerOrder = 50
    static let traceRetention = Duration.seconds(7 * 86_400)
    /// Longer than events can be replayed, so that an old one is recognised.
    static let orderRetention = Duration.seconds(8 * 86_400)
    /// Sorts after every attempt: at the same version, an end wins over a request.
    private static let end = 1_000_000_000

    enum Opening: String { case open, old, full }

    enum Decision: String { case decided, gone, answered, leased }

    /// Whether this replica may work on an area's requests; only one replica does so at a time.
    enum Turn: Sendable {
        case ours([Stored])
        /// Another replica is working right now.
        case busy
        /// Another replica will continue by itself.
        case others
    }

    struct Stored: Sendable {
        let request: OpenRequest
        /// Stored until the order has moved on.
        let answer: MatchAnswer?
        /// As stored. A decision compares it, so that it does not answer a newer request.
        fileprivate let text: String
        fileprivate let answerText: String?
    }

    let redis: RedisPool
    /// How long a match holds its valet while orders and location learn of it. A job that ends earlier ends the lease.
    var leaseTime = Duration.seconds(10)
    /// How long a replica may take for one look at an area and until the next. After that it counts as dead, and
    /// another continues.
    var turnTime = Duration.seconds(2)

    /// Stores a request, unless the order has moved on since.
    func open(_ request: OpenRequest) async throws -> Opening {
        let area = request.area
        // Stored before the request: an area that is listed without a request does no harm.
        _ = try await redis.execute(RawCommand("SADD", Key.areas, area.description))
        let reply = try await redis.run(
            script: Script.open,
            keys: [Key.order(area, request.order), Key.open(area), Key.answers(area)],
            arguments: [
                "\(request.version)", "\(request.match.attempt)", "\(request.order)",
                try Self.text(request), "\(Self.mostOpenPerArea)", Self.orderRetention.text,
            ])
        return try Self.read(reply)
    }

    /// Deletes an order's request. Returns false if the order has moved on since that version.
    func forget(_ order: OrderID, area: ServiceAreaID, version: Int) async throws -> Bool {
        let reply = try await redis.run(
            script: Script.forget,
            keys: [Key.order(area, order), Key.open(area), Key.answers(area)],
            arguments: ["\(version)", "\(Self.end)", "\(order)", Self.orderRetention.text])
        return reply.int == 1
    }

    /// Begins a turn on an area, and returns its requests. `takingOver` means that there is something new, so this
    /// replica takes its turn as soon as no other is working.
    func begin(_ area: ServiceAreaID, by replica: String, takingOver: Bool) async throws -> Turn {
        let reply = try await redis.run(
            script: Script.begin, keys: [Key.worker(area), Key.open(area), Key.answers(area)],
            arguments: [replica, takingOver ? "1" : "0", turnTime.text])
        switch reply.string {
        case "busy": return .busy
        case "others": return .others
        default: return .ours(try Self.stored(reply.array ?? []))
        }
    }

    /// Ends a turn. The area stays with this replica for a while, unless nothing is left to do.
    func end(_ area: ServiceAreaID, by replica: String, isOver: Bool) async throws {
        _ = try await redis.run(
            script: Script.end, keys: [Key.worker(area)],
            arguments: [replica, isOver ? "1" : "0", turnTime.text])
    }

    /// All open requests of an area, oldest first.
    func stored(in area: ServiceAreaID) async throws -> [Stored] {
        try Self.stored(
            try await redis.executeAll([
                RawCommand("HGETALL", Key.open(area)), RawCommand("HGETALL", Key.answers(area)),
            ]))
    }

    /// An unreadable entry is left to the version of the service that wrote it, and does not affect the others.
    private static func stored(_ replies: [RedisValue]) throws -> [Stored] {
        let (open, answers) = (try fields(replies, 0), try fields(replies, 1))
        return open.compactMap { order, text in
            guard let request = try? Wire.decode(OpenRequest.self, from: Data(text.utf8))
            else { return nil }
            let answer = answers[order].flatMap { text in
                try? Wire.decode(MatchAnswer.self, from: Data(text.utf8))
            }
            return Stored(
                request: request, answer: answer, text: text, answerText: answers[order])
        }.sorted { left, right in
            (left.request.openedAt, left.request.order)
                < (right.request.openedAt, right.request.order)
        }
    }

    /// Areas with open requests that no replica works on.
    func unattendedAreas() async throws -> [ServiceAreaID] {
        let names = try await redis.execute(RawCommand("SMEMBERS", Key.areas)).array ?? []
        let areas = names.compactMap { $0.string.flatMap(ServiceAreaID.init) }
        guard !areas.isEmpty else { return [] }
        let open = try await redis.executeAll(areas.map { RawCommand("HLEN", Key.open($0)) })
        let workers = try await redis.executeAll(
            areas.map { RawCommand("EXISTS", Key.worker($0)) })
        return zip(areas, zip(open, workers)).filter { _, counts in
            counts.0.int ?? 0 > 0 && counts.1.int == 0
        }.map(\.0)
    }

    /// Those of the valets who are held by a decision.
    func held(_ valets: [ValetID], area: ServiceAreaID) async throws -> Set<ValetID> {
        guard !valets.isEmpty else { return [] }
        let keys = valets.map { Key.lease(area, $0) }
        let reply = try await redis.execute(RawCommand(["MGET"] + keys)).array ?? []
        return Set(zip(valets, reply).filter { !$0.1.isNull }.map(\.0))
    }

    /// Holds the valet and stores the answer, or does neither. Both require that the request is still open.
    func decide(
        _ answers: [(answer: MatchAnswer, to: Stored)], area: ServiceAreaID
    ) async throws -> [(Decision, Stored)] {
        guard !answers.isEmpty else { return [] }
        let decided = try answers.map { answer, stored in
            Stored(
                request: stored.request, answer: answer, text: stored.text,
                answerText: try Self.text(answer))
        }
        let keys = zip(answers, decided).flatMap { pair, stored in
            [
                Key.order(area, stored.request.order),
                pair.answer.valet.map { Key.lease(area, $0) } ?? Key.open(area),
            ]
        }
        let arguments = zip(answers, decided).flatMap { pair, stored in
            [
                "\(stored.request.order)", stored.text, stored.answerText ?? "",
                pair.answer.valet?.description ?? "",
            ]
        }
        let reply = try await redis.run(
            script: Script.decide, keys: [Key.open(area), Key.answers(area)] + keys,
            arguments: [leaseTime.text] + arguments)
        let decisions: [Decision] = try (reply.array ?? []).map(Self.read)
        return Array(zip(decisions, decided))
    }

    /// Records that the broker has these answers. Answers that were repeated for long enough are deleted.
    func settle(_ stored: [Stored], in area: ServiceAreaID, at now: Date) async throws {
        let arguments = try stored.flatMap { entry -> [String] in
            guard var answer = entry.answer, let text = entry.answerText else { return [] }
            answer.saidAt = now
            return ["\(answer.order)", text, answer.isOver(at: now) ? "" : try Self.text(answer)]
        }
        guard !arguments.isEmpty else { return }
        _ = try await redis.run(
            script: Script.settle, keys: [Key.open(area), Key.answers(area)], arguments: arguments)
    }

    /// Ends the lease of the valet, or of the valet last matched to the order, if this order holds it.
    func release(_ valet: ValetID?, heldBy order: OrderID, area: ServiceAreaID) async throws {
        var valet = valet
        if valet == nil {
            let reply = try await redis.execute(
                RawCommand("HGET", Key.order(area, order), "valet"))
            valet = reply.string.flatMap { ValetID($0) }
        }
        guard let valet else { return }
        _ = try await redis.run(
            script: Script.release, keys: [Key.lease(area, valet)], arguments: ["\(order)"])
    }

    func record(_ decisions: [(order: OrderID, decision: MatchingTrace.Decision)]) async throws {
        let commands = try decisions.flatMap { order, decision in
            let key = Key.trace(order)
            return [
                RawCommand("LPUSH", key, try Self.text(decision)),
                RawCommand("LTRIM", key, "0", "\(Self.mostDecisionsPerOrder - 1)"),
                RawCommand("PEXPIRE", key, Self.traceRetention.text),
            ]
        }
        _ = try await redis.executeAll(commands)
    }

    /// Newest first.
    func decisions(of order: OrderID) async throws -> [MatchingTrace.Decision] {
        let command = RawCommand("LRANGE", Key.trace(order), "0", "-1")
        return try (try await redis.execute(command).array ?? []).compactMap { value in
            try value.string.map { try Wire.decode(from: Data($0.utf8)) }
        }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try Wire.encode(value), as: UTF8.self)
    }

    private static func read<Answer: RawRepresentable<String>>(
        _ reply: RedisValue
    ) throws -> Answer {
        guard let answer = reply.string.flatMap(Answer.init) else {
            throw RedisError(.protocol, "A script of matching answered with something else")
        }
        return answer
    }

    private static func fields(_ replies: [RedisValue], _ index: Int) throws -> [String: String] {
        guard index < replies.count, let values = replies[index].array else {
            throw RedisError(.protocol, "HGETALL answered with something else")
        }
        var fields: [String: String] = [:]
        for pair in stride(from: 0, to: values.count - 1, by: 2) {
            if let name = values[pair].string { fields[name] = values[pair + 1].string }
        }
        return fields
    }
}

extension MatchingStore {
    enum Key {
        static let areas = "matching:areas"
        static func worker(_ area: ServiceAreaID) -> String { "{\(area)}:matching:worker" }
        static func open(_ area: ServiceAreaID) -> String { "{\(area)}:matching:open" }
        static func answers(_ area: ServiceAreaID) -> String { "{\(area)}:matching:answers" }
        static func order(_ area: ServiceAreaID, _ order: OrderID) -> String {
            "{\(area)}:matching:order:\(order)"
        }
        static func lease(_ area: ServiceAreaID, _ valet: ValetID) -> String {
            "{\(area)}:matching:lease:\(valet)"
        }
        static func trace(_ order: OrderID) -> String { "matching:trace:\(order)" }
    }

    private enum Script {
        static let open = RedisScript(PackageResources.newer_lua, PackageResources.open_lua)

        static let forget = RedisScript(PackageResources.newer_lua, PackageResources.forget_lua)

        /// ARGV[1] is the replica, ARGV[2] whether it takes over, and ARGV[3] the length of the turn.
        static let begin = RedisScript(PackageResources.begin_lua)

        static let end = RedisScript(PackageResources.end_lua)

        /// For each answer two keys, its order and its valet's lease, and four arguments.
        static let decide = RedisScript(PackageResources.decide_lua)

        /// For each answer its order, its old text and its new text, which is empty once it is over.
        static let settle = RedisScript(PackageResources.settle_lua)

        static let release = RedisScript(PackageResources.release_lua)
    }
}

extension Duration {
    /// Whole milliseconds, as Redis expects them.
    fileprivate var text: String { "\(nanoseconds / 1_000_000)" }
}
