extension Refusal {
    public static let companyMissing = Refusal(
        409, "company.missing", "Enter the company first.")
    public static let tooManyPlannedTaxes = Refusal(
        409, "tax.too_many_planned", "There are too many planned changes of tax rates.")
}
