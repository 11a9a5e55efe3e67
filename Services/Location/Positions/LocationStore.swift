import Contracts
import Foundation
import Geo
import Redis
import ServiceKit

/// The outcome of one point.
enum PointOutcome: Sendable, Hashable {
    case used
    case ignored(Mark)
}

/// A person whose position has changed, and who may see it.
struct Moved: Sendable, Hashable {
    let person: PersonID
    /// The engagement in which they are seen; nil if there is none.
    var engagement: EngagementID?
    /// Whether the person works for the engagement.
    var isBusy: Bool?
    var viewers: [PersonID] = []
}

/// The result of a batch of points; outcomes are in the order of the points.
struct Recorded: Sendable {
    var outcomes: [PointOutcome]
    var moved: [Moved]
}

/// People in Redis; replicas of this service keep no state of their own.
///
/// A small key per person says where their home is, and is read in one pipeline before the script. A cache in the
/// process would save that round trip, but could never be trusted, since another replica may have moved the person.
struct LocationStore: Sendable {
    /// The most times a home is read again because it has just changed.
    static let mostTries = 8
    /// How long the key is kept, in seconds: longer than every state it points to.
    static let homeSeconds = 8 * 86_400
    /// The same, in seconds, for a person who takes up work as a valet: in effect for ever.
    static let valetHomeSeconds = 3_650 * 86_400

    let redis: RedisPool
    let rules: LocationRules
    let clock: ServiceClock
    /// Signalled when a script has written an event into an outbox.
    let outbox: OutboxSignal

    // MARK: Homes

    /// The region that stores a person's state.
    struct Home: Sendable, Hashable {
        let region: Region
        let epoch: Int
    }

    /// The homes of people. A person without one gets the region given with them.
    func homes(
        _ people: [PersonID: (role: Role, region: Region)]
    ) async throws -> [PersonID: Home] {
        var commands: [RawCommand] = []
        var asked: [(person: PersonID, region: Region, reply: Int)] = []
        for (person, (role, region)) in people {
            let key = LocationKeys.home(person)
            asked.append((person, region, commands.count))
            let home = "0 \(region)"
            if role == .valet {
                commands.append(RawCommand("SET", key, home, "NX", "GET"))
            } else {
                // The lifetime only grows: a valet's key keeps its longer one.
                let seconds = String(Self.homeSeconds)
                commands.append(RawCommand("SET", key, home, "NX", "GET", "EX", seconds))
                commands.append(RawCommand("EXPIRE", key, seconds, "GT"))
            }
        }
        let replies = try await redis.executeAll(commands)
        return try Dictionary(
            uniqueKeysWithValues: asked.map { person, region, index in
                (person, try Self.home(replies[index]) ?? Home(region: region, epoch: 0))
            })
    }

    /// The homes of those people who have one.
    func knownHomes(_ people: [PersonID]) async throws -> [PersonID: Home] {
        let replies = try await redis.executeAll(
            people.map { RawCommand("GET", LocationKeys.home($0)) })
        var homes: [PersonID: Home] = [:]
        for (person, reply) in zip(people, replies) { homes[person] = try Self.home(reply) }
        return homes
    }

    private static func home(_ reply: RedisValue) throws -> Home? {
        guard let parts = reply.string?.split(separator: " "), parts.count == 2,
            let epoch = Int(parts[0]), let region = Region(String(parts[1]))
        else { return nil }
        return Home(region: region, epoch: epoch)
    }

    /// Runs a script for people of one region.
    func run(
        _ script: RedisScript, in region: Region, _ arguments: [String]
    ) async throws -> [RedisValue] {
        let head = [
            String(clock.now.milliseconds), EventID.new(at: clock.now).description,
            String(rules.silenceSeconds * 1_000), String(rules.fastestMetersPerSecond),
            String(rules.arrivalMeters), String(rules.leavingMeters), String(rules.trackPoints),
            String(LocationRules.rememberedSeconds), region.description,
        ]
        let reply = try await redis.run(
            script: script, keys: LocationKeys(region: region).all, arguments: head + arguments)
        guard let values = reply.array else {
            throw RedisError(.protocol, "A script did not answer with a list")
        }
        return values
    }

    // MARK: Points

    /// Judges and uses points. One person's points take effect in order of time.
    func record(_ points: [Point], in areas: [KnownArea]) async throws -> Recorded {
        var recorded = Recorded(outcomes: [], moved: [])
        var outcomes = [PointOutcome?](repeating: nil, count: points.count)
        // Sorted by time, so that a new person's home is the region of their newest point.
        var waiting = points.indices.sorted { (points[$0].at, $0) < (points[$1].at, $1) }
            .map { PlacedPoint($0, points[$0], in: areas) }
        var moved: [PersonID: [Moved]] = [:]
        for _ in 0..<Self.mostTries where !waiting.isEmpty {
            let batches = try await batches(waiting)
            waiting = []
            for batch in try await runAll(batches) {
                for (placed, outcome) in zip(batch.points, batch.outcomes) {
                    outcomes[placed.index] = outcome
                    if outcome == nil { waiting.append(placed) }
                }
                for (person, seen) in batch.moved { moved[person] = seen }
            }
        }
        guard waiting.isEmpty else { throw Refusal.unavailable("Positions change hands too fast.") }
        recorded.outcomes = outcomes.compactMap { $0 }
        recorded.moved = moved.values.flatMap(\.self)
        return recorded
    }

