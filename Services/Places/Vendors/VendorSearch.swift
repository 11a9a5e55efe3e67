import Contracts
import Foundation
import Geo
import Routing
import ServiceKit
import Store

/// The conditions of a search.
struct VendorSearch: Sendable {
    /// The most vendors to which routes are requested; the nearest count.
    static let mostMeasured = 1_000
    /// The most vendors considered in the area.
    static let most = 5_000
    /// The largest radius that is searched to suggest a change of limits, in metres.
    static let widestMeters = 50_000
    /// The walks to and from stops that are tried to suggest a longer one, in metres.
    static let helpfulWalks = [250, 500, 1_000, 2_000, 4_000]

    var point: Coordinate
    var radiusMeters: Int
    var kinds: Set<VendorKind> = []
    var openAt: Date?
    var stampsOnly: Bool
    var accessibleOnly = false
    var words: String?
    var limits: ReachLimits
    var departAt: Date
    var sort = FindVendorsQuery.Sort.time
    var skipped = 0
    var limit = PageLimit.standard

    fileprivate func fits(_ vendor: VendorRecord) -> Bool {
        if let openAt, vendor.isOpen(at: openAt) != true { return false }
        if stampsOnly, vendor.body.acceptsStamps != .yes { return false }
        return !accessibleOnly || vendor.body.accessibility?.isAccessible == true
    }
}

/// Finds vendors within a person's reach.
struct VendorFinder: Sendable {
    let database: Database
    let clock: ServiceClock
    let reaches: Reaches
    private let known = KnownVendors(most: 50_000)

    init(database: Database, clock: ServiceClock, reaches: Reaches) {
        (self.database, self.clock, self.reaches) = (database, clock, reaches)
    }

    private struct Candidate {
        let vendor: VendorRecord
        let meters: Double
        var ways: [MeasuredReach] = []

        /// The quickest reach within the limits.
        func reach(within limits: ReachLimits) -> Reach? {
            ways.filter(limits.allow).map(\.reach).min { $0.seconds < $1.seconds }
        }
    }

    func find(_ search: VendorSearch) async throws -> VendorsAnswer {
        let now = clock.now
        let near = try await near(search)
        let ways = await reaches.measure(
            from: search.point, to: Self.asked(of: near), search.limits, at: search.departAt)
        let candidates = Self.adding(ways, to: near)
        let found = candidates.compactMap { candidate in
            candidate.reach(within: search.limits).map { (candidate: candidate, reach: $0) }
        }.sorted { one, other in
            switch search.sort {
            case .time:
                (one.reach.seconds, one.candidate.meters)
                    < (other.reach.seconds, other.candidate.meters)
            case .distance: one.candidate.meters < other.candidate.meters
            }
        }
        let shown = found.dropFirst(search.skipped).prefix(search.limit).map { one in
            let (vendor, seconds) = (one.candidate.vendor, TimeInterval(one.reach.seconds))
            return VendorMatch(
                vendor.view(at: now), distanceMeters: Int(one.candidate.meters.rounded()),
                reach: one.reach,
                isOpenOnArrival: vendor.isOpen(at: search.departAt.addingTimeInterval(seconds)))
        }
        let next = search.skipped + shown.count
        return VendorsAnswer(
            items: Array(shown), beyondLimits: candidates.count - found.count,
            helps: found.isEmpty ? try await helps(search, candidates) : [],
            next: next < found.count ? String(next) : nil,
            attribution: reaches.roads.attribution)
    }

    /// Adds rides with longer walks than allowed if there are no others, using the shortest walk that leads anywhere.
    private func walkingFarther(
        _ search: VendorSearch, _ candidates: [Candidate]
    ) async -> [Candidate] {
        guard search.limits.modes.contains(where: \.isTransit), !candidates.isEmpty,
            !candidates.contains(where: { $0.ways.contains { $0.reach.mode.isTransit } })
        else { return candidates }
        var limits = search.limits
        let ends = Self.asked(of: candidates)
        for walk in VendorSearch.helpfulWalks where walk > search.limits.maxWalkMeters {
            limits.maxWalkMeters = walk
            let ridden = await reaches.ridden(
                from: search.point, to: ends, limits, at: search.departAt)
            guard ridden.contains(where: { $0 != nil }) else { continue }
            return Self.adding(ridden.map { [$0].compactMap { $0 } }, to: candidates)
        }
        return candidates
    }

