import Contracts
import HTTPTypes
import ServiceKit

enum PaymentError: Error, Equatable {
    case orderUnknown
    case unknown
    case methodUnknown
    case tooManyMethods
    case notDue
    case alreadyPaid
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
    case refundFailed(reason: String)
    case cursorInvalid
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
        case .orderUnknown, .unknown, .methodUnknown: .notFound
        case .notDue, .alreadyPaid, .inProgress, .notRefundable, .nobodyToTip, .billChanged,
            .receiptNotReady:
            .conflict
        case .declined: .init(code: 402, reasonPhrase: "Payment Required")
        case .providerUnavailable: .serviceUnavailable
        case .webhookSignature: .badRequest
        case .tooManyMethods, .tokenUnknown, .tokenMalformed, .cardNumberRefused, .oneSourceNeeded,
            .refundTooLarge, .refundAmountInvalid, .refundFailed, .cursorInvalid, .tipInvalid,
            .currencyMismatch, .languageInvalid, .dayInvalid:
            .unprocessableContent
        }
    }

    var code: String {
        switch self {
        case .orderUnknown: "payment.order_unknown"
        case .unknown: "payment.unknown"
        case .methodUnknown: "payment.method_unknown"
        case .tooManyMethods: "payment.too_many_methods"
        case .notDue: "payment.not_due"
        case .alreadyPaid: "payment.already_paid"
        case .inProgress: "payment.in_progress"
        case .declined: "payment.declined"
        case .providerUnavailable: "payment.provider_unavailable"
        case .tokenUnknown: "payment.token_unknown"
        case .tokenMalformed, .oneSourceNeeded, .refundAmountInvalid, .cursorInvalid,
            .tipInvalid, .languageInvalid, .dayInvalid:
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
        case .orderUnknown: "There is no such order."
        case .unknown: "There is no such payment."
        case .methodUnknown: "There is no such payment method."
        case .tooManyMethods: "There are too many payment methods already."
        case .notDue: "Nothing is due for this order."
        case .alreadyPaid: "This order has been paid."
        case .inProgress: "A payment of this order is under way."
        case .declined: "The payment was declined."
        case .providerUnavailable: "The payment provider does not answer."
        case .tokenUnknown: "The payment provider does not know this token."
        case .tokenMalformed, .oneSourceNeeded, .refundAmountInvalid, .cursorInvalid,
            .tipInvalid, .languageInvalid, .dayInvalid:
            "The request has a value that it can't have."
        case .cardNumberRefused: "Card numbers are not accepted here, only the provider's tokens."
        case .notRefundable: "Only a payment that succeeded can be refunded."
        case .refundTooLarge: "That is more than is left of the payment."
        case .refundFailed: "The payment provider refused the refund."
        case .nobodyToTip: "No valet has served this order."
        case .currencyMismatch: "That is not the currency of the bill."
        case .billChanged: "The bill has changed meanwhile; what was paid is given back."
        case .receiptNotReady: "There is no receipt before the payment."
        case .webhookSignature: "The signature is missing, wrong or too old."
        }
    }

    var detail: String? {
        switch self {
        case .declined(let reason), .refundFailed(let reason): reason
        case .refundTooLarge(let remaining): "left: \(remaining.amount) \(remaining.currency)"
        case .tokenMalformed: "letters, digits, _ and -, 1 to \(PaymentToken.longest) of them"
        case .oneSourceNeeded: "exactly one of paymentMethodId and token"
        case .refundAmountInvalid: "1 to \(Money.largestAmount)"
        case .cursorInvalid: "This is no cursor of ours."
        case .tipInvalid: "1 to \(Tip.most)"
        case .currencyMismatch(let expected): "expected: \(expected)"
        case .languageInvalid:
            "one of \(Language.allCases.map(\.rawValue).joined(separator: ", "))"
        case .dayInvalid: "a UTC day that has begun, as in 2026-11-21"
        case .providerUnavailable: "nothing will be charged twice; try again"
        case .orderUnknown, .unknown, .methodUnknown, .tooManyMethods, .notDue, .alreadyPaid,
            .inProgress, .tokenUnknown, .cardNumberRefused, .notRefundable, .nobodyToTip,
            .billChanged, .receiptNotReady, .webhookSignature:
            nil
        }
    }

    var field: String? {
        switch self {
        case .tokenUnknown, .tokenMalformed, .cardNumberRefused: "token"
        case .oneSourceNeeded, .methodUnknown: "paymentMethodId"
        case .refundTooLarge, .refundAmountInvalid: "amount"
        case .cursorInvalid: "after"
        case .tipInvalid, .nobodyToTip: "tip"
        case .currencyMismatch: "currency"
        case .languageInvalid: "language"
        case .dayInvalid: "day"
        case .orderUnknown, .unknown, .tooManyMethods, .notDue, .alreadyPaid, .inProgress,
            .declined, .providerUnavailable, .notRefundable, .refundFailed, .billChanged,
            .receiptNotReady, .webhookSignature:
            nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .inProgress, .providerUnavailable:
            problem.retryAfterSeconds = Self.retryAfterSeconds
        default: break
        }
    }
}
