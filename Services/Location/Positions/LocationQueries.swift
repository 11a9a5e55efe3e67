import Contracts
import Foundation
import Geo
import Redis
import ServiceKit

/// A person's last position.
struct LastSeen: Sendable, Hashable {
    let coordinate: Coordinate
    let headingDegrees: Double?
    let accuracyMeters: Double?
    /// Milliseconds since 1970.
    let at: Int

    func tracked(at now: Int, _ rules: LocationRules) -> TrackedPosition {
        let age = max(0, Double(now - at) / 1_000)
        return TrackedPosition(
            latitude: coordinate.latitude, longitude: coordinate.longitude,
            headingDegrees: headingDegrees, ageSeconds: age, isStale: age > rules.silenceSeconds)
    }
}

/// A valet who is free for a job.
struct FreeValet: Sendable, Hashable {
    let id: ValetID
    let coordinate: Coordinate
    let at: Int
    let idleSince: Int

    init?(_ reply: RedisValue) {
        guard let parts = reply.array, parts.count == 5,
            let id = parts[0].string.flatMap(ValetID.init), let at = parts[1].int,
            let latitude = parts[2].double, let longitude = parts[3].double
        else { return nil }
        self.id = id
        self.at = at
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
        idleSince = parts[4].int ?? at
    }
}

extension LocationStore {
    /// A circle in which to search for valets.
    struct Circle: Sendable, Hashable {
        var center: Coordinate
        var radiusMeters: Double
    }

    /// The results of a search around one centre so far.
    fileprivate struct Progress {
        let circle: Circle
        var searched: Set<Cell> = []
        var found: [ValetID: FreeValet] = [:]
        var isDone = false

        init(_ circle: Circle) {
            self.circle = circle
            isDone = abs(circle.center.latitude) >= PlacedPoint.northernmost
        }

        /// The valets within the circle, nearest first.
        func nearest(_ limit: Int) -> [(valet: FreeValet, meters: Double)] {
            let measured = found.values.map { valet in
                (valet: valet, meters: Geo.distanceMeters(circle.center, valet.coordinate))
            }
            return measured.filter { $0.meters <= circle.radiusMeters }
                .sorted { ($0.meters, $0.valet.id) < ($1.meters, $1.valet.id) }
                .prefix(limit).map { $0 }
        }

        /// The cells of the next step that are not empty.
        mutating func cells(within meters: Double, _ occupied: Set<Cell>) -> [Cell] {
            let cells = Cell.covering(center: circle.center, radiusMeters: meters)
                .filter { occupied.contains($0) && !searched.contains($0) }
            searched.formUnion(cells)
            return cells
        }
    }

    /// The radii in metres that a search tries until it has enough valets.
    private static let steps = [500.0, 1_000, 2_000, 4_000, .infinity]
    /// Redis uses a slightly larger Earth and rounds coordinates to half a metre.
    private static func generous(_ meters: Double) -> Double { meters * 1.001 + 5 }

    /// The nearest free valets of each circle, within one region.
    ///
    /// The cost of a search depends on the number of valets inside the circle, not on the number wanted. So the sets
    /// contain only free valets, in small cells, and the circle grows until it has enough.
    func nearest(
        _ circles: [Circle], in region: Region, limit: Int
    ) async throws -> [[(valet: FreeValet, meters: Double)]] {
        var searches = circles.map(Progress.init)
        let keys = LocationKeys(region: region)
        let members = try await redis.execute(RawCommand("SMEMBERS", keys.cells)).array ?? []
        let occupied = Set(members.compactMap { $0.string.flatMap(Cell.init) })
        for step in Self.steps {
            var arguments: [String] = []
            var asked: [Int] = []
            for index in searches.indices where !searches[index].isDone {
                let circle = searches[index].circle
                let meters = min(step, circle.radiusMeters)
                let cells = searches[index].cells(within: meters, occupied)
                if cells.isEmpty { continue }
                asked.append(index)
                arguments += [
                    String(circle.center.latitude), String(circle.center.longitude),
                    String(Self.generous(circle.radiusMeters)), String(cells.count),
                ]
                arguments += cells.map(\.description)
            }
            if !asked.isEmpty {
                let reply = try await run(
                    LocationScripts.search, in: region, [String(limit)] + arguments)
                let found = reply.compactMap(FreeValet.init)
                for index in asked { searches[index].add(found) }
            }
            for index in searches.indices { searches[index].close(at: step, limit) }
        }
        return searches.map { $0.nearest(limit) }
    }

