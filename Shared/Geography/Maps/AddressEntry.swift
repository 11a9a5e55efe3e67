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
    /// Further numbers of the house: 14 of "12-16". Only their spellings are stored.
    var furtherNumbers: [String] = []
    /// Whether the number comes before the street, as is usual in the country.
    var isNumberFirst = false
    var street: PlaceNames?
    var locality: PlaceNames?
    /// The town of its postal address, which may be another one than its locality. Only its words are stored.
    var city: String?

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
        let numbers = ([number ?? ""] + furtherNumbers).flatMap(HouseNumber.spellings)
        return (street?.folded ?? []).flatMap { street in
            numbers.map { "\(street)\(AddressWords.numberMark)\($0)" }
        }
    }

    /// Words for its surroundings.
    var surroundings: [String] {
        let street = kind == .address ? [] : (street?.folded ?? [])
        let number = kind == .address ? [] : HouseNumber.spellings(number ?? "")
        let words = (street + number + (locality?.folded ?? [])).flatMap {
            $0.split(separator: " ").map(String.init)
        }
        return words + SearchWords.of(city ?? "").filter { !words.contains($0) }
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
