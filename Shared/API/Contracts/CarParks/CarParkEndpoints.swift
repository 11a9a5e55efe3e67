extension ServiceManifest {
    public static let carparks = ServiceManifest(
        "carparks", tag: "car parks",
        [.tokenKeys, .database, .blobs, .maps, .router, .personalData, .bills, .engagements],
        peers: ["accounts", "payments", "plates"],
        endpoints: CarParkEndpoints.all + CarParkTariffEndpoints.all + CarParkPhotoEndpoints.all
            + FineEndpoints.all + DriverEndpoints.all + ParkedVehicleEndpoints.all
            + PlateProofEndpoints.all + WithoutAppEndpoints.all,
        events: [BookingChanged.self, CarParkChanged.self, FineChanged.self, ParkingFreed.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, VehicleChanged.self, VehicleParked.self,
            VehicleRetrieved.self, OrderOverridden.self, PaymentSucceeded.self,
            PaymentRefunded.self, RefundFailed.self,
        ], tells: [.engagements, .bills], copies: [.people, .vehicles, .parkedVehicles])
}

/// Car parks, their products, bookings, stays and gates.
public enum CarParkEndpoints {
    // MARK: Car parks

    public static let carParks = Endpoint<FindCarParksQuery, Page<CarParkSummary>>(
        .get, "/v1/car-parks", id: "carParks", "Find car parks",
        "With `from` and `until`, only those that have a bookable space of the class for the whole time.",
        by: .anybody,
        answer: "Car parks, nearest or cheapest first.",
        refuses: [.bookingDateInvalid])
    public static let carPark = Endpoint<Void, CarPark>(
        .get, "/v1/car-parks/{id}", id: "carPark", "A car park", by: .anybody,
        answer: Success("The car park, with products, live spaces and terms.", [.eTag]),
        refuses: [.carParkUnknown])
    public static let availability = Endpoint<AvailabilityQuery, Availability>(
        .get, "/v1/car-parks/{id}/availability", id: "availability",
        "Spaces that can still be booked",
        by: .anybody,
        answer: "Free spaces over the interval.",
        refuses: [.carParkUnknown, .bookingDateInvalid])
    public static let parkingQuote = Endpoint<ParkingQuoteQuery, ParkingQuote>(
        .get, "/v1/car-parks/{id}/quote", id: "parkingQuote", "The price of a booking",
        by: .anybody,
        answer: "End, lines, total, and the terms that a booking must accept.",
        refuses: [
            .carParkUnknown, .carParkClosed, .parkingProductInvalid, .bookingDateInvalid,
            .pointsInvalid,
        ])
    public static let carParkRoute = Endpoint<CarParkRouteQuery, WayAnswer>(
        .get, "/v1/car-parks/{id}/route", id: "carParkRoute", "The route to a car park",
        "Leads to the nearest entrance for vehicles or, on foot, for people; else to the car park itself.",
        by: .anybody,
        answer: "The route along roads, or a straight line.", refuses: [.carParkUnknown])

    // MARK: Exports

