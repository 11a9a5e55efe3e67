import Dispatch

/// Blocks whoever comes until it is opened. From then on everybody passes, those who come again included: a
/// transaction may run twice.
public final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    public func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    public func open() { semaphore.signal() }
}

extension DispatchSemaphore {
    /// Waits for as many signals without blocking a thread on which tasks run.
    public func signalled(times: Int = 1) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for _ in 0..<times { self.wait() }
                continuation.resume()
            }
        }
    }
}
