import CSV
import Contracts
import Foundation
import Geo
import Maps
import ServiceKit

private let degrees = "Enter degrees, for example 60.17."

/// A vendor in a file; `source` identifies it in later imports.
struct FileVendor: Sendable, Hashable {
    let source: String
    let body: VendorBody
}

/// A file of vendors, read row by row.
struct VendorFile: Sendable {
    enum Row: Sendable {
        case vendor(FileVendor)
        /// A row that is not a vendor.
        case leftOut
        case refused(field: String?, detail: String)
    }

    /// The most rows per file.
    static let mostRows = 200_000

    /// The bytes, and where each row begins: rows are read when they are asked for.
    private enum Content: Sendable {
        case features([UInt8], [Range<Int>])
        /// The columns are those of `columns(of:)`.
        case records(CSVTable, columns: [String?], [CSVTable.Mark])
    }

    private let content: Content

    /// GeoJSON if the data begins with a brace, otherwise CSV. Throws if it is neither.
    init(_ data: Data) throws {
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        let first = bytes.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        content =
            first == UInt8(ascii: "{")
            ? try Self.geoJSON(Array(bytes)) : try Self.csv(Array(bytes))
        guard count <= Self.mostRows else {
            throw Refusal.vendorImportUnreadable.because("Send at most \(Self.mostRows) rows.")
        }
    }

    var count: Int {
        switch content {
        case .features(_, let ranges): ranges.count
        case .records(_, _, let marks): marks.count
        }
    }

    /// Parses a range of rows, each with its line, or in GeoJSON with its index from 1.
    func rows(_ range: Range<Int>) -> [(line: Int, row: Row)] {
        switch content {
        case .features(let bytes, let ranges):
            return range.map { index in
                let json = try? Wire.decode(JSONValue.self, from: Data(bytes[ranges[index]]))
                return (
                    index + 1,
                    json.map(Row.init) ?? .refused(field: nil, detail: "This isn't JSON.")
                )
            }
        case .records(var table, let columns, let marks):
            return marks[range].map { mark in
                table.mark = mark
                _ = table.next()
                return (table.line, Self.row(of: table, columns))
            }
        }
    }

    // MARK: GeoJSON

    private static func geoJSON(_ bytes: [UInt8]) throws -> Content {
        guard let ranges = FeatureRanges.all(in: bytes) else {
            throw Refusal.vendorImportUnreadable.because(
                "Send a GeoJSON FeatureCollection.")
        }
        return .features(bytes, ranges)
    }

    // MARK: CSV

    /// The columns that describe a vendor.
    private static let columns: Set<String> = [
        "id", "name", "kind", "latitude", "longitude", "address", "phone", "website",
        "openingHours", "timeZone", "acceptsStamps", "photo", "stepCentimeters",
        "doorCentimeters",
    ]
    private static let required = ["name", "kind", "latitude", "longitude"]
    /// The columns by their names in small letters, and by other usual names.
    private static let byName = Dictionary(
        columns.map { ($0.lowercased(), $0) }
            + [
                ("lat", "latitude"), ("lon", "longitude"), ("lng", "longitude"),
                ("long", "longitude"),
            ]
    ) { first, _ in first }

    /// The column of each field; nil for one that is not read. A column's own name comes before other spellings of it.
    private static func columns(of table: CSVTable) -> [String?] {
        table.header.map { name in
            if columns.contains(name) { return name }
            let shown = name.unicodeScalars.filter { $0.properties.generalCategory != .format }
            let plain = String(String.UnicodeScalarView(shown))
                .trimmingCharacters(in: .whitespaces).lowercased()
            return byName[plain].flatMap { table.header.contains($0) ? nil : $0 }
        }
    }

    private static func csv(_ bytes: [UInt8]) throws -> Content {
        var table = CSVTable(anySeparator: bytes)
        guard table.fault == nil, !table.header.isEmpty else {
            throw Refusal.vendorImportUnreadable.because("The first line is not CSV in UTF-8.")
        }
        let names = columns(of: table)
        let missing = required.filter { !names.contains($0) }
        guard missing.isEmpty else {
            throw Refusal.vendorImportUnreadable.because(
                "The header lacks \(missing.joined(separator: ", ")). "
                    + "Separate its names with commas, semicolons or tabs.")
        }
        if let twice = names.compactMap(\.self).first(where: { name in
            names.count { $0 == name } > 1
        }) {
            throw Refusal.vendorImportUnreadable.because("The header has \(twice) twice.")
        }
        var marks: [CSVTable.Mark] = []
        var mark = table.mark
        while table.next() {
            marks.append(mark)
            mark = table.mark
        }
        return .records(table, columns: names, marks)
    }

