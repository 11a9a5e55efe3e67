import Foundation

/// A maximum height as signs and maps write it: `2,1 m`, `210 cm`, `2m10`, `6′11″`, `6 ft 11 in`
/// (https://wiki.openstreetmap.org/wiki/Key:maxheight).
enum HeightText: Sendable, Hashable {
    /// Heights of car parks, in metres. Other numbers are mistakes, for example centimetres without a unit.
    static let possible = 1.0...10.0
    /// The longest text that is kept, in characters.
    static let longest = 100

    case meters(Double)
    /// No height is signed.
    case unsigned
    case unreadable

    /// The lowest of several heights, as in `2.1 m (6'11")`. Unreadable if one of them is.
    init(_ text: String) {
        let plain = Self.plain(text)
        guard !Self.unsignedValues.contains(plain) else {
            self = .unsigned
            return
        }
        let heights = plain.split { ";/()".contains($0) }.map { Self.height(in: $0) }
        guard let lowest = heights.compactMap(\.self).min(), !heights.contains(nil) else {
            self = .unreadable
            return
        }
        self = .meters(lowest)
    }

    /// OpenStreetMap's values for a place without a sign, as `plain` writes them.
    private static let unsignedValues: Set<String> = [
        "default", "no", "noindications", "nolimit", "none", "nosign", "unlimited", "unsigned",
    ]

    /// Lower case, with ASCII's digits and quotation marks, without marks that nobody sees, and with spaces between
    /// digits alone.
    private static func plain(_ text: String) -> String {
        let visible = text.lowercased().unicodeScalars.reduce(into: "") { visible, scalar in
            switch scalar {
            case "′", "’", "‘", "ʹ", "´", "`": visible.append("'")
            case "″", "”", "“", "ʺ": visible.append("\"")
            case "_": visible.append(" ")
            case _ where scalar.properties.generalCategory == .format: break
            default: visible.unicodeScalars.append(scalar)
            }
        }
        return visible.precomposedStringWithCompatibilityMapping.replacing("''", with: "\"")
            .split(whereSeparator: \.isWhitespace).reduce(into: "") { plain, word in
                if plain.last?.isNumber == true, word.first?.isNumber == true { plain.append(" ") }
                plain += word
            }
            // As builders write it: 7'-2".
            .replacing(/(['t])-(?=[0-9.,]+("|in))/) { $0.1 }
    }

    // MARK: Units

    private enum Unit { case meter, centimeter, millimeter, foot, inch }

    private static let units: [Substring: Unit] = {
        let names: [(Unit, Substring)] = [
            (.meter, "m mt mtr meter meters metre metres м 米 公尺"),
            (.meter, "metri metriä metro metros mètre mètres"),
            (.centimeter, "cm centimeter centimeters centimetre centimetres см 厘米"),
            (.millimeter, "mm millimeter millimeters millimetre millimetres мм 毫米"),
            (.foot, "' ft foot feet 呎 英尺"), (.inch, "\" in ins inch inches 吋 英寸"),
        ]
        let pairs = names.flatMap { unit, names in
            names.split(separator: " ").map { ($0, unit) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// A number with its unit. Without one it is in metres or inches, depending on the part before it.
    private struct Part {
        let value: Double
        let unit: Unit?
        /// Two digits without a point.
        let isPair: Bool
    }

    /// Nil for a text that is no height, or no possible one.
    private static func height(in text: Substring) -> Double? {
        guard let parts = parts(of: text), let height = height(of: parts),
            possible.contains(height)
        else { return nil }
        return height
    }

    /// Metric heights to the millimetre, others to the nearest centimetre.
    private static func height(of parts: [Part]) -> Double? {
        func metric(_ centimeters: Double) -> Double { (centimeters * 10).rounded() / 1_000 }
        func imperial(_ inches: Double) -> Double { (inches * 2.54).rounded() / 100 }
        guard let first = parts.first else { return nil }
        guard parts.count > 1 else {
            return switch first.unit {
            case .meter, nil: metric(first.value * 100)
            case .centimeter: metric(first.value)
            case .millimeter: metric(first.value / 10)
            case .foot: imperial(first.value * 12)
            case .inch: imperial(first.value)
            }
        }
        guard parts.count == 2 else { return nil }
        let rest = parts[1]
        switch (first.unit, rest.unit) {
        case (.meter, .centimeter) where rest.value < 100, (.meter, nil) where rest.isPair:
            return metric(first.value * 100 + rest.value)
        case (.foot, .inch) where rest.value < 12, (.foot, nil) where rest.value < 12:
            return imperial(first.value * 12 + rest.value)
        default: return nil
        }
    }

    /// Nil if anything is neither a number nor a unit.
    private static func parts(of text: Substring) -> [Part]? {
        var (text, parts) = (text, [Part]())
        while !text.isEmpty {
            guard let match = text.prefixMatch(of: /([0-9]+(?:[.,][0-9]+)?)([^0-9., ]*)[.,]?/),
                let value = Double(match.1.replacing(",", with: "."))
            else { return nil }
            let unit = units[match.2]
            guard unit != nil || match.2.isEmpty else { return nil }
            parts.append(
                Part(value: value, unit: unit, isPair: match.1.wholeMatch(of: /[0-9]{2}/) != nil))
            text = text[match.range.upperBound...]
        }
        return parts
    }
}
