import Client
import Contracts
import Foundation
import Geo
import Synchronization

/// Valets of a demo who do not belong to this simulation. A customer orders where they stand, so that they need not
/// wait for luck.
final class Strangers: Sendable {
    /// Pause between a call, or a job, and the next call: the customer of the last job comes first.
    static let pause: Duration = .seconds(45)
    /// A valet whose phone has been silent for longer, in seconds, may have closed the app.
    private static let longestSilenceSeconds = 30.0

    private struct State {
        var waiting: [ValetID: Coordinate] = [:]
        var leftAloneUntil: [ValetID: ContinuousClock.Instant] = [:]
    }

    private let cast: Set<String>
    private let state = Mutex(State())

    /// `cast` contains phone numbers.
    init(cast: Set<String>) { self.cast = cast }

    /// Updates the waiting valets from an operator's list. True if somebody waits.
    func see(_ valets: [ValetRecord], at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            state.waiting = [:]
            for valet in valets where !cast.contains(valet.phone) {
                if valet.status == .busy { state.leftAloneUntil[valet.id] = now + Self.pause }
                guard valet.status == .available, let place = valet.position,
                    valet.positionAgeSeconds.map({ $0 < Self.longestSilenceSeconds }) == true,
                    state.leftAloneUntil[valet.id].map({ $0 <= now }) != false
                else { continue }
                state.waiting[valet.id] = place.coordinate
            }
            return !state.waiting.isEmpty
        }
    }

    /// The position of a waiting valet; each is served by one customer.
    func call(at now: ContinuousClock.Instant = .now) -> Coordinate? {
        state.withLock { state in
            guard let (valet, place) = state.waiting.popFirst() else { return nil }
            state.leftAloneUntil[valet] = now + Self.pause
            return place
        }
    }
}
