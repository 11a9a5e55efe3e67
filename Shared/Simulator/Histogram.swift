import Foundation

/// Counts durations in buckets, each a twentieth longer than the one before. It needs no more memory for a day than
/// for a minute.
struct Histogram: Sendable, Equatable {
    private static let growth = 1.05
    /// Upper end of the first bucket, in seconds.
    private static let finest = 0.0001
    /// Number of buckets; the last ends beyond an hour.
    private static let most = 400

    private var buckets: [Int: Int] = [:]
    private(set) var count = 0

    mutating func add(_ seconds: Double) {
        let ratio = max(seconds, Self.finest) / Self.finest
        let bucket = Int((log(ratio) / log(Self.growth)).rounded(.up))
        buckets[min(bucket, Self.most), default: 0] += 1
        count += 1
    }

    mutating func merge(_ other: Histogram) {
        buckets.merge(other.buckets, uniquingKeysWith: +)
        count += other.count
    }

    /// The duration in seconds below which that share lies, accurate to a twentieth; nil if there are none.
    func quantile(_ share: Double) -> Double? {
        guard count > 0 else { return nil }
        var left = max(1, Int((share * Double(count)).rounded(.up)))
        for (bucket, number) in buckets.sorted(by: { $0.key < $1.key }) {
            left -= number
            if left <= 0 { return Self.finest * pow(Self.growth, Double(bucket)) }
        }
        return nil
    }
}
