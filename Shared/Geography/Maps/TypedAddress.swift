import Foundation

/// A typed address, and what it may mean if the map does not have all of its words.
///
/// People add what maps rarely have: staircase and flat, postcode, town and country, and signs such as 號. The order
/// of the parts differs between countries, so no word is left out as long as something has all of them.
struct TypedAddress {
    /// The words of one meaning.
    struct Reading: Sendable, Equatable {
        let words: [String]
        /// Whether the last word may be incomplete: nothing was typed after it.
        let isHalf: Bool
        /// Number of typed words that it does not have.
        let leftOut: Int

        static func == (one: Self, other: Self) -> Bool {
            one.words == other.words && one.isHalf == other.isHalf
        }
    }

    let text: String
    /// All typed words.
    let all: Reading

    init(_ text: String) {
        self.text = text
        all = Reading(words: SearchWords.of(text), isHalf: true, leftOut: 0)
    }

    var hasDigit: Bool { text.unicodeScalars.contains { $0.properties.numericType == .decimal } }

    /// What else may be meant; empty if the text has neither a number nor words that can be left out.
    func readings() -> Readings { AddressParts(text).readings(but: all) }

    /// The meanings of a typed address beside that with all words, each list in the order of trial.
    struct Readings {
        /// The street whose name seems to end with a country or to begin with a letter, without the number.
        var written: Reading?
        /// Without marks, postcode and country, then also without staircase and flat, then without the number's letter.
        var whole: [Reading] = []
        /// The number and its street alone.
        var bare: [Reading] = []
        /// Without the words farthest from the number, one more each.
        var shortened: [Reading] = []
        /// The street without the number, with its town and without it.
        var streets: [Reading] = []
    }
}

/// The words of a typed address, each with its role.
private struct AddressParts {
    private enum Role { case name, house, unit, mark, postcode, country }

    private struct Word {
        let text: String
        /// Index of the part of the text, between commas.
        let part: Int
        /// A number, perhaps with something after it, but not "5th" of 5th Avenue.
        let isNumeric: Bool
        let isOrdinal: Bool
        /// As house numbers are: "14", "14b", "14bis".
        let isNumber: Bool
        /// Too long for most house numbers, or of letters and digits like "sw1a".
        let isPostcode: Bool
        /// A Han, Hiragana or Katakana character.
        let isIdeograph: Bool
        /// A single letter of a script with spaces.
        let isLetter: Bool
        var role = Role.name

        init(_ text: String, part: Int) {
            (self.text, self.part) = (text, part)
            let digits = text.prefix(while: \.isASCIIDigit).count
            let rest = text.dropFirst(digits)
            isOrdinal = digits > 0 && ["st", "nd", "rd", "th"].contains(rest)
            isNumeric = digits > 0 && !isOrdinal
            isNumber =
                isNumeric && digits <= 5
                && (rest.isEmpty || rest.count == 1 && rest.allSatisfy(\.isLetter)
                    || ["bis", "ter"].contains(rest))
            isPostcode =
                !isOrdinal && text.contains(where: \.isASCIIDigit)
                && (!isNumber || digits > 3 && rest.isEmpty || text.hasPrefix("0"))
            isIdeograph = text.unicodeScalars.first.map(SearchWords.isIdeograph) ?? false
            isLetter = text.count == 1 && digits == 0 && !isIdeograph
        }

        /// A word that can be a street's or a town's: no number, and no single letter.
        var isName: Bool { role == .name && !isNumeric && !isLetter }
    }

    /// The most words that are looked at.
    private static let most = 24
    /// The longest country code or area that is part of a postcode: "FIN-00100", "VLT 1117", "1234 AB".
    private static let longestCode = 3
    private static let mostLeftOut = 4

    /// Words beside the number or letter of a flat, a staircase, a floor.
    private static let units: Set = [
        // English.
        "flat", "apt", "apartment", "unit", "suite", "floor", "fl", "room", "rm", "level", "block",
        "blk", "door", "shop", "entrance",
        // Finnish, Swedish, Danish and Norwegian.
        "as", "asunto", "huoneisto", "porras", "rappu", "krs", "kerros", "bst", "bostad", "lgh",
        "lagenhet", "trappa", "uppgang", "vaning", "tr", "lejlighed", "etage", "leil",
        // German, French, Italian, Spanish, Portuguese, Polish, Turkish, Russian.
        "top", "stiege", "stock", "wohnung", "whg", "appartement", "appt", "app", "bat",
        "etg", "esc", "escalier", "porte", "int", "interno", "scala", "piano", "piso", "puerta",
        "pta", "escalera", "planta", "andar", "apto", "lok", "lokal", "daire", "kat", "кв",
        "квартира", "подъезд", "этаж", "корп", "корпус",
    ]
    /// The same in Chinese and Japanese, always after the number.
    private static let unitSigns: Set = ["樓", "楼", "層", "层", "室", "座", "階", "栋", "幢", "棟"]
    /// Words and signs for "number" before one and after one.
    private static let marksBefore: Set = [
        "no", "nr", "nro", "num", "numero", "number", "numer", "n", "д", "дом", "so",
    ]
    private static let marksAfter: Set = ["號", "号"]

