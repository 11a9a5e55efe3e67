import Testing

@testable import Store

@Suite struct ConditionsTests {
    @Test func withoutConditionsThereIsNoWhere() {
        var conditions = Conditions()
        conditions.require("id = ?", ifPresent: nil as String?)
        #expect(conditions.where.isEmpty && conditions.arguments.isEmpty)
    }

    @Test func argumentsAreInTheOrderOfTheQuestionMarks() {
        var conditions = Conditions("id < ?", "g")
        conditions.require("size IS NULL")
        conditions.require("number = ?", ifPresent: 7)
        conditions.require("size = ?", ifPresent: nil as Int?)
        conditions.require("(size < ? OR number > ?)", nil, 9)
        conditions.require("id IN (?, ?)", arguments: ["a", "b"])
        #expect(
            conditions.where == """
                WHERE id < ? AND size IS NULL AND number = ? AND (size < ? OR number > ?) \
                AND id IN (?, ?)
                """)
        #expect(
            conditions.arguments.map { $0?.sqlValue } == [
                .text("g"), .integer(7), nil, .integer(9), .text("a"), .text("b"),
            ])
    }

    @Test(arguments: TestEngine.allCases)
    func rowsMeetAllOfThem(_ engine: TestEngine) async throws {
        let database = try engine.open()
        for (id, number) in [("a", 1), ("b", 2), ("c", 3)] {
            try await database.add(id, number: number)
        }
        var conditions = Conditions("number > ?", 1)
        conditions.require("(id = ? OR id = ?)", "a", "b")
        let found = try await database.read { [conditions] transaction in
            try transaction.rows(
                "SELECT id FROM things \(conditions.where)", arguments: conditions.arguments
            ).map { try $0.get("id", as: String.self) }
        }
        #expect(found == ["b"])
    }
}
