import Contracts
import EventBus
import Foundation
import Geo
import Metrics
import Routing
import ServiceKit

/// The use cases of location.
struct LocationUseCases: Sendable {
    /// The most valets that a customer sees.
    static let mostNearby = 20
    /// Positions of valets are rounded to thousandths of a degree, which is about 100 m: only people whom they serve
    /// may see where exactly they are.
    static let stepsPerDegree = 1_000.0
    /// Half the diagonal of a rounding step in metres, with a margin.
    static let roundingMeters = 90.0
    /// How long to wait for an engagement that is not known yet.
    static let patience: Duration = .seconds(1)
    /// The time between two checks for it.
    private static let pause: Duration = .milliseconds(100)

    let store: LocationStore
    let areas: AreaBook
    let feed: PositionFeed
    let roads: Roads
    let routes = KnownRoutes()
    private let patience: Duration
    private let counters = Dictionary(
        uniqueKeysWithValues: (["used"] + Mark.allCases.map(\.rawValue)).map { outcome in
            (outcome, Counter(label: "location_points_total", dimensions: [("outcome", outcome)]))
        })

    init(
        store: LocationStore, areas: AreaBook, feed: PositionFeed, roads: Roads,
        patience: Duration = Self.patience
    ) {
        self.store = store
        self.areas = areas
        self.feed = feed
        self.roads = roads
        self.patience = patience
    }

    private var rules: LocationRules { store.rules }
    private var now: Date { store.clock.now }

    // MARK: Positions

    /// Uses or marks every point, and publishes each person's newest position to the viewers of all their engagements.
    func record(_ points: [Point]) async throws -> [PointOutcome] {
        if points.isEmpty { return [] }
        let recorded = try await store.record(points, in: areas.areas())
        var newest: [PersonID: Point] = [:]
        for (point, outcome) in zip(points, recorded.outcomes) {
            count(outcome)
            guard outcome == .used else { continue }
            if let known = newest[point.person], known.at >= point.at { continue }
            newest[point.person] = point
        }
        feed.add(
            recorded.moved.compactMap { moved in
                newest[moved.person].map { PositionRecorded($0, moved) }
            })
        return recorded.outcomes
    }

    private func count(_ outcome: PointOutcome) {
        switch outcome {
        case .used: counters["used"]?.increment()
        case .ignored(let mark): counters[mark.rawValue]?.increment()
        }
    }

    /// Points of several people, or of one whose clock is ahead by `clockLead` milliseconds. An invalid entry does not
    /// affect the others.
    func record(
        _ batch: PositionBatch, clockLead: Int? = nil
    ) async throws -> PositionBatchAnswer {
        var answer = batch.entries.map { _ in PositionBatchAnswer.Outcome(accepted: false) }
        var (points, indices): ([Point], [Int]) = ([], [])
        for (index, entry) in batch.entries.enumerated() {
            do throws(PointFault) {
                points.append(try Point(entry, clockLead: clockLead))
                indices.append(index)
            } catch {
                answer[index].invalidField = error.field
                answer[index].detail = error.detail
            }
        }
        for (index, outcome) in zip(indices, try await record(points)) {
            answer[index].accepted = outcome == .used
        }
        return PositionBatchAnswer(outcomes: answer)
    }

    // MARK: Availability

    func setShift(
        _ valet: ValetID, _ shift: LocationStore.ShiftState
    ) async throws -> ValetStatus {
        let person = valet.as(PersonID.self)
        switch try await store.change(person, .valet, .shift(shift)) {
        case .done(let status): return status
        case .onJob: throw Refusal.valetOnJob
        case .offShift: throw Refusal.valetOffShift
        case .suspended: throw Refusal.valetSuspended
        }
    }

    /// Continues the shift of a valet who has none here.
    func restore(_ event: AvailabilityChanged) async throws {
        let status = try event.status.required("status")
        let shift: LocationStore.ShiftState =
            switch status {
            case .available, .busy: .on
            case .onBreak: .onBreak
            case .offline: .off
            }
        _ = try await store.change(event.valet.as(PersonID.self), .valet, .lostShift(shift))
    }

    // MARK: Searches

    /// Free valets around a point. The order and the distances are based on rounded positions, so that they reveal
    /// nothing more.
    func nearby(_ center: Coordinate, radiusMeters: Double) async throws -> [NearbyValet] {
        let near = try areas.areas().filter {
            $0.area.distanceMeters(to: center) <= radiusMeters + Self.roundingMeters
        }
        let circle = LocationStore.Circle(
            center: center, radiusMeters: radiusMeters + Self.roundingMeters)
        var newest: [ValetID: FreeValet] = [:]
        for area in near {
            let found = try await store.nearest(
                [circle], in: Region(area: area.id), limit: 2 * Self.mostNearby)
            for (valet, _) in found[0] where (newest[valet.id]?.at ?? .min) < valet.at {
                newest[valet.id] = valet
            }
        }
        return newest.values.map { Self.rounded($0.coordinate) }
            .map { (place: $0, meters: Geo.distanceMeters(center, $0)) }
            .filter { $0.meters <= radiusMeters }
            .sorted { Self.order($0) < Self.order($1) }
            .prefix(Self.mostNearby)
            .map { place, meters in
                NearbyValet(
                    latitude: place.latitude, longitude: place.longitude,
                    etaSeconds: Int(StraightLine.seconds(meters: meters).rounded(.up)))
            }
    }

