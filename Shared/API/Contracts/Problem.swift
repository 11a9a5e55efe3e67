import Foundation

/// The body of every error: `application/problem+json` (RFC 9457) with a stable `code`. Programs
/// should read the code; the title is for people.
public struct Problem: Codable, Sendable, Equatable {
    /// Always `about:blank`; programs should read the `code` instead.
    public var type: String
    /// A short sentence for people, the same for every occurrence of the code.
    public var title: String
    /// The HTTP status code.
    public var status: Int
    /// A stable, documented code, for example `order.not_possible`.
    public var code: String
    /// An explanation of this occurrence, for people.
    public var detail: String?
    /// Path of the request's field that is wrong, for example `dropOff.latitude`.
    public var field: String?
    /// With `request.invalid`: all wrong fields, if the operation checks each field by itself.
    /// `field` is then the first of them.
    public var errors: [WrongField]?
    /// The trace id, by which operators find more in their logs.
    public var instance: String?
    /// With `order.unfinished_exists` and `payment.due`: the order. With
    /// `account.engagement_open`: the order, stay, bill or fine that is unfinished or unpaid.
    public var engagementId: EngagementID? {
        didSet { orderId = engagementId?.as(OrderID.self) }
    }
    /// The same as `engagementId`, which replaces it: the next release no longer sends it.
    public private(set) var orderId: OrderID?
    /// With `booking.overlaps`: the booking that overlaps.
    public var bookingId: BookingID?
    /// With `report.open_exists`: the open report.
    public var reportId: ReportID?
    /// With `account.phone_taken`, for operators only: the person who has the number.
    public var personId: PersonID?
    /// With `payment.due`: the amount due. With `booking.price_changed`: the new price, or the new
    /// difference in price.
    public var amount: Money?
    /// With `order.outside_service_area`: the service point of the nearest area.
    public var servicePoint: Place?
    /// With `account.second_factor_required`: the challenge of this sign-in, valid for five
    /// minutes.
    public var challenge: String?
    /// With `account.second_factor_required`: the methods to choose from; empty if the person has
    /// to set up a second factor first.
    public var methods: [Open<SecondFactorMethod>]?
    /// With 429 and 503: seconds to wait before trying again.
    public var retryAfterSeconds: Int?

    public init(title: String, status: Int, code: String) {
        type = "about:blank"
        self.title = title
        self.status = status
        self.code = code
    }
}

// MARK: The previous release

extension Problem {
    /// Codes of the previous release, whose processes run beside those of this one during an
    /// upgrade, and the codes that replace them.
    private static let retiredCodes = [
        "account.order_unfinished": "account.engagement_open",
        "payment.order_unknown": "payment.bill_unknown",
        "plates.order_unknown": "plates.engagement_unknown",
        "rating.order_unknown": "rating.engagement_unknown",
    ]

    /// The body of a peer's answer: a retired code, and `orderId`, are read as those that replace them.
    public init(answer body: Data) throws {
        self = try Wire.decode(Problem.self, from: body)
        code = Self.retiredCodes[code] ?? code
        engagementId = engagementId ?? orderId?.as(EngagementID.self)
    }
}

/// A field of a request with a value that it can't have, and the reason.
public struct WrongField: Codable, Sendable, Hashable {
    /// Path of the field.
    public var field: String
    /// The reason, for people.
    public var detail: String

    public init(field: String, detail: String) { (self.field, self.detail) = (field, detail) }
}
