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
