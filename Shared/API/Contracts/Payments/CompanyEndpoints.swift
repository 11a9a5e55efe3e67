/// The company that sells, and its taxes.
public enum CompanyEndpoints {
    public static let company = Endpoint<Void, Company>(
        .get, "/v1/company", id: "company", "The company",
        "The seller, for the About page and receipts.", by: .anybody,
        answer: "The company; its fields are null until an operator has entered them.")
    public static let companyLogo = Endpoint<CompanyLogoQuery, Bytes>(
        .get, "/v1/company/logo", id: "companyLogo", "The company's logo", by: .anybody,
        with: [.ifNoneMatch],
        answer: Success(
            "The picture; cache it for a day.", [.eTag], as: MediaType.photos,
            or: [304: "Unchanged."]),
        refuses: [.pictureUnknown])
    public static let companySettings = Endpoint<Void, CompanyVersion>(
        .get, "/v1/admin/company", id: "companySettings", "The company for editing",
        by: [.operator],
        answer: Success("The newest version; use its `ETag` as `If-Match`.", [.eTag]))
    public static let putCompany = Endpoint<CompanyBody, CompanyVersion>(
        .put, "/v1/admin/company", id: "putCompany", "Enter or change the company",
        "Documents that were issued keep the version of their time.", by: [.operator],
        bodyLimit: BodyLimit.company, with: [.ifMatch],
        answer: Success("The new version.", [.eTag]), refuses: [.preconditionFailed])
    public static let companyVersions = Endpoint<PageQuery, Page<CompanyVersion>>(
        .get, "/v1/admin/company/versions", id: "companyVersions", "Versions of the company",
        by: [.operator], answer: "Newest first.")
    public static let putCompanyLogo = Endpoint<Bytes, CompanyVersion>(
        .put, "/v1/admin/company/logo", id: "putCompanyLogo", "Set the company's logo",
        """
        Send the bytes as they are, up to 256 kB; the content determines the type. Metadata is removed before the \
        picture is stored.
        """, by: [.operator], bodyLimit: BodyLimit.logo, takes: MediaType.photos,
        with: [.ifMatch], answer: Success("The new version.", [.eTag]),
        refuses: [.companyMissing, .preconditionFailed] + Refusal.noPicture)
    public static let removeCompanyLogo = Endpoint<Void, CompanyVersion>(
        .delete, "/v1/admin/company/logo", id: "removeCompanyLogo", "Remove the company's logo",
        by: [.operator], with: [.ifMatch], answer: Success("The new version.", [.eTag]),
        refuses: [.companyMissing, .preconditionFailed])
    public static let taxes = Endpoint<Void, TaxSchedule>(
        .get, "/v1/admin/taxes", id: "taxes", "Tax rates", by: [.operator],
        answer: Success("Rates now and later; use the `ETag` as `If-Match`.", [.eTag]))
    public static let putTaxes = Endpoint<TaxSettingsBody, TaxSchedule>(
        .put, "/v1/admin/taxes", id: "putTaxes", "Set the tax rates from a time on",
        "A bill keeps the rates of the time at which its price was shown.", by: [.operator],
        with: [.ifMatch], answer: Success("Rates now and later.", [.eTag]),
        refuses: [.preconditionFailed, .tooManyPlannedTaxes])
    public static let taxVersions = Endpoint<PageQuery, Page<TaxSettings>>(
        .get, "/v1/admin/taxes/versions", id: "taxVersions", "Versions of the tax rates",
        by: [.operator], answer: "Newest first.")

    public static let all: [AnyEndpoint] = [
        company.untyped, companyLogo.untyped, companySettings.untyped, putCompany.untyped,
        companyVersions.untyped, putCompanyLogo.untyped, removeCompanyLogo.untyped, taxes.untyped,
        putTaxes.untyped, taxVersions.untyped,
    ]
}
