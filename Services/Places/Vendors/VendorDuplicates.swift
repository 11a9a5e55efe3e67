import Contracts
import Geo
import ServiceKit

/// Finds vendors that may be duplicates: near each other, and one name has all words of the other.
///
/// Candidates for a vendor are those that have its rarest word, in order of latitude from its own. So neither many
/// vendors at one place nor many of one name are compared each with each.
struct VendorDuplicates: Sendable {
    /// A vendor's place and the words of its name.
    struct NamedPlace: Sendable {
        let id: VendorID
        let position: Coordinate
        let words: Set<Substring>

        init(id: VendorID, position: Coordinate, name: String) {
            (self.id, self.position) = (id, position)
            words = Set(WordSearch.folded(name).split { !$0.isLetter && !$0.isNumber })
        }
    }

    struct Pair: Sendable, Hashable {
        /// The vendor with the smaller id.
        let one, other: VendorID
        let meters: Double
    }

    /// In metres; less than a degree of latitude on any ellipsoid of the Earth.
    private static let metersPerDegree = 110_000.0

    /// The nearest pairs, nearest first.
    let most: Int
    /// The longest distance between two duplicates.
    let meters: Double

    /// How many comparisons the search has made.
    private(set) var comparisons = 0
    private var best: [Pair] = []

    init(most: Int, within meters: Double) { (self.most, self.meters) = (most, meters) }

    mutating func pairs(among places: [NamedPlace]) -> [Pair] {
        (best, comparisons) = ([], 0)
        let sorted = places.filter { !$0.words.isEmpty }
            .sorted { ($0.position.latitude, $0.id) < ($1.position.latitude, $1.id) }
        var byWord: [Substring: [Int]] = [:]
        for (index, place) in sorted.enumerated() {
            for word in place.words { byWord[word, default: []].append(index) }
        }
        for (index, place) in sorted.enumerated() {
            let lists = place.words.compactMap { byWord[$0] }
            guard let rarest = lists.min(by: { $0.count < $1.count }) else { continue }
            let own = rarest.partitioningIndex { $0 >= index }
            compare(place, rarest[(own + 1)...].lazy.map { sorted[$0] })
            compare(place, rarest[..<own].reversed().lazy.map { sorted[$0] })
        }
        return best
    }

    /// Compares with others in order of their distance in latitude, until no nearer pair can follow.
    private mutating func compare(_ place: NamedPlace, _ others: some Sequence<NamedPlace>) {
        for other in others {
            let least =
                abs(other.position.latitude - place.position.latitude) * Self.metersPerDegree
            guard mayKeep(least) else { return }
            comparisons += 1
            // Two with the same words find each other, so only one of them keeps the pair.
            guard place.words.isSubset(of: other.words),
                place.words.count < other.words.count || place.id < other.id
            else { continue }
            keep(place, other)
        }
    }

    private func mayKeep(_ distance: Double) -> Bool {
        guard best.count == most, let last = best.last else { return distance <= meters }
        return distance < last.meters
    }

    private mutating func keep(_ place: NamedPlace, _ other: NamedPlace) {
        let distance = Geo.distanceMeters(place.position, other.position)
        guard mayKeep(distance) else { return }
        let pair = Pair(
            one: min(place.id, other.id), other: max(place.id, other.id), meters: distance)
        best.insert(pair, at: best.partitioningIndex { $0.meters > distance })
        if best.count > most { best.removeLast() }
    }
}

extension RandomAccessCollection {
    /// The first index whose element belongs to the second part; elements of the first part come before all others.
    fileprivate func partitioningIndex(
        where belongsToSecond: (Element) -> Bool
    ) -> Index {
        var (start, count) = (startIndex, self.count)
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if belongsToSecond(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}
