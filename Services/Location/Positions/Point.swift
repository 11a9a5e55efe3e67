import Contracts
import Foundation
import Geo

/// Why a point does not count. It is stored in the track with this mark, and counted.
enum Mark: String, Sendable, CaseIterable {
    /// Too old to be of use.
    case old
    /// Too far in the future, unlike the other points of its request.
    case future
    case inaccurate
    /// At 0° N, 0° E, as devices without a fix report.
    case zero
    /// Older than the last used point, although it arrived later.
    case late
    case `repeat`
    /// Farther from the last point than anybody can have moved.
    case jump
    /// The person's account is deleted; such a point is in no track.
    case gone
}

/// The invalid field of a point, and its valid range.
struct PointFault: Error, Hashable {
    let field: String
    let detail: String
}

/// A reading of a person's position, with all fields in their ranges.
struct Point: Sendable, Hashable {
    static let accuracies = 0.0...100_000.0
    static let headings = 0.0...360.0
    static let speeds = 0.0...500.0

    let person: PersonID
    let role: Role
    let coordinate: Coordinate
    let accuracyMeters: Double?
    let headingDegrees: Double?
    let speedMetersPerSecond: Double?
    /// Milliseconds since 1970.
    let at: Int

    /// `clockLead` is by how many milliseconds the sender's clock is ahead; by default, as far as this point shows.
    init(_ entry: PositionBatch.Entry, clockLead: Int? = nil) throws(PointFault) {
        let body = entry.point
        try Self.check(body.latitude, in: -90...90, "latitude", "Degrees from -90 to 90.")
        try Self.check(body.longitude, in: -180...180, "longitude", "Degrees from -180 to 180.")
        try Self.check(
            body.accuracyMeters, in: Self.accuracies, "accuracyMeters", "Meters from 0 to 100000.")
        try Self.check(
            Self.known(body.headingDegrees), in: Self.headings, "headingDegrees",
            "Degrees from 0 to 360, or a negative number if unknown.")
        try Self.check(
            Self.known(body.speedMetersPerSecond), in: Self.speeds, "speedMetersPerSecond",
            "Metres per second from 0 to 500, or a negative number if unknown.")
        person = entry.person
        role = entry.role
        coordinate = body.coordinate
        accuracyMeters = body.accuracyMeters
        headingDegrees = Self.known(body.headingDegrees)
        speedMetersPerSecond = Self.known(body.speedMetersPerSecond)
        let received = entry.receivedAt.milliseconds
        at =
            body.recordedAt.map {
                $0.milliseconds - (clockLead ?? Self.clockLead([body], receivedAt: received))
            } ?? received
    }

    /// The largest plausible lead of a phone's clock, in milliseconds: local time taken for UTC, or a wrong date.
    private static let longestLead = 86_400_000

    /// By how many milliseconds the clock that wrote the times of a request is ahead; 0 if it does not seem so.
    ///
    /// Positions are sent once they are recorded, so the newest can't be later than its receipt. If only some are
    /// implausibly late, or one is far later than all others, it's not the clock.
    static func clockLead(_ bodies: [PositionBody], receivedAt: Int) -> Int {
        let leads = bodies.compactMap { $0.recordedAt.map { $0.milliseconds - receivedAt } }
            .sorted(by: >)
        let plausible = Array(leads.drop { $0 > longestLead })
        let newest = plausible.isEmpty ? leads : plausible
        let together = zip(newest, newest.dropFirst()).first { $0 - $1 <= longestPause }?.0
        return max(0, together ?? newest.first ?? 0)
    }

    /// The longest plausible time between the last two positions of a request, in milliseconds.
    private static let longestPause = 3_600_000

    /// Nil for a negative heading or speed, which iOS reports while it is unknown (Core Location, `CLLocation.course`
    /// and `CLLocation.speed`).
    private static func known(_ value: Double?) -> Double? { value.flatMap { $0 < 0 ? nil : $0 } }

    /// Also rejects NaN and infinities.
    private static func check(
        _ value: Double?, in range: ClosedRange<Double>, _ field: String, _ detail: String
    ) throws(PointFault) {
        guard let value, !range.contains(value) else { return }
        throw PointFault(field: field, detail: detail)
    }

    /// Degrees from 0° N, 0° E that only rounding can make, about 10 m: nothing is there but the sea.
    private static let aroundZero = 0.000_1

    /// The mark of the point by itself, regardless of earlier points.
    func mark(at now: Int, _ rules: LocationRules) -> Mark? {
        if Double(now - at) > rules.oldestSeconds * 1_000 { return .old }
        if Double(at - now) > rules.futureSeconds * 1_000 { return .future }
        if max(abs(coordinate.latitude), abs(coordinate.longitude)) < Self.aroundZero {
            return .zero
        }
        if let accuracyMeters, accuracyMeters > rules.accuracyMeters { return .inaccurate }
        return nil
    }
}

extension Date {
    /// Whole milliseconds since 1970, as Redis stores times.
    var milliseconds: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