    /// One batch per home region.
    private func batches(_ points: [PlacedPoint]) async throws -> [Batch] {
        var people: [PersonID: (role: Role, region: Region)] = [:]
        for placed in points { people[placed.point.person] = (placed.point.role, placed.region) }
        let homes = try await homes(people)
        var batches: [Region: Batch] = [:]
        for placed in points {
            guard let home = homes[placed.point.person] else { continue }
            batches[home.region, default: Batch(region: home.region)].add(placed, home)
        }
        return Array(batches.values)
    }

    private func runAll(_ batches: [Batch]) async throws -> [BatchResult] {
        try await withThrowingTaskGroup(of: BatchResult.self) { group in
            for batch in batches { group.addTask { try await run(batch) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func run(_ batch: Batch) async throws -> BatchResult {
        let arguments = batch.arguments(now: clock.now.milliseconds, rules)
        let reply = try await run(LocationScripts.positions, in: batch.region, arguments)
        guard reply.count == 3, let outcomes = reply[1].array, let people = reply[2].array,
            outcomes.count == batch.points.count
        else { throw RedisError(.protocol, "The reply to positions has another form") }
        noteEvents(reply[0])
        var moved: [PersonID: [Moved]] = [:]
        for person in people.compactMap({ ScriptPerson($0) }) {
            if !person.state.isEmpty {
                try await settle(person.id, person.state, from: batch.region)
            }
            moved[person.id] = person.seen.isEmpty ? [Moved(person: person.id)] : person.seen
        }
        return BatchResult(
            points: batch.points, outcomes: outcomes.map { Self.outcome($0.string ?? "") },
            moved: moved)
    }

    /// Nil if the person's home is now elsewhere.
    private static func outcome(_ text: String) -> PointOutcome? {
        text == "used" ? .used : Mark(rawValue: text).map(PointOutcome.ignored)
    }

    func noteEvents(_ made: RedisValue) {
        if (made.int ?? 0) > 0 { outbox.raise() }
    }

    /// Completes a person's move, which any replica that finds it unfinished may do.
    private func settle(_ person: PersonID, _ state: [String], from old: Region) async throws {
        let fields = RedisValue.array(state.map(RedisValue.bulk)).pairs
        guard let region = fields["moved"].flatMap(Region.init), let epoch = fields["epoch"] else {
            throw RedisError(.protocol, "A moved state does not say where to")
        }
        let reply = try await run(LocationScripts.settle, in: region, [person.description] + state)
        if let made = reply.first { noteEvents(made) }
        _ = try await redis.run(
            script: LocationScripts.nameHome, keys: [LocationKeys.home(person)],
            arguments: [epoch, region.description])
        _ = try await redis.run(
            script: LocationScripts.forget, keys: [LocationKeys(region: old).person(person)],
            arguments: [epoch, String(LocationRules.rememberedSeconds)])
    }

    // MARK: Shifts, jobs, accounts

    enum Change: Sendable {
        case shift(ShiftState)
        /// Changes nothing of a valet who is on shift or suspended.
        case lostShift(ShiftState)
        case account(isSuspended: Bool, version: Int)
        /// Nil ends the job.
        case job(EngagementID, version: Int, Job?)

        func arguments() throws -> [String] {
            switch self {
            case .shift(let shift): ["shift", shift.rawValue, "", ""]
            case .lostShift(let shift): ["lostShift", shift.rawValue, "", ""]
            case .account(let isSuspended, let version):
                ["account", isSuspended ? "1" : "0", String(version), ""]
            case .job(let engagement, let version, let job):
                [
                    "job", engagement.description, String(version),
                    try job.map { String(decoding: try Wire.encode($0), as: UTF8.self) } ?? "",
                ]
            }
        }
    }

    /// As stored in Redis.
    enum ShiftState: String, Sendable {
        case off = "0"
        case on = "1"
        case onBreak = "2"
    }

    /// A person's part in an engagement, as the scripts read it.
    struct Job: Codable, Sendable, Hashable {
        var product: Product
        /// Whether the person may have no other job at the same time.
        var busy: Bool
        /// The people who may see where they are; nil if nobody may, for example while a valet has only been asked.
        var peers: [PersonID]?
        /// The name of the meeting at which they have yet to arrive; its position follows.
        var meeting: String?
        var la: Double?
        var lo: Double?
        var within: Double?
        var accuracy: Double?
        /// The place they have yet to leave.
        var leaving: Leaving?

        struct Leaving: Codable, Sendable, Hashable {
            let id: String
            let la: Double
            let lo: Double
            let beyond: Double

            init(_ leaving: Engagement.Leaving) {
                (id, beyond) = (leaving.id, leaving.beyondMeters)
                (la, lo) = (leaving.from.latitude, leaving.from.longitude)
            }
        }

        /// Whether the person has no part any more.
        var isNothing: Bool { !busy && peers == nil && meeting == nil && leaving == nil }
    }

    enum ChangeOutcome: Sendable, Hashable {
        case done(ValetStatus)
        case onJob
        case offShift
        case suspended
    }

    /// Applies a change in the person's home region.
    func change(
        _ person: PersonID, _ role: Role, _ change: Change
    ) async throws -> ChangeOutcome {
        let what = try change.arguments()
        switch change {
        case .shift, .lostShift:
            let seconds = String(Self.valetHomeSeconds)
            _ = try await redis.execute(
                RawCommand("EXPIRE", LocationKeys.home(person), seconds, "GT"))
        case .account, .job: break
        }
        for _ in 0..<Self.mostTries {
            guard let home = try await homes([person: (role, .nowhere)])[person] else { continue }
            let reply = try await run(
                LocationScripts.change, in: home.region,
                [person.description, role.rawValue, String(home.epoch)] + what)
            guard reply.count == 4, let outcome = reply[1].string else {
                throw RedisError(.protocol, "The reply to a change has another form")
            }
            noteEvents(reply[0])
            switch outcome {
            case "onJob": return .onJob
            case "offShift": return .offShift
            case "suspended": return .suspended
            case "moved":
                let state = (reply[3].array ?? []).map { $0.string ?? "" }
                try await settle(person, state, from: home.region)
            default:
                return .done(reply[2].string.flatMap(ValetStatus.init) ?? .offline)
            }
        }
        throw Refusal.unavailable("The person's home changes too fast.")
    }
}

/// A point with its region and cell.
struct PlacedPoint: Sendable {
    /// The limit of latitude of Redis' geo sets, in degrees (EPSG:3857).
    static let northernmost = 85.05

    /// Its index in the request.
    let index: Int
    let point: Point
    let region: Region
    /// Empty outside the areas in which valets can be offered.
    let cell: String

    init(_ index: Int, _ point: Point, in areas: [KnownArea]) {
        self.index = index
        self.point = point
        region = AreaBook.region(of: point.coordinate, in: areas)
        let isOffered =
            region != .nowhere && abs(point.coordinate.latitude) < Self.northernmost
        cell = isOffered ? Cell(containing: point.coordinate).description : ""
    }
}

/// The points of people with the same home region.
private struct Batch: Sendable {
    let region: Region
    var points: [PlacedPoint] = []
    var epochs: [Int] = []

    init(region: Region) { self.region = region }

    mutating func add(_ placed: PlacedPoint, _ home: LocationStore.Home) {
        points.append(placed)
        epochs.append(home.epoch)
    }

    func arguments(now: Int, _ rules: LocationRules) -> [String] {
        var arguments: [String] = []
        arguments.reserveCapacity(points.count * 12)
        for (placed, epoch) in zip(points, epochs) {
            let point = placed.point
            arguments += [
                point.person.description, point.role.rawValue, String(epoch), String(point.at),
                String(point.coordinate.latitude), String(point.coordinate.longitude),
                point.headingDegrees.map { String($0) } ?? "",
                point.speedMetersPerSecond.map { String($0) } ?? "",
                point.accuracyMeters.map { String($0) } ?? "",
                point.mark(at: now, rules)?.rawValue ?? "", placed.cell,
                placed.region.description,
            ]
        }
        return arguments
    }
}

private struct BatchResult: Sendable {
    let points: [PlacedPoint]
    let outcomes: [PointOutcome?]
    let moved: [PersonID: [Moved]]
}

/// A person in the answer of the script for positions.
private struct ScriptPerson {
    let id: PersonID
    /// Empty unless the state has to be installed in another region.
    let state: [String]
    let seen: [Moved]

    init?(_ reply: RedisValue) {
        guard let parts = reply.array, parts.count == 3,
            let id = parts[0].string.flatMap(PersonID.init)
        else { return nil }
        self.id = id
        state = (parts[1].array ?? []).map { $0.string ?? "" }
        seen = (parts[2].array ?? []).compactMap { $0.array }.map { job in
            Moved(
                person: id, engagement: job.first?.string.flatMap(EngagementID.init),
                isBusy: job.dropFirst().first?.string == "1",
                viewers: job.dropFirst(2).compactMap { $0.string.flatMap(PersonID.init) })
        }
    }
}
