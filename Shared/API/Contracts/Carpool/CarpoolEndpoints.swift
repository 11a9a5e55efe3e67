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
        ], tells: [.engagements, .bills], copies: [.areas, .people, .vehicles, .blocks],
        types: [TripEnd.self])
}

/// Trips that people are making anyway: publishing and finding them.
public enum TripEndpoints {
    public static let publishTrip = Endpoint<TripBody, Trip>(
        .post, "/v1/trips", id: "publishTrip", "Publish my trip",
        """
        The router computes the route. Until it answers and has a map of the points, the trip has a straight line, \
        marked as such.
        """,
        by: [.customer], with: [.idempotencyKey],
        answer: Success("The trip.", status: 201, [.location]), refuses: driving)
    public static let previewTrip = Endpoint<TripPreviewBody, TripPreview>(
        .post, "/v1/trips/preview", id: "previewTrip", "Preview a trip",
        by: [.customer], answer: "Its route, the maximum price of a seat, and similar trips.",
        refuses: [.tripEndsEqual, .noRoad])
    public static let searchTrips = Endpoint<TripSearchBody, TripSearchAnswer>(
        .post, "/v1/trips/search", id: "searchTrips", "Search trips",
        """
        A trip matches if its route passes within walking distance of both ends in this order, within the time \
        window and with enough seats; or if its driver offers the detour. With `openEnds` the search also finds two \
        lifts in a row: the second passes within 500 metres and half an hour of where the passenger leaves the \
        first.
        """, by: [.customer], answer: "Best first: by seconds of walking, waiting and detour.")
    public static let myTrips = Endpoint<PageQuery, Page<Trip>>(
        .get, "/v1/trips", id: "myTrips", "My trips", by: [.customer],
        answer: "Newest first.")
    public static let trip = Endpoint<Void, Trip>(
        .get, "/v1/trips/{id}", id: "trip", "A trip", by: [.customer, .operator],
        answer: Success("The trip.", [.eTag]), refuses: [.tripUnknown])
    public static let changeTrip = Endpoint<TripChange, Trip>(
        .patch, "/v1/trips/{id}", id: "changeTrip", "Change my trip",
        """
        Passengers are notified. If the route no longer passes a passenger or the time changes, they are asked again \
        and keep their seat until they answer.
        """, by: [.customer], answer: "The trip.",
        refuses: driving + [
            .tripUnknown, .tripNotPossible,
            .seatsTaken,
        ])
    public static let removeTrip = Endpoint<Void, Void>(
        .delete, "/v1/trips/{id}", id: "removeTrip", "Delete my trip",
        "Cancels all future rides and notifies their passengers.", by: [.customer],
        answer: "The trip is removed, or was before.",
        refuses: [.tripUnknown])
    public static let tripWalk = Endpoint<TripWalkQuery, TripWalk>(
        .get, "/v1/trips/{id}/walk", id: "tripWalk", "The walk to a meeting point",
        "If the route passes the point twice, the other end decides which passage to use.",
        by: [.customer],
        answer: "The walk from the point to the route, or back.",
        refuses: [.tripUnknown])
    public static let requestSeat = Endpoint<SeatRequestBody, SeatRequest>(
        .post, "/v1/trips/{id}/requests", id: "requestSeat", "Request a seat",
        """
        With a driver who accepts automatically, the seat is confirmed at once. A passenger who has given up a day of \
        a recurring seat can request that day again.
        """, by: [.customer],
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
        .put, "/v1/me/favourite-trips/{id}", id: "addFavouriteTrip", "Add a favourite trip",
        by: [.customer], answer: "The trip is a favourite.",
        refuses: [
            .tripUnknown,
            .tooManyFavouriteTrips,
        ])
    public static let removeFavouriteTrip = Endpoint<Void, Void>(
        .delete, "/v1/me/favourite-trips/{id}", id: "removeFavouriteTrip",
        "Remove a favourite trip", by: [.customer], answer: "The trip is not a favourite.")

