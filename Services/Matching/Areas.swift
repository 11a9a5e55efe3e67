import Contracts
import Synchronization
import Threads

/// The areas that this process has heard of, each with the wake of its loop.
final class Areas: Sendable {
    /// Far above what one process can serve.
    static let most = 10_000

    private let wakes = Mutex<[ServiceAreaID: Signal]>([:])
    private let continuation: AsyncStream<(ServiceAreaID, Signal)>.Continuation
    /// Each area once, for the one who starts its loop.
    let discovered: AsyncStream<(ServiceAreaID, Signal)>

    init() {
        (discovered, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.most))
    }

    /// Something may be decided there now.
    func call(_ area: ServiceAreaID) {
        let (wake, isNew) = wakes.withLock { wakes in
            if let wake = wakes[area] { return (wake, false) }
            let wake = Signal()
            wakes[area] = wake
            return (wake, true)
        }
        if isNew { continuation.yield((area, wake)) }
        wake.raise()
    }
}
