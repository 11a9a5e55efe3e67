import AsyncHTTPClient
import Contracts
import Foundation
import Geo
import Logging
import Metrics
import ServiceKit
import Store
import Synchronization

/// A third-party feed of live spaces, which is polled: JSON in ParkAPI's format (github.com/offenesdresden/ParkAPI).
///
/// A closed lot has no free space, and neither has an overfull one, whose count is negative. Impossible values are
/// rejected and counted. A count has the time that the feed states. So the last good count stays, and gets older, while
/// the feed is unavailable or unchanged.
final class SpaceFeed: Sendable {
    /// The most lots in one answer.
    static let mostLots = 2_000
    private static let largestAnswer = 2 * 1_024 * 1_024
    private static let longestTime: Duration = .seconds(5)
    /// The largest distance in metres to a car park of the same name, for a lot without an id of ours.
    private static let farthest = 150.0
    /// How far the feed's clock may be ahead of ours, in seconds.
    private static let ahead: TimeInterval = 60

    private let database: Database
    private let clock: ServiceClock
    private let peer: HTTPPeer
    private let logger: Logger
    /// The entity tag of the last readable answer.
    private let tag = Mutex<String?>(nil)

    init(
        _ url: URL, _ database: Database, client: HTTPClient, clock: ServiceClock, logger: Logger,
        within time: Duration = SpaceFeed.longestTime
    ) {
        (self.database, self.clock, self.logger) = (database, clock, logger)
        peer = HTTPPeer(
            url, client: client, .init(time: time, largestAnswer: Self.largestAnswer))
    }

    enum Outcome: String, Sendable, CaseIterable { case new, same, away, unreadable }

    /// Polls once.
    @discardableResult
    func poll() async throws -> Outcome {
        let outcome = try await ask()
        Counter(label: "carparks_feed_polls_total", dimensions: [("outcome", outcome.rawValue)])
            .increment()
        if outcome == .away || outcome == .unreadable {
            logger.warning(
                "the feed of live counts could not be read",
                metadata: ["outcome": "\(outcome.rawValue)"])
        }
        return outcome
    }

    private func ask() async throws -> Outcome {
        var request = peer.request(.GET, "", [("accept", "application/json")])
        if let tag = tag.withLock({ $0 }) {
            request.headers.add(name: "if-none-match", value: tag)
        }
        let answer: HTTPPeer.Answer
        do { answer = try await peer.call(request) } catch is HTTPPeer.Silence { return .away }
        if answer.status == 304 { return .same }
        guard answer.status == 200 else { return .away }
        let now = clock.now
        guard let document = FeedBody(answer.body), let time = document.time,
            time <= now.addingTimeInterval(Self.ahead), document.lots.count <= Self.mostLots
        else { return .unreadable }
        let areKnown = try await take(document.lots, at: time)
        // An unknown lot may belong to a car park that is imported later, so the next poll must not answer "unchanged".
        tag.withLock { $0 = areKnown ? answer.headers.first(name: "etag") : nil }
        return .new
    }

    /// Returns whether all lots belong to known car parks.
    private func take(_ lots: [Lot.Reading], at time: Date) async throws -> Bool {
        let found = try await database.read { transaction in
            try lots.map { try $0.count(in: transaction, within: Self.farthest) }
        }
        let counts = found.compactMap { try? $0.get() }.map { ($0.carPark, $0.free) }
        // If a car park is listed several times, only the smallest count is sure to be free.
        let least = Dictionary(counts, uniquingKeysWith: min)
        try await database.write { transaction in
            for (carPark, free) in least {
                try transaction.carParks.keepCount(free, of: .general, in: carPark, at: time, .feed)
            }
        }
        for result in found {
            let outcome = if case .failure(let reason) = result { reason.rawValue } else { "taken" }
            Counter(label: "carparks_feed_lots_total", dimensions: [("outcome", outcome)])
                .increment()
        }
        return !found.contains {
            if case .failure(.unknown) = $0 { true } else { false }
        }
    }
}

