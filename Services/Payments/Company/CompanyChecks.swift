import Contracts
import Foundation
import ServiceKit

extension CompanyBody {
    private static let longestText = 100
    private static let mostAddressLines = 8
    private static let longestPage = 50_000
    private static let longestLink = 500
    private static let longestPrefix = 10

    /// Throws for the first wrong field.
    func checked() throws -> CompanyBody {
        var body = self
        body.name = try Check.text(name, "name", 1...Self.longestText)
        guard address.count <= Self.mostAddressLines else {
            throw Refusal.invalid("address", "Use at most \(Self.mostAddressLines) lines.")
        }
        body.address = try address.enumerated().compactMap {
            try Check.optionalText($1, "address.\($0)", most: Self.longestText)
        }
        body.country = try Check.country(country, "country")
        body.timeZone = try Check.timeZone(timeZone, "timeZone")
        body.companyNumber = try Check.optionalText(
            companyNumber, "companyNumber", most: Self.longestText)
        body.taxNumber = try Check.optionalText(taxNumber, "taxNumber", most: Self.longestText)
        body.email = try Check.mailAddress(email, "email")
        body.phone = try Check.phone(phone, "phone")
        body.website = try Self.link(website, "website")
        body.terms = try Self.page(terms, "terms")
        body.privacy = try Self.page(privacy, "privacy")
        body.receiptPrefix = try Self.prefix(receiptPrefix, "receiptPrefix")
        body.creditNotePrefix = try Self.prefix(creditNotePrefix, "creditNotePrefix")
        body.cancellationPrefix = try Self.prefix(cancellationPrefix, "cancellationPrefix")
        try body.checkPrefixesDiffer()
        return body
    }

    /// Two series with the same prefix would have the same numbers.
    private func checkPrefixesDiffer() throws {
        var known: Set<String> = []
        for kind in PaymentDocument.Kind.allCases
        where !known.insert(prefix(of: kind)).inserted {
            throw Refusal.prefixTaken(kind)
        }
    }

    private static func page(_ page: CompanyPage?, _ field: String) throws -> CompanyPage? {
        guard let page else { return nil }
        let text = try page.text.flatMap {
            try Check.lines($0, "\(field).text", most: longestPage)
        }
        switch (text, try link(page.link, "\(field).link")) {
        case (let text?, nil): return CompanyPage(text: text)
        case (nil, let link?): return CompanyPage(link: link)
        case (nil, nil): return nil
        case (.some, .some): throw Refusal.invalid(field, "Use a text or a link, not both.")
        }
    }

    private static func link(_ value: String?, _ field: String) throws -> String? {
        guard let text = try Check.optionalText(value, field, most: longestLink) else {
            return nil
        }
        guard let url = URLComponents(string: text), url.scheme?.lowercased() == "https",
            url.host?.isEmpty == false, url.user == nil, url.password == nil
        else { throw Refusal.invalid(field, "Use a link that begins with https://.") }
        return text
    }

    /// Letters that end with none of the digits that follow.
    private static func prefix(_ value: String?, _ field: String) throws -> String? {
        guard let value else { return nil }
        let pattern = /([A-Z][A-Z0-9]*[A-Z-]|[A-Z])?/
        guard value.utf8.count <= longestPrefix, value.wholeMatch(of: pattern) != nil else {
            throw Refusal.invalid(
                field,
                """
                Use at most \(longestPrefix) capital letters, digits and a hyphen: the first one a letter, \
                the last one no digit.
                """)
        }
        return value
    }
}

extension Check {
    /// An ISO 3166-1 code with two letters.
    static func country(_ value: String, _ field: String) throws -> String {
        let isKnown = Locale.Region.isoRegions.contains {
            $0.identifier == value && value.utf8.count == 2
        }
        guard isKnown else {
            throw Refusal.invalid(field, "Use a country's code of two letters, for example DE.")
        }
        return value
    }

    /// A name of the IANA's list.
    static func timeZone(_ value: String, _ field: String) throws -> String {
        guard value == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(value),
            TimeZone(identifier: value) != nil
        else { throw Refusal.invalid(field, "Use a time zone, for example Europe/Berlin.") }
        return value
    }

    /// Something that can be an address for e-mail; nil for an empty text.
    static func mailAddress(_ value: String?, _ field: String) throws -> String? {
        guard let text = try optionalText(value, field, most: 254) else { return nil }
        guard text.wholeMatch(of: /[^@\s<>,;"]{1,64}@[^@\s<>,;"\.]+(\.[^@\s<>,;"\.]+)+/) != nil
        else { throw Refusal.invalid(field, "Use an e-mail address.") }
        return text
    }

    /// A phone number as people write it; nil for an empty text.
    static func phone(_ value: String?, _ field: String) throws -> String? {
        guard let text = try optionalText(value, field, most: 30) else { return nil }
        guard text.wholeMatch(of: /\+?[0-9][0-9 ()\/\-\.]{3,}/) != nil else {
            throw Refusal.invalid(field, "Use a phone number.")
        }
        return text
    }
}

extension CompanyBody {
    /// Begins the numbers of documents of a kind.
    func prefix(of kind: PaymentDocument.Kind) -> String {
        switch kind {
        case .receipt: receiptPrefix ?? kind.usualPrefix
        case .creditNote: creditNotePrefix ?? kind.usualPrefix
        case .cancellation: cancellationPrefix ?? kind.usualPrefix
        }
    }
}

extension PaymentDocument.Kind {
    var usualPrefix: String {
        switch self {
        case .receipt: ""
        case .creditNote: "C"
        case .cancellation: "X"
        }
    }
}

extension Refusal {
    /// Other documents have, or had, this prefix.
    static func prefixTaken(_ kind: PaymentDocument.Kind) -> Refusal {
        invalid("\(kind.rawValue)Prefix", "Other documents have this prefix: use another one.")
    }
}
