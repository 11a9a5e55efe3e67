import Contracts
import Foundation
import Geo
import Maps
import ServiceKit

/// A car park as it is stored.
struct CarParkRecord: Codable, Sendable, Hashable {
    let id: CarParkID
    /// Checked, with defaults filled in.
    private(set) var body: CarParkBody
    private(set) var termsVersion: Int
    /// In the order in which they are shown.
    private(set) var photos: [PictureID] = []
    var isOpen = true
    var statusReason: String?
    var version = 1

    init(id: CarParkID, _ body: CarParkBody, _ hours: CarParkRules.Hours = .readable) throws {
        (self.id, termsVersion) = (id, 1)
        self.body = try CarParkRules.checked(body, hours)
    }

    /// Changes the car park. A new text of the terms is a new version, to which people have to agree. Opening hours
    /// that it has already may be unreadable.
    mutating func change(
        to new: CarParkBody, _ hours: CarParkRules.Hours = .readable
    ) throws {
        let isKnown = new.openingHours == body.openingHours
        let new = try CarParkRules.checked(new, isKnown ? .anyText : hours)
        if new.terms != body.terms { termsVersion += 1 }
        body = new
        version += 1
    }

    mutating func show(_ photos: [PictureID]) {
        self.photos = photos
        version += 1
    }

    /// False for a vehicle that is too high, and for any if the maximum height can't be read.
    func admits(heightMeters height: Double) -> Bool {
        body.maxHeightMeters.map { height <= $0 } ?? (body.maxHeightText == nil)
    }

    var bookable: SpaceCounts { body.bookable ?? SpaceCounts() }
    var cancellation: CancellationPolicy { body.cancellation ?? .standard }
    var terms: ParkingTerms { ParkingTerms(version: termsVersion, text: body.terms ?? "") }

    /// Throws unless the person agrees to the current version of the terms.
    func require(terms version: Int) throws(Refusal) {
        guard version == termsVersion else {
            throw .termsOutdated.because("The current terms are version \(termsVersion).")
        }
    }

    /// Days in the car park's time zone, with the holidays that its operator lists, or else those of the country.
    var days: LocalDays {
        let listed = Set(body.holidays ?? [])
        return LocalDays(
            TimeZone(identifier: body.timeZone) ?? .gmt,
            holidays: listed.isEmpty
                ? PublicHolidays.of(zone: body.timeZone, at: body.position) : listed,
            at: body.position)
    }

    /// By the opening hours, and by the operator.
    func openingState(at time: Date) -> OpeningState {
        guard isOpen else { return .closed }
        return switch hours?.state(at: time, days) {
        case .open: .open
        case .closed: .closed
        case .unknown, nil: .unknown
        }
    }

    /// Nil if the opening hours can't be read.
    func nextOpeningChange(after time: Date) -> Date? { hours?.nextChange(after: time, days) }

    /// How far into a stay to look for its closing.
    private static let lookahead: TimeInterval = 14 * 86_400

    /// The first time in the first two weeks of the stay at which it closes, and until when.
    func closing(from start: Date, until end: Date) -> (at: Date, until: Date?)? {
        let end = min(end, start.addingTimeInterval(Self.lookahead))
        guard let change = hours?.nextChange(after: start, to: .closed, days), change < end else {
            return nil
        }
        return (change, nextOpeningChange(after: change))
    }

    /// A vehicle can be fetched unless it is known to be closed at that time; when it closes, it still can.
    func letsVehiclesOut(at time: Date) -> Bool {
        [time, time.addingTimeInterval(-1)].contains { openingState(at: $0) != .closed }
    }

