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

    /// Other possible meanings; empty if the text has neither a number nor words that can be left out.
    func readings() -> Readings {
        let parts = AddressParts.all(text)
        var readings = parts[0].readings(but: all)
        for other in parts.dropFirst() { readings.bare += other.readings(but: all).bare }
        return readings
    }

    /// The meanings of a typed address beside that with all words, each list in the order of trial.
    struct Readings {
        /// The street whose name seems to end with a country or to begin with a letter, without the number.
        var written: Reading?
        /// Without marks, postcode and country, then also without staircase and flat, then without the number's letter.
        var whole: [Reading] = []
        /// The number and its street alone.
        var bare: [Reading] = []
        /// With two words of the street as one ("Haupt Str."), or one as two ("Berlinerstr.").
        var respaced: [Reading] = []
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
    /// The most words of a street whose spaces may be wrong; each of them is a further search.
    private static let mostRespaced = 4
    /// In scripts without spaces, a district's name has several words.
    private static let mostLeftOut = 8

    /// Words beside the number or letter of a flat, a staircase, a floor.
    private static let units: Set = [
        // English.
        "flat", "apt", "apartment", "unit", "suite", "floor", "fl", "room", "rm", "level", "block",
        "blk", "door", "shop", "entrance", "flt", "tower", "basement", "phase", "box",
        // Finnish, Swedish, Danish and Norwegian.
        "as", "asunto", "huoneisto", "porras", "rappu", "krs", "kerros", "bst", "bostad", "lgh",
        "lagenhet", "trappa", "uppgang", "vaning", "tr", "lejlighed", "etage", "leil",
        // German, French, Italian, Spanish, Portuguese, Polish, Turkish, Russian.
        "top", "stiege", "stg", "stock", "og", "ug", "eg", "dg", "wohnung", "whg", "postfach",
        "appartement", "appt", "app", "bat",
        "etg", "esc", "escalier", "porte", "int", "interno", "scala", "piano", "piso", "puerta",
        "pta", "escalera", "planta", "izq", "izda", "dcha", "andar", "apto", "lok", "lokal",
        "daire", "kat", "кв",
        "квартира", "подъезд", "этаж", "корп", "корпус",
    ]
    /// The same in Chinese and Japanese, always after the number.
    private static let unitSigns: Set = ["樓", "楼", "層", "层", "室", "座", "階", "栋", "幢", "棟"]
    /// Words and signs for "number" before one and after one.
    private static let marksBefore: Set = [
        "no", "nr", "nro", "num", "numero", "number", "numer", "n", "д", "дом", "so", "nos",
        "hausnr", "hausnummer",
    ]
    private static let marksAfter: Set = ["號", "号"]

    /// Words added to a number that another house already has.
    private static let repeats: Set = ["bis", "ter", "quater"]

    private var words: [Word]
    private var house: Int?

    /// The parts with the most likely number as the house's, then those with another one: "Dublin 2, 5 Birch Lane".
    static func all(_ text: String) -> [Self] {
        let parts = Self(text)
        let houses = parts.houses(after: flatNumbers(text))
        return houses.isEmpty ? [parts.marked(house: nil)] : houses.map(parts.marked)
    }

    private init(_ text: String) {
        let parts = AddressText.plain(text).split { $0.isNewline || ",，、;；|()".contains($0) }
        words = parts.enumerated().flatMap { index, part in
            SearchWords.of(String(part), most: Self.most).map { Word($0, part: index) }
        }.prefix(Self.most).map(\.self)
        markUnits()
        markSpacedPostcodes()
    }

    /// How many numbers of a flat are before that of the house: "3/5 Birch Lane" is flat 3 of house 5.
    private static func flatNumbers(_ text: String) -> Int {
        let form =
            /\s*[0-9]+[A-Za-z]?\s*\/\s*[0-9]+[A-Za-z]?(\s+[0-9]+[A-Za-z]?)?\s+\p{L}{2,}/
        return text.prefixMatch(of: form).map { $0.output.1 == nil ? 1 : 2 } ?? 0
    }

    private func marked(house: Int?) -> Self {
        var parts = self
        parts.house = house
        if let house { parts.words[house].role = .house }
        parts.markAroundHouse()
        parts.markPostcodes()
        parts.markCountry()
        return parts
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
            // "5 Tower Road" is no tower.
            let isAfter =
                Self.unitSigns.contains(text) && isBeside && isValue(index - 1)
                || isUnit && isBeside && !isStreetWord(index + 1)
                    && (areSeveral && isValue(index - 1) || words[index - 1].isOrdinal)
            if isUnit, isSamePart(index, index + 1), isValue(index + 1) {
                (words[index].role, words[index + 1].role) = (.unit, .unit)
            } else if isAfter {
                (words[index].role, words[index - 1].role) = (.unit, .unit)
            }
        }
    }

    private func isStreetWord(_ index: Int) -> Bool {
        words.indices.contains(index) && StreetWords.meanings(of: words[index].text).count > 1
    }

    /// "111 22 Stockholm", if another number can be the house's.
    private mutating func markSpacedPostcodes() {
        func isNumber(_ index: Int, digits: Int) -> Bool {
            let word = words[index]
            return word.role == .name && word.text.count == digits
                && word.text.allSatisfy(\.isASCIIDigit)
        }
        let pairs = words.indices.filter {
            isSamePart($0, $0 + 1) && isNumber($0, digits: 3) && isNumber($0 + 1, digits: 2)
        }
        guard let first = pairs.first,
            numbers.contains(where: { ![first, first + 1].contains($0) && !words[$0].isPostcode })
        else { return }
        (words[first].role, words[first + 1].role) = (.postcode, .postcode)
    }

    /// Numbers that can be a house's. One that begins with 0 can't.
    private var numbers: [Int] {
        words.indices.filter {
            words[$0].role == .name && words[$0].isNumber && !words[$0].text.hasPrefix("0")
        }
    }

    /// Prefers short numbers, and those beside a name in the same part. Another one is in another part.
    private func houses(after flatNumbers: Int) -> [Int] {
        let numbers = numbers
        func isNamed(_ index: Int) -> Bool {
            words.contains { $0.part == words[index].part && $0.isName }
        }
        let short = numbers.filter { !words[$0].isPostcode }
        guard let first = short.first(where: isNamed) ?? short.first ?? numbers.first else {
            return []
        }
        let isFlat = first == 0 && numbers.starts(with: 0...flatNumbers)
        let house = isFlat ? flatNumbers : first
        let other = short.first { isNamed($0) && words[$0].part != words[house].part }
        return [house] + [other].compactMap(\.self)
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
            } else if word.role == .name, word.isLetter || Self.repeats.contains(word.text),
                isSamePart(index, house)
            {
                // "5 E Main Street" is in the east.
                if isNumberFirst, word.isLetter, isStreetWord(index) { break }
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
            new(numberedStreet) + new(reading { isKept[$0] || words[$0].role == .unit })
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
        readings.respaced = streets.flatMap(respaced).flatMap(new)
        readings.streets = ([words.indices.filter { words[$0].role == .name }] + streets).flatMap {
            new(self.street($0))
        }
        readings.written = new(written).first
        return readings
    }

    /// Indices of the words of the street that the number may belong to: those before it or after it in its part, or
    /// those of the parts before and after if it stands alone. Without a number, those of the first part.
    private var streets: [[Int]] {
        let names = words.indices.filter { words[$0].role == .name }
        func isStreet(_ street: [Int]) -> Bool { street.contains { words[$0].isName } }
        let at = house.map { words[$0].part } ?? 0
        let beside = names.filter { words[$0].part == at }
        guard let house else { return [beside].filter(isStreet) }
        let sides = [beside.filter { $0 < house }, beside.filter { $0 > house }].filter(isStreet)
        guard sides.isEmpty else { return sides }
        let named = names.filter { words[$0].isName }
        let near = [named.last { $0 < house }, named.first { $0 > house }].compactMap(\.self)
        return near.map { name in names.filter { words[$0].part == words[name].part } }
    }

    private func isLetterOfHouse(_ index: Int) -> Bool {
        isSamePart(index, index - 1) && words[index].role == .unit
            && (words[index].isLetter || Self.repeats.contains(words[index].text))
    }

    /// "Straße des 17. Juni 135 B" is house 135, not 17.
    private var numberedStreet: TypedAddress.Reading {
        func isPart(_ index: Int) -> Bool { words[index].part == house.map { words[$0].part } }
        guard let house, namesBefore(house), isSamePart(house, house + 1), words[house + 1].isName,
            let last = words.indices.first(where: {
                $0 > house && isPart($0) && words[$0].isNumber
            })
        else { return reading { _ in false } }
        return reading { index in
            isPart(index) && index <= last
                && (index == last || [.name, .house].contains(words[index].role))
        }
    }

    /// With the number, then without it.
    private func respaced(_ street: [Int]) -> [TypedAddress.Reading] {
        guard street.count <= Self.mostRespaced else { return [] }
        let texts = street.map { words[$0].text }
        let joined = texts.indices.dropLast().map { index in
            Array(texts[..<index]) + [texts[index] + texts[index + 1]] + texts[(index + 2)...]
        }
        let split = texts.indices.compactMap { index in
            StreetWords.split(texts[index]).map { texts[..<index] + $0 + texts[(index + 1)...] }
        }
        let streets = joined + split.map(Array.init)
        let number = house.map { [words[$0].text] } ?? []
        return (streets.map { number + $0 } + streets).map {
            TypedAddress.Reading(words: $0, isHalf: false, leftOut: 0)
        }
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
