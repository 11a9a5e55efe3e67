import Contracts
import Foundation
import Geo
import Synchronization

/// The position of a simulated person: at every moment a point of the line along which they move.
final class Whereabouts: Sendable {
    struct Fix: Sendable {
        let point: Coordinate
        let headingDegrees: Double?
        let metersPerSecond: Double
    }

    private struct State {
        var path: Path
        var metersPerSecond = 0.0
        var since = ContinuousClock.now
        var silentUntil: ContinuousClock.Instant?
    }

    private let state: Mutex<State>

    init(_ start: Coordinate) { state = Mutex(State(path: Path(from: start, through: []))) }

    var fix: Fix { state.withLock { Self.fix($0) } }

    private static func fix(_ state: State) -> Fix {
        let meters = (ContinuousClock.now - state.since).inSeconds * state.metersPerSecond
        let heading = state.path.headingDegrees(at: meters)
        return Fix(
            point: state.path.point(at: meters), headingDegrees: heading,
            metersPerSecond: heading == nil ? 0 : state.metersPerSecond)
    }

    /// Moves to another place at once, for example after a night.
    func appear(at point: Coordinate) {
        state.withLock { state in
            state.path = Path(from: point, through: [])
            (state.metersPerSecond, state.since) = (0, .now)
        }
    }

    /// Starts to move through these points. Returns the real time that it takes.
    func go(through points: [Coordinate], metersPerSecond: Double) -> Duration {
        state.withLock { state in
            state.path = Path(from: Self.fix(state).point, through: points)
            (state.metersPerSecond, state.since) = (metersPerSecond, .now)
            return .seconds(state.path.lengthMeters / metersPerSecond)
        }
    }

    func stop() {
        state.withLock { state in
            state.path = Path(from: Self.fix(state).point, through: [])
            state.metersPerSecond = 0
        }
    }

    /// The phone is offline for that time.
    func loseSignal(for time: Duration) { state.withLock { $0.silentUntil = .now + time } }

    var isSilent: Bool {
        state.withLock { state in state.silentUntil.map { $0 > .now } ?? false }
    }
}

extension Whereabouts.Fix {
    func body(at date: Date, accuracyMeters: Double) -> PositionBody {
        PositionBody(
            latitude: point.latitude, longitude: point.longitude, accuracyMeters: accuracyMeters,
            headingDegrees: headingDegrees, speedMetersPerSecond: metersPerSecond, recordedAt: date)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
