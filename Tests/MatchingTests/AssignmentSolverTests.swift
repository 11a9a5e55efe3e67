import Testing

@testable import Matching

extension Assignment {
    fileprivate var pairCount: Int { columnOfRow.count { $0 != nil } }
}

/// SplitMix64: the same numbers in every run, so that a failure can be repeated by its seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Tries every way to pair, for instances small enough to count.
struct BruteForce {
    let costs: [[Double?]]
    let columnCount: Int
    private(set) var pairs = 0
    private(set) var cost = Double.infinity

    init(_ costs: [[Double?]], columnCount: Int) {
        self.costs = costs
        self.columnCount = columnCount
        var taken = Array(repeating: false, count: columnCount)
        visit(row: 0, pairs: 0, cost: 0, &taken)
    }

    private mutating func visit(row: Int, pairs: Int, cost: Double, _ taken: inout [Bool]) {
        guard row < costs.count else {
            if pairs > self.pairs || (pairs == self.pairs && cost < self.cost) {
                (self.pairs, self.cost) = (pairs, cost)
            }
            return
        }
        visit(row: row + 1, pairs: pairs, cost: cost, &taken)
        for column in 0..<columnCount where !taken[column] {
            guard let price = costs[row][column] else { continue }
            taken[column] = true
            visit(row: row + 1, pairs: pairs + 1, cost: cost + price, &taken)
            taken[column] = false
        }
    }
}

@Suite struct AssignmentSolverTests {
    private func solve(_ costs: [[Double?]], columns: Int) throws -> Assignment {
        AssignmentSolver.solve(try AssignmentProblem(costs: costs, columnCount: columns))
    }

    private func random(
        rows: Int, columns: Int, density: Double, whole: Bool, _ generator: inout SeededGenerator
    ) -> [[Double?]] {
        (0..<rows).map { _ in
            (0..<columns).map { _ in
                guard Double.random(in: 0..<1, using: &generator) < density else { return nil }
                return whole
                    ? Double(Int.random(in: -3...5, using: &generator))
                    : Double.random(in: -100...1_000, using: &generator)
            }
        }
    }

    @Test func noRowsAndNoColumnsGiveAnEmptyAssignment() throws {
        #expect(try solve([], columns: 0).columnOfRow.isEmpty)
        #expect(try solve([], columns: 3).totalCost == 0)
        #expect(try solve([[], []], columns: 0).columnOfRow == [nil, nil])
    }

    @Test func theCheapestSumWinsNotTheCheapestPair() throws {
        let found = try solve([[1, 2], [2, 100]], columns: 2)
        #expect(found.columnOfRow == [1, 0])
        #expect(found.totalCost == 4)
    }

    @Test func moreColumnsThanRowsLeaveTheDearestFree() throws {
        let found = try solve([[9, 4, 7, 1], [3, 8, 2, 2]], columns: 4)
        #expect(found.columnOfRow == [3, 2])
    }

    @Test func moreRowsThanColumnsLeaveTheDearestRowOut() throws {
        let found = try solve([[10], [1], [5]], columns: 1)
        #expect(found.columnOfRow == [nil, 0, nil])
        #expect(found.totalCost == 1)
    }

    @Test func servingMoreRowsComesBeforeServingCheaply() throws {
        // Row 0 with column 0 alone would cost 0; serving both costs a thousand million.
        let found = try solve([[0, 1e9], [0, nil]], columns: 2)
        #expect(found.columnOfRow == [1, 0])
        #expect(found.totalCost == 1e9)
    }

    @Test func aRowWithoutAllowedColumnsIsLeftOut() throws {
        let found = try solve([[nil, nil], [3, .infinity], [2, 9]], columns: 2)
        #expect(found.columnOfRow == [nil, 0, 1])
        #expect(found.pairCount == 2)
    }