    /// Throws if it is closed when the stay begins, or when it ends: the driver could not fetch the vehicle, and would
    /// pay for overstaying. A product by the month or year ends at no time that the driver chose, so its end may be
    /// when it is closed. Times that were booked before may stay as they are.
    func require(
        openFrom start: Date, until end: Date, for product: ParkingProduct.Unit,
        booked: BookingRecord.Stay?
    ) throws(Refusal) {
        guard isOpen else { throw .carParkClosed.because(statusReason) }
        let old = booked?.carPark.id == id ? booked : nil
        let hours = body.openingHours ?? OpeningHours.always
        guard old?.start == start || openingState(at: start) != .closed else {
            throw .carParkClosed.because("Its opening hours: \(hours).")
        }
        guard old?.end == end || product.isLong || letsVehiclesOut(at: end) else {
            throw .carParkClosed.because(
                "It is closed when the booking ends. Its opening hours: \(hours).")
        }
    }

    private var hours: OpeningHours? {
        OpeningHours.reading(body.openingHours ?? OpeningHours.always)
    }

    /// The entrance to use when coming from that point.
    func entrance(nearest point: Coordinate, by mode: TravelMode) -> Coordinate {
        let all = body.entrances ?? []
        let fit = all.filter { $0.kind == (mode == .foot ? .pedestrian : .vehicle) }
        let nearest = (fit.isEmpty && mode == .foot ? all : fit).map(\.position).min {
            Geo.distanceMeters($0, point) < Geo.distanceMeters($1, point)
        }
        return nearest ?? body.position
    }

    var place: Booking.Place {
        Booking.Place(id: id, name: body.name, position: body.position, timeZone: body.timeZone)
    }
}

/// Rules for car parks and their products.
enum CarParkRules {
    static let mostSpaces = 100_000
    static let mostEntrances = 50
    static let mostHolidays = 200
    static let mostProducts = 50
    static let mostQuantity = 366
    static let mostSpacesOfBooking = 20

    /// New opening hours from an operator must be readable; an import's are kept as they are.
    enum Hours { case readable, anyText }

    static func checked(
        _ given: CarParkBody, _ hours: Hours = .readable
    ) throws -> CarParkBody {
        var body = given
        body.name = try Check.text(body.name, "name", 1...100)
        body.address = try Check.text(body.address, "address", 0...Check.longestAddress)
        body.position = try Check.coordinate(
            latitude: body.position.latitude, longitude: body.position.longitude, "position")
        body.entrances = body.entrances ?? []
        guard (body.entrances ?? []).count <= mostEntrances else {
            throw Refusal.invalid("entrances", "Add at most \(mostEntrances) entrances.")
        }
        for (index, entrance) in (body.entrances ?? []).enumerated() {
            _ = try Check.coordinate(
                latitude: entrance.position.latitude, longitude: entrance.position.longitude,
                "entrances[\(index)].position")
        }
        guard TimeZone(identifier: body.timeZone) != nil, body.timeZone.contains("/") else {
            throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Dublin.")
        }
        guard body.currency.wholeMatch(of: /[A-Z]{3}/) != nil else {
            throw Refusal.invalid("currency", "Use three capital letters of ISO 4217.")
        }
        try checkTimes(&body, hours)
        try checkSpaces(&body)
        try checkHeight(&body)
        body.features = Array(Set(body.features ?? [])).sorted { $0.rawValue < $1.rawValue }
        body.phone = try Check.optionalText(body.phone, "phone", most: 30)
        body.operator = try Check.optionalText(body.operator, "operator", most: 100)
        body.access = body.access ?? .everybody
        body.terms = try body.terms.map(checkTerms) ?? ""
        let policy = body.cancellation ?? .standard
        _ = try Check.int(policy.freeUntilHours, "cancellation.freeUntilHours", in: 0...8_784)
        _ = try Check.int(policy.lateRefundPercent, "cancellation.lateRefundPercent", in: 0...100)
        body.cancellation = policy
        body.overstayFee = try Check.int(
            body.overstayFee ?? 0, "overstayFee", in: 0...Money.largestAmount)
        return body
    }