    public static let exportGeoJSON = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/car-parks", id: "exportGeoJSON", "All car parks as GeoJSON",
        "A FeatureCollection (RFC 7946) with OpenStreetMap's tags as properties, as imports read it.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], as: [.geoJSON], or: [304: "Unchanged."])
    )
    public static let exportAPDS = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/apds", id: "exportAPDS", "All car parks as APDS places and rates",
        "Places and rate tables after APDS 4.0 (ISO/TS 5206-1); amounts in minor units.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], or: [304: "Unchanged."]))
    public static let exportDATEX = Endpoint<Void, JSONValue>(
        .get, "/v1/exports/parking-status", id: "exportDATEX", "Live spaces in DATEX II",
        "A parking status publication in the terms of CEN/TS 16157-6, as JSON; unknown values are left out.",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success("At most 30 seconds old.", [.eTag], or: [304: "Unchanged."]))

    // MARK: Bookings

    public static let book = Endpoint<BookingBody, Booking>(
        .post, "/v1/bookings", id: "book", "Book a space", by: [.customer],
        with: [.idempotencyKey],
        answer: Success(
            "The booking, held for ten minutes; its bill has the same id.", status: 201,
            [.eTag, .location]),
        refuses: [
            .carParkUnknown, .bookingDateInvalid, .bookingFull, .carParkClosed,
            .parkingProductInvalid,
            .bookingVehicleRequired, .bookedVehicleUnknown, .termsOutdated, .bookingPriceChanged,
            .bookingOverlaps,
            .pointsInvalid,
            .tooManyBookings, .bookingTooSoon,
        ])
    public static let bookings = Endpoint<BookingsQuery, Page<Booking>>(
        .get, "/v1/bookings", id: "bookings", "Bookings", by: [.customer, .operator],
        answer: "A customer's own, newest first; for operators, all.")
    public static let booking = Endpoint<Void, Booking>(
        .get, "/v1/bookings/{id}", id: "booking", "A booking", by: [.customer, .operator],
        answer: Success("The booking.", [.eTag]), refuses: [.bookingUnknown])
    public static let payBooking = Endpoint<PayBody, BookingPayment>(
        .post, "/v1/bookings/{id}/pay", id: "payBooking", "Pay for and confirm a booking",
        by: [.customer], with: [.idempotencyKey],
        answer: "Booking and payment; with `requiresAction` the client must take a further step.",
        refuses: Refusal.paying + [.bookingUnknown, .bookingHoldExpired, .bookingNotPossible])
    public static let quoteChange = Endpoint<BookingChange, BookingChangeQuote>(
        .post, "/v1/bookings/{id}/quote-change", id: "quoteChange", "The price of a change",
        by: [.customer], answer: "New lines and the difference; the booking stays as it is.",
        refuses: Refusal.change)
    public static let changeBooking = Endpoint<BookingChange, Booking>(
        .patch, "/v1/bookings/{id}", id: "changeBooking", "Change a booking",
        """
        Possible until its first day begins, in the car park's time zone. The difference is charged or refunded \
        together with the change: if the charge fails, the booking stays as it was.
        """, by: [.customer], with: [.ifMatch],
        answer: Success("The booking as it is now.", [.eTag]),
        refuses: Refusal.change + Refusal.payingChange + [.preconditionFailed])
    public static let extendBooking = Endpoint<ExtendBody, Booking>(
        .post, "/v1/bookings/{id}/extend", id: "extendBooking", "Extend a booking", by: [.customer],
        with: [.idempotencyKey], answer: Success("The booking as it is now.", [.eTag]),
        refuses: Refusal.change + Refusal.payingChange)
    public static let cancelBooking = Endpoint<Void, BookingCancellation>(
        .post, "/v1/bookings/{id}/cancel", id: "cancelBooking", "Cancel a booking",
        by: [.customer], with: [.idempotencyKey],
        answer: "The booking, and the refund under the car park's policy.",
        refuses: [.bookingUnknown, .bookingNotPossible, .bookingChangePending])

    // MARK: Tickets

    public static let ticket = Endpoint<LanguageQuery, ParkingTicket>(
        .get, "/v1/bookings/{id}/ticket", id: "ticket", "The ticket of a booking",
        """
        A page to show and print; with `Accept: text/calendar` a calendar entry (RFC 5545), with \
        `Accept: application/json` the data that an app stores for offline use.
        """, by: [.customer],
        answer: Success("The ticket of a paid booking.", as: [.html, .json, .calendar]),
        refuses: [.bookingUnknown, .bookingNotPossible])
    public static let ticketKeys = Endpoint<Void, PublishedKeys>(
        .get, "/v1/ticket-keys", id: "ticketKeys", "The keys for checking tickets",
        "A gate stores them and can then check a ticket's signature offline.",
        by: .anybody, answer: "A JSON Web Key Set (RFC 7517).")

    // MARK: Stays and gates

    public static let parkingSessions = Endpoint<PageQuery, Page<ParkingSession>>(
        .get, "/v1/me/parking-sessions", id: "parkingSessions", "My stays", by: [.customer],
        answer: "Newest first.")
    public static let stayDue = Endpoint<Void, ParkingDue>(
        .get, "/v1/parking-sessions/{id}/due", id: "stayDue", "Amount due for my stay",
        "Includes tax. A stay without a booking costs more as time passes.", by: [.customer],
        answer: "The amount due.", refuses: [.parkingSessionUnknown])
    public static let payParkingSession = Endpoint<PayBody, PaymentAnswer>(
        .post, "/v1/parking-sessions/{id}/pay", id: "payParkingSession",
        "Pay for a stay without a booking",
        "The stay's `secondsToLeave` says how long the driver then has to leave.",
        by: [.customer], with: [.idempotencyKey], answer: "The payment.",
        refuses: Refusal.paying + [
            .parkingSessionUnknown, .nothingDueForParking, .parkingPaymentReturned,
        ])
    public static let pass = Endpoint<PassageBody, PassageAnswer>(
        .post, "/v1/gates/{id}/passages", id: "pass", "Report a vehicle at a gate",
        """
        Needs the gate's own token as `Gate-Token`. A repeat within seconds is the same passage. A passage older \
        than a minute happened while the gate was offline: it is recorded at its own time, in any order and whatever \
        the answer. A gate whose clock may be wrong sends its time as `sentAt`; the server corrects `at` by the \
        difference.
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
        `opening_hours`, `maxheight`, `fee`, `access` and others. A repeat creates no duplicates: a car park is \
        recognised by its `id`, and the import updates only fields that no operator has changed.
        """, by: [.operator], bodyLimit: BodyLimit.carParks,
        answer: "The imported features, and the refused ones with the reason.")
    public static let putCarPark = Endpoint<CarParkBody, CarPark>(
        .put, "/v1/admin/car-parks/{id}", id: "putCarPark", "Change a car park", by: [.operator],
        with: [.ifMatch],
        answer: Success("The car park. Existing bookings keep their terms.", [.eTag]),
        refuses: [.carParkUnknown, .openingHoursUnreadable, .preconditionFailed])
    public static let removeCarPark = Endpoint<Void, Void>(
        .delete, "/v1/admin/car-parks/{id}", id: "removeCarPark", "Remove a car park",
        by: [.operator], answer: "The car park is removed.",
        refuses: [
            .carParkUnknown,
            .carParkInUse,
        ])
    public static let putCarParkStatus = Endpoint<CarParkStatusBody, CarPark>(
        .put, "/v1/admin/car-parks/{id}/status", id: "putCarParkStatus",
        "Close or open a car park", by: [.operator], answer: "The car park.",
        refuses: [.carParkUnknown])
    public static let putOccupancy = Endpoint<OccupancyBody, [LiveSpaces]>(
        .put, "/v1/admin/car-parks/{id}/occupancy", id: "putOccupancy",
        "Set the number of free spaces",
        by: [.operator],
        answer: "Live spaces as they are now; a count older than the current one changes nothing.",
        refuses: [.carParkUnknown])
    public static let addProduct = Endpoint<ParkingProductBody, ParkingProduct>(
        .post, "/v1/admin/car-parks/{id}/products", id: "addProduct", "Add a product",
        by: [.operator], with: [.idempotencyKey], answer: Success("The product.", status: 201),
        refuses: [.carParkUnknown])
    public static let putProduct = Endpoint<ParkingProductBody, ParkingProduct>(
        .put, "/v1/admin/car-parks/{id}/products/{product}", id: "putProduct",
        "Change a product", by: [.operator],
        answer: "The new version of the product. Existing bookings keep their price.",
        refuses: [
            .carParkUnknown, .parkingProductUnknown,
        ])
    public static let endParkingSession = Endpoint<EndSessionBody, ParkingSession>(
        .post, "/v1/admin/parking-sessions/{id}/end", id: "endParkingSession",
        "End a stay whose vehicle has left",
        """
        Use this when no gate saw the vehicle leave, or to let it out: the exit opens for the plate for fifteen \
        minutes. `settlement` says whether an amount due is written off or billed later; the audit log has the amount.
        """,
        by: [.operator], answer: "The stay.",
        refuses: [
            .parkingSessionUnknown,
            .parkingSessionEnded,
            .settlementRequired,
        ])
    public static let addGate = Endpoint<GateBody, NewGate>(
        .post, "/v1/admin/gates", id: "addGate", "Add a gate", by: [.operator],
        answer: Success("The gate, with its token, which is shown only once.", status: 201),
        refuses: [.carParkUnknown])
    public static let gates = Endpoint<PageQuery, Page<Gate>>(
        .get, "/v1/admin/gates", id: "gates", "Gates", by: [.operator],
        answer: "Newest first.")
    public static let carParkReport = Endpoint<CarParkReportQuery, CarParkReport>(
        .get, "/v1/admin/car-parks/{id}/report", id: "carParkReport", "Report on a car park",
        "Covers up to 31 days.", by: [.operator],
        answer: "Vehicles by hour, arrivals, stays, bookings and revenue.",
        refuses: [.carParkUnknown])
    public static let allParkingSessions = Endpoint<ParkingSessionsQuery, Page<ParkingSession>>(
        .get, "/v1/admin/parking-sessions", id: "allParkingSessions", "All stays", by: [.operator],
        answer: "Newest first.")
    public static let rotateGateToken = Endpoint<Void, NewGate>(
        .post, "/v1/admin/gates/{id}/token", id: "rotateGateToken", "Create a new token for a gate",
        by: [.operator], answer: "The new token; the old one stops working at once.",
        refuses: [.gateUnknown])

    public static let all: [AnyEndpoint] = [
        carParks.untyped, carPark.untyped, availability.untyped, parkingQuote.untyped,
        carParkRoute.untyped, exportGeoJSON.untyped, exportAPDS.untyped, exportDATEX.untyped,
        book.untyped, bookings.untyped, booking.untyped, payBooking.untyped, quoteChange.untyped,
        changeBooking.untyped, extendBooking.untyped, cancelBooking.untyped,
        ticket.untyped, ticketKeys.untyped,
        parkingSessions.untyped, stayDue.untyped, payParkingSession.untyped, pass.untyped,
        addCarPark.untyped,
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