    private var words: [Word]
    private var house: Int?

    init(_ text: String) {
        let parts = Self.plain(text).split { $0.isNewline || ",，、;；|()".contains($0) }
        words = parts.enumerated().flatMap { index, part in
            SearchWords.of(String(part)).map { Word($0, part: index) }
        }.prefix(Self.most).map(\.self)
        markUnits()
        house = findHouse(isSecond: Self.isFlatFirst(parts.first))
        if let house { words[house].role = .house }
        markAroundHouse()
        markPostcodes()
        markCountry()
    }

    /// "3/5 Birch Lane" is flat 3 of house 5.
    private static func isFlatFirst(_ part: Substring?) -> Bool {
        guard let part, part.contains("/") else { return false }
        let form = /\s*[0-9]+[A-Za-z]?\s*\/\s*[0-9]+[A-Za-z]?\s+\p{L}{2,}/
        return part.prefixMatch(of: form) != nil
    }

    /// With words for the signs of floors ("12/F") and of numbers ("#5").
    private static func plain(_ text: String) -> String {
        guard text.contains(where: { "/#".contains($0) }) else { return text }
        return text.replacing(/\b([0-9]+|[GgLlBb]) ?\/ ?[Ff]\b/) { " floor \($0.output.1) " }
            .replacing("#", with: text.firstMatch(of: /[0-9].*#/) == nil ? " no " : " unit ")
    }

    // MARK: Roles

    private func isSamePart(_ one: Int, _ other: Int) -> Bool {
        words.indices.contains(one) && words.indices.contains(other)
            && words[one].part == words[other].part
    }

    private mutating func markUnits() {
        func isValue(_ index: Int) -> Bool {
            words[index].role == .name && (words[index].isNumeric || words[index].isLetter)
        }
        // The only number is the house's.
        let areSeveral = words.count(where: \.isNumeric) > 1
        for index in words.indices {
            let (text, isBeside) = (words[index].text, isSamePart(index, index - 1))
            let isUnit = Self.units.contains(text)
            let isAfter =
                Self.unitSigns.contains(text) && isBeside && isValue(index - 1)
                || isUnit && isBeside
                    && (areSeveral && isValue(index - 1) || words[index - 1].isOrdinal)
            if isUnit, isSamePart(index, index + 1), isValue(index + 1) {
                (words[index].role, words[index + 1].role) = (.unit, .unit)
            } else if isAfter {
                (words[index].role, words[index - 1].role) = (.unit, .unit)
            }
        }
    }

    /// Prefers short numbers, and those beside a name in the same part. A number that begins with 0 is none.
    private func findHouse(isSecond: Bool) -> Int? {
        let numbers = words.indices.filter {
            words[$0].role == .name && words[$0].isNumber && !words[$0].text.hasPrefix("0")
        }
        func isNamed(_ index: Int) -> Bool {
            words.contains { $0.part == words[index].part && $0.isName }
        }
        let short = numbers.filter { !words[$0].isPostcode }
        guard let first = short.first(where: isNamed) ?? short.first ?? numbers.first else {
            return nil
        }
        return isSecond && first == 0 && numbers.contains(1) ? 1 : first
    }

    private mutating func markAroundHouse() {
        guard let house else { return }
        if isSamePart(house, house - 1), Self.marksBefore.contains(words[house - 1].text) {
            words[house - 1].role = .mark
        }
        let isNumberFirst = !namesBefore(house)
        for index in words.indices.dropFirst(house + 1) {
            let word = words[index]
            if Self.marksAfter.contains(word.text) {
                words[index].role = .mark
            } else if word.role == .name, word.isNumeric {
                words[index].role = word.isPostcode ? .postcode : .unit
            } else if word.role == .name, word.isLetter, isSamePart(index, house) {
                // "5 E Main Street" is in the east.
                if isNumberFirst, StreetWords.meanings(of: word.text).count > 1 { break }
                words[index].role = .unit
            } else if word.role != .unit {
                break
            }
        }
    }

    private func namesBefore(_ house: Int) -> Bool {
        words[..<house].contains { $0.part == words[house].part && $0.isName }
    }

    /// Any other number, too, such as a flat's in front of the house's.
    private mutating func markPostcodes() {
        for index in words.indices where words[index].role == .name {
            if words[index].isPostcode {
                words[index].role = .postcode
            } else if words[index].isNumeric {
                words[index].role = .unit
            }
        }
        for index in words.indices where words[index].role == .postcode {
            for beside in [index - 1, index + 1] where isSamePart(index, beside) {
                let word = words[beside]
                let isCode =
                    word.role == .name && word.text.count <= Self.longestCode
                    && word.text.allSatisfy { $0.isASCII && $0.isLetter }
                    && StreetWords.meanings(of: word.text).count == 1
                if isCode, beside < index || word.text.count == 2 { words[beside].role = .postcode }
            }
        }
    }

    /// At the end of the text, or before the town in scripts that begin with the country.
    private mutating func markCountry() {
        let names = words.indices.filter { words[$0].role == .name }
        guard let last = names.last else { return }
        let ends = names.filter { words[$0].part == words[last].part }
        let starts = Array(names.prefix { words[$0].isIdeograph })
        for count in (1...CountryNames.longest).reversed() where count < names.count {
            for found in [ends.suffix(count), starts.prefix(count)]
            where found.count == count && CountryNames.contains(found.map { words[$0].text }) {
                for index in found { words[index].role = .country }
                return
            }
        }
    }

    // MARK: Readings

    func readings(but all: TypedAddress.Reading) -> TypedAddress.Readings {
        var readings = TypedAddress.Readings()
        guard words.contains(where: \.isName) else { return readings }
        var tried = [all]
        func new(_ reading: TypedAddress.Reading) -> [TypedAddress.Reading] {
            guard !reading.words.isEmpty, !tried.contains(reading) else { return [] }
            tried.append(reading)
            return [reading]
        }
        let letter = house.map { $0 + 1 }.flatMap { isLetterOfHouse($0) ? $0 : nil }
        let isKept = words.map { $0.role == .name || $0.role == .house }
        readings.whole =
            new(reading { isKept[$0] || words[$0].role == .unit })
            + new(reading { isKept[$0] || $0 == letter }) + new(reading { isKept[$0] })
            + new(reading(isPlain: true) { isKept[$0] })
        let streets = self.streets
        if let house {
            readings.bare = streets.flatMap { street in
                new(reading { $0 == house || $0 == letter || street.contains($0) })
                    + new(reading { $0 == house || street.contains($0) })
                    + new(reading(isPlain: true) { $0 == house || street.contains($0) })
            }
            readings.shortened = streets.flatMap(shortened).flatMap(new)
        }
        readings.streets = ([words.indices.filter { words[$0].role == .name }] + streets).flatMap {
            new(self.street($0))
        }
        readings.written = new(written).first
        return readings
    }

    /// Indices of the words of the street that the number may belong to: those before it or after it in its part, or
    /// those of the part before if it stands alone. Without a number, those of the first part.
    private var streets: [[Int]] {
        let names = words.indices.filter { words[$0].role == .name }
        func isStreet(_ street: [Int]) -> Bool { street.contains { words[$0].isName } }
        let at = house.map { words[$0].part } ?? 0
        let beside = names.filter { words[$0].part == at }
        guard let house else { return [beside].filter(isStreet) }
        let sides = [beside.filter { $0 < house }, beside.filter { $0 > house }].filter(isStreet)
        guard sides.isEmpty else { return sides }
        let part = names.last { $0 < house && words[$0].isName }.map { words[$0].part } ?? at + 1
        return [names.filter { words[$0].part == part }].filter(isStreet)
    }

    private func isLetterOfHouse(_ index: Int) -> Bool {
        isSamePart(index, index - 1) && words[index].role == .unit && words[index].isLetter
    }

    private func shortened(_ street: [Int]) -> [TypedAddress.Reading] {
        guard let house, let first = street.first else { return [] }
        return (1...Self.mostLeftOut).prefix { $0 < street.count }.map { count in
            let rest = first < house ? street.dropFirst(count) : street.dropLast(count)
            return reading(isPlain: true) { $0 == house || rest.contains($0) }
        }
    }

    /// The street with what seems to be a country or a letter of the house, but isn't one if there is such a street.
    private var written: TypedAddress.Reading {
        let isNumberFirst = house.map { !namesBefore($0) } == true
        return street(
            words.indices.filter { index in
                let word = words[index]
                return switch word.role {
                case .name: true
                case .country: words.contains { $0.part == word.part && $0.isName }
                case .unit: isNumberFirst && index == (house ?? 0) + 1 && isLetterOfHouse(index)
                case .house, .mark, .postcode: false
                }
            })
    }

    /// `isPlain` leaves out the letter of the house's number.
    private func reading(
        isPlain: Bool = false, _ isKept: (Int) -> Bool
    ) -> TypedAddress.Reading {
        let kept = words.indices.filter(isKept)
        var texts = kept.map { words[$0].text }
        var isHalf = kept.last == words.count - 1
        if isPlain, let house, let place = kept.firstIndex(of: house) {
            texts[place] = String(texts[place].prefix(while: \.isASCIIDigit))
            if house == kept.last, texts[place] != words[house].text { isHalf = false }
        }
        return TypedAddress.Reading(
            words: Array(texts.prefix(SearchWords.most)), isHalf: isHalf,
            leftOut: words.count - kept.count)
    }

    /// A street whose number is not on the map: its last word may be incomplete whatever followed it.
    private func street(_ kept: [Int]) -> TypedAddress.Reading {
        TypedAddress.Reading(
            words: Array(kept.map { words[$0].text }.prefix(SearchWords.most)), isHalf: true,
            leftOut: words.count - kept.count)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
