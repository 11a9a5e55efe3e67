import Testing

@testable import Matching

@Suite struct ComponentsTests {
    @Test func noRowsHaveNoComponents() {
        #expect(Components.of([[Int]]()).isEmpty)
    }

    @Test func rowsThatShareNothingStandAlone() {
        #expect(Components.of([["a"], ["b"], []]) == [[0], [1], [2]])
    }

    @Test func aChainOfSharedValuesLinksRows() {
        #expect(Components.of([["a", "b"], ["x"], ["c"], ["b", "c"]]) == [[0, 2, 3], [1]])
    }

    @Test func componentsAgreeWithReachabilityOnRandomGraphs() {
        for seed in UInt64(1)...200 {
            var generator = SeededGenerator(seed: seed)
            let rows = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Int.random(in: 0...15, using: &generator)
                }
            }
            let groups = Components.of(rows)
            #expect(groups.flatMap { $0 }.sorted() == Array(rows.indices), "seed \(seed)")
            for group in groups {
                #expect(reachable(from: group[0], rows) == Set(group), "seed \(seed)")
            }
        }
    }

    private func reachable(from start: Int, _ rows: [[Int]]) -> Set<Int> {
        var seen: Set<Int> = [start]
        var waiting = [start]
        while let row = waiting.popLast() {
            for other in rows.indices
            where !seen.contains(other) && !Set(rows[row]).isDisjoint(with: rows[other]) {
                seen.insert(other)
                waiting.append(other)
            }
        }
        return seen
    }

    @Test func joiningTwiceChangesNothing() {
        var sets = UnionFind(count: 4)
        sets.join(0, 1)
        sets.join(1, 0)
        sets.join(2, 3)
        #expect(sets.root(of: 0) == sets.root(of: 1))
        #expect(sets.root(of: 0) != sets.root(of: 3))
    }
}
