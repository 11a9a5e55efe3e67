/// The allowed pairs of rows and columns, with their costs. Any other pair is forbidden.
struct AssignmentProblem: Sendable {
    struct Pair: Sendable, Hashable {
        let column: Int
        let cost: Double
    }

    /// Limits the work of one solution, which is cubic in the number of rows.
    static let mostRows = 2_000
    static let mostColumns = 20_000

    let columnCount: Int
    /// The pairs of each row, by ascending column.
    let rows: [[Pair]]

    /// An infinite cost forbids the pair. Throws for NaN, −∞ and a column named twice in a row.
    init(rows: [[Pair]], columnCount: Int) throws(AssignmentError) {
        guard rows.count <= Self.mostRows, (0...Self.mostColumns).contains(columnCount) else {
            throw .tooLarge
        }
        var sorted: [[Pair]] = []
        sorted.reserveCapacity(rows.count)
        for (row, pairs) in rows.enumerated() {
            for pair in pairs {
                guard (0..<columnCount).contains(pair.column) else {
                    throw .noSuchColumn(row: row)
                }
                // False for NaN too.
                guard pair.cost > -.infinity else { throw .badCost(row: row) }
            }
            let allowed = pairs.filter { $0.cost < .infinity }.sorted { $0.column < $1.column }
            let neighbours = zip(allowed, allowed.dropFirst())
            if neighbours.contains(where: { $0.column == $1.column }) {
                throw .repeatedColumn(row: row)
            }
            sorted.append(allowed)
        }
        self.rows = sorted
        self.columnCount = columnCount
    }

    /// The dense form; nil and infinity forbid the pair.
    init(costs: [[Double?]], columnCount: Int) throws(AssignmentError) {
        let rows = costs.map { row in
            row.enumerated().compactMap { column, cost in
                cost.map { Pair(column: column, cost: $0) }
            }
        }
        try self.init(rows: rows, columnCount: columnCount)
    }
}

enum AssignmentError: Error, Equatable {
    case tooLarge
    case badCost(row: Int)
    case noSuchColumn(row: Int)
    case repeatedColumn(row: Int)
}

/// A cost by which leaving one row out outweighs any sum of pair costs.
///
/// Pairs of numbers in lexicographic order form an ordered group, which is all that the method needs of costs. A single
/// large penalty would do the same, but would lose digits of the costs.
struct AssignmentWeight: Sendable, Equatable, Comparable, AdditiveArithmetic {
    var rowsLeftOut: Int
    var cost: Double

    static let zero = AssignmentWeight(rowsLeftOut: 0, cost: 0)

    static func < (left: Self, right: Self) -> Bool {
        left.rowsLeftOut != right.rowsLeftOut
            ? left.rowsLeftOut < right.rowsLeftOut : left.cost < right.cost
    }

    static func + (left: Self, right: Self) -> Self {
        Self(rowsLeftOut: left.rowsLeftOut + right.rowsLeftOut, cost: left.cost + right.cost)
    }

    static func - (left: Self, right: Self) -> Self {
        Self(rowsLeftOut: left.rowsLeftOut - right.rowsLeftOut, cost: left.cost - right.cost)
    }
}

/// An optimal solution and its proof: the potentials solve the dual problem.
///
/// `rowPotentials[r] + columnPotentials[c] <= cost(r, c)` for each allowed pair, with equality for the chosen ones. A
/// column's potential is at most zero, and zero if the column is free. A row's is at most the weight of leaving it out,
/// and equal to it if the row is left out.
struct Assignment: Sendable {
    /// Nil for a row that is left out.
    let columnOfRow: [Int?]
    let totalCost: Double
    let rowPotentials: [AssignmentWeight]
    let columnPotentials: [AssignmentWeight]
}

/// Pairs as many rows with columns as possible, and among all such solutions finds a cheapest.
///
/// Shortest augmenting paths with dual potentials: R. Jonker and A. Volgenant, "A shortest augmenting path algorithm
/// for dense and sparse linear assignment problems", Computing 38 (1987), in the rectangular form of D. F. Crouse, "On
/// implementing 2D rectangular assignment algorithms", IEEE Transactions on Aerospace and Electronic Systems 52 (2016).
/// Each row also gets a column of its own that means "left out". So every row can be placed, and the choice of the rows
/// left out is part of the optimum. O(rows² · columns) at worst; equal input gives equal output.
enum AssignmentSolver {
    static func solve(_ problem: AssignmentProblem) -> Assignment {
        var search = Search(problem)
        for row in problem.rows.indices { search.place(row) }
        return search.assignment
    }
}

extension AssignmentSolver {
    private static let leftOut = AssignmentWeight(rowsLeftOut: 1, cost: 0)

