import Foundation

extension OpeningHours {
    /// Reads the grammar of
    /// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification (time_domain), and what people write for
    /// it: any case and white space, other dashes, English names of days and months, `9.30`, `9:30 am`, and rules
    /// without a separator between them.
    struct Reader {
        private let tokens: [Token]
        private var next = 0
        /// Not further, since people write 1900-2200 for hours as well.
        private let years = 1_900...2_099

        init(_ text: String) throws(Unreadable) { tokens = try Token.all(of: text) }

        mutating func rules() throws(Unreadable) -> [Rule] {
            var (rules, joint) = ([Rule](), Rule.Joint.normal)
            while true {
                while take(";") { joint = .normal }
                guard peek != nil else { break }
                let (start, isJoined) = (next, rules.isEmpty || tokens[next - 1].kind.isJoint)
                let rule = try rule(joint)
                guard isJoined || rule.isExplicit else {
                    next = start
                    throw unreadable("the end, or a semicolon, is wanted")
                }
                rules.append(rule)
                guard peek != nil else { break }
                joint = try self.joint(after: rule)
            }
            guard !rules.isEmpty else { throw unreadable("a rule is wanted") }
            return rules
        }

        /// How the next rule is joined to those before. Nothing is needed if both name days.
        private mutating func joint(after rule: Rule) throws(Unreadable) -> Rule.Joint {
            if take(";") { return .normal }
            if !rule.days.isEmpty, isDay { return .additional }
            let isFallback = peek == .sign("|") && peek(1) == .sign("|")
            guard isFallback || peek == .sign(",") else {
                throw unreadable("the end, or a semicolon, is wanted")
            }
            next += isFallback ? 2 : 1
            guard peek != nil else { throw unreadable("a rule is wanted") }
            return isFallback ? .fallback : .additional
        }

        private mutating func rule(_ joint: Rule.Joint) throws(Unreadable) -> Rule {
            var rule = Rule(joint: joint)
            let first = next
            // A name of the rule, as in `"summer": Mo-Fr 10:00-18:00`.
            if case .comment = peek, peek(1) == .sign(":") { next += 2 }
            while isDay {
                let (start, group) = (next, try dayGroup())
                guard group.mayFollow(rule.days) else {
                    next = start
                    throw unreadable("a comma, a time or “off” is wanted")
                }
                rule.days.append(group)
                _ = take(":")
            }
            if isAlways {
                next += 3
            } else if isTime {
                rule.spans = [try span()]
                while peek == .sign(","), isTime(at: 1) {
                    next += 1
                    rule.spans.append(try span())
                }
            }
            try modify(&rule)
            guard next > first else { throw unreadable("a day, a time or “off” is wanted") }
            // Years alone are rather hours: 1900-2030.
            if !rule.isExplicit, rule.days.contains(where: \.areYears), rule.days.count == 1 {
                next = first
                throw unreadable("a time as in 07:30-18:00 is wanted")
            }
            return rule
        }

        /// Open, unless the rule says otherwise. A comment beside times explains them; without times, it replaces
        /// them, so nobody knows.
        private mutating func modify(_ rule: inout Rule) throws(Unreadable) {
            if take(word: "off") || take(word: "closed") {
                rule.state = .closed
            } else if take(word: "unknown") {
                rule.state = .unknown
            } else if !take(word: "open"), case .comment = peek, rule.spans.isEmpty {
                rule.state = .unknown
            }
            if case .comment = peek { next += 1 }
        }

        // MARK: Days

        /// Selectors with commas between them; a day that one of them names.
        private mutating func dayGroup() throws(Unreadable) -> [DaySelector] {
            var group = [DaySelector]()
            if take(word: "week") {
                repeat { group.append(try weeks()) } while isNumber(after: ",") && take(",")
                return group
            }
            group.append(try selector())
            while peek == .sign(",") {
                if isDay(at: 1), !isYears(at: 1) || group.areYears {
                    next += 1
                    group.append(try selector())
                } else if case .dates(let from, _) = group.last, isNumber(after: ",") {
                    next += 1
                    group.append(try dates(from: try date(in: from)))
                } else {
                    break
                }
            }
            return group
        }

