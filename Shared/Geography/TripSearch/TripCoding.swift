import Foundation

extension Trip {
    /// The whole trip in some hundred bytes, for a column of a store.
    ///
    /// A first byte for the format, id and driver, then numbers from `ByteWriter`. Equal trips always have equal
    /// bytes.
    public var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 128 + way.vertices.count * 6)
        writer.write(byte: Self.form)
        withUnsafeBytes(of: id.uuid) { writer.write(raw: $0) }
        withUnsafeBytes(of: driver.uuid) { writer.write(raw: $0) }
        writer.write(signed: version)
        writer.write(unsigned: seats)
        writer.write(unsigned: maxDetourSeconds)
        schedule.write(to: &writer)
        writer.write(unsigned: taken.count)
        for one in taken {
            writer.write(one.firstDay)
            writer.write(one.lastDay)
            writer.write(unsigned: one.from)
            writer.write(unsigned: one.to)
            writer.write(unsigned: one.seats)
        }
        writer.write(unsigned: cancelled.count)
        cancelled.forEach { writer.write($0) }
        way.write(to: &writer)
        return writer.bytes
    }

    /// Nil if it isn't a value of `encoded`, or if the system doesn't know the zone.
    public init?(encoded: [UInt8]) {
        let trip = encoded.withUnsafeBufferPointer { bytes -> Trip? in
            var reader = ByteReader(bytes)
            guard let trip = Trip(from: &reader), reader.remaining == 0 else { return nil }
            return trip
        }
        guard let trip else { return nil }
        self = trip
    }

    private static let form: UInt8 = 1
    static let mostParties = 1_000

    private init?(from reader: inout ByteReader) {
        guard reader.byte() == Self.form, let id = reader.uuid(), let driver = reader.uuid(),
            let version = reader.signed(), let seats = reader.unsigned(0...Self.mostSeats),
            let detour = reader.unsigned(0...TripRules.mostDetourSeconds),
            let schedule = Schedule(from: &reader),
            let parties = reader.unsigned(0...Self.mostParties)
        else { return nil }
        var taken: [Taken] = []
        for _ in 0..<parties {
            guard let firstDay = reader.day(), let lastDay = reader.optionalDay(),
                let from = reader.unsigned(0...Way.mostSeconds),
                let to = reader.unsigned(0...Way.mostSeconds),
                let seats = reader.unsigned(0...Self.mostSeats)
            else { return nil }
            taken.append(
                Taken(firstDay: firstDay, lastDay: lastDay, from: from, to: to, seats: seats))
        }
        guard let cancelled = reader.days(most: Schedule.mostExceptions),
            let way = Way(from: &reader)
        else { return nil }
        self.init(
            id: id, version: version, driver: driver, way: way, schedule: schedule, seats: seats,
            maxDetourSeconds: detour, taken: taken, cancelled: cancelled)
    }

    /// A hash of id, version and all contents, the same on every machine: FNV-1a with a final mixing step, since it
    /// is summed over many trips.
    public var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in encoded { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        return hash ^ (hash >> 31)
    }
}

extension Schedule {
    func write(to writer: inout ByteWriter) {
        writer.write(firstDay)
        writer.write(unsigned: secondOfDay)
        let name = timeZone.utf8
        writer.write(unsigned: name.count)
        writer.write(raw: name)
        writer.write(byte: weekdays)
        writer.write(until)
        writer.write(unsigned: exceptions.count)
        exceptions.forEach { writer.write($0) }
    }

    init?(from reader: inout ByteReader) {
        guard let firstDay = reader.day(), let second = reader.unsigned(0...86_399),
            let length = reader.unsigned(1...64), let name = reader.raw(length),
            let timeZone = String(validating: name, as: UTF8.self),
            let weekdays = reader.byte(), let until = reader.optionalDay(),
            let exceptions = reader.days(most: Self.mostExceptions)
        else { return nil }
        self.init(
            firstDay: firstDay, secondOfDay: second, timeZone: timeZone, weekdays: weekdays,
            until: until, exceptions: exceptions)
    }
}

extension ByteWriter {
    mutating func write(_ day: Day) { write(signed: Int(day.number)) }

    mutating func write(_ day: Day?) {
        write(byte: day == nil ? 0 : 1)
        if let day { write(day) }
    }
}

extension ByteReader {
    mutating func uuid() -> UUID? {
        guard let raw = raw(16) else { return nil }
        return UUID(uuid: UnsafeRawBufferPointer(raw).loadUnaligned(as: uuid_t.self))
    }

    mutating func day() -> Day? {
        let years = Int(Day.earliest.number)...Int(Day.latest.number)
        return signed(years).map { Day(number: $0) }
    }

    /// The outer nil is an error, the inner one means no day.
    mutating func optionalDay() -> Day?? {
        switch byte() {
        case 0: .some(nil)
        case 1: day().map { .some($0) }
        default: nil
        }
    }

    mutating func days(most: Int) -> [Day]? {
        guard let count = unsigned(0...most), count <= remaining else { return nil }
        var days: [Day] = []
        days.reserveCapacity(count)
        for _ in 0..<count {
            guard let day = day() else { return nil }
            days.append(day)
        }
        return days
    }
}
