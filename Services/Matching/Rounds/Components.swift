/// Sets that can only be merged: union by size, with path halving.
struct UnionFind: Sendable {
    private var parent: [Int]
    private var size: [Int]

    init(count: Int) {
        parent = Array(0..<count)
        size = Array(repeating: 1, count: count)
    }

    mutating func root(of element: Int) -> Int {
        var element = element
        while parent[element] != element {
            parent[element] = parent[parent[element]]
            element = parent[element]
        }
        return element
    }

    mutating func join(_ left: Int, _ right: Int) {
        var (large, small) = (root(of: left), root(of: right))
        guard large != small else { return }
        if size[large] < size[small] { swap(&large, &small) }
        parent[small] = large
        size[large] += size[small]
    }
}

/// Splits rows into independent components: rows linked by a chain of shared values are in one component.
enum Components {
    /// Groups of row numbers, each ascending, in the order of their first row.
    static func of<Value: Hashable>(_ rows: [[Value]]) -> [[Int]] {
        var sets = UnionFind(count: rows.count)
        var firstRow: [Value: Int] = [:]
        for (row, values) in rows.enumerated() {
            for value in values {
                if let first = firstRow[value] {
                    sets.join(first, row)
                } else {
                    firstRow[value] = row
                }
            }
        }
        var groups: [[Int]] = []
        var groupOfRoot: [Int: Int] = [:]
        for row in rows.indices {
            let root = sets.root(of: row)
            if let group = groupOfRoot[root] {
                groups[group].append(row)
            } else {
                groupOfRoot[root] = groups.count
                groups.append([row])
            }
        }
        return groups
    }
}
