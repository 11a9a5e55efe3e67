extension Sequence where Element: Sendable {
    /// The results of `body` in the order of the elements, with a limit on concurrent calls.
    public func concurrentMap<Value: Sendable>(
        atOnce: Int = .max, _ body: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (index: Int, value: Value).self) { group in
            var found: [(index: Int, value: Value)] = []
            for (index, element) in enumerated() {
                if index >= atOnce, let one = await group.next() { found.append(one) }
                group.addTask { (index, await body(element)) }
            }
            for await one in group { found.append(one) }
            return found.sorted { $0.index < $1.index }.map(\.value)
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    /// The value that `body` returns, or the error that it throws.
    public init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
