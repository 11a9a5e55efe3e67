/// Whether a person gets receipts by e-mail.
public struct ReceiptSettings: Codable, Sendable, Hashable {
    /// Each receipt and credit note is sent by e-mail as soon as it is issued.
    public var byEmail: Bool
    /// Whether the account has a confirmed e-mail address; without one, nothing is sent.
    public var hasEmail: Bool

    public init(byEmail: Bool, hasEmail: Bool) {
        (self.byEmail, self.hasEmail) = (byEmail, hasEmail)
    }
}

/// The settings of receipts that a person can change.
public struct ReceiptSettingsBody: Codable, Sendable, Hashable {
    public var byEmail: Bool

    public init(byEmail: Bool) { self.byEmail = byEmail }
}

/// How a person gets their receipts.
public enum ReceiptSettingsEndpoints {
    public static let receiptSettings = Endpoint<Void, ReceiptSettings>(
        .get, "/v1/me/receipt-settings", id: "receiptSettings", "How I get receipts",
        by: [.customer], answer: "The settings.")
    public static let putReceiptSettings = Endpoint<ReceiptSettingsBody, ReceiptSettings>(
        .put, "/v1/me/receipt-settings", id: "putReceiptSettings", "Set how I get receipts",
        by: [.customer], answer: "The settings as they are now.")

    public static let all: [AnyEndpoint] = [receiptSettings.untyped, putReceiptSettings.untyped]
}