    @Test func tiesAreBrokenTheSameWayEveryTime() throws {
        let costs = Array(repeating: [Double?](repeating: 7, count: 5), count: 5)
        let first = try solve(costs, columns: 5).columnOfRow
        #expect(first == [0, 1, 2, 3, 4])
        for _ in 0..<10 { #expect(try solve(costs, columns: 5).columnOfRow == first) }
    }

    @Test func theOrderOfPairsInARowDoesNotMatter() throws {
        let pairs: [AssignmentProblem.Pair] = [
            .init(column: 2, cost: 1), .init(column: 0, cost: 1), .init(column: 1, cost: 1),
        ]
        let forward = try AssignmentProblem(rows: [pairs], columnCount: 3)
        let backward = try AssignmentProblem(rows: [pairs.reversed()], columnCount: 3)
        #expect(AssignmentSolver.solve(forward).columnOfRow == [0])
        #expect(AssignmentSolver.solve(backward).columnOfRow == [0])
    }

    @Test func negativeCostsAreCostsLikeOthers() throws {
        let found = try solve([[-5, -1], [-4, -3]], columns: 2)
        #expect(found.columnOfRow == [0, 1])
        #expect(found.totalCost == -8)
    }

    @Test func notANumberIsRefused() {
        #expect(throws: AssignmentError.badCost(row: 1)) {
            try AssignmentProblem(costs: [[1], [.nan]], columnCount: 1)
        }
        #expect(throws: AssignmentError.badCost(row: 0)) {
            try AssignmentProblem(costs: [[-.infinity]], columnCount: 1)
        }
    }

    @Test func aColumnThatDoesNotExistOrComesTwiceIsRefused() {
        #expect(throws: AssignmentError.noSuchColumn(row: 0)) {
            try AssignmentProblem(rows: [[.init(column: 3, cost: 1)]], columnCount: 3)
        }
        #expect(throws: AssignmentError.noSuchColumn(row: 0)) {
            try AssignmentProblem(rows: [[.init(column: -1, cost: 1)]], columnCount: 3)
        }
        #expect(throws: AssignmentError.repeatedColumn(row: 0)) {
            try AssignmentProblem(
                rows: [[.init(column: 1, cost: 1), .init(column: 1, cost: 2)]], columnCount: 3)
        }
    }

    @Test func aProblemOverTheLimitIsRefused() {
        #expect(throws: AssignmentError.tooLarge) {
            try AssignmentProblem(
                rows: Array(repeating: [], count: AssignmentProblem.mostRows + 1), columnCount: 1)
        }
        #expect(throws: AssignmentError.tooLarge) {
            try AssignmentProblem(rows: [], columnCount: AssignmentProblem.mostColumns + 1)
        }
    }

    @Test(arguments: [false, true])
    func smallInstancesAgreeWithTryingEverything(whole: Bool) throws {
        for seed in UInt64(1)...400 {
            var generator = SeededGenerator(seed: seed)
            let rows = Int.random(in: 0...6, using: &generator)
            let columns = Int.random(in: 0...6, using: &generator)
            let density = Double.random(in: 0.1...1, using: &generator)
            let costs = random(
                rows: rows, columns: columns, density: density, whole: whole, &generator)
            let problem = try AssignmentProblem(costs: costs, columnCount: columns)
            let found = AssignmentSolver.solve(problem)
            let best = BruteForce(costs, columnCount: columns)
            #expect(found.pairCount == best.pairs, "seed \(seed)")
            let expected = best.pairs == 0 ? 0 : best.cost
            #expect(abs(found.totalCost - expected) < 1e-6, "seed \(seed)")
            #expect(violations(found, problem).isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: [(200, 400, 0.05), (200, 400, 1.0), (400, 200, 0.03), (150, 150, 0.02)])
    func largeInstancesProveTheirOptimumByDuality(
        rows: Int, columns: Int, density: Double
    ) throws {
        var generator = SeededGenerator(seed: 42)
        let costs = random(
            rows: rows, columns: columns, density: density, whole: false, &generator)
        let problem = try AssignmentProblem(costs: costs, columnCount: columns)
        let found = AssignmentSolver.solve(problem)
        #expect(violations(found, problem).isEmpty)
    }

    /// Weak duality: whoever satisfies these is optimal, whatever produced it.
    private func violations(_ found: Assignment, _ problem: AssignmentProblem) -> [String] {
        let tolerance = 1e-6
        var wrong: [String] = []
        var taken = Set<Int>()
        for (row, column) in found.columnOfRow.enumerated() {
            for pair in problem.rows[row] {
                let dual = found.rowPotentials[row] + found.columnPotentials[pair.column]
                let slack = AssignmentWeight(rowsLeftOut: 0, cost: pair.cost) - dual
                let over = slack < AssignmentWeight(rowsLeftOut: 0, cost: -tolerance)
                let under = AssignmentWeight(rowsLeftOut: 0, cost: tolerance) < slack
                if over { wrong.append("pair \(row), \(pair.column) is cheaper than its price") }
                if pair.column == column, under { wrong.append("pair \(row) is not tight") }
            }
            if let column {
                let isFirst = taken.insert(column).inserted
                if !isFirst { wrong.append("column \(column) is taken twice") }
            } else if found.rowPotentials[row].rowsLeftOut != 1 {
                wrong.append("row \(row) is left out without need")
            }
        }
        for (column, potential) in found.columnPotentials.enumerated() {
            if AssignmentWeight(rowsLeftOut: 0, cost: tolerance) < potential {
                wrong.append("column \(column) has a price above zero")
            }
            let isFree = !taken.contains(column)
            if isFree, potential.rowsLeftOut != 0 || abs(potential.cost) > tolerance {
                wrong.append("free column \(column) has a price")
            }
        }
        return wrong
    }
}
