/// Writes the signs of a typed address as words, with spaces between them.
enum AddressText {
    /// The most Chinese numerals that are read as one number.
    private static let mostNumerals = 6
    private static let numerals: [Character: Int] = [
        "〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    ]
    private static let powers: [Character: Int] = ["十": 10, "百": 100, "千": 1_000]

    static func plain(_ text: String) -> String {
        let signed = text.contains { "/#:.º°½¼¾".contains($0) } ? signs(in: text) : text
        // "Koivukuja48", then "48C21": house 48, staircase C, flat 21.
        return signed.replacing(/(\p{Letter}{4,})([0-9]{1,4}\p{Letter}?)\b/) {
            "\($0.output.1) \($0.output.2)"
        }.replacing(/(\p{Letter}{2,}[.,]? +)([0-9]{1,4}\p{Letter})([0-9]{1,4})\b/) {
            "\($0.output.1)\($0.output.2) \($0.output.3)"
        }.replacing(/[〇零一二三四五六七八九十百千]+([號号])/) {
            "\(number($0.output.0.dropLast()))\($0.output.1)"
        }
    }

    /// Floors ("12/F"), numbers ("#5", "n:o 5", "nº 5"), no number ("s/n"), and halves of numbers.
    private static func signs(in text: String) -> String {
        text.replacing(/\b([0-9]+|[GgLlBb]) ?\/ ?[Ff]\b/) { " floor \($0.output.1) " }
            .replacing("#", with: text.firstMatch(of: /[0-9].*#/) == nil ? " no " : " unit ")
            .replacing(/\b[Nn]([:.][Oo]\b|[º°])/, with: " no ")
            .replacing(/\b[Ss]\/[Nn]\b/, with: " ")
            .replacing(/[½¼¾]/, with: " ")
    }

    /// 99 of "九十九", and of "九九".
    private static func number(_ numerals: Substring) -> Int {
        var (sum, digits) = (0, 0)
        for numeral in numerals.prefix(mostNumerals) {
            if let power = powers[numeral] {
                sum += max(1, digits) * power
                digits = 0
            } else {
                digits = digits * 10 + (Self.numerals[numeral] ?? 0)
            }
        }
        return sum + digits
    }
}
