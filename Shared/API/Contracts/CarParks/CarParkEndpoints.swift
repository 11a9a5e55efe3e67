extension ServiceManifest {
    public static let carparks = ServiceManifest(
        "carparks", tag: "car parks",
        [.tokenKeys, .database, .blobs, .maps, .router, .personalData, .bills, .engagements],
        peers: ["accounts", "payments", "plates"],
        endpoints: CarParkEndpoints.all + CarParkPhotoEndpoints.all + FineEndpoints.all
            + DriverEndpoints.all + ParkedVehicleEndpoints.all,
        events: [BookingChanged.self, CarParkChanged.self, FineChanged.self, ParkingFreed.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, VehicleChanged.self, VehicleParked.self,
            VehicleRetrieved.self, OrderOverridden.self, PaymentSucceeded.self,
            PaymentRefunded.self,
        ])
}

/// Car parks, what can be booked of them, bookings, and gates.
public enum CarParkEndpoints {
    // MARK: Car parks

    public static let carParks = Endpoint<FindCarParksQuery, Page<CarParkSummary>>(
        .get, "/v1/car-parks", id: "carParks", "Find a car park",
        "With `from` and `until` only those where the asked class may be booked all the time between them.",
        by: .anybody,
        answer: "Car parks, nearest or cheapest first.",
        refuses: [.bookingDateInvalid])
    public static let carPark = Endpoint<Void, CarPark>(
        .get, "/v1/car-parks/{id}", id: "carPark", "A car park", by: .anybody,
        answer: Success("All of it, with products, live spaces and terms.", [.eTag]),
        refuses: [.carParkUnknown])
    public static let availability = Endpoint<AvailabilityQuery, Availability>(
        .get, "/v1/car-parks/{id}/availability", id: "availability", "What may still be booked",
        by: .anybody,
        answer: "Free spaces over the interval.",
        refuses: [.carParkUnknown, .bookingDateInvalid])
    public static let parkingQuote = Endpoint<ParkingQuoteQuery, ParkingQuote>(
        .get, "/v1/car-parks/{id}/quote", id: "parkingQuote", "What a booking would cost",
        by: .anybody,
        answer: "End, lines, total, and the terms that a booking has to name.",
        refuses: [
            .carParkUnknown, .carParkClosed, .parkingProductInvalid, .bookingDateInvalid,
            .pointsInvalid,
        ])
    public static let carParkRoute = Endpoint<CarParkRouteQuery, WayAnswer>(
        .get, "/v1/car-parks/{id}/route", id: "carParkRoute", "The way to a car park",
        "To its nearest entrance for vehicles, or on foot to the nearest for people; where it names none, to itself.",
        by: .anybody,
        answer: "Along roads, or as the crow flies.", refuses: [.carParkUnknown])

    // MARK: Exports

