/// The body of every error: RFC 9457 `application/problem+json` with a stable `code`.
public struct Problem: Codable, Sendable, Equatable {
    /// `about:blank`: the `code` is what a program reads.
    public var type: String
    /// A short sentence for a person, the same for every occurrence of the code.
    public var title: String
    /// The HTTP status code.
    public var status: Int
    /// Stable and documented, as in `order.not_possible`.
    public var code: String
    /// What was wrong this time, for a person.
    public var detail: String?
    /// The field of the request that is wrong, as a path: `dropOff.latitude`.
    public var field: String?
    /// With `request.invalid`, where each field is checked alone: all that are wrong; `field` is the first.
    public var errors: [WrongField]?
    /// The trace id, under which the operator's logs have more.
    public var instance: String?
    /// With `order.unfinished_exists` and `payment.due`: which one.
    public var orderId: OrderID?
    /// With `booking.overlaps`: which one.
    public var bookingId: BookingID?
    /// With `report.open_exists`: which one.
    public var reportId: ReportID?
    /// With `account.phone_taken`, to operators: who has the number.
    public var personId: PersonID?
    /// With `payment.due`: how much. With `booking.price_changed`: what it costs, or changes by, now.
    public var amount: Money?
    /// With `order.outside_service_area`: the nearest area's service point.
    public var servicePoint: Place?
    /// With `account.second_factor_required`: of this sign-in, for five minutes.
    public var challenge: String?
    /// With `account.second_factor_required`: what may be shown; empty where a second factor has to be set up.
    public var methods: [Open<SecondFactorMethod>]?
    /// With 429 and 503: when to try again.
    public var retryAfterSeconds: Int?

    public init(title: String, status: Int, code: String) {
        type = "about:blank"
        self.title = title
        self.status = status
        self.code = code
    }
}

/// A field of a request that can't be as it was told, and why.
public struct WrongField: Codable, Sendable, Hashable {
    public var field: String
    public var detail: String

    public init(field: String, detail: String) { (self.field, self.detail) = (field, detail) }
}
