import Contracts
import HTTPTypes
import ServiceKit

enum PaymentError: Error, Equatable {
    case billUnknown
    /// The newest bill may still be on its way.
    case billPending
    case unknown
    case methodUnknown
    case tooManyMethods
    case notDue
    case alreadyPaid
    case alreadyHeld
    case payoutUnknown
    case payoutAmountInvalid
    case payoutTooLarge(available: Money)
    case payoutTooSoon
    case payoutAccountMissing
    case payoutAccountInvalid
    case inProgress
    case declined(reason: String)
    case providerUnavailable
    case tokenUnknown
    case tokenMalformed
    case cardNumberRefused
    case oneSourceNeeded
    case notRefundable
    case refundTooLarge(remaining: Money)
    case refundAmountInvalid
    case refundLineInvalid
    case refundFailed(reason: String)
    case tipInvalid
    case nobodyToTip
    case currencyMismatch(expected: String)
    case billChanged
    case receiptNotReady
    case languageInvalid
    case dayInvalid
    case webhookSignature
}

extension PaymentError: ServiceError {
    /// When a client should ask again about an attempt that is not settled.
    static let retryAfterSeconds = 2

    var status: HTTPResponse.Status {
        switch self {
        case .billUnknown, .unknown, .methodUnknown, .payoutUnknown: .notFound
        case .notDue, .alreadyPaid, .alreadyHeld, .payoutTooSoon, .payoutAccountMissing,
            .inProgress, .notRefundable, .nobodyToTip, .billChanged,
            .receiptNotReady:
            .conflict
        case .declined: .init(code: 402, reasonPhrase: "Payment Required")
        case .providerUnavailable, .billPending: .serviceUnavailable
        case .webhookSignature: .badRequest
        case .payoutAmountInvalid, .payoutTooLarge, .payoutAccountInvalid,
            .tooManyMethods, .tokenUnknown, .tokenMalformed, .cardNumberRefused, .oneSourceNeeded,
            .refundTooLarge, .refundAmountInvalid, .refundLineInvalid, .refundFailed,
            .tipInvalid,
            .currencyMismatch, .languageInvalid, .dayInvalid:
            .unprocessableContent
        }
    }

    var code: String {
        switch self {
        // The first clients know it by this name.
        case .billUnknown: "payment.order_unknown"
        case .billPending: "payment.bill_pending"
        case .unknown: "payment.unknown"
        case .methodUnknown: "payment.method_unknown"
        case .tooManyMethods: "payment.too_many_methods"
        case .notDue: "payment.not_due"
        case .alreadyPaid: "payment.already_paid"
        case .alreadyHeld: "payment.already_held"
        case .payoutUnknown: "payment.unknown"
        case .payoutTooLarge: "payout.too_large"
        case .payoutTooSoon: "payout.too_soon"
        case .payoutAccountMissing: "payout.account_missing"
        case .inProgress: "payment.in_progress"
        case .declined: "payment.declined"
        case .providerUnavailable: "payment.provider_unavailable"
        case .tokenUnknown: "payment.token_unknown"
        case .tokenMalformed, .oneSourceNeeded, .refundAmountInvalid, .refundLineInvalid,
            .tipInvalid, .languageInvalid, .dayInvalid, .payoutAmountInvalid,
            .payoutAccountInvalid:
            "request.invalid"
        case .cardNumberRefused: "payment.card_number_refused"
        case .notRefundable: "payment.not_refundable"
        case .refundTooLarge: "payment.refund_too_large"
        case .refundFailed: "payment.refund_failed"
        case .nobodyToTip: "payment.nobody_to_tip"
        case .currencyMismatch: "payment.currency_mismatch"
        case .billChanged: "payment.bill_changed"
        case .receiptNotReady: "payment.receipt_not_ready"
        case .webhookSignature: "payment.webhook_signature"
        }
    }

