import Foundation
import Geo
import Synchronization

/// Opening hours in OpenStreetMap's `opening_hours` format
/// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification).
///
/// Rules of days and times: after a semicolon, a rule replaces those before on its days; after a comma, it adds to
/// them; after `||`, it fills the times of which they say nothing. A period over midnight belongs to the day on which
/// it begins. Points in time, as of collections, are refused.
public struct OpeningHours: Sendable, Hashable {
    public static let always = "24/7"
    /// Maximum length of the text, in characters.
    public static let longest = 500

    public enum State: Sendable, Hashable {
        case open, closed
        /// The text says so, as `unknown` or "by appointment" do, or it depends on something that isn't known:
        /// when it closes (`17:00+`), the school holidays, or the position for the sun's times.
        case unknown
    }

    /// Why a text can't be read, and from where on.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        public let rest: String
        public let wanted: String
        public var description: String { "At “\(rest)”: \(wanted)." }
    }

    struct Rule: Hashable {
        enum Joint { case normal, additional, fallback }

        var joint: Joint
        /// Days that are in each group, that is, that one selector of each group contains; every day without any.
        var days: [[DaySelector]] = []
        /// The whole day without any.
        var spans: [DaySpan] = []
        var state = State.open

        /// It says more than days.
        var isExplicit: Bool { !spans.isEmpty || state != .open }

        func contains(_ day: CivilDay, _ days: LocalDays, isSchoolHoliday: Bool) -> Bool {
            self.days.allSatisfy { group in
                group.contains { $0.contains(day, days, isSchoolHoliday: isSchoolHoliday) }
            }
        }
    }

    private let rules: [Rule]
    /// The state if it never changes.
    private let constant: State?
    private let knowsSchoolHolidays: Bool

    public init(_ text: String) throws(Unreadable) {
        var reader = try Reader(text)
        rules = try reader.rules()
        let last = rules[rules.count - 1]
        let isConstant = last.days.isEmpty && last.spans.isEmpty && last.joint == .normal
        constant = isConstant ? last.state : nil
        knowsSchoolHolidays = rules.contains { $0.days.joined().contains(.schoolHoliday) }
    }

    /// A text of several lines, or with tabs, on one line.
    public static func line(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

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

    // MARK: Asking

    /// How far ahead to look for a change, in days.
    private static let horizon = 14

    public func state(at time: Date, _ days: LocalDays) -> State {
        if let constant { return constant }
        let day = days.civilDay(of: time)
        return state(at: time, on: day) { periods(of: $0, days, isSchoolHoliday: $1) }
    }

    public func isOpen(at time: Date, _ days: LocalDays) -> Bool { state(at: time, days) == .open }

    /// The first moment after `time` at which its state changes, or changes to `wanted`; nil if that is more than two
    /// weeks ahead.
    public func nextChange(
        after time: Date, to wanted: State? = nil, _ days: LocalDays
    ) -> Date? {
        guard constant == nil else { return nil }
        let first = days.civilDay(of: time)
        var last = state(at: time, days)
        var known: [CivilDay: [Bool: [Period]]] = [:]
        for day in -1...Self.horizon {
            let day = first + day
            for isSchoolHoliday in Set([false, knowsSchoolHolidays]) {
                known[day, default: [:]][isSchoolHoliday] = periods(
                    of: day, days, isSchoolHoliday: isSchoolHoliday)
            }
        }
        let end = days.moment(first + Self.horizon, minute: 0)
        let bounds = known.values.joined().flatMap(\.value).flatMap {
            [$0.range.lowerBound, $0.range.upperBound]
        }
        return Set(bounds).filter { time < $0 && $0 < end }.sorted().first { bound in
            let before = last
            last = state(at: bound, on: days.civilDay(of: bound)) { known[$0]?[$1] ?? [] }
            return last != before && wanted.map { $0 == last } ?? true
        }
    }

    /// A period that a rule names; of a day's periods, the last one that contains a moment counts.
    private struct Period {
        let range: Range<Date>
        let state: State
    }

    /// Unknown if it depends on whether these are school holidays.
    private func state(
        at time: Date, on day: CivilDay, _ periods: (CivilDay, Bool) -> [Period]
    ) -> State {
        let usual = state(at: time, periods(day, false), periods(day + -1, false))
        guard knowsSchoolHolidays else { return usual }
        let other = state(at: time, periods(day, true), periods(day + -1, true))
        return usual == other ? usual : .unknown
    }

    /// If the day's rules say closed, it is closed, whatever began on the day before.
    private func state(at time: Date, _ today: [Period], _ dayBefore: [Period]) -> State {
        let states = [today, dayBefore].map { periods in
            periods.last { $0.range.contains(time) }?.state
        }
        if states[0] == .closed { return .closed }
        return states.contains(.open) ? .open : states.contains(.unknown) ? .unknown : .closed
    }

    /// The periods that begin on that day.
    private func periods(of day: CivilDay, _ days: LocalDays, isSchoolHoliday: Bool) -> [Period] {
        rules.reduce(into: []) { periods, rule in
            guard rule.contains(day, days, isSchoolHoliday: isSchoolHoliday) else { return }
            let isWhole = rule.spans.isEmpty
            if rule.state == .closed, isWhole, rule.joint != .fallback { return periods = [] }
            let own = (isWhole ? [.wholeDay] : rule.spans).flatMap { span in
                Self.periods(of: span, rule.state, on: day, days)
            }
            switch rule.joint {
            case .normal: periods = rule.state == .closed ? periods + own : own
            case .additional: periods += own
            case .fallback: periods = own + periods
            }
        }
    }

    private static func periods(
        of span: DaySpan, _ state: State, on day: CivilDay, _ days: LocalDays
    ) -> [Period] {
        guard let (known, end) = span.moments(on: day, days) else {
            let whole = days.moment(day, minute: 0)..<days.moment(day + 1, minute: 0)
            return [Period(range: whole, state: .unknown)]
        }
        let unknown = Period(range: known.upperBound..<end, state: .unknown)
        return [Period(range: known, state: state)] + (known.upperBound < end ? [unknown] : [])
    }
}

