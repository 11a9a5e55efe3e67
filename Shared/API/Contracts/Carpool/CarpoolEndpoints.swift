import Foundation
import Geo

extension ServiceManifest {
    public static let carpool = ServiceManifest(
        "carpool",
        [.tokenKeys, .database, .maps, .router, .personalData, .bills, .engagements],
        peers: ["accounts", "payments"],
        endpoints: TripEndpoints.all + RideEndpoints.all + SavedSearchEndpoints.all
            + CarpoolOperatorEndpoints.all,
        events: [TripChanged.self, RideChanged.self, SeatRequestChanged.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, VehicleChanged.self, PersonBlocked.self,
            ServiceAreaChanged.self, PaymentSucceeded.self, RatingGiven.self,
        ], types: [TripEnd.self])
}

/// Trips that people drive anyway, published and found.
public enum TripEndpoints {
    public static let publishTrip = Endpoint<TripBody, Trip>(
        .post, "/v1/trips", id: "publishTrip", "Publish a trip that I drive",
        "The way comes from the router; without one it is a straight line, marked so, and computed later.",
        by: [.customer], with: [.idempotencyKey],
        answer: Success("The trip.", status: 201, [.location]), refuses: driving)
    public static let previewTrip = Endpoint<TripPreviewBody, TripPreview>(
        .post, "/v1/trips/preview", id: "previewTrip", "A trip before it is published",
        by: [.customer], answer: "Its way, what a seat may cost, and who else drives it.",
        refuses: [.tripEndsEqual, .noRoad])
    public static let searchTrips = Endpoint<TripSearchBody, TripSearchAnswer>(
        .post, "/v1/trips/search", id: "searchTrips", "Who drives from near here to near there",
        """
        A trip fits when its way passes within the walk of both ends in that order, at a time of the window and with \
        the seats left; or when its driver offers the detour. With `openEnds` two lifts in a row are found, too, that \
        together do so: one gets out of the first where the second passes, within 500 metres and half an hour.
        """, by: [.customer], answer: "Best first: by seconds of walking, waiting and detour.")
    public static let myTrips = Endpoint<PageQuery, Page<Trip>>(
        .get, "/v1/trips", id: "myTrips", "Trips that I drive", by: [.customer],
        answer: "Newest first.")
    public static let trip = Endpoint<Void, Trip>(
        .get, "/v1/trips/{id}", id: "trip", "A trip", by: [.customer, .operator],
        answer: Success("The trip.", [.eTag]), refuses: [.tripUnknown])
    public static let changeTrip = Endpoint<TripChange, Trip>(
        .patch, "/v1/trips/{id}", id: "changeTrip", "Change my trip",
        """
        Passengers are told. Whose part it breaks, because the way passes them no more or the time is another, is \
        asked again, and keeps the seat until they have answered.
        """, by: [.customer], answer: "The trip.",
        refuses: driving + [
            .tripUnknown, .tripNotPossible,
            .seatsTaken,
        ])
    public static let removeTrip = Endpoint<Void, Void>(
        .delete, "/v1/trips/{id}", id: "removeTrip", "Drive it no more",
        "All rides to come are cancelled, and their passengers told.", by: [.customer],
        answer: "It is gone, also where there was none.")
    public static let tripWalk = Endpoint<TripWalkQuery, TripWalk>(
        .get, "/v1/trips/{id}/walk", id: "tripWalk", "The way on foot to a meeting point",
        "A way that passes the point twice is met where it goes on to the other end, if that is named, too.",
        by: [.customer],
        answer: "From the point to where the way passes it, or back.",
        refuses: [.tripUnknown])
    public static let requestSeat = Endpoint<SeatRequestBody, SeatRequest>(
        .post, "/v1/trips/{id}/requests", id: "requestSeat", "I want to ride along",
        "A driver who accepts automatically has said yes already.", by: [.customer],
        with: [.idempotencyKey], answer: Success("The request.", status: 201, [.location]),
        refuses: [
            .tripUnknown, .tripNotPossible, .noSeatLeft, .rideOverlaps,
            .paymentMethodUnknown,
            .ownTrip,
            .seatRequestExists,
            .rideUnpaid,
            .seatPriceChanged,
            .notOnTheWay,
            .noRideThatDay,
            .seatPaymentRequired,
        ])
    public static let favouriteTrips = Endpoint<PageQuery, Page<Trip>>(
        .get, "/v1/me/favourite-trips", id: "favouriteTrips", "My favourite trips",
        by: [.customer], answer: "Newest first.")
    public static let addFavouriteTrip = Endpoint<Void, Void>(
        .put, "/v1/me/favourite-trips/{id}", id: "addFavouriteTrip", "Keep a trip as a favourite",
        by: [.customer], answer: "It is one.",
        refuses: [
            .tripUnknown,
            .tooManyFavouriteTrips,
        ])
    public static let removeFavouriteTrip = Endpoint<Void, Void>(
        .delete, "/v1/me/favourite-trips/{id}", id: "removeFavouriteTrip",
        "A favourite no more", by: [.customer], answer: "It is none, also where it was none.")

