import Foundation
import Synchronization

/// A time zone that caches the offsets of days: Foundation takes microseconds for each.
final class Zone: Sendable {
    /// The offsets around one local day, which has at most one clock change.
    struct Offsets: Sendable, Hashable {
        /// Seconds east of Greenwich, from the day before on.
        let before: Int
        /// The offset until the day after.
        let after: Int
        /// The first second of `after`; meaningless if both are equal.
        let change: Int

        func offset(at instant: Int) -> Int { instant < change ? before : after }

        /// RFC 5545 §3.3.5: a skipped local time is read with the offset before the gap; of one that occurs twice,
        /// the first is used.
        func instant(ofLocal local: Int) -> Int {
            let first = local - before
            guard before != after, first >= change else { return first }
            let second = local - after
            return second >= change ? second : first
        }
    }

    /// Years of days; beyond it the cache is emptied.
    private static let mostDays = 4_096
    private static let all = Mutex<[String: Zone]>([:])

    let identifier: String
    private let timeZone: TimeZone
    private let known = Mutex<[Int32: Offsets]>([:])

    private init(_ identifier: String, _ timeZone: TimeZone) {
        self.identifier = identifier
        self.timeZone = timeZone
    }

    /// The same object for the same name; nil if the system doesn't know it.
    static func named(_ identifier: String) -> Zone? {
        all.withLock { all in
            if let zone = all[identifier] { return zone }
            guard let timeZone = TimeZone(identifier: identifier) else { return nil }
            let zone = Zone(identifier, timeZone)
            all[identifier] = zone
            return zone
        }
    }

    func offsets(on day: Day) -> Offsets {
        known.withLock { known in
            if let offsets = known[day.number] { return offsets }
            let offsets = lookUp(Int(day.number))
            if known.count >= Self.mostDays { known.removeAll(keepingCapacity: true) }
            known[day.number] = offsets
            return offsets
        }
    }

    /// Seconds since 1970.
    func instant(on day: Day, secondOfDay: Int) -> Int {
        offsets(on: day).instant(ofLocal: Int(day.number) * 86_400 + secondOfDay)
    }

    /// The local day at that time.
    func day(at instant: Int) -> Day {
        let offsets = offsets(on: Day(number: instant.floored(by: 86_400)))
        return Day(number: (instant + offsets.offset(at: instant)).floored(by: 86_400))
    }

    private func lookUp(_ day: Int) -> Offsets {
        var (low, high) = ((day - 1) * 86_400, (day + 2) * 86_400)
        let (before, after) = (ask(low), ask(high))
        guard before != after else { return Offsets(before: before, after: after, change: low) }
        while high - low > 1 {
            let middle = (low + high) / 2
            if ask(middle) == before { low = middle } else { high = middle }
        }
        return Offsets(before: before, after: after, change: high)
    }

    private func ask(_ instant: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }
}

extension Zone: Hashable {
    static func == (a: Zone, b: Zone) -> Bool { a === b || a.identifier == b.identifier }
    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension Int {
    /// Division that rounds down for negative numbers, too.
    func floored(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
    }
}
