import Testing

/// Marks a suite or a test that uses no database, which therefore has nothing to say on a second engine: a run on
/// PostgreSQL leaves it out, and it fails when it asks `TestDatabases` for one all the same.
public struct WithoutDatabase: SuiteTrait, TestTrait {
    public let isRecursive = true

    public func prepare(for test: Test) async throws {
        try await ConditionTrait.disabled(if: TestDatabases.arePostgres, "It uses no database.")
            .prepare(for: test)
    }

    /// Fails the test that runs where it is marked.
    static func check() {
        guard let traits = Test.current?.traits, traits.contains(where: { $0 is WithoutDatabase })
        else { return }
        Issue.record("A test that is marked `.withoutDatabase` asks for one.")
    }
}

extension Trait where Self == WithoutDatabase {
    /// It uses no database: a run on PostgreSQL leaves it out.
    public static var withoutDatabase: Self { WithoutDatabase() }
}