    public static let carpoolFeed = Endpoint<Void, Bytes>(
        .get, "/v1/carpool/gtfs", id: "carpoolFeed", "Open trips for journey planners",
        """
        A GTFS Schedule feed: trips of route type 1551 with stops along their ways, where one gets in and out as \
        arranged with the driver. It names nobody, and nothing near the ends of a way.
        """, by: .anybody, answer: Success("A minute old at most.", as: [.zip]))

    public static let all: [AnyEndpoint] = [
        publishTrip.untyped, previewTrip.untyped, searchTrips.untyped, myTrips.untyped,
        trip.untyped, changeTrip.untyped, removeTrip.untyped, tripWalk.untyped,
        requestSeat.untyped, favouriteTrips.untyped, addFavouriteTrip.untyped,
        removeFavouriteTrip.untyped, carpoolFeed.untyped,
    ]

    private static let driving: [Refusal] = [
        .tripEndsEqual, .noRoad,
        .vehicleUnknown,
        .tooManyTrips,
        .tripOverlaps,
        .seatPriceTooHigh,
        .seatPriceNotAllowed,
        .departureInThePast,
    ]
}

/// Seats, and the rides in which they are.
public enum RideEndpoints {
    public static let mySeatRequests = Endpoint<SeatRequestsQuery, Page<SeatRequest>>(
        .get, "/v1/me/seat-requests", id: "mySeatRequests",
        "Seats that I asked for, or am asked for",
        by: [.customer],
        answer: "Newest first.")
    public static let acceptSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/accept", id: "acceptSeat", "Yes, ride along",
        "By whom it asks: the driver, or the passenger after a change of the trip.",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible, .noSeatLeft, .rideOverlaps])
    public static let declineSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/decline", id: "declineSeat", "No",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let cancelSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/cancel", id: "cancelSeat", "I do not ride along",
        "By the passenger, or by the driver who takes them along no more; of every day: of all days to come.",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let confirmSeat = Endpoint<SeatConfirmBody, SeatRequest>(
        .post, "/v1/seat-requests/{id}/confirm", id: "confirmSeat",
        "Whether the passenger was in the car",
        """
        Asked of the driver once the ride has ended. A passenger who says otherwise, once, opens a dispute that an \
        operator decides.
        """, by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let confirmations = Endpoint<PageQuery, Page<SeatRequest>>(
        .get, "/v1/me/confirmations", id: "confirmations", "What I am to confirm",
        by: [.customer], answer: "Oldest first.")
    public static let myRides = Endpoint<RidesQuery, Page<Ride>>(
        .get, "/v1/rides", id: "myRides", "My rides", by: [.customer],
        answer: "By departure, the latest first.")
    public static let ride = Endpoint<Void, Ride>(
        .get, "/v1/rides/{id}", id: "ride", "A ride", by: [.customer],
        answer: Success("With both sides' contact, once they ride together.", [.eTag]),
        refuses: [.rideUnknown])
    public static let startRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/start", id: "startRide", "I drive off", by: [.customer],
        answer: "The ride.",
        refuses: [
            .rideUnknown, .rideNotPossible,
            .rideTooEarly,
        ])
    public static let endRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/end", id: "endRide", "I have arrived", by: [.customer],
        answer: "The ride.", refuses: [.rideUnknown, .rideNotPossible])
    public static let cancelRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/cancel", id: "cancelRide", "I do not drive on this day",
        by: [.customer], answer: "The ride.", refuses: [.rideUnknown, .rideNotPossible])
    public static let rideTrack = LocationEndpoints.engagementTrack.at(
        "/v1/rides/{id}/track", id: "rideTrack", "Where the driver is",
        "`driver`, for who rides along, from a quarter of an hour before the pick-up.")
    public static let rateRide = RatingEndpoints.rateEngagement.at(
        "/v1/rides/{id}/rating", id: "rateRide", "Rate the other side",
        "Once it is confirmed; a driver names one of several passengers by `to`.")
    public static let givenRideRatings = RatingEndpoints.givenRatings.at(
        "/v1/rides/{id}/rating", id: "givenRideRatings", "What I said of the other side",
        "By a driver of each of their passengers.")

    public static let all: [AnyEndpoint] = [
        mySeatRequests.untyped, acceptSeat.untyped, declineSeat.untyped, cancelSeat.untyped,
        confirmSeat.untyped, confirmations.untyped, myRides.untyped, ride.untyped,
        startRide.untyped, endRide.untyped, cancelRide.untyped, rideTrack.untyped,
        rateRide.untyped, givenRideRatings.untyped,
    ]
}

