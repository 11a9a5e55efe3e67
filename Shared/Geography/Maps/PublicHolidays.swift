import Foundation
import Geo

/// Public holidays of each country from 2026 to 2032, from `data/public_holidays.py`.
///
/// Holidays of only a part of a country are left out.
public enum PublicHolidays {
    // Copied, not embedded: as a Swift literal its 73 kB would take a quarter of a minute to compile.
    static let file: URL? = Bundle.module.url(forResource: "public-holidays", withExtension: "txt")

    private static let ofCountries =
        read(file.flatMap { try? Data(contentsOf: $0) } ?? Data())

    /// The holidays of the country of a time zone (IANA name): `12-25` for every year, or `2026-04-03`. For the name of
    /// no country's zone, such as the older name `Asia/Calcutta` or `Etc/UTC`, those of the country at the position.
    /// Empty if unknown.
    public static func of(zone: String, at position: Coordinate? = nil) -> Set<String> {
        let country =
            TimeZones.countries[zone]
            ?? position.flatMap { TimeZones.zone(at: $0)?.country }
        return country.flatMap { ofCountries[$0] } ?? []
    }

    /// Reads one line per country (ISO 3166): the days of every year, then each year followed by its days: `MT 0101
    /// 2026 0403`.
    static func read(_ file: Data) -> [String: Set<String>] {
        var countries: [String: Set<String>] = [:]
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            var (days, year) = (Set<String>(), "")
            for word in words.dropFirst() {
                if word > "1231" {
                    year = "\(word)-"
                } else {
                    days.insert("\(year)\(word.prefix(2))-\(word.suffix(2))")
                }
            }
            countries[String(words[0])] = days
        }
        return countries
    }
}
