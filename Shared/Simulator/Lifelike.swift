import Foundation

/// A request with `{id}` in place of ids: `GET /v1/orders/{id}`.
struct RequestKind: Sendable, Hashable, Comparable, CustomStringConvertible {
    let description: String

    init(_ method: String, _ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map {
            UUID(uuidString: String($0)) == nil ? String($0) : "{id}"
        }
        description = "\(method) \(parts.joined(separator: "/"))"
    }

    static func < (one: Self, other: Self) -> Bool { one.description < other.description }
}

/// Refusals that are normal in a busy city: two people act at the same time, a code is mistyped, a card is declined,
/// an event has not arrived yet. Any other refusal is a fault.
enum Lifelike {
    static func contains(_ kind: RequestKind, _ status: Int, _ code: String?) -> Bool {
        guard let code, status < 500 else { return false }
        return anywhere.contains(code) || codes[kind.description]?.contains(code) == true
    }

    /// The gateway limits requests, or an operator suspends a person or ends their sessions.
    private static let anywhere: Set = [
        "rate.limited", "account.suspended", "account.session_ended", "location.suspended",
        "order.valet_suspended",
    ]

    /// The order has moved on, or was assigned to another valet.
    private static let moved: Set = ["order.not_possible", "order.not_assigned", "order.unknown"]

    private static let codes: [String: Set<String>] = [
        // If a cast signs up again from one network address, some sign-ups are refused as too many.
        "POST /v1/customers": [
            "account.phone_taken", "account.email_taken", "account.too_many_attempts",
        ],
        "POST /v1/admin/valets": ["account.phone_taken"],
        "POST /v1/verifications": ["account.code_too_soon"],
        "POST /v1/verifications/confirm": ["account.wrong_code"],
        "POST /v1/orders": [
            "order.unfinished_exists", "payment.due", "order.vehicle_unknown",
            "order.outside_service_area",
        ],
        "POST /v1/orders/{id}/cancel": moved,
        "POST /v1/orders/{id}/recall": moved,
        "POST /v1/orders/{id}/cancel-recall": moved,
        "POST /v1/orders/{id}/withdraw": moved.union(["order.nothing_assigned"]),
        "POST /v1/orders/{id}/customer-absent": moved.union([
            "order.waiting", "order.not_arrived",
        ]),
        "POST /v1/orders/{id}/collect": moved.union(["order.wrong_code", "order.code_locked"]),
        "POST /v1/orders/{id}/retrieve": moved,
        "POST /v1/orders/{id}/hand-back": moved.union(["order.wrong_code", "order.code_locked"]),
        "POST /v1/admin/orders/{id}/override": moved,
        "POST /v1/orders/{id}/offer-delivered": moved.union(["order.offer_ended"]),
        "POST /v1/orders/{id}/accept": moved.union(["order.offer_ended"]),
        "POST /v1/orders/{id}/decline": moved.union(["order.offer_ended"]),
        "POST /v1/orders/{id}/take-task": tasks,
        "POST /v1/orders/{id}/release-task": tasks,
        "POST /v1/orders/{id}/complete-task": tasks,
        "POST /v1/orders/{id}/photos": ["order.unknown"],
        "POST /v1/plates/recognitions": ["order.unknown"],
        "GET /v1/orders/{id}": ["order.unknown"],
        // Not every system is a demo.
        "GET /v1/demo": ["request.not_found"],
        // Location learns of an order a moment after its participants.
        "GET /v1/orders/{id}/track": moved,
        "GET /v1/orders/{id}/route": moved.union(["location.no_route"]),
        "GET /v1/orders/{id}/receipt": ["payment.receipt_not_ready"],
        "POST /v1/orders/{id}/pay": [
            "payment.declined", "payment.not_due", "payment.in_progress", "payment.already_paid",
            "payment.bill_changed", "payment.bill_pending",
        ],
        "PUT /v1/orders/{id}/rating": ["rating.not_finished", "rating.engagement_unknown"],
        "PUT /v1/me/availability": ["location.on_job", "location.off_shift"],
        // Somebody else was faster, or an operator changed something meanwhile.
        "GET /v1/car-parks/{id}": ["car_park.unknown"],
        "GET /v1/car-parks/{id}/availability": ["car_park.unknown"],
        "GET /v1/car-parks/{id}/route": ["car_park.unknown"],
        "GET /v1/car-parks/{id}/quote": stays,
        "POST /v1/bookings": stays.union(["booking.too_many"]),
        "POST /v1/bookings/{id}/quote-change": changes,
        "PATCH /v1/bookings/{id}": changes,
        "POST /v1/bookings/{id}/extend": changes,
        "POST /v1/bookings/{id}/pay": [
            "payment.declined", "payment.in_progress", "booking.hold_expired",
        ],
        "POST /v1/bookings/{id}/cancel": ["booking.not_possible", "booking.change_pending"],
        // Two people want the same spot, somebody is late, or had too many failures.
        "POST /v1/spots": [
            "spot.open_exists", "spot.selling_suspended", "spot.not_there", "spot.sale_not_allowed",
            "spot.outside_service_area",
        ],
        "GET /v1/spots/{id}": ["spot.unknown"],
        "POST /v1/spots/{id}/requests": wanting,
        "POST /v1/spots/{id}/bids": wanting,
        "POST /v1/spots/{id}/cancel": ["spot.not_possible"],
        "POST /v1/spots/{id}/leaving": ["spot.not_possible"],
        "POST /v1/spot-requests/{id}/approve": answered,
        "POST /v1/spot-requests/{id}/deny": answered,
        "POST /v1/spot-requests/{id}/cancel": answered,
        "POST /v1/spot-requests/{id}/parked": answered.union(["spot.not_arrived"]),
        "POST /v1/spot-requests/{id}/spot-gone": answered.union(["spot.not_there"]),
        "POST /v1/trips": ["trip.overlaps", "trip.too_many"],
        "POST /v1/trips/{id}/requests": riding,
        "POST /v1/seat-requests/{id}/accept": riding,
        "POST /v1/seat-requests/{id}/decline": riding,
        "POST /v1/seat-requests/{id}/cancel": riding,
        "POST /v1/seat-requests/{id}/confirm": riding,
        "POST /v1/rides/{id}/start": riding,
        "PUT /v1/rides/{id}/rating": ["rating.not_finished", "rating.nobody_served"],
        "POST /v1/parking-sessions/{id}/pay": [
            "payment.declined", "payment.in_progress", "parking_session.nothing_due",
        ],
    ]

