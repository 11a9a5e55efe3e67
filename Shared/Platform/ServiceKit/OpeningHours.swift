import Foundation
import Synchronization

/// Opening hours in OpenStreetMap's `opening_hours` format
/// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification), as far as most places need it.
///
/// Rules of weekdays and public holidays with times, separated by semicolons; the last rule that names a day applies:
/// `24/7`, `Mo-Fr 07:00-22:00; Sa,Su,PH 09:00-02:00`, `PH off`. Months, weeks, dates, the sun, comments and open ends
/// are refused.
public struct OpeningHours: Sendable, Hashable {
    public static let always = "24/7"
    /// Maximum length of the text, in characters.
    public static let longest = 500

    /// Why a text can't be read, and from where on.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        public let rest: String
        public let wanted: String
        public var description: String { "At “\(rest)”: \(wanted)." }
    }

    private struct Rule: Hashable {
        /// 1 is Sunday, as in `Calendar`.
        var weekdays: Set<Int>
        var isForHolidays: Bool
        /// Minutes since the day began; beyond 1,440 on the next day. Empty if closed.
        var spans: [Range<Int>]
    }

    private let rules: [Rule]

    public init(_ text: String) throws(Unreadable) {
        var rules: [Rule] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            var reader = Reader(part)
            rules.append(try reader.rule())
        }
        self.rules = rules
    }

    // MARK: Reading

    /// Maximum number of parsed texts in the cache.
    private static let mostKept = 1_000
    private static let readings = Mutex<[String: OpeningHours?]>([:])

    /// Like `init`, but cached: a search asks for thousands of car parks, which share few texts. Nil if it can't be
    /// read.
    public static func reading(_ text: String) -> OpeningHours? {
        readings.withLock { known in
            if let reading = known[text] { return reading }
            if known.count >= mostKept { known.removeAll() }
            let reading = try? OpeningHours(text)
            known.updateValue(reading, forKey: text)
            return reading
        }
    }

    private struct Reader {
        static let minutesOfDay = 1_440
        static let names = ["Su": 1, "Mo": 2, "Tu": 3, "We": 4, "Th": 5, "Fr": 6, "Sa": 7]

        var rest: Substring

        init(_ text: Substring) { rest = text }

        mutating func rule() throws(Unreadable) -> Rule {
            skipSpace()
            guard !rest.isEmpty else { throw unreadable("a rule is wanted") }
            if take("24/7") {
                try end()
                return Rule(
                    weekdays: Set(1...7), isForHolidays: true, spans: [0..<Self.minutesOfDay])
            }
            var rule = Rule(weekdays: [], isForHolidays: false, spans: [])
            if rest.first?.isUppercase == true {
                repeat { try days(into: &rule) } while take(",")
            } else {
                (rule.weekdays, rule.isForHolidays) = (Set(1...7), true)
            }
            skipSpace()
            if take("off") || take("closed") {
                try end()
                return rule
            }
            if rest.isEmpty || take("open") {
                rule.spans = [0..<Self.minutesOfDay]
            } else {
                repeat { rule.spans.append(try span()) } while take(",")
            }
            try end()
            return rule
        }

        private mutating func days(into rule: inout Rule) throws(Unreadable) {
            skipSpace()
            if take("PH") { return rule.isForHolidays = true }
            let first = try day()
            var last = first
            if take("-") { last = try day() }
            var day = first
            rule.weekdays.insert(day)
            while day != last {
                day = day % 7 + 1
                rule.weekdays.insert(day)
            }
        }

        private mutating func day() throws(Unreadable) -> Int {
            guard let number = Self.names[String(rest.prefix(2))] else {
                throw unreadable("a day as in Mo, or PH, is wanted")
            }
            rest = rest.dropFirst(2)
            return number
        }

        private mutating func span() throws(Unreadable) -> Range<Int> {
            let start = try time(most: Self.minutesOfDay)
            guard take("-") else { throw unreadable("an end as in -18:00 is wanted") }
            var end = try time(most: 2 * Self.minutesOfDay)
            if end <= start { end += Self.minutesOfDay }
            guard end - start <= Self.minutesOfDay else {
                throw unreadable("a span of a day at most is wanted")
            }
            return start..<end
        }

        private mutating func time(most: Int) throws(Unreadable) -> Int {
            skipSpace()
            guard let match = rest.prefixMatch(of: /(\d{2}):(\d{2})/),
                let hours = Int(match.1), let minutes = Int(match.2), minutes < 60,
                hours * 60 + minutes <= most
            else { throw unreadable("a time as in 07:30 is wanted") }
            rest = rest[match.range.upperBound...]
            return hours * 60 + minutes
        }

        private mutating func take(_ word: String) -> Bool {
            guard rest.hasPrefix(word) else { return false }
            rest = rest.dropFirst(word.count)
            return true
        }

        private mutating func end() throws(Unreadable) {
            skipSpace()
            guard rest.isEmpty else { throw unreadable("the end, or a semicolon, is wanted") }
        }

        private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

        private func unreadable(_ wanted: String) -> Unreadable {
            Unreadable(rest: String(rest.prefix(20)), wanted: wanted)
        }
    }

    // MARK: Asking

    /// How far ahead to look for a change, in days.
    private static let horizon = 14

    public func isOpen(at time: Date, _ days: LocalDays) -> Bool {
        [-1, 0].contains { offset in
            intervals(of: days.day(of: time, offset: offset), days).contains { $0.contains(time) }
        }
    }

    /// The first moment after `time` at which it opens or closes; nil if that is more than two weeks ahead.
    public func nextChange(after time: Date, _ days: LocalDays) -> Date? {
        var open: [Range<Date>] = []
        for offset in -1...Self.horizon {
            for interval in intervals(of: days.day(of: time, offset: offset), days) {
                if let last = open.last, last.upperBound >= interval.lowerBound {
                    let end = max(last.upperBound, interval.upperBound)
                    open[open.count - 1] = last.lowerBound..<end
                } else {
                    open.append(interval)
                }
            }
        }
        let next = open.lazy.flatMap { [$0.lowerBound, $0.upperBound] }.first { $0 > time }
        guard let next, next < days.start(of: days.day(of: time, offset: Self.horizon)) else {
            return nil
        }
        return next
    }

    /// The opening times of a day as moments in time, sorted.
    private func intervals(of day: DateComponents, _ days: LocalDays) -> [Range<Date>] {
        let weekday = days.weekday(of: day)
        let rule = rules.last {
            $0.weekdays.contains(weekday) || $0.isForHolidays && days.isHoliday(day)
        }
        return (rule?.spans ?? []).sorted { $0.lowerBound < $1.lowerBound }.compactMap { span in
            let start = days.moment(day, minute: span.lowerBound)
            let end = days.moment(day, minute: span.upperBound)
            return start < end ? start..<end : nil
        }
    }
}

