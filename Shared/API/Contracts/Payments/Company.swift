import Foundation

/// The company that sells what is paid for here, as customers may see it. All is null or empty
/// until an operator has entered it.
public struct Company: Codable, Sendable, Hashable {
    /// Grows with each change; 0 until an operator has entered anything.
    public var version: Int
    @Nullable public var name: String?
    /// Postal address, line by line.
    public var address: [String]
    /// ISO 3166-1 code with two letters, for example `DE`.
    @Nullable public var country: String?
    /// IANA name of the zone whose days the books have.
    @Nullable public var timeZone: String?
    /// Number in the register of companies.
    @Nullable public var companyNumber: String?
    /// Number with the tax authority, for example a VAT number.
    @Nullable public var taxNumber: String?
    @Nullable public var email: String?
    @Nullable public var phone: String?
    /// Link with https.
    @Nullable public var website: String?
    /// Terms of business.
    @Nullable public var terms: CompanyPage?
    /// How personal data is handled.
    @Nullable public var privacy: CompanyPage?
    /// Address of the logo, relative to the gateway; null without one.
    @Nullable public var logoURL: String?

    /// Nothing has been entered.
    public init() {
        (version, address) = (0, [])
        (name, country, timeZone, companyNumber, taxNumber) = (nil, nil, nil, nil, nil)
        (email, phone, website, terms, privacy, logoURL) = (nil, nil, nil, nil, nil, nil)
    }

    public init(_ body: CompanyBody, version: Int, logoURL: String?) {
        (self.version, address) = (version, body.address)
        (name, country, timeZone) = (body.name, body.country, body.timeZone)
        (companyNumber, taxNumber) = (body.companyNumber, body.taxNumber)
        (email, phone, website) = (body.email, body.phone, body.website)
        (terms, privacy, self.logoURL) = (body.terms, body.privacy, logoURL)
    }
}

/// A page of the company: its text, or a link to it.
public struct CompanyPage: Codable, Sendable, Hashable {
    /// Plain text, whose empty lines separate paragraphs; null if there is a link.
    @Nullable public var text: String?
    /// Link with https; null if there is a text.
    @Nullable public var link: String?

    public init(text: String) { (self.text, link) = (text, nil) }
    public init(link: String) { (text, self.link) = (nil, link) }
}

/// The company, as an operator enters it.
public struct CompanyBody: Codable, Sendable, Hashable {
    public var name: String
    /// Postal address, line by line.
    public var address: [String]
    /// ISO 3166-1 code with two letters, for example `DE`. Its taxes apply where a bill names no
    /// country.
    public var country: String
    /// IANA name of the zone whose days and years the books have, for example `Europe/Berlin`.
    public var timeZone: String
    public var companyNumber: String?
    /// Number with the tax authority, for example a VAT number.
    public var taxNumber: String?
    public var email: String?
    public var phone: String?
    /// Link with https.
    public var website: String?
    public var terms: CompanyPage?
    public var privacy: CompanyPage?
    /// Begins the numbers of receipts; none by default: `2026-000123`.
    public var receiptPrefix: String?
    /// Begins the numbers of credit notes; `C` by default: `C2026-000045`.
    public var creditNotePrefix: String?
    /// Begins the numbers of documents that cancel a credit note; `X` by default.
    public var cancellationPrefix: String?

    public init(name: String, address: [String], country: String, timeZone: String) {
        (self.name, self.address) = (name, address)
        (self.country, self.timeZone) = (country, timeZone)
    }
}

/// A version of the company. Documents keep the version under which they were issued.
public struct CompanyVersion: Codable, Sendable, Hashable {
    /// As customers see it.
    public var company: Company
    /// Begins the numbers of receipts.
    public var receiptPrefix: String
    /// Begins the numbers of credit notes.
    public var creditNotePrefix: String
    /// Begins the numbers of documents that cancel a credit note.
    public var cancellationPrefix: String
    /// The operator who made the version; null until anything has been entered.
    @Nullable public var by: PersonID?
    /// Null until anything has been entered.
    @Nullable public var changedAt: Date?

    public init(
        _ company: Company, receiptPrefix: String, creditNotePrefix: String,
        cancellationPrefix: String, by: PersonID?, changedAt: Date?
    ) {
        self.company = company
        (self.receiptPrefix, self.creditNotePrefix) = (receiptPrefix, creditNotePrefix)
        self.cancellationPrefix = cancellationPrefix
        (self.by, self.changedAt) = (by, changedAt)
    }
}

/// The version of the company whose logo is wanted.
public struct CompanyLogoQuery: Query {
    public var version: Int?

    public init(version: Int? = nil) { self.version = version }

    public static let fields: [String: QueryField] = [
        "version": .atLeast(1, "Version of the company; the newest by default.")
    ]
}
