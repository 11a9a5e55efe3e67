import Synchronization
import Threads

/// Finds the servers: asks the members of a cluster for their slots, or Sentinels for the master.
///
/// An actor on its own thread, with connections of its own, so that it does not wait behind commands. Callers who come
/// meanwhile get what it finds.
actor Discovery {
    /// The least time between two rounds of questions.
    static let interval: Duration = .milliseconds(100)
    /// How often Sentinels are asked while nothing fails: they name a new master seconds before the old one refuses
    /// writes, which are lost.
    static let watchInterval: Duration = .seconds(1)

    private struct Known {
        var map: SlotMap?
        /// Counts what was found.
        var version = 0
        var isDoubtful = false
        var nextWatch = ContinuousClock.now + watchInterval
    }

    private let configuration: RedisConfiguration
    /// The servers to ask, in this order.
    private var candidates: [RedisAddress]
    private var nextRound = ContinuousClock.now
    private var lastFailure: RedisError?
    private nonisolated let known: Mutex<Known>
    private let executor = BlockingExecutor(label: "redis.discovery")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: RedisConfiguration) {
        self.configuration = configuration
        candidates = configuration.servers
        let isSingle = configuration.topology == .single
        let map = isSingle ? configuration.servers.first.map(SlotMap.init(single:)) : nil
        known = Mutex(Known(map: map))
    }

    /// The servers as far as they are known, with the version for `refresh`. Asks if they are not, or if they are in
    /// doubt.
    nonisolated func map() async throws(RedisError) -> (map: SlotMap, version: Int) {
        let known = known.withLock { $0 }
        if let map = known.map, !known.isDoubtful {
            watch(known)
            return (map, known.version)
        }
        do throws(RedisError) {
            try await refresh(after: known.version)
        } catch {
            // What was found before may still be right.
            if known.map == nil { throw error }
        }
        let found = self.known.withLock { $0 }
        guard let map = found.map else { throw RedisError(.unavailable, "No server is known") }
        return (map, found.version)
    }

    /// Asks Sentinels in the background when it is time.
    private nonisolated func watch(_ seen: Known) {
        guard case .sentinel = configuration.topology, ContinuousClock.now >= seen.nextWatch,
            known.withLock({ known in
                guard known.nextWatch == seen.nextWatch else { return false }
                known.nextWatch = .now + Self.watchInterval
                return true
            })
        else { return }
        executor.perform {
            self.assumeIsolated { discovery in try? discovery.refresh(after: seen.version) }
        }
    }

    /// Makes the next call of `map` ask again.
    nonisolated func doubt() { known.withLock { $0.isDoubtful = true } }

    /// A server has said that another one has this slot.
    nonisolated func move(_ slot: Int, to server: RedisAddress) {
        known.withLock { $0.map?.move(slot, to: server) }
    }

    /// Asks, unless something newer than this version has been found, or asking has just failed.
    func refresh(after version: Int) throws(RedisError) {
        defer { known.withLock { $0.isDoubtful = false } }
        guard known.withLock({ $0.version }) == version, configuration.topology != .single else {
            return
        }
        if ContinuousClock.now < nextRound {
            if let lastFailure { throw lastFailure }
            return
        }
        do throws(RedisError) {
            let map = try find()
            lastFailure = nil
            known.withLock { known in
                known.map = map
                known.version += 1
            }
        } catch {
            lastFailure = error
        }
        nextRound = .now + Self.interval
        if let lastFailure { throw lastFailure }
    }

    private func find() throws(RedisError) -> SlotMap {
        var failure = RedisError(.unavailable, "No server is known")
        let deadline = ContinuousClock.now + configuration.commandTimeout
        for candidate in candidates {
            // Commands wait for the answer. The next round asks the others.
            if ContinuousClock.now >= deadline { break }
            // The next round begins with another one, since this one may be cut off from the rest.
            candidates.removeAll { $0 == candidate }
            candidates.append(candidate)
            do throws(RedisError) {
                switch configuration.topology {
                case .single: return SlotMap(single: candidate)
                case .cluster: return try slots(from: candidate)
                case .sentinel(let sentinel): return try master(of: sentinel, from: candidate)
                }
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func slots(from member: RedisAddress) throws(RedisError) -> SlotMap {
        let socket = try Socket.open(configuration.endpoint(member).impatient)
        let reply = try socket.answer(["CLUSTER", "SLOTS"])
        guard let map = SlotMap(reply, from: member), !map.servers.isEmpty else {
            throw RedisError(.unavailable, "\(member) knows no slots")
        }
        let members = SlotMap.members(reply, from: member) + configuration.servers
        candidates.removeAll { !members.contains($0) }
        for member in members where !candidates.contains(member) {
            candidates.insert(member, at: 0)
        }
        return map
    }

    private func master(
        of sentinel: RedisConfiguration.Sentinel, from candidate: RedisAddress
    ) throws(RedisError) -> SlotMap {
        let socket = try Socket.open(configuration.endpoint(candidate, of: sentinel).impatient)
        let command = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", sentinel.master]
        let reply = try socket.answer(command).array ?? []
        guard reply.count == 2, let host = reply[0].string, let port = reply[1].int else {
            throw RedisError(.unavailable, "\(candidate) knows no master \(sentinel.master)")
        }
        let master = RedisAddress(host: host, port: port)
        // Connecting includes asking for its role.
        _ = try Socket.open(configuration.endpoint(master).impatient)
        return SlotMap(single: master)
    }
}
