import Contracts
import Foundation
import Geo
import Store

/// An entry of the index.
struct AddressEntry {
    enum Kind: Int { case settlement, street, place, address }

    let kind: Kind
    let at: Coordinate
    var names: PlaceNames?
    var number: String?
    /// Whether the number comes before the street, as is usual in the country.
    var isNumberFirst = false
    var street: PlaceNames?
    var locality: PlaceNames?

    init(kind: Kind, at: Coordinate) { (self.kind, self.at) = (kind, at) }

    init(_ row: Row) throws {
        func names(_ column: String) throws -> PlaceNames? {
            try row.getIfPresent(column, as: String.self).map {
                try JSONDecoder().decode(PlaceNames.self, from: Data($0.utf8))
            }
        }
        self.init(
            kind: Kind(rawValue: try row.get("kind")) ?? .place,
            at: Coordinate(
                latitude: try row.get("latitude"), longitude: try row.get("longitude")))
        self.names = try names("names")
        number = try row.getIfPresent("number")
        // Missing in maps of earlier releases.
        isNumberFirst = (try? row.get("number_first")) ?? true
        street = try names("street")
        locality = try names("locality")
    }

    /// Its names in the form for comparison; a house has street and number, in all usual spellings.
    var titles: [String] {
        guard kind == .address else { return names?.folded ?? [] }
        let numbers = HouseNumber.spellings(number ?? "")
        return (street?.folded ?? []).flatMap { street in
            numbers.map { "\(street)\(AddressWords.numberMark)\($0)" }
        }
    }

    /// Words for its surroundings.
    var surroundings: [String] {
        let street = kind == .address ? [] : (street?.folded ?? [])
        let number = kind == .address ? [] : HouseNumber.spellings(number ?? "")
        return (street + number + (locality?.folded ?? [])).flatMap { $0.split(separator: " ") }
            .map(String.init)
    }

    /// The place as people who read these languages would write its address.
    func place(_ languages: [String]) -> FoundPlace { place(languages, at: at) }

    func place(_ languages: [String], at point: Coordinate) -> FoundPlace {
        let name = names?.best(languages)
        let (first, second) =
            isNumberFirst
            ? (number, street?.best(languages)) : (street?.best(languages), number)
        let house = [first, second].compactMap(\.self).joined(separator: " ")
        let parts = [name, house, locality?.best(languages)].compactMap(\.self)
        return FoundPlace(
            latitude: point.latitude, longitude: point.longitude, name: name,
            address: parts.filter { !$0.isEmpty }.joined(separator: ", "))
    }
}

enum HouseNumber {
    /// All spellings for comparison: "14 B" is "14b", too, and "14b" is "14 b".
    static func spellings(_ number: String) -> [String] {
        let text = SearchWords.of(number).joined(separator: " ")
        guard let (_, digits, letters) = text.wholeMatch(of: /([0-9]+) ?([a-z]+)/)?.output else {
            return text.isEmpty ? [] : [text]
        }
        return ["\(digits) \(letters)", "\(digits)\(letters)"]
    }
}