    // MARK: Single people

    /// The last positions of people; people without one are left out.
    func lastSeen(_ people: [PersonID]) async throws -> [PersonID: LastSeen] {
        let homes = try await knownHomes(people)
        let known = people.filter { homes[$0] != nil }
        let replies = try await redis.executeAll(
            known.compactMap { person in
                homes[person].map { home in
                    RawCommand(
                        ["HMGET", LocationKeys(region: home.region).person(person)]
                            + LastSeen.fields)
                }
            })
        var seen: [PersonID: LastSeen] = [:]
        for (person, reply) in zip(known, replies) {
            seen[person] = LastSeen((reply.array ?? [])[...])
        }
        return seen
    }

    /// Valets with their status and position, in the given order.
    func whereabouts(of valets: [ValetID]) async throws -> [ValetWhereabouts] {
        let people = valets.map { $0.as(PersonID.self) }
        let homes = try await knownHomes(people)
        let known = people.filter { homes[$0] != nil }
        let replies = try await redis.executeAll(
            known.compactMap { person in
                homes[person].map { home in
                    RawCommand(
                        [
                            "HMGET", LocationKeys(region: home.region).person(person), "role",
                            "told",
                        ] + LastSeen.fields)
                }
            })
        let now = clock.now.milliseconds
        return zip(known, replies).compactMap { person, reply in
            let fields = reply.array ?? []
            guard fields.first?.string == "valet" else { return nil }
            return ValetWhereabouts(
                valet: person.as(ValetID.self),
                status: fields[1].string.flatMap(ValetStatus.init) ?? .offline,
                position: LastSeen(fields.dropFirst(2))?.tracked(at: now, rules))
        }
    }

    // MARK: Engagements

    /// Stores a newer version of an engagement. Returns the newest version, and everybody named in any version.
    func keep(
        _ engagement: Engagement
    ) async throws -> (newest: Engagement, people: [PersonID]) {
        let body = String(decoding: try Wire.encode(engagement), as: UTF8.self)
        let reply = try await redis.run(
            script: LocationScripts.engagement, keys: [LocationKeys.engagement(engagement.id)],
            arguments: [
                String(engagement.version), body,
                engagement.state == .open ? "" : String(Engagement.rememberedSeconds),
            ] + engagement.named.map(\.description))
        let fields = reply.pairs
        guard let newest = fields["body"] else {
            throw RedisError(.protocol, "An engagement was not kept")
        }
        let people = fields.keys.filter { $0.hasPrefix("person ") }
            .compactMap { PersonID(String($0.dropFirst(7))) }
        return (try Wire.decode(Engagement.self, from: Data(newest.utf8)), people)
    }

    func engagement(_ id: EngagementID) async throws -> Engagement? {
        let reply = try await redis.execute(
            RawCommand("HGET", LocationKeys.engagement(id), "body"))
        return try reply.string.map { try Wire.decode(Engagement.self, from: Data($0.utf8)) }
    }
}

extension LocationStore.Progress {
    /// A valet who changed cells in the meantime may be found twice; the newest position counts.
    fileprivate mutating func add(_ valets: [FreeValet]) {
        for valet in valets where (found[valet.id]?.at ?? .min) < valet.at {
            found[valet.id] = valet
        }
    }

    /// Ends the search if there are enough valets within the step, since nobody farther away can be nearer.
    fileprivate mutating func close(at step: Double, _ limit: Int) {
        let complete = min(step, circle.radiusMeters)
        if complete == circle.radiusMeters { isDone = true }
        if nearest(limit).filter({ $0.meters <= complete }).count >= limit { isDone = true }
    }
}

extension LastSeen {
    /// The names of the fields in Redis.
    fileprivate static let fields = ["at", "la", "lo", "heading", "accuracy"]

    /// Reads the values of `fields`; nil if there is no position.
    init?(_ fields: ArraySlice<RedisValue>) {
        let fields = Array(fields)
        guard fields.count == Self.fields.count, let at = fields[0].int,
            let latitude = fields[1].double,
            let longitude = fields[2].double
        else { return nil }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
        headingDegrees = fields[3].double
        accuracyMeters = fields[4].double
        self.at = at
    }
}
