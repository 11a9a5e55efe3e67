import Contracts
import Hummingbird
import ServiceKit

/// The routes of receipts and credit notes.
struct DocumentRoutes: Sendable {
    let payments: PaymentUseCases

    func add(to router: Router<Context>) {
        router.on(DocumentEndpoints.myDocuments) {
            try await payments.documents(of: $0.person.person, $0.page)
        }
        router.on(DocumentEndpoints.document) {
            try await payments.document($0.id(or: .documentUnknown), for: $0.person.ownOnly)
        }
        router.on(DocumentEndpoints.documents) {
            try await payments.documents($0.query, for: $0.person.person)
        }
    }
}