    private struct Search {
        let problem: AssignmentProblem
        /// The real columns, then for each row the one that means "left out".
        let columnCount: Int
        var columnOfRow: [Int?]
        var rowOfColumn: [Int?]
        var rowPotentials: [AssignmentWeight]
        var columnPotentials: [AssignmentWeight]

        init(_ problem: AssignmentProblem) {
            self.problem = problem
            columnCount = problem.columnCount + problem.rows.count
            columnOfRow = Array(repeating: nil, count: problem.rows.count)
            rowOfColumn = Array(repeating: nil, count: columnCount)
            rowPotentials = Array(repeating: .zero, count: problem.rows.count)
            columnPotentials = Array(repeating: .zero, count: columnCount)
        }

        /// The tree of shortest alternating paths from one row.
        struct Tree {
            var distance: [AssignmentWeight?]
            var rowBefore: [Int]
            /// Columns whose distance is known but may still fall.
            var open: [Int] = []
            /// Columns whose distance is final, in the order in which they were reached.
            var closed: [Int] = []
            var isClosed: [Bool]

            init(columnCount: Int) {
                distance = Array(repeating: nil, count: columnCount)
                rowBefore = Array(repeating: -1, count: columnCount)
                isClosed = Array(repeating: false, count: columnCount)
            }

            mutating func reach(_ column: Int, from row: Int, at weight: AssignmentWeight) {
                guard !isClosed[column] else { return }
                if let known = distance[column] {
                    guard weight < known else { return }
                } else {
                    open.append(column)
                }
                distance[column] = weight
                rowBefore[column] = row
            }

            /// Closes the nearest open column: a free one before a taken one, then the lowest.
            mutating func closeNearest(isFree: (Int) -> Bool) -> (Int, AssignmentWeight)? {
                var best: (place: Int, column: Int, weight: AssignmentWeight, free: Bool)?
                for (place, column) in open.enumerated() {
                    guard let weight = distance[column] else { continue }
                    let free = isFree(column)
                    if let known = best {
                        if known.weight < weight { continue }
                        if known.weight == weight {
                            if known.free != free ? known.free : known.column < column { continue }
                        }
                    }
                    best = (place, column, weight, free)
                }
                guard let best else { return nil }
                open.swapAt(best.place, open.count - 1)
                open.removeLast()
                isClosed[best.column] = true
                closed.append(best.column)
                return (best.column, best.weight)
            }
        }

        /// Places one more row, and moves placed ones along the shortest path to a free column.
        mutating func place(_ start: Int) {
            var tree = Tree(columnCount: columnCount)
            var row = start
            var reached = AssignmentWeight.zero
            while true {
                relax(row, at: reached, in: &tree)
                // The start row's own "left out" column is free, so there is always a next one.
                guard let (column, weight) = tree.closeNearest(isFree: { rowOfColumn[$0] == nil })
                else { return }
                reached = weight
                guard let next = rowOfColumn[column] else {
                    adjustPotentials(start, tree, length: weight)
                    augment(start, to: column, tree)
                    return
                }
                row = next
            }
        }

        private func relax(_ row: Int, at reached: AssignmentWeight, in tree: inout Tree) {
            for pair in problem.rows[row] {
                let cost = AssignmentWeight(rowsLeftOut: 0, cost: pair.cost)
                let reduced = cost - rowPotentials[row] - columnPotentials[pair.column]
                tree.reach(pair.column, from: row, at: reached + reduced)
            }
            let own = problem.columnCount + row
            let reduced = leftOut - rowPotentials[row] - columnPotentials[own]
            tree.reach(own, from: row, at: reached + reduced)
        }

        /// Keeps every reduced cost at least zero, and zero along the path (Crouse, section III).
        private mutating func adjustPotentials(
            _ start: Int, _ tree: Tree, length: AssignmentWeight
        ) {
            rowPotentials[start] += length
            for column in tree.closed {
                guard let distance = tree.distance[column] else { continue }
                let slack = length - distance
                columnPotentials[column] -= slack
                if let row = rowOfColumn[column] { rowPotentials[row] += slack }
            }
        }

        private mutating func augment(_ start: Int, to free: Int, _ tree: Tree) {
            var column = free
            while true {
                let row = tree.rowBefore[column]
                let before = columnOfRow[row]
                rowOfColumn[column] = row
                columnOfRow[row] = column
                guard row != start, let before else { return }
                column = before
            }
        }

        var assignment: Assignment {
            let real = columnOfRow.map { column in
                column.flatMap { $0 < problem.columnCount ? $0 : nil }
            }
            var total = 0.0
            for (row, column) in real.enumerated() {
                guard let column else { continue }
                total += problem.rows[row].first { $0.column == column }?.cost ?? 0
            }
            return Assignment(
                columnOfRow: real, totalCost: total, rowPotentials: rowPotentials,
                columnPotentials: Array(columnPotentials.prefix(problem.columnCount)))
        }
    }
}
