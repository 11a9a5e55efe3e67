import Contracts
import Foundation
import Geo

/// Why a point does not count. It is kept in the track with this mark, and counted.
enum Mark: String, Sendable, CaseIterable {
    /// Older than anything that is of use.
    case old
    case future
    case inaccurate
    /// Older than the last one used: time order decides, not the order of arrival.
    case late
    case `repeat`
    /// Nobody moves that fast.
    case jump
    /// The person's account is deleted; such a point is in no track.
    case gone
}

/// Which field of a point can't be one, and what it may be.
struct PointFault: Error, Hashable {
    let field: String
    let detail: String
}

/// A reading of somebody's position within the ranges of its fields.
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

    /// NaN and infinities are in no range.
    private static func check(
        _ value: Double?, in range: ClosedRange<Double>, _ field: String, _ detail: String
    ) throws(PointFault) {
        guard let value, !range.contains(value) else { return }
        throw PointFault(field: field, detail: detail)
    }

    /// What is wrong with the point by itself, whatever came before.
    func mark(at now: Int, _ rules: LocationRules) -> Mark? {
        if Double(now - at) > rules.oldestSeconds * 1_000 { return .old }
        if Double(at - now) > rules.futureSeconds * 1_000 { return .future }
        if let accuracyMeters, accuracyMeters > rules.accuracyMeters { return .inaccurate }
        return nil
    }
}

extension Date {
    /// Since 1970, whole: as Redis keeps times.
    var milliseconds: Int { Int((timeIntervalSince1970 * 1_000).rounded()) }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
