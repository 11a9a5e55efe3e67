extension Refusal {
    public static let spotUnknown = Refusal(404, "spot.unknown", "There is no such spot.")
    public static let spotNotPossible = Refusal(
        409, "spot.not_possible", "That is not possible any more, or not yet.")

    // Offering
    public static let sellingSuspended = Refusal(
        403, "spot.selling_suspended", "You can't offer spots for now: too much went wrong lately.",
        when: "Too much went wrong lately; `detail` says how long.")
    public static let openSpotExists = Refusal(
        409, "spot.open_exists", "You have an open spot already.")
    public static let notAtSpot = Refusal(
        422, "spot.not_there", "You have to be there: share your position.", field: "position",
        when: "One does not stand there, or where one stands is not known.")
    public static let spotOutsideServiceArea = Refusal(
        422, "spot.outside_service_area",
        "Nothing can be offered there: it is outside of the areas.",
        field: "position")
    public static let saleNotAllowed = Refusal(
        422, "spot.sale_not_allowed", "Spots can't be sold there: offer it for nothing.",
        field: "price")
    public static let spotPriceTooHigh = Refusal(
        422, "spot.price_too_high", "That is more than a spot may cost there.", field: "price")
    public static let tooManySpotPhotos = Refusal(
        409, "spot.too_many_photos", "There are too many pictures that you have not used.")
    public static let spotPhotoUnknown = Refusal(
        404, "picture.unknown", "There is no such picture of yours, or it is not shown any more.",
        field: "photoId")

    // Wanting one
    public static let buyingSuspended = Refusal(
        403, "spot.buying_suspended", "You can't get spots for now: too much went wrong lately.",
        when: "Too much went wrong lately; `detail` says how long.")
    public static let ownSpot = Refusal(409, "spot.own", "It is your own.")
    public static let spotUnpaid = Refusal(409, "spot.unpaid", "Pay for the last spot first.")
    public static let spotRequestExists = Refusal(
        409, "spot_request.exists", "You want a spot already: give that up first.")
    public static let spotRequestDenied = Refusal(
        409, "spot_request.denied", "The seller has said no.")
    public static let tooManySpotRequests = Refusal(
        409, "spot.too_many_requests", "Too many others have asked already: look for another.",
        when: "Twenty others have asked already.")
    public static let spotPaymentRequired = Refusal(
        422, "spot.payment_required", "Name a way to pay.", field: "paymentMethodId")
    public static let spotPriceChanged = Refusal(
        409, "spot.price_changed", "It costs something else by now: look at it again.",
        field: "price")
    public static let soldByAuction = Refusal(
        409, "spot.auction", "It is sold by auction: bid for it.")
    public static let soldAtPrice = Refusal(
        409, "spot.no_auction", "It is sold at a price: ask for it.")
    public static let auctionClosed = Refusal(409, "spot.auction_closed", "The auction is over.")
    public static let bidTooLow = Refusal(
        422, "spot.bid_too_low", "That is too little: bid more.", field: "maximum")

    // Deciding and handing over
    public static let spotRequestUnknown = Refusal(
        404, "spot_request.unknown", "There is no such request, or it is not yours.")
    public static let spotRequestNotPossible = Refusal(
        409, "spot_request.not_possible", "That is not possible any more, or not yet.")
    public static let spotRequestExpired = Refusal(
        409, "spot_request.expired", "The time to answer is over: the buyer's money is released.")
    public static let buyerHasTime = Refusal(
        409, "spot.too_early", "The buyer still has time.")
    public static let buyerArrived = Refusal(409, "spot.buyer_arrived", "The buyer is there.")
    public static let buyerNotArrived = Refusal(
        409, "spot.not_arrived", "Nobody knows yet that you are there: say so first.")

    public static let tooManyParkingAlerts = Refusal(
        409, "parking_alert.too_many",
        "You have as many alerts as one can have: remove one first.",
        when: "There are twenty already.")
}
