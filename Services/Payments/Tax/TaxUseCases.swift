import Contracts
import Foundation
import ServiceKit
import Store

extension PaymentUseCases {
    /// Rates of one version of the settings.
    static let mostTaxRates = 500
    /// Changes of the rates that are planned at a time.
    static let mostPlannedTaxes = 20

    func taxes() async throws -> TaxSchedule {
        let now = clock.now
        return try await database.read { try $0.taxes.schedule(at: now) }
    }

    func taxVersions(_ page: PageRequest) async throws -> Page<TaxSettings> {
        try await database.read { try $0.taxes.page(page) }
    }

    /// Enters a version of the rates; bills whose price was told before keep theirs.
    func putTaxes(
        _ body: TaxSettingsBody, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> TaxSchedule {
        let now = clock.now
        let validFrom = body.validFrom ?? now
        guard validFrom >= now else {
            throw Refusal.invalid("validFrom", "Use a time that has not passed.")
        }
        let rates = try body.checkedRates()
        return try await database.write { transaction in
            let version = try transaction.taxes.newestVersion()
            try ifVersion.require(version)
            let planned = try transaction.taxes.planned(after: now)
            let isNew = validFrom > now && !planned.contains { $0.validFrom == validFrom }
            guard !isNew || planned.count < Self.mostPlannedTaxes else {
                throw Refusal.tooManyPlannedTaxes
            }
            try transaction.taxes.insert(
                TaxSettings(
                    version: version + 1, validFrom: validFrom,
                    pricesIncludeTax: body.pricesIncludeTax, rates: rates, by: person,
                    changedAt: now))
            try transaction.record("payments.put-taxes", version + 1, by: person, at: now)
            return try transaction.taxes.schedule(at: now)
        }
    }
}

extension TaxStore {
    fileprivate func schedule(at now: Date) throws -> TaxSchedule {
        TaxSchedule(
            version: try newestVersion(), current: try settings(at: now),
            planned: try planned(after: now))
    }
}

extension TaxSettingsBody {
    /// The longest name of a tax, in characters.
    private static let longestName = 40

    fileprivate func checkedRates() throws -> [TaxRate] {
        guard rates.count <= PaymentUseCases.mostTaxRates else {
            throw Refusal.invalid("rates", "Use at most \(PaymentUseCases.mostTaxRates).")
        }
        var known: Set<[String?]> = []
        return try rates.enumerated().map { index, rate in
            var rate = rate
            let field = "rates.\(index)"
            rate.country = try Check.country(rate.country, "\(field).country")
            rate.name = try Check.text(rate.name, "\(field).name", 1...Self.longestName)
            rate.kind = try Check.optionalText(rate.kind, "\(field).kind", most: 60)
            _ = try Check.int(
                rate.percentThousandths, "\(field).percentThousandths",
                in: 0...TaxArithmetic.highestRate)
            guard known.insert([rate.country, rate.product?.description, rate.kind]).inserted
            else { throw Refusal.invalid(field, "This rate is there twice.") }
            return rate
        }
    }
}