    private static func row(of table: CSVTable, _ names: [String?]) -> Row {
        switch table.fault {
        case .quotes:
            return .refused(field: nil, detail: "A quote does not end, or text follows it.")
        case .notUTF8: return .refused(field: nil, detail: "This is no UTF-8.")
        case nil: break
        }
        // Spreadsheets write empty rows as separators alone.
        if (0..<table.fieldCount).allSatisfy({ table[$0].isEmpty }) { return .leftOut }
        guard table.fieldCount == names.count else {
            return .refused(
                field: nil,
                detail: "\(table.fieldCount) fields, and the header has \(names.count).")
        }
        var values: [String: String] = [:]
        for (index, name) in names.enumerated() {
            guard let name else { continue }
            let plain = table[index].trimmingCharacters(in: .whitespacesAndNewlines)
            if !plain.isEmpty { values[name] = plain }
        }
        return Row(values)
    }
}

extension VendorFile.Row {
    /// Refuses the row with the reason if `make` throws.
    private init(_ make: () throws -> FileVendor?) {
        do {
            self = try make().map(Self.vendor) ?? .leftOut
        } catch {
            let problem = (error as? Refusal)?.problem
            self = .refused(field: problem?.field, detail: problem?.detail ?? "It can't be read.")
        }
    }

    /// Reads a line of CSV.
    init(_ values: [String: String]) {
        self.init {
            func number<Value: LosslessStringConvertible>(
                _ name: String, _ wanted: String, as type: Value.Type = Value.self
            ) throws -> Value? {
                try values[name].map { text in
                    guard let value = Value(text) else { throw Refusal.invalid(name, wanted) }
                    return value
                }
            }
            func angle(_ name: String, positive: String, negative: String) throws -> Double {
                let value = values[name].flatMap {
                    Self.inDegrees($0.uppercased(), positive: positive, negative: negative)
                }
                guard let value else {
                    throw Refusal.invalid(name, degrees)
                }
                return value
            }
            guard let name = values["name"] else { throw Refusal.invalid("name", "Enter a name.") }
            guard
                let kind = VendorKind.allCases.first(where: {
                    $0.rawValue.lowercased() == values["kind"]?.lowercased()
                })
            else {
                let kinds = VendorKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal.invalid("kind", "Use one of \(kinds).")
            }
            let latitude = try angle("latitude", positive: "N", negative: "S")
            let longitude = try angle("longitude", positive: "E", negative: "W")
            var body = VendorBody(
                name: name, kind: kind,
                position: Coordinate(latitude: latitude, longitude: longitude),
                address: values["address"], openingHours: values["openingHours"])
            (body.phone, body.website, body.photo) = (
                values["phone"], values["website"], values["photo"]
            )
            body.timeZone = values["timeZone"]
            body.acceptsStamps = try number("acceptsStamps", "yes, no or unknown.")
            body.accessibility = Accessibility(
                stepCentimeters: try number("stepCentimeters", "Whole centimetres."),
                doorCentimeters: try number("doorCentimeters", "Whole centimetres."))
            let id = try values["id"].map {
                try Check.text($0, "id", 1...TaggedFeature.longestSource)
            }
            return FileVendor(
                source: id ?? "\(name)@\(latitude),\(longitude)",
                body: try VendorRules.checked(body))
        }
    }

    /// A number with a decimal point or a decimal comma, perhaps with a degree sign and a hemisphere; spreadsheets may
    /// write a minus sign, not a hyphen.
    private static func inDegrees(_ text: String, positive: String, negative: String) -> Double? {
        let form =
            /([NSEW]?) ?([-+]?)((?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:E[-+]?[0-9]+)?) ?°? ?([NSEW]?)/
        guard let match = text.replacing("\u{2212}", with: "-").wholeMatch(of: form)?.output,
            let value = Double(match.3.replacing(",", with: "."))
        else { return nil }
        let side = String(match.1 + match.4)
        guard side.isEmpty || match.2.isEmpty && [positive, negative].contains(side) else {
            return nil
        }
        return match.2 == "-" || side == negative ? -value : value
    }

