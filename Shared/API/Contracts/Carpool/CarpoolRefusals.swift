extension Refusal {
    // Trips
    public static let tripUnknown = Refusal(404, "trip.unknown", "There is no such trip.")
    public static let tripNotPossible = Refusal(
        409, "trip.not_possible", "It is not driven any more.")
    public static let tripEndsEqual = Refusal(
        422, "trip.ends_equal", "Both ends are the same place.", field: "destination")
    public static let noRoad = Refusal(
        422, "trip.no_road", "The map knows no road from one to the other.", field: "destination")
    public static let departureInThePast = Refusal(
        422, "trip.in_the_past", "No departure of it is still to come.", field: "departsAt")
    public static let seatPriceTooHigh = Refusal(
        422, "trip.price_too_high", "That is more than a share of the cost.", field: "pricePerSeat")
    public static let seatPriceNotAllowed = Refusal(
        422, "trip.price_not_allowed", "Nothing may be asked there: it is outside of the areas.",
        field: "pricePerSeat")
    public static let tooManyTrips = Refusal(
        409, "trip.too_many", "There are too many trips of yours.",
        when: "There are too many trips of today, or altogether.")
    public static let tripOverlaps = Refusal(
        409, "trip.overlaps", "You drive another trip at that time.")
    public static let seatsTaken = Refusal(
        409, "trip.seats_taken", "More seats than that are taken.", field: "seats")
    public static let tooManyFavouriteTrips = Refusal(
        409, "trip.too_many_favourites", "There are as many favourites as there can be.")
    public static let tooManySavedSearches = Refusal(
        409, "saved_search.too_many", "You have as many searches as one can have: remove one first."
    )

    // Seats and rides
    public static let rideUnknown = Refusal(
        404, "ride.unknown", "There is no such ride, or it is not yours.")
    public static let seatRequestUnknown = Refusal(
        404, "seat_request.unknown", "There is no such request, or it is not yours.")
    public static let seatPriceChanged = Refusal(
        409, "trip.price_changed", "It costs something else by now: look at it again.",
        field: "pricePerSeat")
    public static let ownTrip = Refusal(409, "seat_request.own", "You drive it yourself.")
    public static let seatRequestExists = Refusal(
        409, "seat_request.exists", "You have asked already.")
    public static let rideUnpaid = Refusal(
        409, "seat_request.unpaid", "Pay for the last ride first.")
    public static let noSeatLeft = Refusal(
        409, "seat_request.no_seat", "There are not so many seats left.", field: "seats")
    public static let rideOverlaps = Refusal(
        409, "seat_request.overlaps", "There is another ride at that time.",
        when: "The passenger rides or drives elsewhere at that time.")
    public static let notOnTheWay = Refusal(
        422, "seat_request.not_on_the_way",
        "The way does not pass both points, one after the other.", field: "pickUp")
    public static let noRideThatDay = Refusal(
        422, "seat_request.no_ride", "It is not driven on that day.", field: "date")
    public static let seatPaymentRequired = Refusal(
        422, "seat_request.payment_required", "Name a way to pay.", field: "paymentMethodId")
    public static let seatRequestNotPossible = Refusal(
        409, "seat_request.not_possible", "That is not possible any more, or not yet.")
    public static let rideNotPossible = Refusal(
        409, "ride.not_possible", "That is not possible any more, or not yet.")
    public static let rideTooEarly = Refusal(
        409, "ride.too_early", "It is too early.", when: "It departs in more than an hour.")
}
