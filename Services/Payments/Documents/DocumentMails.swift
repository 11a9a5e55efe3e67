import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Receipts and credit notes by e-mail: as soon as they are issued, for people who want that, and on request.

extension Transaction {
    var documentMails: DocumentMailStore { DocumentMailStore(transaction: self) }
}

/// People who want receipts by e-mail, and what was sent on request.
struct DocumentMailStore {
    /// Mails on request of one person within a day.
    static let mostPerDay = 20
    /// Mails of one receipt of a guest.
    static let mostForGuest = 3
    private static let day: TimeInterval = 86_400

    let transaction: Transaction

    static let migrations = [
        Migration.addition(
            "document-mails-1",
            """
            CREATE TABLE receipt_wishes (
                person TEXT NOT NULL PRIMARY KEY,
                by_email BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE document_mails (
                id TEXT NOT NULL PRIMARY KEY,
                person TEXT NOT NULL,
                requested_at BIGINT NOT NULL
            )
            """,
            "CREATE INDEX document_mails_of_person ON document_mails (person, requested_at)")
    ]

    // MARK: Settings

    func settings(of person: PersonID) throws -> ReceiptSettings {
        let row = try transaction.row(
            "SELECT by_email FROM receipt_wishes WHERE person = ?", person)
        return ReceiptSettings(
            byEmail: try row.map { try $0.get("by_email", as: Int.self) == 1 } ?? false,
            hasEmail: try hasEmail(person))
    }

    func hasEmail(_ person: PersonID) throws -> Bool {
        try payers.value(of: person, in: transaction)?.hasEmail ?? false
    }

    fileprivate func set(byEmail: Bool, for person: PersonID) throws {
        try transaction.execute(
            """
            INSERT INTO receipt_wishes (person, by_email) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET by_email = excluded.by_email
            """, person, byEmail ? 1 : 0)
    }

    func forget(_ person: PersonID) throws {
        try transaction.execute("DELETE FROM receipt_wishes WHERE person = ?", person)
        try transaction.execute("DELETE FROM document_mails WHERE person = ?", person)
    }

    // MARK: Mails

    /// Schedules the mail of a document that was just issued, if its payer wants that.
    func scheduleIfWanted(_ document: PaymentDocument, at now: Date) throws {
        let settings = try settings(of: document.payer)
        guard settings.byEmail, settings.hasEmail else { return }
        try transaction.schedule(PaymentWork.mailDocument, document.id, at: now)
    }

    /// Counts a mail on request; throws if the person had too many.
    fileprivate func count(
        _ id: MessageID, for person: PersonID, most: Int = Self.mostPerDay, at now: Date
    ) throws {
        try transaction.execute(
            "DELETE FROM document_mails WHERE person = ? AND requested_at <= ?", person,
            now.addingTimeInterval(-Self.day))
        let sent: Int =
            try transaction.row(
                "SELECT COUNT(*) AS sent FROM document_mails WHERE person = ?", person)?
            .get("sent") ?? 0
        guard sent < most else { throw Refusal.tooManyDocumentMails }
        try transaction.execute(
            "INSERT INTO document_mails (id, person, requested_at) VALUES (?, ?, ?)", id, person,
            now)
    }

    /// In the payer's language unless another is named.
    fileprivate func request(
        _ document: PaymentDocument, as id: MessageID, to sealedAddress: String?,
        in language: Language? = nil, _ page: ReceiptPage, at now: Date
    ) throws {
        let language = try language ?? knownLanguage(of: document.payer, in: transaction)
        let sheet = ReceiptSheet(try transaction.documents.withNotes(document), in: language)
        try transaction.publish(
            MailRequested(
                id: id, person: document.payer, sealedAddress: sealedAddress,
                subject: sheet.subjectLine, text: sheet.plainText, html: page.html(sheet)),
            at: now)
    }
}

extension PaymentUseCases {
    func receiptSettings(of person: PersonID) async throws -> ReceiptSettings {
        try await database.read { try $0.documentMails.settings(of: person) }
    }

    func putReceiptSettings(
        _ body: ReceiptSettingsBody, of person: PersonID
    ) async throws -> ReceiptSettings {
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            try transaction.documentMails.set(byEmail: body.byEmail, for: person)
            return try transaction.documentMails.settings(of: person)
        }
    }

    /// Sends a document that was just issued. Its mail has the document's id, so that it is sent once.
    func mailDocument(_ id: DocumentID) async throws {
        let (now, page) = (clock.now, try ReceiptPage())
        try await database.write { transaction in
            guard let document = try transaction.documents.find(id),
                try transaction.documentMails.hasEmail(document.payer)
            else { return }
            try transaction.documentMails.request(
                document, as: id.as(MessageID.self), to: nil, page, at: now)
        }
    }

    /// Sends a document to an address, or to the confirmed one of the payer's account.
    func mail(
        _ id: DocumentID, to address: String?, by caller: Identity, _ sealer: Sealer,
        once key: IdempotencyKey?
    ) async throws {
        let (now, page, mail) = (clock.now, try ReceiptPage(), MessageID.new(at: clock.now))
        let sealed = try address.map { try sealer.seal(try Check.mailAddress($0, "email")) }
        _ = try await database.write(once: key) { transaction -> MessageID in
            try transaction.requireStanding(of: caller.person)
            guard let document = try transaction.documents.find(id),
                caller.isOperator || caller.person == document.payer
            else { throw Refusal.documentUnknown }
            guard try sealed != nil || transaction.documentMails.hasEmail(document.payer) else {
                throw Refusal.documentAddressMissing
            }
            try transaction.documentMails.count(mail, for: caller.person, at: now)
            try transaction.documentMails.request(document, as: mail, to: sealed, page, at: now)
            return mail
        }
    }

    /// Sends the receipt of a guest to the address that they gave while they paid; nothing for a
    /// bill of somebody with an account, whose receipt names them.
    func mailGuest(
        _ id: BillID, _ body: BillMailBody, _ sealer: Sealer
    ) async throws -> BillMailAnswer {
        let address = try Check.mailAddress(body.email, "email")
        let (now, page, sealed) = (clock.now, try ReceiptPage(), try sealer.seal(address))
        return try await database.write { transaction in
            guard let known = try transaction.bills.find(id), let payment = known.paidBy,
                let document = try transaction.documents.receipt(of: payment)
            else { throw Refusal.notFound }
            guard known.bill.isGuest == true else { return BillMailAnswer(isSent: false) }
            let mail = MessageID.new(at: now)
            try transaction.documentMails.count(
                mail, for: document.payer, most: DocumentMailStore.mostForGuest, at: now)
            try transaction.documentMails.request(
                document, as: mail, to: sealed, in: body.language, page, at: now)
            return BillMailAnswer(isSent: true)
        }
    }
}