/// Local days and times at a place, also across clock changes.
public struct LocalDays: Sendable {
    public let calendar: Calendar
    private let holidays: Set<String>

    public init(_ timeZone: TimeZone, holidays: Set<String> = []) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        self.holidays = holidays
    }

    /// Year, month and day of `time`, moved by `offset` days.
    public func day(of time: Date, offset: Int = 0) -> DateComponents {
        let moved = calendar.date(byAdding: .day, value: offset, to: time) ?? time
        return calendar.dateComponents([.year, .month, .day], from: moved)
    }

    public func start(of day: DateComponents) -> Date { moment(day, minute: 0) }

    /// A time of day that is skipped becomes the moment to which clocks skip.
    public func moment(_ day: DateComponents, minute: Int) -> Date {
        var components = day
        components.day = (day.day ?? 1) + minute / 1_440
        (components.hour, components.minute) = (minute % 1_440 / 60, minute % 60)
        return calendar.date(from: components) ?? .distantPast
    }

    public func weekday(of day: DateComponents) -> Int {
        calendar.component(.weekday, from: moment(day, minute: 720))
    }

    public func isHoliday(_ day: DateComponents) -> Bool {
        guard !holidays.isEmpty, let year = day.year, let month = day.month, let day = day.day
        else { return false }
        let short = "\(Self.two(month))-\(Self.two(day))"
        return holidays.contains(short) || holidays.contains("\(year)-\(short)")
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