    private static func checkTimes(_ body: inout CarParkBody, _ kind: Hours) throws {
        let hours = try Check.text(
            OpeningHours.line(body.openingHours ?? OpeningHours.always), "openingHours",
            1...OpeningHours.longest)
        do {
            _ = try OpeningHours(hours)
        } catch {
            if kind == .readable { throw Refusal.openingHoursUnreadable.because(error.description) }
        }
        body.openingHours = hours
        let holidays = body.holidays ?? []
        guard holidays.count <= mostHolidays else {
            throw Refusal.invalid("holidays", "Add at most \(mostHolidays) holidays.")
        }
        for day in holidays
        where day.wholeMatch(of: /(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/) == nil {
            throw Refusal.invalid("holidays", "Use days such as 2026-12-25 or 12-25.")
        }
        body.holidays = holidays
    }

    private static func checkSpaces(_ body: inout CarParkBody) throws {
        let bookable = body.bookable ?? SpaceCounts()
        for kind in SpaceClass.allCases {
            _ = try Check.int(body.capacity[kind], "capacity.\(kind.rawValue)", in: 0...mostSpaces)
            guard (0...body.capacity[kind]).contains(bookable[kind]) else {
                throw Refusal.invalid(
                    "bookable.\(kind.rawValue)", "Use at most the capacity, \(body.capacity[kind])."
                )
            }
        }
        body.bookable = bookable
    }

    /// A text that can be read becomes metres. Any other one stays, unless metres are given as well.
    private static func checkHeight(_ body: inout CarParkBody) throws {
        if let height = body.maxHeightMeters, !HeightText.possible.contains(height) {
            throw Refusal.invalid("maxHeightMeters", "Use 1 to 10 metres.")
        }
        let text = try Check.optionalText(
            body.maxHeightText, "maxHeightText", most: HeightText.longest)
        body.maxHeightText = nil
        guard body.maxHeightMeters == nil, let text else { return }
        switch HeightText(text) {
        case .meters(let height): body.maxHeightMeters = height
        case .unsigned: break
        case .unreadable: body.maxHeightText = text
        }
    }

    /// Terms may have line breaks.
    private static func checkTerms(_ text: String) throws -> String {
        guard text.count <= 10_000 else {
            throw Refusal.invalid("terms", "Use at most 10000 characters.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func checked(_ given: ParkingProductBody) throws -> ParkingProductBody {
        var body = given
        body.name = try Check.text(body.name, "name", 1...60)
        _ = try Check.int(body.price, "price", in: 0...Money.largestAmount / mostQuantity)
        let least = try Check.int(body.minQuantity ?? 1, "minQuantity", in: 1...mostQuantity)
        _ = try Check.int(
            body.maxQuantity ?? max(least, ParkingProductBody.usualMost), "maxQuantity",
            in: least...mostQuantity)
        body.maxQuantity = body.maxQuantity ?? max(least, ParkingProductBody.usualMost)
        if body.classes?.isEmpty == true {
            throw Refusal.invalid("classes", "Choose at least one class of spaces.")
        }
        return body
    }
}

extension ParkingProduct.Unit {
    var isLong: Bool { self == .monthly || self == .yearly }

    private var component: (Calendar.Component, Int) {
        switch self {
        case .hourly: (.hour, 1)
        case .daily: (.day, 1)
        case .weekly: (.day, 7)
        case .monthly: (.month, 1)
        case .yearly: (.year, 1)
        }
    }

    /// The end of the given number of units from the start. Hours are elapsed time. All other units follow the calendar
    /// there, so that a day ends at the time of day at which it began, and a month that begins on the 31st ends on its
    /// last day.
    func end(of start: Date, quantity: Int, _ days: LocalDays) -> Date {
        if self == .hourly { return start.addingTimeInterval(3_600 * Double(quantity)) }
        let (component, count) = component
        return days.calendar.date(byAdding: component, value: count * quantity, to: start) ?? start
    }

    /// The smallest number of units that reaches `end`; nil if that exceeds the limit.
    func quantity(
        from start: Date, until end: Date, _ days: LocalDays, most: Int = CarParkRules.mostQuantity
    ) -> Int? {
        if self == .hourly {
            let hours = (end.timeIntervalSince(start) / 3_600).rounded(.up)
            return hours <= Double(most) ? max(1, Int(hours)) : nil
        }
        return (1...most).first { self.end(of: start, quantity: $0, days) >= end }
    }
}
