/// Runs a transaction again when it lost against others, a bounded number of times.
///
/// Each kind of loss has a bound of its own: who has lost to a conflict may then meet a value that is taken, of the
/// same others, and sees it with the next try.
struct Conflicts {
    /// Of a write that conflicts with others: a serialisation failure, a deadlock, a lost race.
    static let mostTries = 12
    /// Tries after which a writer gets in line with the others who keep losing.
    static let triesOutOfLine = 3
    /// A value that is taken may be of somebody who was faster, whom the next try sees.
    static let mostTriesOfUnique = 3
    /// Of one whose connection was lost: the next try has another connection.
    static let mostTriesOfLost = 3
    static let firstPause: Duration = .milliseconds(2)
    static let longestPause: Duration = .milliseconds(250)

    private var losses: [StoreError.Kind: Int] = [:]

    var isInLine: Bool { losses[.conflict, default: 0] >= Self.triesOutOfLine }

    /// Returns when it is time for another try; otherwise throws what the caller is to hear.
    mutating func wait(after error: any Error) async throws {
        let loss =
            error is LostRace
            ? StoreError(
                .conflict, "a row was changed by others in each of \(Self.mostTries) tries") : error
        guard let loss = loss as? StoreError else { throw error }
        losses[loss.kind, default: 0] += 1
        guard losses[loss.kind, default: 0] < Self.mostTries(of: loss.kind) else { throw loss }
        let lost = losses.values.reduce(0, +)
        let pause = min(Self.longestPause, Self.firstPause * (1 << min(lost, 10)))
        // In a cancelled task it does not wait, and goes on all the same.
        try? await Task.sleep(for: pause / 2 + pause / 2 * Double.random(in: 0...1))
    }

    private static func mostTries(of kind: StoreError.Kind) -> Int {
        switch kind {
        case .conflict: mostTries
        case .uniqueViolation: mostTriesOfUnique
        case .unavailable: mostTriesOfLost
        case .foreignKeyViolation, .checkViolation, .busy, .outcomeUnknown, .full, .decoding,
            .other:
            1
        }
    }
}