    public static let exportGeoJSON = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/car-parks", id: "exportGeoJSON", "All car parks as GeoJSON",
        "A FeatureCollection (RFC 7946) with OpenStreetMap's tags as properties, as imports read it.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], as: [.geoJSON], or: [304: "As before."])
    )
    public static let exportAPDS = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/apds", id: "exportAPDS", "All car parks as APDS places and rates",
        "Places and rate tables after APDS 4.0 (ISO/TS 5206-1); amounts in minor units.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], or: [304: "As before."]))
    public static let exportDATEX = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/parking-status", id: "exportDATEX", "Live spaces after DATEX II",
        "A parking status publication in the terms of CEN/TS 16157-6, as JSON; what is not known is left out.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], or: [304: "As before."]))

    // MARK: Bookings

    public static let book = Endpoint<BookingBody, Booking>(
        .post, "/v1/bookings", id: "book", "Book a space", by: [.customer],
        with: [.idempotencyKey],
        answer: Success(
            "The booking, held for ten minutes; its bill has its id.", status: 201,
            [.eTag, .location]),
        refuses: [
            .carParkUnknown, .bookingDateInvalid, .bookingFull, .carParkClosed,
            .parkingProductInvalid,
            .bookingVehicleRequired, .bookedVehicleUnknown, .termsOutdated, .bookingPriceChanged,
            .bookingOverlaps,
            .pointsInvalid,
            .tooManyBookings,
        ])
    public static let bookings = Endpoint<BookingsQuery, Page<Booking>>(
        .get, "/v1/bookings", id: "bookings", "Bookings", by: [.customer, .operator],
        answer: "Own ones, newest first; an operator's all.")
    public static let booking = Endpoint<Void, Booking>(
        .get, "/v1/bookings/{id}", id: "booking", "A booking", by: [.customer, .operator],
        answer: Success("The booking.", [.eTag]), refuses: [.bookingUnknown])
    public static let payBooking = Endpoint<PayBody, BookingPayment>(
        .post, "/v1/bookings/{id}/pay", id: "payBooking", "Pay, and thereby confirm",
        by: [.customer], with: [.idempotencyKey],
        answer: "Booking and payment; with `requiresAction` the client has a further step to take.",
        refuses: Refusal.paying + [.bookingUnknown, .bookingHoldExpired, .bookingNotPossible])
    public static let quoteChange = Endpoint<BookingChange, BookingChangeQuote>(
        .post, "/v1/bookings/{id}/quote-change", id: "quoteChange", "What a change would cost",
        by: [.customer], answer: "New lines and the difference; nothing is changed.",
        refuses: Refusal.change)
    public static let changeBooking = Endpoint<BookingChange, Booking>(
        .patch, "/v1/bookings/{id}", id: "changeBooking", "Change a booking",
        """
        Until its first day begins in the car park's time zone. A difference is charged or given back in one step \
        with the change: where it can't be paid, the booking stays as it was.
        """, by: [.customer], with: [.ifMatch],
        answer: Success("The booking as it is now.", [.eTag]),
        refuses: Refusal.change + Refusal.payingChange + [.preconditionFailed])
    public static let extendBooking = Endpoint<ExtendBody, Booking>(
        .post, "/v1/bookings/{id}/extend", id: "extendBooking", "Stay longer", by: [.customer],
        with: [.idempotencyKey], answer: Success("The booking as it is now.", [.eTag]),
        refuses: Refusal.change + Refusal.payingChange)
    public static let cancelBooking = Endpoint<Void, BookingCancellation>(
        .post, "/v1/bookings/{id}/cancel", id: "cancelBooking", "Cancel a booking",
        by: [.customer], with: [.idempotencyKey],
        answer: "The booking, and what is given back by the car park's policy.",
        refuses: [.bookingUnknown, .bookingNotPossible, .bookingChangePending])

    // MARK: Tickets

    public static let ticket = Endpoint<LanguageQuery, ParkingTicket>(
        .get, "/v1/bookings/{id}/ticket", id: "ticket", "A booking's ticket",
        """
        A page to show and print; with `Accept: text/calendar` an entry of a calendar (RFC 5545), with \
        `Accept: application/json` what an app keeps for where there is no network.
        """, by: [.customer],
        answer: Success("The ticket of a booking that is paid.", as: [.html, .json, .calendar]),
        refuses: [.bookingUnknown, .bookingNotPossible])
    public static let ticketKeys = Endpoint<Void, PublishedKeys>(
        .get, "/v1/ticket-keys", id: "ticketKeys", "Keys by which a gate checks tickets",
        "A gate keeps them, and then needs no network to tell a ticket of ours from another.",
        by: .anybody, answer: "A JSON Web Key Set (RFC 7517).")

    // MARK: Stays and gates

    public static let parkingSessions = Endpoint<PageQuery, Page<ParkingSession>>(
        .get, "/v1/me/parking-sessions", id: "parkingSessions", "My stays", by: [.customer],
        answer: "Newest first.")
    public static let payParkingSession = Endpoint<PayBody, PaymentAnswer>(
        .post, "/v1/parking-sessions/{id}/pay", id: "payParkingSession",
        "Pay a stay that was not booked", "Then there are fifteen minutes to drive out.",
        by: [.customer], with: [.idempotencyKey], answer: "The payment.",
        refuses: Refusal.paying + [.parkingSessionUnknown, .nothingDueForParking])
    public static let pass = Endpoint<PassageBody, PassageAnswer>(
        .post, "/v1/gates/{id}/passages", id: "pass", "A vehicle at a gate",
        """
        With the gate's own token as `Gate-Token`. The same again within seconds is one passage. What is older than a \
        minute has happened while the gate was cut off: it counts by its own time, in whatever order it comes, and is \
        recorded whatever the answer. A gate whose clock may be wrong says with `sentAt` when it sends this: what the \
        clock is off is taken off `at`.
        """, by: .anybody,
        with: [
            RequestHeader(
                "Gate-Token", as: .schema("string", ["maxLength": 100]),
                isRequired: true, "The gate's token.")
        ],
        answer: "Whether to open, and why.",
        refuses: [
            .gateTokenInvalid,
            .gateRecognitionUnknown,
        ])

    // MARK: Operators

    public static let addCarPark = Endpoint<CarParkBody, CarPark>(
        .post, "/v1/admin/car-parks", id: "addCarPark", "Add a car park", by: [.operator],
        with: [.idempotencyKey], answer: Success("The car park.", status: 201, [.eTag, .location]),
        refuses: [.openingHoursUnreadable])
    public static let importCarParks = Endpoint<CarParkImport, CarParkImportAnswer>(
        .post, "/v1/admin/car-parks/imports", id: "importCarParks", "Import car parks",
        """
        GeoJSON (RFC 7946) of at most 1,000 features with OpenStreetMap's tags as properties: `name`, `capacity`, \
        `opening_hours`, `maxheight`, `fee`, `access` and others. The same again doubles nothing: each is known by its \
        `id`, and only what an operator has not changed since follows the import.
        """, by: [.operator], bodyLimit: BodyLimit.carParks,
        answer: "What was taken, and what was not, with the reason.")
    public static let putCarPark = Endpoint<CarParkBody, CarPark>(
        .put, "/v1/admin/car-parks/{id}", id: "putCarPark", "Change a car park", by: [.operator],
        with: [.ifMatch],
        answer: Success("The car park. Bookings keep what they were made at.", [.eTag]),
        refuses: [.carParkUnknown, .openingHoursUnreadable, .preconditionFailed])
    public static let removeCarPark = Endpoint<Void, Void>(
        .delete, "/v1/admin/car-parks/{id}", id: "removeCarPark", "Remove a car park",
        by: [.operator], answer: "It is gone.",
        refuses: [
            .carParkUnknown,
            .carParkInUse,
        ])
    public static let putCarParkStatus = Endpoint<CarParkStatusBody, CarPark>(
        .put, "/v1/admin/car-parks/{id}/status", id: "putCarParkStatus",
        "Close or open a car park", by: [.operator], answer: "The car park.",
        refuses: [.carParkUnknown])
    public static let putOccupancy = Endpoint<OccupancyBody, [LiveSpaces]>(
        .put, "/v1/admin/car-parks/{id}/occupancy", id: "putOccupancy", "Say what is free",
        by: [.operator],
        answer: "Live spaces as they are now; a count older than the known one changes nothing.",
        refuses: [.carParkUnknown])
    public static let addProduct = Endpoint<ParkingProductBody, ParkingProduct>(
        .post, "/v1/admin/car-parks/{id}/products", id: "addProduct", "Offer something",
        by: [.operator], with: [.idempotencyKey], answer: Success("The product.", status: 201),
        refuses: [.carParkUnknown])
    public static let putProduct = Endpoint<ParkingProductBody, ParkingProduct>(
        .put, "/v1/admin/car-parks/{id}/products/{product}", id: "putProduct",
        "A new version of a product", by: [.operator],
        answer: "The product. Bookings keep the price that they were made at.",
        refuses: [
            .carParkUnknown, .parkingProductUnknown,
        ])
    public static let endParkingSession = Endpoint<EndSessionBody, ParkingSession>(
        .post, "/v1/admin/parking-sessions/{id}/end", id: "endParkingSession",
        "End a stay whose vehicle is gone",
        "For when no gate saw it leave. What is not paid by then is not asked for.",
        by: [.operator], answer: "The stay.",
        refuses: [
            .parkingSessionUnknown,
            .parkingSessionEnded,
        ])
    public static let addGate = Endpoint<GateBody, NewGate>(
        .post, "/v1/admin/gates", id: "addGate", "Add a gate", by: [.operator],
        answer: Success("The gate's token: it is shown only here.", status: 201),
        refuses: [.carParkUnknown])
    public static let gates = Endpoint<PageQuery, Page<Gate>>(
        .get, "/v1/admin/gates", id: "gates", "Gates", by: [.operator],
        answer: "Newest first.")
    public static let carParkReport = Endpoint<CarParkReportQuery, CarParkReport>(
        .get, "/v1/admin/car-parks/{id}/report", id: "carParkReport", "How a car park was used",
        "31 days at most.", by: [.operator],
        answer: "Vehicles by hour, arrivals, stays, bookings and revenue.",
        refuses: [.carParkUnknown])
    public static let allParkingSessions = Endpoint<ParkingSessionsQuery, Page<ParkingSession>>(
        .get, "/v1/admin/parking-sessions", id: "allParkingSessions", "Stays", by: [.operator],
        answer: "Newest first.")
    public static let rotateGateToken = Endpoint<Void, NewGate>(
        .post, "/v1/admin/gates/{id}/token", id: "rotateGateToken", "Another token for a gate",
        by: [.operator], answer: "The new token; the old one opens nothing any more.",
        refuses: [.gateUnknown])

    public static let all: [AnyEndpoint] = [
        carParks.untyped, carPark.untyped, availability.untyped, parkingQuote.untyped,
        carParkRoute.untyped, exportGeoJSON.untyped, exportAPDS.untyped, exportDATEX.untyped,
        book.untyped, bookings.untyped, booking.untyped, payBooking.untyped, quoteChange.untyped,
        changeBooking.untyped, extendBooking.untyped, cancelBooking.untyped,
        ticket.untyped, ticketKeys.untyped,
        parkingSessions.untyped, payParkingSession.untyped, pass.untyped, addCarPark.untyped,
        importCarParks.untyped, endParkingSession.untyped,
        putCarPark.untyped, removeCarPark.untyped, putCarParkStatus.untyped,
        putOccupancy.untyped, addProduct.untyped, putProduct.untyped, addGate.untyped,
        gates.untyped, rotateGateToken.untyped, carParkReport.untyped,
        allParkingSessions.untyped,
    ]
}

extension Refusal {
    fileprivate static let change: [Refusal] = [
        .bookingUnknown, .bookingNotPossible, .bookingChangePending,
        .bookingTooLate,
        .carParkUnknown, .bookingDateInvalid, .bookingFull, .carParkClosed, .parkingProductInvalid,
        .bookingVehicleRequired, .bookedVehicleUnknown, .termsOutdated, .bookingPriceChanged,
        .bookingOverlaps,
    ]
    fileprivate static let payingChange = paying + [.bookingPaymentRequired]
}
