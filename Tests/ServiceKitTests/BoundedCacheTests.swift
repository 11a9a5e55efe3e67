import Foundation
import ServiceKit
import Support
import Testing

@Suite(.withoutDatabase) struct BoundedCacheTests {
    private let now = Date(timeIntervalSince1970: 1_767_600_000)

    @Test func aValueIsForgottenAfterItsTime() {
        let cache = BoundedCache<String, Int>(most: 2, seconds: 10)
        cache.keep(1, of: "a", at: now)
        #expect(cache.value(of: "a", at: now + 9)?.value == 1)
        #expect(cache.value(of: "a", at: now + 9)?.at == now)
        #expect(cache.value(of: "a", at: now + 10) == nil)
        #expect(cache.value(of: "a", at: now - 3_600) == nil, "the clock was set back")
        #expect(cache.value(of: "b", at: now) == nil)
    }

    @Test func theOldestGoesWhenItIsFull() {
        let cache = BoundedCache<String, Int>(most: 2, seconds: 100)
        cache.keep(1, of: "a", at: now)
        cache.keep(2, of: "b", at: now + 1)
        cache.keep(3, of: "a", at: now + 2)
        cache.keep(4, of: "c", at: now + 3)
        #expect(cache.value(of: "b", at: now + 3) == nil)
        #expect(cache.value(of: "a", at: now + 3)?.value == 3)
        #expect(cache.value(of: "c", at: now + 3)?.value == 4)
    }

    @Test func eachVersionIsReadOnce() {
        let known = KnownVersions<String, String>(most: 10)
        var asked: [[String]] = []
        func values(_ keys: (String, Int)...) -> [String] {
            known.values(of: keys.map { .init(id: $0, version: $1) }, at: now) { ids in
                asked.append(ids)
                return ids.contains("c")
                    ? [:] : Dictionary(uniqueKeysWithValues: ids.map { ($0, "\($0)!") })
            }
        }
        #expect(values(("a", 1), ("b", 1)) == ["a!", "b!"])
        #expect(values(("b", 1), ("a", 2)) == ["b!", "a!"])
        #expect(values(("a", 2), ("c", 1)) == ["a!"], "what is not there is left out")
        #expect(asked == [["a", "b"], ["a"], ["c"]])
    }
}