    /// Reads a feature with OpenStreetMap's tags.
    init(_ json: JSONValue) {
        self.init {
            guard let tags = TaggedFeature(json) else {
                throw Refusal.invalid(
                    "type", "Send a GeoJSON Feature with geometry and properties.")
            }
            guard let name = tags["name"], let kind = tags.vendorKind else { return nil }
            guard let source = TaggedFeature.source(of: json) else {
                throw Refusal.invalid(
                    "id", "Use an id of 1 to \(TaggedFeature.longestSource) characters.")
            }
            guard let position = tags.position else {
                throw Refusal.invalid("geometry", "Use a Point, a Polygon or a MultiPolygon.")
            }
            let address = tags.address
            var body = VendorBody(
                name: String(name.prefix(VendorRules.longestName)), kind: kind,
                position: position, address: address.isEmpty ? nil : address,
                openingHours: tags["opening_hours"])
            body.timeZone = tags["timeZone"] ?? tags.zone?.name
            body.phone = tags["phone"] ?? tags["contact:phone"]
            body.website = tags["website"] ?? tags["contact:website"]
            body.acceptsStamps = tags.acceptsStamps
            body.accessibility = tags.accessibility
            return FileVendor(source: source, body: try VendorRules.lenient(body))
        }
    }
}

extension StampAcceptance: LosslessStringConvertible {
    public init?(_ text: String) { self.init(rawValue: text) }
    public var description: String { rawValue }
}

extension TaggedFeature {
    fileprivate var vendorKind: VendorKind? {
        // Our own export has the kind.
        if let kind = self["kind"].flatMap(VendorKind.init(rawValue:)) { return kind }
        if let shop = self["shop"], VendorTags.values["shop"]?.contains(shop) == true {
            return .grocery
        }
        switch self["amenity"] {
        case "marketplace": return .foodMarket
        case "social_facility":
            return self["social_facility"].map(VendorTags.food.contains) == true
                ? .soupKitchen : nil
        case "place_of_worship": return .church
        case "restaurant", "fast_food", "cafe", "food_court": return .restaurant
        default: return nil
        }
    }

    /// OpenStreetMap's `payment:*`; two names are in use for stamps.
    fileprivate var acceptsStamps: StampAcceptance {
        let said = self["payment:food_stamps"] ?? self["payment:snap"] ?? self["payment:ebt"]
        return said.flatMap(StampAcceptance.init(rawValue:)) ?? .unknown
    }

    /// Measured values only; `wheelchair` is a verdict, not a measurement.
    fileprivate var accessibility: Accessibility {
        func centimeters(_ key: String) -> Int? {
            self[key].flatMap { Double($0.replacing(/\s*m$/, with: "")) }.flatMap {
                (0...10).contains($0) ? Int(($0 * 100).rounded()) : nil
            }
        }
        let stepless = self["step_count"] == "0" || self["kerb"] == "flush"
        return Accessibility(
            stepCentimeters: stepless ? 0 : centimeters("step_height"),
            doorCentimeters: centimeters("door:width") ?? centimeters("entrance:width"),
            surface: self["surface"],
            toilet: self["toilets:wheelchair"].map { $0 == "yes" },
            lift: self["elevator"].map { $0 == "yes" })
    }
}

extension VendorRules {
    /// The map's vendor without details that are invalid.
    fileprivate static func lenient(_ given: VendorBody) throws -> VendorBody {
        var body = given
        func keepsIf<Value>(_ path: WritableKeyPath<VendorBody, Value?>) {
            var alone = VendorBody(name: "x", kind: .other, position: given.position)
            alone[keyPath: path] = body[keyPath: path]
            if (try? checked(alone)) == nil { body[keyPath: path] = nil }
        }
        keepsIf(\.phone)
        keepsIf(\.website)
        keepsIf(\.openingHours)
        keepsIf(\.accessibility)
        keepsIf(\.address)
        return try checked(body)
    }
}
