import Contracts
import Hummingbird
import ServiceKit

/// The routes of the company and its taxes.
struct CompanyRoutes: Sendable {
    let payments: PaymentUseCases

    func add(to router: Router<Context>) {
        router.on(CompanyEndpoints.company) { _ in try await payments.company() }
        router.on(CompanyEndpoints.companyLogo) { call in
            let logo = try await payments.logo(of: call.query.version)
            return PictureReply(
                logo.data, contentType: logo.contentType, publicAs: logo.id.description)
        }
        router.on(CompanyEndpoints.companySettings) { _ in
            try await payments.companySettings().reply()
        }
        router.on(CompanyEndpoints.putCompany) {
            try await payments.putCompany(
                $0.body, by: $0.person.person, ifVersion: $0.ifMatch
            ).reply()
        }
        router.on(CompanyEndpoints.companyVersions) {
            try await payments.companyVersions($0.page)
        }
        router.on(CompanyEndpoints.putCompanyLogo) {
            try await payments.putLogo(
                $0.bytes(), by: $0.person.person, ifVersion: $0.ifMatch
            ).reply()
        }
        router.on(CompanyEndpoints.removeCompanyLogo) {
            try await payments.putLogo(nil, by: $0.person.person, ifVersion: $0.ifMatch).reply()
        }
        router.on(CompanyEndpoints.taxes) { _ in try await payments.taxes().reply() }
        router.on(CompanyEndpoints.putTaxes) {
            try await payments.putTaxes(
                $0.body, by: $0.person.person, ifVersion: $0.ifMatch
            ).reply()
        }
        router.on(CompanyEndpoints.taxVersions) { try await payments.taxVersions($0.page) }
    }
}
