import Contracts
import Foundation
import Geo

/// Why a point does not count. It is stored in the track with this mark, and counted.
enum Mark: String, Sendable, CaseIterable {
    /// Too old to be of use.
    case old
    case future
    case inaccurate
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

    init(_ entry: PositionBatch.Entry) throws(PointFault) {
        let body = entry.point
        try Self.check(body.latitude, in: -90...90, "latitude", "Degrees from -90 to 90.")
        try Self.check(body.longitude, in: -180...180, "longitude", "Degrees from -180 to 180.")
        try Self.check(
            body.accuracyMeters, in: Self.accuracies, "accuracyMeters", "Meters from 0 to 100000.")
        try Self.check(
            body.headingDegrees, in: Self.headings, "headingDegrees", "Degrees from 0 to 360.")
        try Self.check(
            body.speedMetersPerSecond, in: Self.speeds, "speedMetersPerSecond",
            "Meters per second from 0 to 500.")
        person = entry.person
        role = entry.role
        coordinate = body.coordinate
        accuracyMeters = body.accuracyMeters
        headingDegrees = body.headingDegrees
        speedMetersPerSecond = body.speedMetersPerSecond
        at = (body.recordedAt ?? entry.receivedAt).milliseconds
    }

    /// Also rejects NaN and infinities.
    private static func check(
        _ value: Double?, in range: ClosedRange<Double>, _ field: String, _ detail: String
    ) throws(PointFault) {
        guard let value, !range.contains(value) else { return }
        throw PointFault(field: field, detail: detail)
    }

    /// The mark of the point by itself, regardless of earlier points.
    func mark(at now: Int, _ rules: LocationRules) -> Mark? {
        if Double(now - at) > rules.oldestSeconds * 1_000 { return .old }
        if Double(at - now) > rules.futureSeconds * 1_000 { return .future }
        if let accuracyMeters, accuracyMeters > rules.accuracyMeters { return .inaccurate }
        return nil
    }
}

extension Date {
    /// Whole milliseconds since 1970, as Redis stores times.
    var milliseconds: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
