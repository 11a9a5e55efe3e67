import Contracts
import EventBus
import Foundation
import Geo
import Maps
import ServiceKit
import Store

/// A stored vendor.
struct VendorRecord: Document, Hashable {
    let id: VendorID
    /// Checked and complete, with address and time zone.
    private(set) var body: VendorBody
    /// Fields set by people; imports don't change them.
    private(set) var edited: Set<String> = []
    private(set) var sources: [String]
    private(set) var updatedAt: Date
    private(set) var confirmedBy: String?
    var duplicateOf: VendorID?
    /// Removed by an operator; the record stays, so that no import brings it back.
    var isRemoved = false
    var version = Version()

    init(id: VendorID, _ body: VendorBody, source: Source, at now: Date) {
        (self.id, self.body, updatedAt) = (id, body, now)
        sources = []
        take(body, source, at: now)
    }

    /// The source of a vendor's data: an operator, people, or an import.
    enum Source: Sendable, Hashable {
        case `operator`, people
        case imported(String)

        var name: String {
            switch self {
            case .operator: "operator"
            case .people: "people"
            case .imported(let name): name
            }
        }
    }

    /// Takes the new values; an import doesn't change fields set by people. Returns false if nothing changes.
    @discardableResult
    mutating func change(to new: VendorBody, by source: Source, at now: Date) throws -> Bool {
        let (old, sent) = (try body.fields, try new.fields)
        let others = Set(old.keys).union(sent.keys).filter { old[$0] != sent[$0] }
        var merged = new
        if case .imported = source {
            var fields = sent
            for name in edited { fields[name] = old[name] }
            merged = try JSONValue.object(fields).decoded()
            guard merged != body || !sources.contains(source.name) else { return false }
        } else {
            edited.formUnion(others)
        }
        version.advance()
        take(merged, source, at: now)
        return true
    }

    private mutating func take(_ new: VendorBody, _ source: Source, at now: Date) {
        let old = body.accessibility
        body = new
        body.accessibility = new.accessibility?.measured(by: source.name, at: now, since: old)
        updatedAt = now
        if !sources.contains(source.name) { sources.append(source.name) }
        if case .imported = source { return }
        confirmedBy = source.name
    }

    var isShown: Bool { !isRemoved && duplicateOf == nil }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        [
            "latitude": body.position.latitude, "longitude": body.position.longitude,
            "kind": body.kind.rawValue,
            "words": WordSearch.folded("\(body.name) \(body.address ?? "")"),
            "is_shown": isShown, "is_removed": isRemoved, "duplicate_of": duplicateOf,
        ]
    }

    private var hours: OpeningHours? { body.openingHours.flatMap(OpeningHours.reading) }
    private var days: LocalDays {
        let zone = body.timeZone ?? ""
        return LocalDays(
            TimeZone(identifier: zone) ?? .gmt,
            holidays: PublicHolidays.of(zone: zone, at: body.position), at: body.position)
    }
    var hasReadableHours: Bool { hours != nil }

    /// Nil if the opening hours are unknown.
    func isOpen(at time: Date) -> Bool? {
        switch hours?.state(at: time, days) {
        case .open: true
        case .closed: false
        case .unknown, nil: nil
        }
    }

    func view(at now: Date) -> Vendor {
        Vendor(
            id: id, body, timeZone: body.timeZone ?? "", isOpen: isOpen(at: now),
            changesAt: hours?.nextChange(after: now, days), sources: sources,
            updatedAt: updatedAt, confirmedBy: confirmedBy, duplicateOf: duplicateOf,
            version: version.number)
    }
}

extension VendorBody {
    /// Without the sources and times of measurements, which are not compared.
    fileprivate var fields: [String: JSONValue] {
        get throws {
            var plain = self
            plain.accessibility?.measured = nil
            return try JSONValue(of: plain).decoded()
        }
    }
}

extension Accessibility {
    /// Adds source and time to each measurement; unchanged values keep theirs.
    func measured(by source: String, at now: Date, since old: Accessibility?) -> Accessibility {
        var (new, measured) = (self, [String: Measurement]())
        let (values, known) = (values, old?.values ?? [:])
        for (name, value) in values {
            let before = known[name] == value ? old?.measured?[name] : nil
            measured[name] = before ?? Measurement(source: source, at: now)
        }
        new.measured = measured
        return new
    }

    /// Fills missing measurements with the old ones.
    fileprivate func applied(to old: Accessibility?) -> Accessibility {
        var new = Accessibility(
            stepCentimeters: stepCentimeters ?? old?.stepCentimeters,
            doorCentimeters: doorCentimeters ?? old?.doorCentimeters,
            slopePercent: slopePercent ?? old?.slopePercent, surface: surface ?? old?.surface,
            toilet: toilet ?? old?.toilet, lift: lift ?? old?.lift)
        new.measured = old?.measured
        return new
    }

