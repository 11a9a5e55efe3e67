import Contracts
import Foundation
import ServiceKit

/// A country or territory, by its two letters (ISO 3166-1 alpha-2).
struct Country: Hashable, Sendable, CustomStringConvertible {
    /// As in `FI`.
    let description: String

    init?(_ text: String) {
        let code = text.uppercased()
        guard code.count == 2, Locale.Region.isoRegions.contains(Locale.Region(code)) else {
            return nil
        }
        description = code
    }

    /// Throws `request.invalid` for the field `country`.
    init(checking text: String) throws {
        guard let country = Self(text) else {
            throw Refusal.invalid("country", "Use two letters of ISO 3166-1, for example FI.")
        }
        self = country
    }
}