        private mutating func selector() throws(Unreadable) -> DaySelector {
            if take(word: "ph") { return .publicHoliday(offset: dayOffset() ?? 0) }
            if take(word: "sh") {
                _ = dayOffset()
                return .schoolHoliday
            }
            if let day = peek?.weekday { return try weekdays(from: day) }
            if case .number(let year, _) = peek, isYears(at: 0) {
                next += 1
                return try years(from: year)
            }
            return try dates(from: try date(in: nil))
        }

        private mutating func years(from first: Int) throws(Unreadable) -> DaySelector {
            if take("+") { return .years(first...years.upperBound, step: 1) }
            guard take("-") else { return .years(first...first, step: 1) }
            let last = try number(within: max(first, years.lowerBound)...years.upperBound, "a year")
            return .years(first...last, step: try step())
        }

        private mutating func weeks() throws(Unreadable) -> DaySelector {
            let first = try number(within: 1...53, "a week")
            guard take("-") else { return .weeks(from: first, to: first, step: 1) }
            let last = try number(within: 1...53, "a week")
            return .weeks(from: first, to: last, step: try step())
        }

        private mutating func step() throws(Unreadable) -> Int {
            try take("/") ? number(within: 1...366, "a number as in /2") : 1
        }

        private mutating func weekdays(from first: Int) throws(Unreadable) -> DaySelector {
            next += 1
            var (last, places) = (first, Set<Int>())
            if take("-") {
                guard let day = peek?.weekday else { throw unreadable("a day as in Mo is wanted") }
                next += 1
                last = day
            } else if take("[") {
                repeat { places.formUnion(try self.places()) } while take(",")
                guard take("]") else { throw unreadable("“]” is wanted") }
            }
            return .weekdays(from: first, to: last, places: places, offset: dayOffset() ?? 0)
        }

        private mutating func places() throws(Unreadable) -> Set<Int> {
            if take("-") { return [-(try number(within: 1...5, "a number as in [-1]"))] }
            let first = try number(within: 1...5, "a number as in [1]")
            guard take("-") else { return [first] }
            return Set(first...(try number(within: first...5, "a number as in [1-2]")))
        }

        /// A date or month, and the one until which it lasts.
        private mutating func dates(from first: AnnualDate) throws(Unreadable) -> DaySelector {
            if take("+") { return .dates(from: first, to: nil) }
            guard take("-") else { return .dates(from: first, to: first) }
            return .dates(from: first, to: try date(in: first))
        }

        /// Its month may be that of the date before: `Dec 24-26`.
        private mutating func date(in before: AnnualDate?) throws(Unreadable) -> AnnualDate {
            var year: Int?
            if case .number(let number, _) = peek, years.contains(number), peek(1)?.isDate == true {
                (year, next) = (number, next + 1)
            }
            var date: AnnualDate
            if take(word: "easter") {
                date = AnnualDate(year: year, .easter)
            } else if let month = peek?.month {
                next += 1
                let day = try isDayNumber ? dayNumber() : nil
                date = AnnualDate(year: year, .month(month, day: day))
            } else if case .month(let month, _) = before?.base, isDayNumber {
                date = AnnualDate(year: before?.year, .month(month, day: try dayNumber()))
            } else {
                throw unreadable("a date as in Dec 24 is wanted")
            }
            if let sign = peek?.sign, "+-".contains(sign), let weekday = peek(1)?.weekday {
                date.weekday = AnnualDate.Weekday(day: weekday, isAfter: sign == "+")
                next += 2
            }
            date.offset = dayOffset() ?? 0
            return date
        }

        private var isDayNumber: Bool {
            guard case .number(let day, let digits) = peek else { return false }
            return (1...31).contains(day) && digits <= 2 && peek(1)?.isHalfOfDay != true
        }

        private mutating func dayNumber() throws(Unreadable) -> Int {
            try number(within: 1...31, "a day of the month")
        }

        /// In days: ` +1 day`, ` -2 days`.
        private mutating func dayOffset() -> Int? {
            guard let sign = peek?.sign, "+-".contains(sign), case .number(let days, _) = peek(1),
                days <= 366, peek(2) == .word("day") || peek(2) == .word("days")
            else { return nil }
            next += 3
            return sign == "+" ? days : -days
        }

        // MARK: Times