    private var values: [String: JSONValue] {
        let all: [String: JSONValue?] = [
            "stepCentimeters": stepCentimeters.map(JSONValue.integer),
            "doorCentimeters": doorCentimeters.map(JSONValue.integer),
            "slopePercent": slopePercent.map(JSONValue.integer),
            "surface": surface.map(JSONValue.text), "toilet": toilet.map(JSONValue.bool),
            "lift": lift.map(JSONValue.bool),
        ]
        return all.compactMapValues(\.self)
    }

    /// No step that stops a wheelchair, and a door that it fits through (ISO 21542: 2 cm and 80 cm).
    var isAccessible: Bool {
        guard let stepCentimeters, stepCentimeters <= 2 else { return false }
        return doorCentimeters ?? 80 >= 80
    }

    var isEmpty: Bool { values.isEmpty }
}

/// The checks of a vendor.
enum VendorRules {
    static let longestName = 100
    static let longestNote = 500

    static func checked(_ given: VendorBody) throws -> VendorBody {
        var body = given
        body.name = try Check.text(body.name, "name", 1...longestName)
        body.position = try Check.coordinate(
            latitude: body.position.latitude, longitude: body.position.longitude, "position")
        body.address = try Check.optionalText(body.address, "address", most: Check.longestAddress)
        body.phone = try Check.optionalText(body.phone, "phone", most: 50)
        body.website = try address(body.website, "website")
        body.photo = try address(body.photo, "photo")
        body.openingHours = try Check.optionalText(
            body.openingHours.map(OpeningHours.line), "openingHours", most: OpeningHours.longest)
        if let zone = body.timeZone, TimeZone(identifier: zone) == nil || !zone.contains("/") {
            throw Refusal.invalid("timeZone", "Use an IANA name, for example Europe/Malta.")
        }
        body.acceptsStamps = body.acceptsStamps ?? .unknown
        body.accessibility = try body.accessibility.flatMap(checked)
        return body
    }

    /// Nil if no value is given.
    static func checked(_ given: Accessibility) throws -> Accessibility? {
        var given = given
        given.measured = nil
        func number(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws {
            if let value { _ = try Check.int(value, "accessibility.\(name)", in: range) }
        }
        try number(given.stepCentimeters, "stepCentimeters", 0...200)
        try number(given.doorCentimeters, "doorCentimeters", 30...1_000)
        try number(given.slopePercent, "slopePercent", 0...100)
        given.surface = try Check.optionalText(given.surface, "accessibility.surface", most: 50)
        return given.isEmpty ? nil : given
    }

    private static func address(_ text: String?, _ field: String) throws -> String? {
        guard let text = try Check.optionalText(text, field, most: 500) else { return nil }
        guard let url = URL(string: text), ["https", "http"].contains(url.scheme),
            url.host()?.isEmpty == false
        else { throw Refusal.invalid(field, "Enter an address, for example https://example.com.") }
        return text
    }

    /// Checks a person's suggestion.
    static func checked(_ given: VendorSuggestionBody, of vendor: VendorBody) throws
        -> VendorSuggestionBody
    {
        let whole = try checked(given.applied(to: vendor))
        var change = given
        if given.name != nil { change.name = whole.name }
        if given.address != nil { change.address = whole.address }
        if given.phone != nil { change.phone = whole.phone }
        if given.website != nil { change.website = whole.website }
        if given.openingHours != nil { change.openingHours = whole.openingHours }
        change.accessibility = try given.accessibility.flatMap(checked)
        change.note = try Check.optionalText(given.note, "note", most: longestNote)
        var silent = change
        silent.note = nil
        guard try JSONValue(of: silent) != .object([:]) || change.note != nil else {
            throw Refusal.invalid(nil, "Suggest a change of a field, or write a note.")
        }
        return change
    }
}

extension VendorSuggestionBody {
    func applied(to vendor: VendorBody) -> VendorBody {
        var body = vendor
        body.name = name ?? body.name
        body.kind = kind ?? body.kind
        body.position = position ?? body.position
        body.address = address ?? body.address
        body.phone = phone ?? body.phone
        body.website = website ?? body.website
        body.openingHours = openingHours ?? body.openingHours
        body.acceptsStamps = acceptsStamps ?? body.acceptsStamps
        body.accessibility = accessibility?.applied(to: body.accessibility) ?? body.accessibility
        return body
    }
}
