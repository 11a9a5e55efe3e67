import Foundation
import Synchronization

/// How everybody is answered, as `POST /control` says.
struct Mood: Codable, Sendable, Equatable {
    enum Mode: String, Codable, Sendable, CaseIterable {
        case normal, slow, failing, rateLimited, noCredits, badKey
    }

    /// Longest delay that can be asked for, in seconds.
    static let longestDelay = 60.0
    /// Failures that can be asked for.
    static let mostTimes = 10_000

    var mode: Mode
    /// Of delay, with `slow`.
    var seconds: Double?
    /// How many are answered so, before all is normal again; without it, all.
    var times: Int?

    static let normal = Mood(mode: .normal)

    var isPossible: Bool {
        (0...Self.longestDelay).contains(seconds ?? 0) && (1...Self.mostTimes).contains(times ?? 1)
    }
}

/// What the stub remembers: its key, its mood, and how often it was asked.
final class AlprStub: Sendable {
    private struct State {
        var mood = Mood.normal
        var asked = 0
    }

    /// Nil: any key will do.
    let key: String?
    private let state = Mutex(State())

    init(key: String?) { self.key = key }

    var mood: Mood { state.withLock { $0.mood } }
    /// Pictures that were brought, whatever the answer.
    var asked: Int { state.withLock { $0.asked } }

    func set(_ mood: Mood) { state.withLock { $0.mood = mood } }

    /// The mood for the next picture, which then is counted.
    func next() -> Mood {
        state.withLock { state in
            state.asked += 1
            let mood = state.mood
            if let times = mood.times {
                state.mood = times > 1 ? mood.once(less: times) : .normal
            }
            return mood
        }
    }
}

extension Mood {
    fileprivate func once(less times: Int) -> Mood {
        Mood(mode: mode, seconds: seconds, times: times - 1)
    }
}