        private mutating func span() throws(Unreadable) -> DaySpan {
            let start = try time(most: LocalDays.minutes)
            if take("+") { return DaySpan(start: start, end: nil, isOpenEnded: true) }
            guard take("-") else { throw unreadable("an end as in -18:00 is wanted") }
            var span = DaySpan(start: start, end: try time(most: 2 * LocalDays.minutes))
            if case .clock(let from) = start, case .clock(var until) = span.end {
                if until <= from { until += LocalDays.minutes }
                guard until - from <= LocalDays.minutes else {
                    throw unreadable("a span of a day at most is wanted")
                }
                span.end = .clock(until)
            }
            if take("/") { try skipInterval() }
            span.isOpenEnded = take("+")
            return span
        }

        /// `/01:30` or `/90`: within the span, something begins that often.
        private mutating func skipInterval() throws(Unreadable) {
            switch peek {
            case .time, .number: next += 1
            default: throw unreadable("an interval as in /01:30 is wanted")
            }
        }

        private mutating func time(most: Int) throws(Unreadable) -> TimeOfDay {
            let isBracketed = take("(")
            let time = try self.time(most, isBracketed: isBracketed)
            if isBracketed, !take(")") { throw unreadable("“)” is wanted") }
            return time
        }

        private mutating func time(
            _ most: Int, isBracketed: Bool
        ) throws(Unreadable) -> TimeOfDay {
            if let event = peek?.event {
                next += 1
                guard isBracketed, let sign = peek?.sign, "+-".contains(sign),
                    case .time(let minutes) = peek(1)
                else { return .sun(event, offset: 0) }
                next += 2
                return .sun(event, offset: sign == "+" ? minutes : -minutes)
            }
            let wanted = "a time as in 07:30"
            switch (peek, peek(1)) {
            case (.number(let hour, _), .word(let half)) where peek(1)?.isHalfOfDay == true,
                (.time(let hour), .word(let half)) where peek(1)?.isHalfOfDay == true:
                var minute = hour
                if case .number = peek { minute = hour * 60 }
                guard (60..<780).contains(minute) else { throw unreadable("\(wanted) is wanted") }
                next += 2
                return .clock(minute % 720 + (half == "pm" ? 720 : 0))
            case (.time(let minute), _) where minute <= most:
                next += 1
                return .clock(minute)
            default: throw unreadable("\(wanted) is wanted")
            }
        }

        // MARK: Tokens

        private var peek: Token.Kind? { peek(0) }
        private func peek(_ ahead: Int) -> Token.Kind? {
            next + ahead < tokens.count ? tokens[next + ahead].kind : nil
        }

        private var isDay: Bool { isDay(at: 0) }
        private func isDay(at ahead: Int) -> Bool {
            guard let token = peek(ahead) else { return false }
            if case .number(let year, let digits) = token {
                return digits == 4 && years.contains(year)
            }
            return token.weekday != nil || token.isDate
                || [.word("ph"), .word("sh"), .word("week")].contains(token)
        }

        /// Not the year of a date.
        private func isYears(at ahead: Int) -> Bool {
            guard case .number = peek(ahead) else { return false }
            return isDay(at: ahead) && peek(ahead + 1)?.isDate != true
        }

        private var isTime: Bool { isTime(at: 0) }
        private func isTime(at ahead: Int) -> Bool {
            switch peek(ahead) {
            case .time, .sign("("): true
            case .number: peek(ahead + 1)?.isHalfOfDay == true
            case let other: other?.event != nil
            }
        }

        private var isAlways: Bool {
            peek == .number(24, digits: 2) && peek(1) == .sign("/")
                && peek(2) == .number(7, digits: 1)
        }

        private func isNumber(after sign: Character) -> Bool {
            guard peek == .sign(sign), case .number = peek(1) else { return false }
            return peek(2)?.isHalfOfDay != true
        }

        private mutating func number(
            within range: ClosedRange<Int>, _ wanted: String
        ) throws(Unreadable) -> Int {
            guard case .number(let number, _) = peek, range.contains(number) else {
                throw unreadable("\(wanted) is wanted")
            }
            next += 1
            return number
        }

        private mutating func take(_ sign: Character) -> Bool { take(.sign(sign)) }
        private mutating func take(word: String) -> Bool { take(.word(word)) }
        private mutating func take(_ token: Token.Kind) -> Bool {
            guard peek == token else { return false }
            next += 1
            return true
        }

        private func unreadable(_ wanted: String) -> Unreadable {
            Unreadable(
                rest: next < tokens.count ? String(tokens[next].rest.prefix(20)) : "",
                wanted: wanted)
        }
    }
}
