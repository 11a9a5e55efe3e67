import Contracts
import Hummingbird
import ServiceKit

/// The routes of receipts and credit notes.
struct DocumentRoutes: Sendable {
    let payments: PaymentUseCases
    let page: ReceiptPage
    let sealer: Sealer

    func add(to router: Router<Context>) {
        router.on(DocumentEndpoints.myDocuments) {
            try await payments.documents(of: $0.person.person, $0.page)
        }
        router.on(DocumentEndpoints.document.giving(Bytes.self), use: document)
        router.on(DocumentEndpoints.mailDocument) {
            try await payments.mail(
                $0.id(or: .documentUnknown), to: $0.body.email, by: $0.person, sealer,
                once: $0.idempotency)
        }
        router.on(InternalEndpoints.mailBill) {
            try await payments.mailGuest($0.id(), $0.body, sealer)
        }
        router.on(InternalEndpoints.billDocument) {
            try await payments.guestReceipt(of: $0.id())
        }
        router.on(DocumentEndpoints.documents) {
            try await payments.documents($0.query, for: $0.person.person)
        }
        router.on(ReceiptSettingsEndpoints.receiptSettings) {
            try await payments.receiptSettings(of: $0.person.person)
        }
        router.on(ReceiptSettingsEndpoints.putReceiptSettings) {
            try await payments.putReceiptSettings($0.body, of: $0.person.person)
        }
    }

    /// A document as JSON, or as a page for clients that prefer HTML.
    private func document(_ call: Call<LanguageQuery>) async throws -> Response {
        let document = try await payments.document(
            call.id(or: .documentUnknown), for: call.person.ownOnly)
        guard call.request.preferred(of: [.html, .json], else: .json) == .html else {
            return try Reply(document, headers: [.vary: "Accept"])
                .response(from: call.request, context: call.context)
        }
        let sheet = try await payments.sheet(of: document, in: call.query.language)
        return page.response(sheet, logo: try await payments.logoAddress(of: document.seller))
    }
}

extension PaymentUseCases {
    /// In the payer's language unless another is requested.
    fileprivate func sheet(
        of document: PaymentDocument, in language: Language?
    ) async throws -> ReceiptSheet {
        try await database.read { transaction in
            ReceiptSheet(
                document,
                in: try language ?? knownLanguage(of: document.payer, in: transaction))
        }
    }

    /// The numbered document of a receipt, which names the buyer; the receipt itself as long as there is none.
    func sheet(of receipt: ReceiptAnswer, in language: Language?) async throws -> ReceiptSheet {
        guard let id = receipt.receipt.document?.id else {
            return ReceiptSheet(receipt.receipt, receipt.details)
        }
        return try await sheet(of: document(id, for: nil), in: language)
    }

    /// The logo of that version of the company as a `data:` address; nil without one.
    func logoAddress(of seller: Company) async throws -> String? {
        guard seller.logoURL != nil else { return nil }
        let logo = try await database.read { try $0.company.logo(of: seller.version) }
        return logo.map { "data:\($0.contentType);base64,\($0.data.base64EncodedString())" }
    }
}