    /// The positions of the vendors to which routes are requested.
    private static func asked(of candidates: [Candidate]) -> [Coordinate] {
        candidates.prefix(VendorSearch.mostMeasured).map(\.vendor.body.position)
    }

    /// Vendors that meet all conditions but the route's limits, nearest first.
    private func near(_ search: VendorSearch) async throws -> [Candidate] {
        let now = clock.now
        let boxes = BoundingBox(center: search.point, radiusMeters: Double(search.radiusMeters))
            .parts
        let vendors = try await database.read { [known] transaction in
            let keys = try transaction.vendors.keys(
                in: boxes, around: search.point, kinds: search.kinds, words: search.words,
                most: VendorSearch.most)
            return try known.values(of: keys, at: now) { ids in
                Dictionary(
                    uniqueKeysWithValues: try transaction.vendors.all(ids).map { ($0.id, $0) })
            }
        }
        return vendors.filter(search.fits).map {
            Candidate(vendor: $0, meters: Geo.distanceMeters(search.point, $0.body.position))
        }.filter { $0.meters <= Double(search.radiusMeters) }.sorted { $0.meters < $1.meters }
    }

    /// Adds routes to the nearest candidates, for which they were requested.
    private static func adding(
        _ ways: [[MeasuredReach]], to candidates: [Candidate]
    ) -> [Candidate] {
        var candidates = candidates
        for (index, ways) in ways.enumerated() { candidates[index].ways += ways }
        return candidates
    }

    /// For each limit alone, the value at which something would be found.
    private func helps(
        _ search: VendorSearch, _ measured: [Candidate]
    ) async throws -> [VendorsAnswer.Help] {
        let beyond = await reaches.measureBeyond(
            from: search.point, to: Self.asked(of: measured), search.limits)
        let candidates = await walkingFarther(search, Self.adding(beyond, to: measured))
        var helps: [VendorsAnswer.Help] = []
        func help(
            _ name: String, step: Int, _ relaxed: ReachLimits, _ value: (MeasuredReach) -> Int
        ) {
            let needed = candidates.compactMap { $0.ways.filter(relaxed.allow).map(value).min() }
            guard let least = needed.min() else { return }
            let rounded = least.rounded(upTo: step)
            helps.append(
                .init(
                    limit: name, value: rounded,
                    vendors: needed.count { $0 <= rounded }))
        }
        var limits = search.limits
        limits.maxSeconds = .max
        help("maxSeconds", step: 300, limits) { $0.reach.seconds }
        limits = search.limits
        limits.maxMeters = .max
        help("maxMeters", step: 500, limits) { $0.reach.meters }
        limits = search.limits
        limits.maxWalkMeters = .max
        help("maxWalkMeters", step: 100, limits, \.walkMeters)
        let ways = candidates.flatMap(\.ways)
        if helps.isEmpty, let quickest = ways.min(by: { $0.reach.seconds < $1.reach.seconds }) {
            // No single limit helps: list all those that exclude the quickest route.
            limits = search.limits
            for name in limits.breaks(quickest) {
                switch name {
                case "maxSeconds": limits.maxSeconds = quickest.reach.seconds.rounded(upTo: 300)
                case "maxMeters": limits.maxMeters = quickest.reach.meters.rounded(upTo: 500)
                default: limits.maxWalkMeters = quickest.walkMeters.rounded(upTo: 100)
                }
            }
            let reached = candidates.count { $0.reach(within: limits) != nil }
            for (name, value, old) in [
                ("maxSeconds", limits.maxSeconds, search.limits.maxSeconds),
                ("maxMeters", limits.maxMeters, search.limits.maxMeters),
                ("maxWalkMeters", limits.maxWalkMeters, search.limits.maxWalkMeters),
            ] where value != old {
                helps.append(.init(limit: name, value: value, vendors: reached))
            }
        }
        guard candidates.isEmpty, search.radiusMeters < VendorSearch.widestMeters else {
            return helps
        }
        var wide = search
        wide.radiusMeters = VendorSearch.widestMeters
        let around = try await self.near(wide)
        if let nearest = around.first {
            let rounded = Int((nearest.meters.rounded() / 1_000).rounded(.up)) * 1_000
            helps.append(
                .init(
                    limit: "radiusMeters", value: rounded,
                    vendors: around.count { $0.meters.rounded() <= Double(rounded) }))
        }
        return helps
    }
}

extension Int {
    /// The next multiple of `step`.
    fileprivate func rounded(upTo step: Int) -> Int { (self + step - 1) / step * step }
}
