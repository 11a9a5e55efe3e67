import Contracts
import Synchronization
import Threads

/// The areas that this process knows, each with the signal that wakes its loop.
final class Areas: Sendable {
    /// The most areas; far more than one process can serve.
    static let most = 10_000

    private let wakes = Mutex<[ServiceAreaID: Signal]>([:])
    private let continuation: AsyncStream<(ServiceAreaID, Signal)>.Continuation
    /// Each new area once, for the code that starts its loop.
    let discovered: AsyncStream<(ServiceAreaID, Signal)>

    init() {
        (discovered, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.most))
    }

    /// Wakes an area's loop, because something may now be decided there.
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
