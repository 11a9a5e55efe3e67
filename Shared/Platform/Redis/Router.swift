import Synchronization

/// Sends each command to the server that has its key, and again as long as that is safe and in time.
final class Router: Sendable {
    /// The first repetition is immediate; later ones wait this long, and twice as long each time.
    private static let pause: Duration = .milliseconds(5)
    private static let longestPause: Duration = .milliseconds(200)

    private let configuration: RedisConfiguration
    private let discovery: Discovery
    private struct Nodes {
        var byAddress: [RedisAddress: RedisNode] = [:]
        /// That of the map by which they were chosen.
        var version = 0
    }

    private let nodes = Mutex(Nodes())

    init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        discovery = Discovery(configuration)
    }

    /// The replies in order. An error reply is a refusal by the server, or an obstacle that has lasted too long.
    func send(_ commands: [[String]]) async throws(RedisError) -> [RedisValue] {
        let deadline = ContinuousClock.now + configuration.commandTimeout
        var replies = [RedisValue](repeating: .null, count: commands.count)
        var calls = commands.enumerated().map { Call(index: $0.offset, command: $0.element) }
        var pause = Duration.zero
        while true {
            let round = await round(calls, before: deadline)
            if let failure = round.failure, !round.maySendAgain { throw failure }
            for (index, reply) in round.replies { replies[index] = reply }
            calls = round.open.sorted { $0.index < $1.index }
            if calls.isEmpty { return replies }
            if ContinuousClock.now + pause >= deadline || Task.isCancelled {
                // A refusal says more than the end of the time.
                if let failure = round.failure, !calls.allSatisfy({ replies[$0.index].isError }) {
                    throw failure
                }
                return replies
            }
            if pause > .zero { try? await Task.sleep(for: pause) }
            pause = min(max(pause * 2, Self.pause), Self.longestPause)
        }
    }

    /// Throws unless every slot has a server, and all of these answer.
    func ping() async throws(RedisError) {
        let map = try await discovery.map().map
        var round = Round()
        if !map.isComplete { round.failure = RedisError(.unavailable, "Some slots have no server") }
        let packets = Dictionary(
            uniqueKeysWithValues: map.servers.map { server in
                (Route(server: server), [Call(index: 0, command: ["PING"])])
            })
        await exchange(packets, &round, before: .now + configuration.commandTimeout)
        if round.failure != nil || !round.open.isEmpty { discovery.doubt() }
        if let failure = round.failure { throw failure }
        for case (_, .error(let message)) in round.replies { throw RedisError(reply: message) }
    }

    /// Throws as `ping` does.
    func keys(matching pattern: String) async throws(RedisError) -> Set<String> {
        let map = try await discovery.map().map
        guard map.isComplete else { throw RedisError(.unavailable, "Some slots have no server") }
        var keys: Set<String> = []
        for server in map.servers {
            var cursor = "0"
            repeat {
                let reply = try await answer(
                    ["SCAN", cursor, "MATCH", pattern, "COUNT", "1000"], of: server)
                guard let parts = reply.array, parts.count == 2, let next = parts[0].string,
                    let found = parts[1].array
                else { throw RedisError(.protocol, "SCAN answered with another form") }
                keys.formUnion(found.compactMap(\.string))
                cursor = next
            } while cursor != "0"
        }
        return keys
    }

    private func answer(
        _ command: [String], of server: RedisAddress
    ) async throws(RedisError) -> RedisValue {
        let reply: RedisValue
        do throws(SendFailure) {
            let replies = try await node(at: server).send(
                [command], before: .now + configuration.commandTimeout)
            reply = replies.first ?? .null
        } catch {
            discovery.doubt()
            throw error.error
        }
        if case .error(let message) = reply { throw RedisError(reply: message) }
        return reply
    }

    /// Sends all calls once.
    private func round(
        _ calls: [Call], before deadline: ContinuousClock.Instant
    ) async -> Round {
        var round = Round()
        let (map, version): (SlotMap, Int)
        do throws(RedisError) {
            (map, version) = try await discovery.map()
        } catch {
            round.failure = error
            round.open = calls
            return round
        }
        forgetNodes(outside: map, version)
        var packets: [Route: [Call]] = [:]
        for call in calls {
            if let route = call.route(map) {
                packets[route, default: []].append(call)
            } else {
                round.add(
                    .error("CLUSTERDOWN No server is known for this key"), to: call, from: nil)
            }
        }
        await exchange(packets, &round, before: deadline)
        if !round.maySendAgain {
            discovery.doubt()
        } else if round.isMapStale {
            // If nobody can be asked, the next round sends to the same servers, or ends.
            try? await discovery.refresh(after: version)
        }
        // After the refresh, since the one that was asked may not have heard of the move.
        for (slot, server) in round.moves { discovery.move(slot, to: server) }
        return round
    }

    private func exchange(
        _ packets: [Route: [Call]], _ round: inout Round, before deadline: ContinuousClock.Instant
    ) async {
        typealias Sent = (Route, [Call], Result<[RedisValue], SendFailure>)
        if let (route, calls) = packets.first, packets.count == 1 {
            add((route, calls, await send(calls, to: route, before: deadline)), to: &round)
            return
        }
        await withTaskGroup(of: Sent.self) { group in
            for (route, calls) in packets {
                group.addTask {
                    (route, calls, await self.send(calls, to: route, before: deadline))
                }
            }
            for await sent in group { add(sent, to: &round) }
        }
    }

    private func add(
        _ sent: (route: Route, calls: [Call], result: Result<[RedisValue], SendFailure>),
        to round: inout Round
    ) {
        switch sent.result {
        case .success(let replies):
            for (call, reply) in zip(sent.calls, replies) {
                round.add(reply, to: call, from: sent.route.server)
            }
        case .failure(let failure):
            // Without others, a server that is away is not waited for, only one that is not ready.
            let isHopeless = configuration.topology == .single && !failure.error.isObstacle
            round.add(failure, to: sent.calls, isFinal: failure.mayHaveRun || isHopeless)
        }
    }

    private func send(
        _ calls: [Call], to route: Route, before deadline: ContinuousClock.Instant
    ) async -> Result<[RedisValue], SendFailure> {
        let commands = calls.map(\.command)
        do throws(SendFailure) {
            let node = node(at: route.server)
            guard route.isAsking else {
                return .success(try await node.send(commands, before: deadline))
            }
            let replies = try await node.send(
                commands.flatMap { [["ASKING"], $0] }, before: deadline)
            return .success(replies.indices.filter { $0 % 2 == 1 }.map { replies[$0] })
        } catch {
            return .failure(error)
        }
    }

    private func node(at server: RedisAddress) -> RedisNode {
        nodes.withLock { nodes in
            if let node = nodes.byAddress[server] { return node }
            let node = RedisNode(
                configuration.endpoint(server), connections: configuration.connections)
            nodes.byAddress[server] = node
            return node
        }
    }

    /// When there is a new map, closes connections to servers that are not in it, once their last call ends.
    private func forgetNodes(outside map: SlotMap, _ version: Int) {
        nodes.withLock { nodes in
            guard nodes.version < version else { return }
            nodes.version = version
            nodes.byAddress = nodes.byAddress.filter { map.servers.contains($0.key) }
        }
    }
}

