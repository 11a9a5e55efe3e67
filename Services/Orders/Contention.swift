import Store

/// Times that a change is tried again when somebody else was faster.
private let mostTries = 5

/// Does it again when a race was lost, a bounded number of times.
func retrying<T>(_ work: () async throws -> T) async throws -> T {
    for _ in 1..<mostTries {
        do {
            return try await work()
        } catch is LostRace {
            continue
        } catch let error as StoreError where error.kind == .uniqueViolation {
            continue
        }
    }
    do {
        return try await work()
    } catch is LostRace {
        throw OrderError.contended
    } catch let error as StoreError where error.kind == .uniqueViolation {
        throw OrderError.contended
    }
}
