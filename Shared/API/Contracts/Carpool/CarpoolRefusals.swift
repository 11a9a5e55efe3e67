extension Refusal {
    // Trips
    public static let tripUnknown = Refusal(404, "trip.unknown", "There is no such trip.")
    public static let tripNotPossible = Refusal(
        409, "trip.not_possible", "This trip is no longer offered.")
    public static let tripEndsEqual = Refusal(
        422, "trip.ends_equal", "Start and destination are the same place.", field: "destination")
    public static let noRoad = Refusal(
        422, "trip.no_road", "No road leads from the start to the destination.",
        field: "destination")
    public static let departureInThePast = Refusal(
        422, "trip.in_the_past", "The trip has no departure in the future.", field: "departsAt")
    public static let seatPriceTooHigh = Refusal(
        422, "trip.price_too_high", "The price is more than a share of the cost.",
        field: "pricePerSeat")
    public static let seatPriceNotAllowed = Refusal(
        422, "trip.price_not_allowed",
        "You can't charge for this trip: it is outside our service areas.",
        field: "pricePerSeat")
    public static let tooManyTrips = Refusal(
        409, "trip.too_many", "You have reached the limit of trips.",
        when: "The limit of trips per day, or of open trips, is reached.")
    public static let tripOverlaps = Refusal(
        409, "trip.overlaps", "You already have another trip or ride at that time.",
        when: "The driver has another trip or ride at that time.")
    public static let seatsTaken = Refusal(
        409, "trip.seats_taken", "More seats than that are already taken.", field: "seats")
    public static let tooManyFavouriteTrips = Refusal(
        409, "trip.too_many_favourites",
        "You have reached the limit of favourites. Remove one first.")
    public static let tooManySavedSearches = Refusal(
        409, "saved_search.too_many",
        "You have reached the limit of saved searches. Remove one first."
    )

    // Seats and rides
    public static let rideUnknown = Refusal(
        404, "ride.unknown", "There is no such ride, or it is not yours.")
    public static let seatRequestUnknown = Refusal(
        404, "seat_request.unknown", "There is no such request, or it is not yours.")
    public static let seatPriceChanged = Refusal(
        409, "trip.price_changed", "The price has changed. Check it and request again.",
        field: "pricePerSeat")
    public static let ownTrip = Refusal(409, "seat_request.own", "This is your own trip.")
    public static let seatRequestExists = Refusal(
        409, "seat_request.exists", "You have already requested a seat.")
    public static let rideUnpaid = Refusal(
        409, "seat_request.unpaid", "Pay for the last ride first.")
    public static let noSeatLeft = Refusal(
        409, "seat_request.no_seat", "Not enough seats are left.", field: "seats")
    public static let rideOverlaps = Refusal(
        409, "seat_request.overlaps", "The passenger already has a ride at that time.",
        when: "The passenger has another ride or trip at that time, on any day of the request.")
    public static let notOnTheWay = Refusal(
        422, "seat_request.not_on_the_way",
        "The route does not pass both points in this order.", field: "pickUp")
    public static let noRideThatDay = Refusal(
        422, "seat_request.no_ride", "The trip does not take place on that day.", field: "date")
    public static let seatPaymentRequired = Refusal(
        422, "seat_request.payment_required", "Choose a payment method.", field: "paymentMethodId")
    public static let seatRequestNotPossible = Refusal(
        409, "seat_request.not_possible", "That is no longer possible, or not yet.")
    public static let rideNotPossible = Refusal(
        409, "ride.not_possible", "That is no longer possible, or not yet.")
    public static let rideTooEarly = Refusal(
        409, "ride.too_early", "You can start the ride an hour before its departure.",
        when: "The departure is more than an hour away.")
}