private struct FeedBody: Decodable {
    let last_updated: String
    let lots: [Lot.Reading]

    /// Nil if it is unreadable. Python writes `NaN` for a number that it lacks, which only JSON5 allows.
    init?(_ data: Data) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        guard let body = try? decoder.decode(FeedBody.self, from: data) else { return nil }
        self = body
    }

    /// In UTC, which ParkAPI leaves out. RFC 3339 allows a space before the time.
    var time: Date? {
        let text = last_updated.replacing(" ", with: "T")
        return Wire.date(text) ?? Wire.date("\(text)Z")
    }
}

private struct Lot: Decodable {
    /// Why a lot is rejected.
    enum Reason: String, Error { case unreadable, silent, unknown, impossible }

    struct Count {
        let carPark: CarParkID
        let free: Int
    }

    struct Point: Decodable { let lat, lng: Double }

    let id: String
    let name: String?
    let coords: Point?
    /// None in a closed lot, and none in an overfull one, whose count is negative.
    let free: Int
    /// How many spaces the feed itself says that it has.
    let total: Int?
    /// `open`, `closed`, or `nodata` if the feed itself does not know.
    let state: String?

    private enum CodingKeys: String, CodingKey { case id, name, coords, free, total, state }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id =
            try (try? container.decode(String.self, forKey: .id))
            ?? String(container.decode(Int.self, forKey: .id))
        // A lot with a known id needs neither name nor position.
        name = try? container.decode(String.self, forKey: .name)
        coords = try? container.decode(Point.self, forKey: .coords)
        total = try? container.number(.total)
        state = try container.decodeIfPresent(String.self, forKey: .state)?.lowercased()
        switch state {
        // Nobody can park there, whatever is counted.
        case "closed", "nodata": free = 0
        default: free = max(0, try container.number(.free))
        }
    }

    /// Lots are read one by one, so that an unreadable one does not affect the others.
    enum Reading: Decodable {
        case lot(Lot)
        case none(Reason)

        init(from decoder: any Decoder) {
            guard let lot = try? Lot(from: decoder) else {
                self = .none(.unreadable)
                return
            }
            self = lot.state == "nodata" ? .none(.silent) : .lot(lot)
        }

        func count(
            in transaction: Transaction, within meters: Double
        ) throws -> Result<Count, Reason> {
            switch self {
            case .none(let reason): return .failure(reason)
            case .lot(let lot):
                guard let carPark = try lot.carPark(in: transaction, within: meters) else {
                    return .failure(.unknown)
                }
                // Some feeds write 0 for a total that they don't know.
                let total = lot.total.flatMap { $0 > 0 ? $0 : nil } ?? .max
                guard lot.free <= min(total, carPark.body.capacity[.general]) else {
                    return .failure(.impossible)
                }
                return .success(Count(carPark: carPark.id, free: lot.free))
            }
        }
    }

    /// Found by our id, by the id it was imported with, or by its name and place.
    private func carPark(
        in transaction: Transaction, within meters: Double
    ) throws -> CarParkRecord? {
        if let id = try CarParkID(id) ?? transaction.imports.carPark(of: id) {
            return try transaction.carParks.find(id)
        }
        guard let name, let coords, (-90...90).contains(coords.lat),
            (-180...180).contains(coords.lng)
        else { return nil }
        let point = Coordinate(latitude: coords.lat, longitude: coords.lng)
        return try transaction.carParks.list(
            in: [BoundingBox(center: point, radiusMeters: meters)], words: nil,
            most: SpaceFeed.mostLots
        ).first {
            $0.body.name.caseInsensitiveCompare(name) == .orderedSame
                && Geo.distanceMeters($0.body.position, point) <= meters
        }
    }
}

extension KeyedDecodingContainer {
    /// A whole number, which may be written as a text.
    fileprivate func number(_ key: Key) throws -> Int {
        if let number = (try? decode(String.self, forKey: key)).flatMap({ Int($0) }) {
            return number
        }
        return try decode(Int.self, forKey: key)
    }
}
