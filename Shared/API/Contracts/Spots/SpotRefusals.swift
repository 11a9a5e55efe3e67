extension Refusal {
    public static let spotUnknown = Refusal(404, "spot.unknown", "There is no such spot.")
    public static let spotNotPossible = Refusal(
        409, "spot.not_possible", "That is no longer possible, or not yet.")

    // Offering
    public static let sellingSuspended = Refusal(
        403, "spot.selling_suspended",
        "You can't offer spots for now, because too many hand-overs failed.",
        when: "Too many hand-overs failed lately; `detail` says how long it lasts.")
    public static let openSpotExists = Refusal(
        409, "spot.open_exists", "You are already offering a spot.")
    public static let notAtSpot = Refusal(
        422, "spot.not_there", "Turn on location and stand at the spot.", field: "position",
        when: "The person is elsewhere, or their position is unknown.")
    public static let spotOutsideServiceArea = Refusal(
        422, "spot.outside_service_area",
        "You can't offer a spot there: it is outside our service areas.",
        field: "position")
    public static let saleNotAllowed = Refusal(
        422, "spot.sale_not_allowed", "Spots can't be sold there. Offer it for free.",
        field: "price")
    public static let spotPriceTooHigh = Refusal(
        422, "spot.price_too_high", "The price is above the maximum there.", field: "price")
    public static let tooManySpotPhotos = Refusal(
        409, "spot.too_many_photos", "You have too many unused pictures. Use one first.")
    public static let spotPhotoUnknown = Refusal(
        404, "picture.unknown", "There is no such picture of yours, or it was removed.",
        field: "photoId")

    // Requesting
    public static let buyingSuspended = Refusal(
        403, "spot.buying_suspended",
        "You can't request spots for now, because too many hand-overs failed.",
        when: "Too many hand-overs failed lately; `detail` says how long it lasts.")
    public static let ownSpot = Refusal(409, "spot.own", "This is your own spot.")
    public static let spotUnpaid = Refusal(409, "spot.unpaid", "Pay for the last spot first.")
    public static let spotRequestExists = Refusal(
        409, "spot_request.exists", "You have already requested a spot. Cancel that request first.")
    public static let spotRequestDenied = Refusal(
        409, "spot_request.denied", "The seller has declined.")
    public static let tooManySpotRequests = Refusal(
        409, "spot.too_many_requests",
        "Too many people have requested this spot. Look for another.",
        when: "The limit is 20 requests.")
    public static let spotPaymentRequired = Refusal(
        422, "spot.payment_required", "Choose a payment method.", field: "paymentMethodId")
    public static let spotPriceChanged = Refusal(
        409, "spot.price_changed", "The price has changed. Check it and request again.",
        field: "price")
    public static let soldByAuction = Refusal(
        409, "spot.auction", "This spot is sold by auction. Place a bid.")
    public static let soldAtPrice = Refusal(
        409, "spot.no_auction", "This spot has a fixed price. Request it instead.")
    public static let auctionClosed = Refusal(409, "spot.auction_closed", "The auction is over.")
    public static let bidTooLow = Refusal(
        422, "spot.bid_too_low", "Your bid is too low. Bid more.", field: "maximum")

    // Deciding and handing over
    public static let spotRequestUnknown = Refusal(
        404, "spot_request.unknown", "There is no such request, or it is not yours.")
    public static let spotRequestNotPossible = Refusal(
        409, "spot_request.not_possible", "That is no longer possible, or not yet.")
    public static let spotRequestExpired = Refusal(
        409, "spot_request.expired", "The time to answer is over. The buyer's money is released.")
    public static let buyerHasTime = Refusal(
        409, "spot.too_early", "The buyer still has time.")
    public static let buyerArrived = Refusal(409, "spot.buyer_arrived", "The buyer has arrived.")
    public static let buyerNotArrived = Refusal(
        409, "spot.not_arrived", "Confirm first that you have arrived.")

    public static let tooManyParkingAlerts = Refusal(
        409, "parking_alert.too_many",
        "You have reached the limit of alerts. Remove one first.",
        when: "The limit is 20.")
}