    private static func order(
        _ one: (place: Coordinate, meters: Double)
    ) -> (Double, Double, Double) {
        (one.meters, one.place.latitude, one.place.longitude)
    }

    private static func rounded(_ point: Coordinate) -> Coordinate {
        func round(_ degrees: Double) -> Double {
            (degrees * stepsPerDegree).rounded() / stepsPerDegree
        }
        return Coordinate(latitude: round(point.latitude), longitude: round(point.longitude))
    }

    /// The nearest free valets of several points at once, for matching.
    func candidates(_ query: CandidateQuery) async throws -> CandidateAnswer {
        let circles = query.points.map {
            LocationStore.Circle(center: $0.at, radiusMeters: $0.radiusMeters)
        }
        let found = try await store.nearest(
            circles, in: Region(area: query.area), limit: query.limit)
        let now = now.milliseconds
        return CandidateAnswer(
            found: zip(query.points, found).map { point, valets in
                .init(
                    engagement: point.engagement,
                    candidates: valets.map { valet, meters in
                        .init(
                            valet: valet.id, at: valet.coordinate, distanceMeters: meters,
                            idleSeconds: max(0, Double(now - valet.idleSince) / 1_000))
                    })
            })
    }

    func whereabouts(of valets: [ValetID]) async throws -> WhereaboutsAnswer {
        WhereaboutsAnswer(items: try await store.whereabouts(of: valets))
    }

    func lastPositions(of people: [PersonID]) async throws -> LastPositionsAnswer {
        let seen = try await store.lastSeen(people)
        return LastPositionsAnswer(
            items: people.compactMap { person in seen[person].map { LastPosition(person, $0) } })
    }

    // MARK: Engagements

    /// The engagement, for people who may follow it; to others it does not exist.
    ///
    /// Clients may learn of an assignment before location does, so this waits for the event for a moment.
    func engagement(_ id: EngagementID, for reader: Identity) async throws -> Engagement {
        let end = ContinuousClock.now + patience
        while true {
            if let engagement = try await store.engagement(id),
                engagement.mayBeFollowed(by: reader)
            {
                return engagement
            }
            guard ContinuousClock.now < end else { throw Refusal.engagementUnknown }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// The positions that the reader may see, by marker; null for an unknown one.
    func track(
        _ id: EngagementID, for reader: Identity
    ) async throws -> EngagementTrack {
        let engagement = try await engagement(id, for: reader)
        let people = Set(engagement.markers.compactMap(\.person))
            .filter { engagement.shows($0, to: reader) }
        let seen = try await store.lastSeen(Array(people))
        let now = now
        var positions: [String: TrackedPosition?] = [:]
        for marker in engagement.markers {
            var position = marker.person.flatMap {
                seen[$0]?.tracked(at: now.milliseconds, rules)
            }
            if let at = marker.at {
                // A parked object does not move: its position may be old, but is never stale.
                let age = marker.since.map { now.timeIntervalSince($0) } ?? 0
                position = TrackedPosition(
                    latitude: at.latitude, longitude: at.longitude, ageSeconds: max(0, age),
                    isStale: false)
            }
            positions.updateValue(position, forKey: marker.name)
        }
        return EngagementTrack(positions)
    }

    /// Applies a version of an engagement: everybody who ever took part gets or loses their job.
    func apply(_ latest: Engagement) async throws {
        let (engagement, people) = try await store.keep(latest)
        for person in people {
            let job = engagement.job(of: person)
            _ = try await store.change(
                person, job?.busy == true ? .valet : .customer,
                .job(engagement.id, version: engagement.version, job))
        }
    }

    // MARK: Accounts and areas

    func apply(_ account: AccountChanged) async throws {
        guard account.account.roles.contains(.valet) else { return }
        _ = try await store.change(
            account.account.id, .valet,
            .account(isSuspended: account.suspended, version: account.version))
    }

    func apply(_ area: ServiceAreaChanged, in areas: AreaStore) async throws {
        try await areas.keep(area)
        try await self.areas.refresh()
    }
}

extension PositionRecorded {
    init(_ point: Point, _ moved: Moved) {
        self.init(
            position: LivePosition(
                engagement: moved.engagement, person: point.person,
                role: moved.isBusy.map { $0 ? .valet : .customer } ?? point.role,
                latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
                headingDegrees: point.headingDegrees, recordedAt: Date(milliseconds: point.at)),
            viewers: moved.viewers)
    }
}

extension LastPosition {
    init(_ person: PersonID, _ seen: LastSeen) {
        self.init(
            person: person, latitude: seen.coordinate.latitude,
            longitude: seen.coordinate.longitude, accuracyMeters: seen.accuracyMeters,
            recordedAt: Date(milliseconds: seen.at))
    }
}

/// Reactions to what owners tell when Redis has lost it. Shifts are location's own: orders has them from location's
/// events.
func reactionsToState(_ location: LocationUseCases, _ reactions: Reactions) -> Reactions {
    reactions.adding {
        when(AvailabilityChanged.self) { event, _ in try await location.restore(event) }
    }
}
