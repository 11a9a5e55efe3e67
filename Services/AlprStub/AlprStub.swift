import Foundation
import Synchronization

/// How all requests are answered, as set by `POST /control`.
struct Mood: Codable, Sendable, Equatable {
    enum Mode: String, Codable, Sendable, CaseIterable {
        case normal, slow, failing, rateLimited, noCredits, badKey
    }

    /// The longest delay, in seconds.
    static let longestDelay = 60.0
    /// The most failures.
    static let mostTimes = 10_000

    var mode: Mode
    /// The delay with `slow`.
    var seconds: Double?
    /// The number of requests answered in this mode before it returns to normal; nil for all.
    var times: Int?

    static let normal = Mood(mode: .normal)

    var isPossible: Bool {
        (0...Self.longestDelay).contains(seconds ?? 0) && (1...Self.mostTimes).contains(times ?? 1)
    }
}

/// The stub's state: its key, its mode, and the number of requests.
final class AlprStub: Sendable {
    private struct State {
        var mood = Mood.normal
        var asked = 0
    }

    /// Nil accepts any key.
    let key: String?
    private let state = Mutex(State())

    init(key: String?) { self.key = key }

    var mood: Mood { state.withLock { $0.mood } }
    /// The number of pictures received, whatever the answer.
    var asked: Int { state.withLock { $0.asked } }

    func set(_ mood: Mood) { state.withLock { $0.mood = mood } }

    /// Counts the next picture, and returns the mode for it.
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
