/// A calendar date without a time zone, in the years 1 to 9999.
///
/// On the wire: `"2026-12-01"`.
public struct Day: Hashable, Sendable {
    public static let earliest = Day(unchecked: -719_162)
    public static let latest = Day(unchecked: 2_932_896)

    /// Days since 1970-01-01.
    public let number: Int32

    private init(unchecked number: Int32) { self.number = number }

    /// Numbers beyond these years give the nearest date.
    public init(number: Int) {
        let most = Int(Self.latest.number)
        self.number = Int32(min(max(number, Int(Self.earliest.number)), most))
    }

    /// Nil if there is no such date in the proleptic Gregorian calendar.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        // Years begin in March, so that a leap day is the last of its year (H. Hinnant, "chrono-
        // Compatible Low-Level Date Algorithms").
        let shifted = month > 2 ? year : year - 1
        let (era, ofEra) = (shifted / 400, shifted % 400)
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear
        self.init(number: era * 146_097 + days - 719_468)
    }

    /// 0 is Monday, 6 Sunday.
    public var weekday: Int { Self.weekday(ofNumber: Int(number)) }

    /// Year, month and day of the month.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = Int(number) + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        return (year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
    }

    static func weekday(ofNumber number: Int) -> Int {
        let rest = (number + 3) % 7
        return rest < 0 ? rest + 7 : rest
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day: Strideable {
    public func distance(to other: Day) -> Int { Int(other.number) - Int(number) }

    /// Limited to the supported years.
    public func advanced(by days: Int) -> Day {
        let (sum, overflow) = Int(number).addingReportingOverflow(days)
        guard overflow else { return Day(number: sum) }
        return days > 0 ? Self.latest : Self.earliest
    }

    public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

    public static func + (day: Day, days: Int) -> Day { day.advanced(by: days) }
    public static func - (day: Day, days: Int) -> Day { day.advanced(by: 0 &- days) }
    public static func - (a: Day, b: Day) -> Int { b.distance(to: a) }
}

extension Day: LosslessStringConvertible {
    public var description: String {
        let (year, month, day) = parts
        func padded(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Only ISO 8601's form `2026-12-01`.
    public init?(_ description: String) {
        let text = Array(description.utf8)
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
            return nil
        }
        func value(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in text[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = value(0..<4), let month = value(5..<7), let day = value(8..<10) else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Day(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A date is written as 2026-12-01.")
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
