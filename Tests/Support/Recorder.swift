import Synchronization

/// What arrived, in its order.
public final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    public init() {}

    public var all: [Value] { values.withLock { $0 } }
    public var count: Int { all.count }
    public func add(_ value: Value) { values.withLock { $0.append(value) } }
}
