import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// Maps HTTP requests to the use cases of the books.
struct BookRoutes: Sendable {
    let payments: PaymentUseCases
    let page: StatementPage

    func add(to router: Router<Context>) {
        addLists(to: router)
        addDays(to: router)
        addFiles(to: router)
    }

    private func addLists(to router: Router<Context>) {
        router.on(BookEndpoints.paymentTotals) { try await payments.totals($0.query) }
        router.on(BookEndpoints.ledgerAccounts) {
            try await payments.accounts($0.query.kind, $0.page, in: $0.language)
        }
        router.on(BookEndpoints.ledgerTotals) { try await payments.ledgerTotals($0.query) }
        router.on(BookEndpoints.balances) {
            try await payments.balances($0.query.q, $0.page)
        }
        router.on(PaymentEndpoints.trialBalance) {
            try await payments.trialBalance(in: $0.language)
        }
        router.on(PaymentEndpoints.ledgerEntries) {
            try await payments.ledger($0.query, $0.page, in: $0.language)
        }
    }

    private func addDays(to router: Router<Context>) {
        router.on(BookEndpoints.bookMonth) { try await payments.bookMonth($0.query.month) }
        router.on(BookEndpoints.bookDay) {
            try await payments.bookDay($0.path("day"), in: $0.language)
        }
        router.on(BookEndpoints.closeDay) {
            try await payments.closeDay(
                $0.path("day"), $0.body, by: $0.person.person, in: $0.language, key: $0.idempotency)
        }
        router.on(BookEndpoints.statement.giving(Bytes.self)) { call -> Response in
            let language = call.query.language ?? call.language
            let statement = try await payments.statement(call.path("month"), in: language)
            switch call.request.preferred(of: [.json, .html, .csv], else: .json) {
            case .html:
                return page.response(statement, try await payments.companyName(), in: language)
            case .csv: return StatementPage.file(statement, in: language)
            default:
                return try Reply(statement, headers: [.vary: "Accept"])
                    .response(from: call.request, context: call.context)
            }
        }
    }

    private func addFiles(to router: Router<Context>) {
        router.on(BookEndpoints.paymentsFile) {
            try await payments.paymentsFile($0.query, in: $0.language).response
        }
        router.on(BookEndpoints.ledgerFile) {
            try await payments.ledgerFile($0.query, in: $0.language).response
        }
        router.on(BookEndpoints.documentsFile) {
            try await payments.documentsFile($0.query, in: $0.language).response
        }
        router.on(BookEndpoints.balancesFile) {
            try await payments.balancesFile($0.query.q, in: $0.language).response
        }
        router.on(BookEndpoints.daysFile) {
            try await payments.daysFile($0.query, in: $0.language).response
        }
    }
}