    private static let wanting: Set = [
        "spot.unknown", "spot.not_possible", "spot.own", "spot.price_changed", "spot.bid_too_low",
        "spot.auction_closed", "spot.too_many_requests", "spot.buying_suspended", "spot.unpaid",
        "spot.price_too_high", "spot_request.exists", "spot_request.denied", "payment.declined",
        "payment.in_progress",
    ]
    private static let answered: Set = [
        "spot.not_possible", "spot_request.not_possible", "spot_request.expired",
        "spot_request.unknown",
    ]

    /// Somebody else took the seat, or the driver has cancelled meanwhile.
    private static let riding: Set = [
        "seat_request.no_seat", "seat_request.exists", "seat_request.overlaps",
        "seat_request.not_possible", "seat_request.not_on_the_way", "seat_request.no_ride",
        "trip.not_possible", "trip.unknown", "ride.not_possible",
    ]

    private static let stays: Set = [
        "car_park.unknown", "car_park.closed", "booking.full", "booking.overlaps",
        "booking.product_invalid", "booking.price_changed", "booking.terms_outdated",
    ]
    private static let changes = stays.union([
        "payment.declined", "payment.in_progress", "booking.too_late", "booking.not_possible",
        "booking.change_pending",
    ])

    private static let tasks = moved.union([
        "order.task_unknown", "order.task_taken", "order.task_done",
    ])
}
