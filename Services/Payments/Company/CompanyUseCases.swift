import Blobs
import Contracts
import Foundation
import Pictures
import ServiceKit
import Store

// The company that sells: every change is a version, and documents keep theirs.

extension PaymentUseCases {
    /// As customers see it; empty until an operator has entered it.
    func company() async throws -> Company {
        try await database.read { transaction in
            guard let known = try transaction.company.newest() else { return Company() }
            return known.shown(with: try transaction.company.pages(of: known.version)).company
        }
    }

    func companySettings() async throws -> CompanyVersion {
        try await database.read { transaction in
            guard let known = try transaction.company.newest() else { return .empty }
            return known.shown(with: try transaction.company.pages(of: known.version))
        }
    }

    func companyVersions(_ page: PageRequest) async throws -> Page<CompanyVersion> {
        try await database.read { try $0.company.page(page) }
    }

    func putCompany(
        _ body: CompanyBody, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> CompanyVersion {
        let (now, company) = (clock.now, try body.checked())
        let pages = CompanyPages(terms: company.terms, privacy: company.privacy)
        return try await database.write { transaction in
            let known = try transaction.company.newest()
            try ifVersion.require(known?.version ?? 0)
            try transaction.documents.keepPrefixes(of: company)
            let record = CompanyRecord(
                version: (known?.version ?? 0) + 1, body: company.withoutPages, logo: known?.logo,
                by: person, changedAt: now)
            return try transaction.company.enter(record, pages, as: "payments.put-company")
        }
    }

    /// Sets the logo; nil removes it.
    func putLogo(
        _ data: Data?, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> CompanyVersion {
        let now = clock.now
        let logo = try data.map { data in
            let picture = try KeptPictures.checked(data)
            return CompanyLogo(
                id: .new(at: now), contentType: picture.type.rawValue,
                data: picture.withoutMetadata())
        }
        return try await database.write { transaction in
            guard let known = try transaction.company.newest() else {
                throw Refusal.companyMissing
            }
            try ifVersion.require(known.version)
            if let logo { try transaction.company.insert(logo) }
            let record = CompanyRecord(
                version: known.version + 1, body: known.body, logo: logo?.id, by: person,
                changedAt: now)
            return try transaction.company.enter(
                record, try transaction.company.pages(of: known.version),
                as: logo == nil ? "payments.remove-logo" : "payments.put-logo")
        }
    }

    func logo(of version: Int?) async throws -> CompanyLogo {
        guard let logo = try await database.read({ try $0.company.logo(of: version) }) else {
            throw Refusal.pictureUnknown
        }
        return logo
    }
}

extension CompanyStore {
    fileprivate func enter(
        _ record: CompanyRecord, _ pages: CompanyPages, as action: String
    ) throws -> CompanyVersion {
        try insert(record, pages)
        try transaction.record(action, record.version, by: record.by, at: record.changedAt)
        return record.shown(with: pages)
    }
}

extension CompanyRecord {
    func shown(with pages: CompanyPages) -> CompanyVersion {
        var company = seller
        (company.terms, company.privacy) = (pages.terms, pages.privacy)
        return CompanyVersion(
            company, receiptPrefix: body.prefix(of: .receipt),
            creditNotePrefix: body.prefix(of: .creditNote),
            cancellationPrefix: body.prefix(of: .cancellation), by: by, changedAt: changedAt)
    }
}

extension CompanyBody {
    fileprivate var withoutPages: CompanyBody {
        var body = self
        (body.terms, body.privacy) = (nil, nil)
        return body
    }
}

extension CompanyVersion {
    /// Nothing has been entered.
    static let empty = CompanyVersion(
        Company(), receiptPrefix: PaymentDocument.Kind.receipt.usualPrefix,
        creditNotePrefix: PaymentDocument.Kind.creditNote.usualPrefix,
        cancellationPrefix: PaymentDocument.Kind.cancellation.usualPrefix, by: nil, changedAt: nil)
}

extension CompanyVersion: Versioned {
    public var version: Int { company.version }
}

extension TaxSchedule: Versioned {}
