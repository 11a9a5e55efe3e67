/// Receipts and credit notes with their numbers.
public enum DocumentEndpoints {
    public static let myDocuments = Endpoint<PageQuery, Page<DocumentEntry>>(
        .get, "/v1/me/documents", id: "myDocuments", "My receipts and credit notes",
        by: [.customer], answer: "Those of all products, newest first.")
    public static let document = Endpoint<LanguageQuery, PaymentDocument>(
        .get, "/v1/documents/{id}", id: "document", "A receipt or credit note",
        """
        As data, or with `Accept: text/html` as a page to show and print, in the payer's language by default. \
        Customers see their own, operators all.
        """, by: [.customer, .operator],
        answer: Success("The document.", as: [.json, .html]), refuses: [.documentUnknown])
    public static let mailDocument = Endpoint<DocumentMailBody, Void>(
        .post, "/v1/documents/{id}/mail", id: "mailDocument", "Send a document by e-mail",
        by: [.customer, .operator], with: [.idempotencyKey], answer: "It will be sent.",
        refuses: [.documentUnknown, .documentAddressMissing, .tooManyDocumentMails])
    public static let documents = Endpoint<DocumentsQuery, Page<DocumentEntry>>(
        .get, "/v1/admin/documents", id: "documents", "All receipts and credit notes",
        by: [.operator], answer: "Newest first.")

    public static let all: [AnyEndpoint] = [
        myDocuments.untyped, document.untyped, mailDocument.untyped, documents.untyped,
    ]
}
