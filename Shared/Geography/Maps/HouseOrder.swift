/// Whether a country writes the number before the street, "50 Queens Road", or after it, "Aleksanterinkatu 50".
enum HouseOrder {
    /// ISO 3166. From the templates of github.com/OpenCageData/address-formatting (conf/countries/worldwide.yaml),
    /// except for Brazil, New Zealand and Puerto Rico, whose posts differ. All others, and unknown countries, put the
    /// street first.
    private static let numberFirst: Set<String> = [
        "AD", "AE", "AU", "AZ", "BD", "BF", "BJ", "BL", "BM", "BZ", "CA", "CD", "CI", "CX", "DZ",
        "EG", "FK",
        "FR", "GB", "GF", "GG", "GH", "GP", "GS", "HK", "HM", "IE", "IL", "IM", "IN", "IO", "JE",
        "KE", "LK",
        "LS", "LU", "MC", "MG", "MQ", "MT", "MW", "MY", "NA", "NC", "NF", "NG", "NZ", "PF", "PH",
        "PK", "PM",
        "PR", "RE", "RW", "SA", "SG", "SH", "TC", "TF", "TG", "TH", "TN", "TT", "TZ", "UG", "UM",
        "US", "VI",
        "VN", "YT", "ZA", "ZM", "ZW",
    ]

    static func isNumberFirst(in country: String?) -> Bool {
        country.map(numberFirst.contains) ?? false
    }

    /// OpenStreetMap's `addr:country` in capital letters; nil if it isn't a country code, such as "Malta".
    static func country(_ tags: [String: String]) -> String? {
        let country = tags["addr:country"]?.uppercased()
        return country.flatMap { $0.wholeMatch(of: /[A-Z]{2}/) == nil ? nil : $0 }
    }
}
