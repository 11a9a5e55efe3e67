/// Retries a transaction that lost against others, a limited number of times.
///
/// Each kind of failure has its own limit: after losing a conflict, a transaction may find a value taken by the same
/// competitor, which it sees in the next try.
struct Conflicts {
    /// For a write that conflicts with others: a serialisation failure, a deadlock, a lost race.
    static let mostTries = 12
    /// After so many tries a writer joins the queue of those that keep losing.
    static let triesOutOfLine = 3
    /// A taken value may come from a faster transaction, which the next try sees.
    static let mostTriesOfUnique = 3
    /// For a lost connection: the next try uses another one.
    static let mostTriesOfLost = 3
    static let firstPause: Duration = .milliseconds(2)
    static let longestPause: Duration = .milliseconds(250)

    private var losses: [StoreError.Kind: Int] = [:]

    var isInLine: Bool { losses[.conflict, default: 0] >= Self.triesOutOfLine }

    /// Returns when it is time for another try; otherwise throws the error for the caller.
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
        // In a cancelled task it does not wait, but continues anyway.
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