/// Local days and times at a place, also across clock changes.
public struct LocalDays: Sendable {
    static let minutes = 1_440

    public let calendar: Calendar
    private let holidays: Set<String>
    /// For the times of the sun.
    let position: Coordinate?

    /// Holidays are days as in `2026-12-25`, or `12-25` for every year.
    public init(
        _ timeZone: TimeZone, holidays: Set<String> = [], at position: Coordinate? = nil
    ) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        (self.holidays, self.position) = (holidays, position)
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
        components.day = (day.day ?? 1) + minute / Self.minutes
        (components.hour, components.minute) = (minute % Self.minutes / 60, minute % 60)
        return calendar.date(from: components) ?? .distantPast
    }

    func civilDay(of time: Date) -> CivilDay {
        let seconds = time.timeIntervalSince1970
        let ahead = calendar.timeZone.secondsFromGMT(for: time)
        return CivilDay(number: Int(((seconds + Double(ahead)) / 86_400).rounded(.down)))
    }

    func moment(_ day: CivilDay, minute: Int) -> Date {
        moment(DateComponents(year: day.year, month: day.month, day: day.day), minute: minute)
    }

    func isHoliday(_ day: CivilDay) -> Bool {
        isHoliday(year: day.year, month: day.month, day: day.day)
    }

    /// Whether a day, with its year, month and day, is a public holiday.
    public func isHoliday(_ day: DateComponents) -> Bool {
        isHoliday(year: day.year ?? 0, month: day.month ?? 0, day: day.day ?? 0)
    }

    private func isHoliday(year: Int, month: Int, day: Int) -> Bool {
        guard !holidays.isEmpty else { return false }
        let short = "\(Self.two(month))-\(Self.two(day))"
        return holidays.contains(short) || holidays.contains("\(year)-\(short)")
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
