import Contracts
import Foundation
import Geo
import Redis
import ServiceKit

/// All data that location holds about a person, for their export.
struct HeldPositions: Encodable, Sendable {
    /// A point of the track, whether used or not.
    struct Point: Encodable, Sendable {
        let recordedAt: Date
        let latitude: Double
        let longitude: Double
        let accuracyMeters: Double?
        let headingDegrees: Double?
        let speedMetersPerSecond: Double?
        /// The engagement in which others saw them.
        let engagement: String?
        /// Why the point does not count; nil if it does.
        let ignored: String?

        init?(_ entry: RedisValue) {
            guard let parts = entry.array, parts.count == 2 else { return nil }
            let fields = parts[1].pairs.filter { !$0.value.isEmpty }
            guard let at = fields["at"].flatMap(Int.init),
                let latitude = fields["la"].flatMap(Double.init),
                let longitude = fields["lo"].flatMap(Double.init)
            else { return nil }
            recordedAt = Date(milliseconds: at)
            self.latitude = latitude
            self.longitude = longitude
            accuracyMeters = fields["accuracy"].flatMap(Double.init)
            headingDegrees = fields["heading"].flatMap(Double.init)
            speedMetersPerSecond = fields["speed"].flatMap(Double.init)
            engagement = fields["engagement"]
            ignored = fields["mark"]
        }
    }

    let position: TrackedPosition?
    /// Only for valets.
    let status: ValetStatus?
    /// In order of arrival.
    let track: [Point]
}

extension LocationStore {
    /// How long an account is remembered as deleted, in seconds: longer than any event can be replayed.
    static let goneSeconds = Engagement.rememberedSeconds

    /// Deletes a person's data in every region where they may have been, and leaves a mark there that stops late
    /// events, points and unfinished moves.
    ///
    /// Their engagements are over and show no position any more; the rest of their data expires.
    func forget(_ person: PersonID, in regions: [Region]) async throws {
        let seconds = String(Self.goneSeconds)
        let key = LocationKeys.home(person)
        let home = "0 \(Region.nowhere)"
        let replies = try await redis.executeAll([
            RawCommand("SET", key, home, "NX", "GET", "EX", seconds),
            RawCommand("EXPIRE", key, seconds),
        ])
        let last = replies.first?.string?.split(separator: " ").last.flatMap { Region(String($0)) }
        for region in Set(regions + (last.map { [$0] } ?? [])) {
            let reply = try await run(
                LocationScripts.erase, in: region, [person.description, seconds])
            noteEvents(reply.first ?? .null)
        }
    }

    func held(
        on person: PersonID, _ regions: [Region]
    ) async throws -> (status: ValetStatus?, track: [HeldPositions.Point]) {
        let home = try await knownHomes([person])[person]
        var commands = regions.map { region in
            RawCommand("XRANGE", LocationKeys(region: region).track(person), "-", "+")
        }
        if let home {
            let key = LocationKeys(region: home.region).person(person)
            commands.append(RawCommand("HMGET", key, "role", "told"))
        }
        let replies = try await redis.executeAll(commands)
        let track = replies.prefix(regions.count).flatMap { reply in
            (reply.array ?? []).compactMap(HeldPositions.Point.init)
        }
        var status: ValetStatus?
        if home != nil, let fields = replies.last?.array, fields.first?.string == "valet" {
            status = fields.last?.string.flatMap(ValetStatus.init)
        }
        return (status, track.sorted { $0.recordedAt < $1.recordedAt })
    }
}

extension LocationUseCases {
    func held(on person: PersonID) async throws -> HeldPositions {
        let now = store.clock.now.milliseconds
        let (status, track) = try await store.held(on: person, areas.regions())
        let seen = try await store.lastSeen([person])[person]
        return HeldPositions(
            position: seen?.tracked(at: now, store.rules), status: status, track: track)
    }

    func forget(_ event: AccountDeleted) async throws {
        try await store.forget(event.account, in: areas.regions())
    }
}
