import Contracts
import Foundation
import Redis
import ServiceKit

/// Open requests, answers on their way, held valets and traces, in Redis.
///
/// Every key of an area has the area as its hash tag, so that a script touches one slot.
struct MatchingStore: Sendable {
    /// Further requests of an area are told that nobody is available.
    static let mostOpenPerArea = 1_000
    static let mostDecisionsPerOrder = 50
    static let traceRetention = Duration.seconds(7 * 86_400)
    /// Longer than events can be replayed, so that an old one is known as such.
    static let orderRetention = Duration.seconds(8 * 86_400)
    /// Time for orders and location to hear of a match; a job that ends earlier ends the lease.
    static let leaseTime = Duration.seconds(10)
    /// Sorts after every attempt: at the same version, an end wins over a wish.
    private static let end = 1_000_000_000

    enum Opening: String { case open, old, full }

    enum Decision: String { case decided, gone, answered, leased }

    struct Stored: Sendable {
        let request: OpenRequest
        /// Set while the answer has not been acknowledged by the broker.
        let answer: MatchAnswer?
        /// As stored: what a decision compares with, lest it answers a newer wish.
        fileprivate let text: String
        fileprivate let answerText: String?
    }

    let redis: RedisPool

    /// Keeps a request, unless the order has gone on since.
    func open(_ request: OpenRequest) async throws -> Opening {
        let area = request.area
        // Before the request: an area that is listed without one does no harm.
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

    /// Forgets the request of an order; false when the order has gone on since that version.
    func forget(_ order: OrderID, area: ServiceAreaID, version: Int) async throws -> Bool {
        let reply = try await redis.run(
            script: Script.forget,
            keys: [Key.order(area, order), Key.open(area), Key.answers(area)],
            arguments: ["\(version)", "\(Self.end)", "\(order)", Self.orderRetention.text])
        return reply.int == 1
    }

    /// Everything open in an area, oldest first.
    ///
    /// What cannot be read is left to the version that wrote it, and must not stop the others.
    func stored(in area: ServiceAreaID) async throws -> [Stored] {
        let replies = try await redis.pipeline([
            RawCommand("HGETALL", Key.open(area)), RawCommand("HGETALL", Key.answers(area)),
        ])
        let (open, answers) = (try Self.fields(replies, 0), try Self.fields(replies, 1))
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

    /// Areas in which something is open.
    func openAreas() async throws -> [ServiceAreaID] {
        let names = try await redis.execute(RawCommand("SMEMBERS", Key.areas)).array ?? []
        let areas = names.compactMap { $0.string.flatMap(ServiceAreaID.init) }
        guard !areas.isEmpty else { return [] }
        let counts = try await redis.pipeline(areas.map { RawCommand("HLEN", Key.open($0)) })
        return zip(areas, counts).filter { ($0.1.int ?? 0) > 0 }.map(\.0)
    }

    /// Who of them is held by a decision.
    func held(_ valets: [ValetID], area: ServiceAreaID) async throws -> Set<ValetID> {
        guard !valets.isEmpty else { return [] }
        let keys = valets.map { Key.lease(area, $0) }
        let reply = try await redis.execute(RawCommand(["MGET"] + keys)).array ?? []
        return Set(zip(valets, reply).filter { !$0.1.isNull }.map(\.0))
    }

    /// Takes the valet and keeps the answer, both or neither; only if the request is still open.
    func decide(_ answer: MatchAnswer, for stored: Stored) async throws -> (Decision, Stored) {
        let request = stored.request
        let area = request.area
        let text = try Self.text(answer)
        let lease = answer.valet.map { Key.lease(area, $0) } ?? Key.open(area)
        let reply = try await redis.run(
            script: Script.decide,
            keys: [Key.open(area), Key.answers(area), Key.order(area, request.order), lease],
            arguments: [
                "\(request.order)", stored.text, text, answer.valet?.description ?? "",
                Self.leaseTime.text,
            ])
        let kept = Stored(
            request: request, answer: answer, text: stored.text, answerText: text)
        return (try Self.read(reply), kept)
    }

    /// Forgets a request whose answer the broker has.
    func settle(_ stored: Stored) async throws {
        let area = stored.request.area
        _ = try await redis.run(
            script: Script.settle, keys: [Key.open(area), Key.answers(area)],
            arguments: ["\(stored.request.order)", stored.text, stored.answerText ?? ""])
    }

    /// Ends the lease, if this order holds it: of the valet named, or of whom the order was given.
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

    func record(_ decision: MatchingTrace.Decision, of order: OrderID) async throws {
        let key = Key.trace(order)
        let replies = try await redis.pipeline([
            RawCommand("LPUSH", key, try Self.text(decision)),
            RawCommand("LTRIM", key, "0", "\(Self.mostDecisionsPerOrder - 1)"),
            RawCommand("PEXPIRE", key, Self.traceRetention.text),
        ])
        for case .error(let message) in replies { throw RedisError(reply: message) }
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
        /// Shared by `open` and `forget`: false when the order has gone on. KEYS[1] is the order,
        /// ARGV[1] its version, ARGV[2] the attempt.
        private static let isNews = """
            local function isNews()
                local known = redis.call('HMGET', KEYS[1], 'version', 'attempt')
                local version = tonumber(known[1] or '-1')
                local attempt = tonumber(known[2] or '-1')
                local given = tonumber(ARGV[1])
                return given > version or (given == version and tonumber(ARGV[2]) > attempt)
            end

            """

        static let open = RedisScript(
            isNews + """
                if not isNews() then return 'old' end
                local isKnown = redis.call('HEXISTS', KEYS[2], ARGV[3]) == 1
                if not isKnown and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[5]) then
                    return 'full'
                end
                redis.call('HSET', KEYS[1], 'version', ARGV[1], 'attempt', ARGV[2])
                redis.call('PEXPIRE', KEYS[1], ARGV[6])
                redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
                redis.call('HDEL', KEYS[3], ARGV[3])
                return 'open'
                """)

        static let forget = RedisScript(
            isNews + """
                if not isNews() then return 0 end
                redis.call('HSET', KEYS[1], 'version', ARGV[1], 'attempt', ARGV[2])
                redis.call('PEXPIRE', KEYS[1], ARGV[4])
                redis.call('HDEL', KEYS[2], ARGV[3])
                redis.call('HDEL', KEYS[3], ARGV[3])
                return 1
                """)

        static let decide = RedisScript(
            """
            if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'gone' end
            if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 'answered' end
            if ARGV[4] ~= '' then
                if not redis.call('SET', KEYS[4], ARGV[1], 'NX', 'PX', ARGV[5]) then
                    return 'leased'
                end
                redis.call('HSET', KEYS[3], 'valet', ARGV[4])
            end
            redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
            return 'decided'
            """)

        static let settle = RedisScript(
            """
            if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[3] then
                redis.call('HDEL', KEYS[2], ARGV[1])
                if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
                    redis.call('HDEL', KEYS[1], ARGV[1])
                end
            end
            return 1
            """)

        static let release = RedisScript(
            """
            if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
            return 1
            """)
    }
}

extension Duration {
    /// Whole milliseconds, as Redis takes them.
    fileprivate var text: String { "\(nanoseconds / 1_000_000)" }
}
