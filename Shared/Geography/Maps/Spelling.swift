/// Counts typing mistakes: an extra, missing or wrong letter, or two neighbours swapped, count one each, and no
/// letter counts twice (Damerau 1964; optimal string alignment).
///
/// The other word is passed letter by letter, one row of the distance table each, so that words with the same
/// beginning share its rows.
struct Spelling {
    /// Longer words are compared by their beginning.
    static let longest = 40

    private let word: [UInt16]
    private var rows: [Int]
    private var path = [UInt16](repeating: 0, count: longest)

    init(_ word: String) {
        self.word = Array(word.utf16.prefix(Self.longest))
        rows = Array(repeating: 0, count: (self.word.count + 1) * (Self.longest + 1))
        for index in 0...self.word.count { rows[index] = index }
    }

    /// The mistakes between the typed word and the first `depth` letters of the other, of which `letter` is the last,
    /// and the minimum for any continuation. The rows of earlier letters are from the latest calls.
    mutating func put(_ letter: UInt16, at depth: Int) -> (all: Int, least: Int) {
        let width = word.count + 1
        let (row, above) = (depth * width, (depth - 1) * width)
        path[depth - 1] = letter
        rows[row] = depth
        var least = depth
        for index in 1..<width {
            let typed = word[index - 1]
            var cost = rows[above + index - 1] + (typed == letter ? 0 : 1)
            cost = min(cost, rows[above + index] + 1, rows[row + index - 1] + 1)
            if depth > 1, index > 1, typed == path[depth - 2], word[index - 2] == letter {
                cost = min(cost, rows[above - width + index - 2] + 1)
            }
            rows[row + index] = cost
            least = min(least, cost)
        }
        return (rows[row + width - 1], least)
    }

    /// The mistakes between the typed word and another, and between it and the other's most similar beginning.
    mutating func mistakes(in other: String) -> (whole: Int, beginning: Int) {
        var (whole, beginning) = (word.count, word.count)
        for (index, letter) in other.utf16.prefix(Self.longest).enumerated() {
            whole = put(letter, at: index + 1).all
            beginning = min(beginning, whole)
        }
        return (whole, beginning)
    }

    /// The maximum number of mistakes in a word: none in numbers and short words, two in long ones, like
    /// Elasticsearch's `fuzziness: AUTO`.
    static func mostMistakes(in word: String) -> Int {
        guard !word.contains(where: \.isNumber) else { return 0 }
        return switch word.utf16.count {
        case ...2: 0
        case 3...5: 1
        default: 2
        }
    }
}