    var title: String {
        switch self {
        case .billUnknown: "There is no such bill."
        case .unknown: "There is no such payment."
        case .methodUnknown: "There is no such payment method."
        case .tooManyMethods: "There are too many payment methods already."
        case .billPending: "It is not known yet what is due."
        case .notDue: "Nothing is due."
        case .alreadyHeld: "The amount of this bill is set aside already."
        case .payoutUnknown: "There is no such payout."
        case .payoutTooLarge: "That is more, or less, than can be paid out."
        case .payoutTooSoon: "There is a payout today already."
        case .payoutAccountMissing: "There is no account to pay out to."
        case .alreadyPaid: "This bill has been paid."
        case .inProgress: "A payment of this bill is under way."
        case .declined: "The payment was declined."
        case .providerUnavailable: "The payment provider does not answer."
        case .tokenUnknown: "The payment provider does not know this token."
        case .tokenMalformed, .oneSourceNeeded, .refundAmountInvalid, .refundLineInvalid,
            .tipInvalid, .languageInvalid, .dayInvalid, .payoutAmountInvalid,
            .payoutAccountInvalid:
            "The request has a value that it can't have."
        case .cardNumberRefused: "Card numbers are not accepted here, only the provider's tokens."
        case .notRefundable: "Only a payment that succeeded can be refunded."
        case .refundTooLarge: "That is more than is left of the payment."
        case .refundFailed: "The payment provider refused the refund."
        case .nobodyToTip: "Nobody can be tipped for this."
        case .currencyMismatch: "That is not the currency of the bill."
        case .billChanged: "The bill has changed meanwhile; what was paid is given back."
        case .receiptNotReady: "There is no receipt before the payment."
        case .webhookSignature: "The signature is missing, wrong or too old."
        }
    }

    var detail: String? {
        switch self {
        case .declined(let reason), .refundFailed(let reason): reason
        case .payoutTooLarge(let available):
            "available: \(available.amount) \(available.currency), least: \(Payouts.least)"
        case .payoutAmountInvalid: "\(Payouts.least) to \(Money.largestAmount)"
        case .payoutAccountInvalid: "a name that the payment provider gave to an account"
        case .refundTooLarge(let remaining): "left: \(remaining.amount) \(remaining.currency)"
        case .tokenMalformed: "letters, digits, _ and -, 1 to \(PaymentToken.longest) of them"
        case .oneSourceNeeded: "exactly one of paymentMethodId and token"
        case .refundLineInvalid: "the index of a line that has a payee"
        case .refundAmountInvalid: "1 to \(Money.largestAmount)"
        case .tipInvalid: "1 to \(Tip.most)"
        case .currencyMismatch(let expected): "expected: \(expected)"
        case .languageInvalid:
            "one of \(Language.allCases.map(\.rawValue).joined(separator: ", "))"
        case .dayInvalid: "a UTC day that has begun, as in 2026-11-21"
        case .providerUnavailable: "nothing will be charged twice; try again"
        case .billUnknown, .unknown, .methodUnknown, .tooManyMethods, .notDue, .alreadyPaid,
            .inProgress, .tokenUnknown, .cardNumberRefused, .notRefundable, .nobodyToTip,
            .billChanged, .receiptNotReady, .webhookSignature, .billPending,
            .alreadyHeld, .payoutUnknown, .payoutTooSoon, .payoutAccountMissing:
            nil
        }
    }

    var field: String? {
        switch self {
        case .tokenUnknown, .tokenMalformed, .cardNumberRefused: "token"
        case .oneSourceNeeded, .methodUnknown: "paymentMethodId"
        case .refundTooLarge, .refundAmountInvalid, .payoutAmountInvalid, .payoutTooLarge: "amount"
        case .payoutAccountInvalid: "account"
        case .refundLineInvalid: "line"
        case .tipInvalid, .nobodyToTip: "tip"
        case .currencyMismatch: "currency"
        case .languageInvalid: "language"
        case .dayInvalid: "day"
        case .billUnknown, .unknown, .tooManyMethods, .notDue, .alreadyPaid, .inProgress,
            .declined, .providerUnavailable, .notRefundable, .refundFailed, .billChanged,
            .receiptNotReady, .webhookSignature, .billPending,
            .alreadyHeld, .payoutUnknown, .payoutTooSoon, .payoutAccountMissing:
            nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .inProgress, .providerUnavailable, .billPending:
            problem.retryAfterSeconds = Self.retryAfterSeconds
        default: break
        }
    }
}