extension RedisValue {
    fileprivate var isError: Bool { if case .error = self { true } else { false } }
}

/// The server of a call.
private struct Route: Hashable {
    let server: RedisAddress
    /// Whether the slot is on its way to this server, which then wants `ASKING` before each command.
    var isAsking = false
}

/// A command without its final reply.
private struct Call: Sendable {
    /// Its place among the replies.
    let index: Int
    let command: [String]
    /// The server that has to be asked this once.
    var asked: RedisAddress?

    /// Nil if no server is known.
    func route(_ map: SlotMap) -> Route? {
        if let asked { return Route(server: asked, isAsking: true) }
        if map.servers.count == 1, map.isComplete { return Route(server: map.servers[0]) }
        guard let slot = KeySlot.slot(of: command) else {
            return map.servers.first.map { Route(server: $0) }
        }
        return map[slot].map { Route(server: $0) }
    }
}

/// What has come of sending some calls once.
private struct Round {
    /// Also of calls that are still open: they are the last word if there is no time left.
    var replies: [(index: Int, reply: RedisValue)] = []
    var open: [Call] = []
    var failure: RedisError?
    var maySendAgain = true
    var isMapStale = false
    var moves: [(slot: Int, server: RedisAddress)] = []

    mutating func add(_ reply: RedisValue, to call: Call, from server: RedisAddress?) {
        replies.append((call.index, reply))
        guard case .error(let message) = reply, let obstacle = Obstacle(message, from: server)
        else { return }
        var call = call
        call.asked = nil
        switch obstacle {
        case .moved(let slot, let server):
            isMapStale = true
            if let server { moves.append((slot, server)) }
        case .ask(let server): call.asked = server
        case .notMaster: isMapStale = true
        case .passing: break
        }
        open.append(call)
    }

    mutating func add(_ failure: SendFailure, to calls: [Call], isFinal: Bool) {
        self.failure = failure.error
        if isFinal { maySendAgain = false }
        isMapStale = true
        open += calls.map { call in
            var call = call
            call.asked = nil
            return call
        }
    }
}