/// What people want to be told of.
public enum SavedSearchEndpoints {
    public static let savedSearches = Endpoint<PageQuery, Page<SavedSearch>>(
        .get, "/v1/me/saved-searches", id: "savedSearches", "Where I look for a lift",
        by: [.customer], answer: "Newest first.")
    public static let addSavedSearch = Endpoint<SavedSearchBody, SavedSearch>(
        .post, "/v1/me/saved-searches", id: "addSavedSearch", "Tell me when somebody drives there",
        "Within seconds of a trip that fits.", by: [.customer], with: [.idempotencyKey],
        answer: Success("The search.", status: 201),
        refuses: [.tooManySavedSearches])
    public static let removeSavedSearch = Endpoint<Void, Void>(
        .delete, "/v1/me/saved-searches/{id}", id: "removeSavedSearch", "Tell me no more",
        by: [.customer], answer: "It is gone, also where there was none.")

    public static let all: [AnyEndpoint] = [
        savedSearches.untyped, addSavedSearch.untyped, removeSavedSearch.untyped,
    ]
}

/// What operators see and set.
public enum CarpoolOperatorEndpoints {
    public static let allTrips = Endpoint<AllTripsQuery, Page<Trip>>(
        .get, "/v1/admin/trips", id: "allTrips", "Trips", by: [.operator],
        answer: "Newest first.")
    public static let withdrawTrip = Endpoint<Void, Trip>(
        .post, "/v1/admin/trips/{id}/remove", id: "withdrawTrip", "Take a trip out",
        by: [.operator], answer: "The trip.", refuses: [.tripUnknown])
    public static let seatDisputes = Endpoint<PageQuery, Page<SeatRequest>>(
        .get, "/v1/admin/seat-disputes", id: "seatDisputes",
        "Rides of which both sides say different things", by: [.operator],
        answer: "Newest first.")
    public static let decideSeat = Endpoint<SeatDecisionBody, SeatRequest>(
        .post, "/v1/admin/seat-requests/{id}/decision", id: "decideSeat",
        "Decide whether the passenger was in the car", "What was paid for nothing goes back.",
        by: [.operator], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let carpoolPolicy = Endpoint<Void, CarpoolPolicy>(
        .get, "/v1/admin/carpool-policies/{area}", id: "carpoolPolicy", "What an area allows",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let putCarpoolPolicy = Endpoint<CarpoolPolicy, CarpoolPolicy>(
        .put, "/v1/admin/carpool-policies/{area}", id: "putCarpoolPolicy",
        "Set what an area allows", "For trips that are published from now on.",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])

    public static let all: [AnyEndpoint] = [
        allTrips.untyped, withdrawTrip.untyped, seatDisputes.untyped, decideSeat.untyped,
        carpoolPolicy.untyped, putCarpoolPolicy.untyped,
    ]
}