    public static let carpoolFeed = Endpoint<Void, Bytes>(
        .get, "/v1/carpool/gtfs", id: "carpoolFeed", "Open trips for journey planners",
        """
        A GTFS Schedule feed: trips of route type 1551 with stops along their routes, where passengers get in and out \
        by arrangement with the driver. It has no names, and nothing near the ends of a route. All times are in the \
        time zone that most trips have.
        """, by: .anybody, answer: Success("The feed, at most a minute old.", as: [.zip]))

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

/// Seat requests and rides.
public enum RideEndpoints {
    public static let mySeatRequests = Endpoint<SeatRequestsQuery, Page<SeatRequest>>(
        .get, "/v1/me/seat-requests", id: "mySeatRequests",
        "My seat requests",
        by: [.customer],
        answer: "Newest first.")
    public static let acceptSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/accept", id: "acceptSeat", "Accept a seat request",
        "For the person who is asked: the driver, or the passenger after a change of the trip.",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible, .noSeatLeft, .rideOverlaps])
    public static let declineSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/decline", id: "declineSeat", "Decline a seat request",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let cancelSeat = Endpoint<Void, SeatRequest>(
        .post, "/v1/seat-requests/{id}/cancel", id: "cancelSeat", "Cancel a seat",
        "For the passenger, or for the driver to remove them; a request for every day ends for all future days.",
        by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let confirmSeat = Endpoint<SeatConfirmBody, SeatRequest>(
        .post, "/v1/seat-requests/{id}/confirm", id: "confirmSeat",
        "Confirm whether the passenger was in the car",
        """
        The driver answers once the ride has ended. If the passenger answers differently, this opens a dispute that \
        an operator decides.
        """, by: [.customer], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let confirmations = Endpoint<PageQuery, Page<SeatRequest>>(
        .get, "/v1/me/confirmations", id: "confirmations", "Seats that I must confirm",
        by: [.customer], answer: "Oldest first.")
    public static let myRides = Endpoint<RidesQuery, Page<Ride>>(
        .get, "/v1/rides", id: "myRides", "My rides", by: [.customer],
        answer: "By departure, latest first.")
    public static let ride = Endpoint<Void, Ride>(
        .get, "/v1/rides/{id}", id: "ride", "A ride", by: [.customer],
        answer: Success("The ride, with both sides' contact once they ride together.", [.eTag]),
        refuses: [.rideUnknown])
    public static let startRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/start", id: "startRide", "Start a ride", by: [.customer],
        answer: "The ride.",
        refuses: [
            .rideUnknown, .rideNotPossible,
            .rideTooEarly,
        ])
    public static let endRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/end", id: "endRide", "End a ride", by: [.customer],
        answer: "The ride.", refuses: [.rideUnknown, .rideNotPossible])
    public static let cancelRide = Endpoint<Void, Ride>(
        .post, "/v1/rides/{id}/cancel", id: "cancelRide", "Cancel a ride",
        by: [.customer], answer: "The ride.", refuses: [.rideUnknown, .rideNotPossible])
    public static let rideTrack = LocationEndpoints.engagementTrack.at(
        "/v1/rides/{id}/track", id: "rideTrack", "Position of the driver",
        "`driver`, for the passengers, from 15 minutes before their pick-up.")
    public static let rateRide = RatingEndpoints.rateEngagement.at(
        "/v1/rides/{id}/rating", id: "rateRide", "Rate the other side",
        "Possible once the seat is confirmed; with several passengers, the driver chooses one with `to`."
    )
    public static let givenRideRatings = RatingEndpoints.givenRatings.at(
        "/v1/rides/{id}/rating", id: "givenRideRatings", "My ratings of the other side",
        "A driver gets one for each passenger.")

    public static let all: [AnyEndpoint] = [
        mySeatRequests.untyped, acceptSeat.untyped, declineSeat.untyped, cancelSeat.untyped,
        confirmSeat.untyped, confirmations.untyped, myRides.untyped, ride.untyped,
        startRide.untyped, endRide.untyped, cancelRide.untyped, rideTrack.untyped,
        rateRide.untyped, givenRideRatings.untyped,
    ]
}

/// Saved searches for lifts.
public enum SavedSearchEndpoints {
    public static let savedSearches = Endpoint<PageQuery, Page<SavedSearch>>(
        .get, "/v1/me/saved-searches", id: "savedSearches", "My saved searches",
        by: [.customer], answer: "Newest first.")
    public static let addSavedSearch = Endpoint<SavedSearchBody, SavedSearch>(
        .post, "/v1/me/saved-searches", id: "addSavedSearch", "Save a search",
        "We notify you within seconds of a matching trip.", by: [.customer],
        with: [.idempotencyKey],
        answer: Success("The search.", status: 201),
        refuses: [.tooManySavedSearches])
    public static let removeSavedSearch = Endpoint<Void, Void>(
        .delete, "/v1/me/saved-searches/{id}", id: "removeSavedSearch", "Remove a saved search",
        by: [.customer], answer: "The search is removed, or did not exist.")

    public static let all: [AnyEndpoint] = [
        savedSearches.untyped, addSavedSearch.untyped, removeSavedSearch.untyped,
    ]
}

/// Trips, disputes and policies, for operators.
public enum CarpoolOperatorEndpoints {
    public static let allTrips = Endpoint<AllTripsQuery, Page<Trip>>(
        .get, "/v1/admin/trips", id: "allTrips", "All trips", by: [.operator],
        answer: "Newest first.")
    public static let withdrawTrip = Endpoint<Void, Trip>(
        .post, "/v1/admin/trips/{id}/remove", id: "withdrawTrip", "Remove a trip",
        by: [.operator], answer: "The trip.", refuses: [.tripUnknown])
    public static let seatDisputes = Endpoint<PageQuery, Page<SeatRequest>>(
        .get, "/v1/admin/seat-disputes", id: "seatDisputes",
        "Disputes between drivers and passengers", by: [.operator],
        answer: "Newest first.")
    public static let decideSeat = Endpoint<SeatDecisionBody, SeatRequest>(
        .post, "/v1/admin/seat-requests/{id}/decision", id: "decideSeat",
        "Decide whether the passenger was in the car", "If not, the payment is refunded.",
        by: [.operator], answer: "The request.",
        refuses: [.seatRequestUnknown, .seatRequestNotPossible])
    public static let carpoolPolicy = Endpoint<Void, CarpoolPolicy>(
        .get, "/v1/admin/carpool-policies/{area}", id: "carpoolPolicy", "The rules of an area",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let putCarpoolPolicy = Endpoint<CarpoolPolicy, CarpoolPolicy>(
        .put, "/v1/admin/carpool-policies/{area}", id: "putCarpoolPolicy",
        "Set the rules of an area", "They apply to trips that are published from now on.",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])

    public static let all: [AnyEndpoint] = [
        allTrips.untyped, withdrawTrip.untyped, seatDisputes.untyped, decideSeat.untyped,
        carpoolPolicy.untyped, putCarpoolPolicy.untyped,
    ]
}
