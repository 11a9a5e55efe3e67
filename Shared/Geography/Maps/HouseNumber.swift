enum HouseNumber {
    /// The most numbers that a range or an interpolation has; beyond them, it is an error of the map.
    static let most = 500

    /// All spellings for comparison: "14 B" is "14b", too, and "14b" is "14 b".
    static func spellings(_ number: String) -> [String] {
        let text = SearchWords.of(number).joined(separator: " ")
        guard let (_, digits, letters) = text.wholeMatch(of: /([0-9]+) ?([a-z]+)/)?.output else {
            return text.isEmpty ? [] : [text]
        }
        return ["\(digits) \(letters)", "\(digits)\(letters)"]
    }

    /// The single numbers of a range or a list: 12, 14 and 16 of "12-16", 5 and 7 of "5;7". Empty for one number.
    static func parts(of number: String, by interpolation: HouseInterpolation?) -> [String] {
        let pieces = number.split { ";,/".contains($0) }.map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let parts = pieces.flatMap { piece -> [String] in
            if let range = piece.wholeMatch(of: /(.*[^ ]) ?[-\u{2013}\u{2014}] ?([^ ].*)/)?.output {
                return self.range(from: String(range.1), to: String(range.2), by: interpolation)
            }
            return split(piece) == nil ? [] : [piece]
        }
        return parts == [number] ? [] : parts
    }

    /// The numbers of two houses, or those of their ranges that are nearest to each other: 3 and 9 of "1-3" and "9".
    static func ends(
        _ one: String, _ other: String
    ) -> ((number: Int, letter: Character?), (number: Int, letter: Character?))? {
        func numbers(_ text: String) -> [(number: Int, letter: Character?)] {
            split(text).map { [$0] } ?? parts(of: text, by: nil).compactMap { split($0) }
        }
        let others = numbers(other)
        return numbers(one).flatMap { first in others.map { (first, $0) } }
            .min { abs($0.0.number - $0.1.number) < abs($1.0.number - $1.1.number) }
    }

    private static func range(
        from one: String, to other: String, by interpolation: HouseInterpolation?
    ) -> [String] {
        if let first = split(one), let letter = first.letter, other.count == 1,
            let last = other.first?.lowercased().first, last.isLetter
        {
            // "3a-c".
            return [one]
                + HouseInterpolation.alphabetic.between(
                    (first.number, letter), (first.number, last)) + ["\(first.number)\(last)"]
        }
        guard let first = split(one), let last = split(other) else { return [] }
        let isOneSide = (first.number - last.number).isMultiple(of: 2)
        // "263-2" is flat 2 of house 263.
        let isFlat = last.number < first.number && (!isOneSide || first.number >= last.number * 10)
        if isFlat, interpolation == nil { return [one] }
        let usual: HouseInterpolation =
            first.number == last.number ? .alphabetic : isOneSide ? .every(2) : .every(1)
        return [one] + (interpolation ?? usual).between(first, last) + [other]
    }

    /// Number and letter of a house: 14 and "b" of "14 B". Nil if it has another form.
    static func split(_ number: some StringProtocol) -> (number: Int, letter: Character?)? {
        guard let match = String(number).wholeMatch(of: /([0-9]{1,5}) ?([A-Za-z]?)/),
            let digits = Int(match.1)
        else { return nil }
        return (digits, match.2.lowercased().first)
    }
}

/// OpenStreetMap's `addr:interpolation`: the numbers between the two ends of a line or a range
/// (wiki.openstreetmap.org/wiki/Key:addr:interpolation).
enum HouseInterpolation: Hashable {
    case even, odd, alphabetic
    /// Each number, each second one and so on, counted from the lower end.
    case every(Int)

    /// Nil for another value.
    init?(_ tag: String) {
        switch tag.lowercased() {
        case "even": self = .even
        case "odd": self = .odd
        case "all": self = .every(1)
        case "alphabetic": self = .alphabetic
        default:
            guard let step = Int(tag), (1...HouseNumber.most).contains(step) else { return nil }
            self = .every(step)
        }
    }

    /// The numbers between two others, without them, in the order from one to the other.
    func between(
        _ one: (number: Int, letter: Character?), _ other: (number: Int, letter: Character?)
    ) -> [String] {
        let isDown = (other.number, other.letter ?? "`") < (one.number, one.letter ?? "`")
        let (low, high) = isDown ? (other, one) : (one, other)
        // "7" to "7c" is by letters, whatever the tag.
        let isByLetters = self == .alphabetic || low.number == high.number
        let found = isByLetters ? letters(low, high) : numbers(low.number, high.number)
        return isDown ? found.reversed() : found
    }

    private func numbers(_ low: Int, _ high: Int) -> [String] {
        let (start, step) =
            switch self {
            case .even: (low + 2 - low % 2, 2)
            case .odd: (low + 1 + low % 2, 2)
            case .every(let step): (low + step, step)
            case .alphabetic: (high, 1)
            }
        let numbers = stride(from: start, to: high, by: step)
        return high - low > HouseNumber.most * step ? [] : numbers.map { String($0) }
    }

    /// From "5" or "5a" to "5f". The character before "a" stands for no letter.
    private func letters(
        _ low: (number: Int, letter: Character?), _ high: (number: Int, letter: Character?)
    ) -> [String] {
        guard low.number == high.number, let last = high.letter?.asciiValue,
            let first = (low.letter ?? "`").asciiValue, first < last
        else { return [] }
        return (first + 1..<last).map { "\(low.number)\(Character(Unicode.Scalar($0)))" }
    }
}
