extension ServiceManifest {
    public static let spots = ServiceManifest(
        "spots",
        [.tokenKeys, .database, .blobs, .maps, .router, .personalData, .bills, .engagements],
        peers: ["accounts", "location", "payments"],
        endpoints: SpotEndpoints.all + SpotRequestEndpoints.all + ParkingAlertEndpoints.all
            + SpotOperatorEndpoints.all,
        events: [SpotChanged.self],
        hears: [
            AccountChanged.self, AccountDeleted.self, VehicleChanged.self, PersonBlocked.self,
            ServiceAreaChanged.self, PartyArrived.self, PartyLeft.self, ParkingFreed.self,
            PaymentHeld.self, PaymentReleased.self, PaymentSucceeded.self, PaymentDeclined.self,
            RatingGiven.self,
        ], tells: [.engagements, .bills], copies: [.areas, .people, .vehicles, .blocks])
}

/// Street spots: drivers who leave offer them to drivers who arrive.
public enum SpotEndpoints {
    public static let offerSpot = Endpoint<SpotBody, Spot>(
        .post, "/v1/spots", id: "offerSpot", "Offer my spot",
        "You must be there: your last position is at most a minute old and within 30 metres.",
        by: [.customer], with: [.idempotencyKey],
        answer: Success("The spot.", status: 201, [.location]),
        refuses: [
            .sellingSuspended,
            .vehicleUnknown,
            .spotPhotoUnknown,
            .openSpotExists,
            .notAtSpot,
            .spotOutsideServiceArea,
            .saleNotAllowed,
            .spotPriceTooHigh,
        ])
    public static let findSpots = Endpoint<FindSpotsQuery, Page<Spot>>(
        .get, "/v1/spots", id: "findSpots", "Spots around a point",
        answer: "Open spots, nearest first, on a grid of fifty metres.")
    public static let spot = Endpoint<Void, Spot>(
        .get, "/v1/spots/{id}", id: "spot", "A spot", by: [.customer, .operator],
        answer: Success("The spot as the caller may see it.", [.eTag]), refuses: [.spotUnknown])
    public static let spotTerms = Endpoint<PointQuery, SpotTerms>(
        .get, "/v1/spot-terms", id: "spotTerms", "The rules for a spot at a point",
        answer: "The area's policy, and the recent price nearby.",
        refuses: [.spotOutsideServiceArea])
    public static let spotTrack = LocationEndpoints.engagementTrack.at(
        "/v1/spots/{id}/track", id: "spotTrack", "Positions of the seller and the buyer",
        "`seller`, `buyer` and `spot`, for both sides, while the spot is reserved.")
    public static let spotRoute = LocationEndpoints.engagementRoute.at(
        "/v1/spots/{id}/route", id: "spotRoute", "The buyer's route to the spot")
    public static let rateSpot = RatingEndpoints.rateEngagement.at(
        "/v1/spots/{id}/rating", id: "rateSpot", "Rate the other side",
        "Possible once the spot is handed over.")
    public static let mySpots = Endpoint<PageQuery, Page<Spot>>(
        .get, "/v1/me/spots", id: "mySpots", "Spots that I offer or have offered",
        by: [.customer], answer: "Newest first.")
    public static let cancelSpot = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/cancel", id: "cancelSpot", "Withdraw my spot",
        "Releases the buyers' money. Cancelling a reserved spot counts against the seller.",
        by: [.customer], answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let leaveSpot = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/leaving", id: "leaveSpot", "Report that I am leaving my spot",
        "For a reserved spot. Moving thirty metres away has the same effect.", by: [.customer],
        answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let buyerAbsent = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/buyer-absent", id: "buyerAbsent",
        "Report that the buyer did not come",
        "Possible after `absentAfter`. The buyer pays the fee.", by: [.customer],
        answer: "The spot.",
        refuses: [
            .spotUnknown, .spotNotPossible,
            .buyerHasTime,
            .buyerArrived,
        ])
    public static let spotHandedOver = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/handed-over", id: "spotHandedOver", "Confirm the hand-over",
        "The hand-over is complete when both sides have confirmed.", by: [.customer],
        answer: "The spot.",
        refuses: [.spotUnknown, .spotNotPossible])
    public static let answerDispute = Endpoint<SpotAnswerBody, Spot>(
        .post, "/v1/spots/{id}/answer", id: "answerDispute", "Answer a dispute",
        "For the seller, once, before the decision.", by: [.customer], answer: "The spot.",
        refuses: [.spotUnknown, .spotNotPossible])
    public static let addSpotPhoto = Endpoint<Bytes, SpotPhoto>(
        .post, "/v1/me/spot-photos", id: "addSpotPhoto", "Upload a picture for a spot",
        """
        Send the bytes as they are, up to 8 MB; the content determines the type. Use the picture in an offer or a \
        dispute within an hour.
        """, by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The picture.", status: 201),
        refuses: [.tooManySpotPhotos]
            + Refusal.noPicture)
    public static let spotPicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/spots/{id}", id: "spotPicture", "A picture of a spot",
        "The signature in the address grants access.", by: .anybody,
        answer: Success(
            "The picture; cache it as long as the address is valid.", as: MediaType.photos),
        refuses: Refusal.signedPicture)

    public static let all: [AnyEndpoint] = [
        offerSpot.untyped, findSpots.untyped, spot.untyped, spotTerms.untyped, spotTrack.untyped,
        spotRoute.untyped, rateSpot.untyped, mySpots.untyped,
        cancelSpot.untyped, leaveSpot.untyped, buyerAbsent.untyped, spotHandedOver.untyped,
        answerDispute.untyped, addSpotPhoto.untyped, spotPicture.untyped,
    ]
}

/// Requests and bids for spots.
public enum SpotRequestEndpoints {
    public static let requestSpot = Endpoint<SpotRequestBody, SpotRequest>(
        .post, "/v1/spots/{id}/requests", id: "requestSpot", "Request a spot",
        """
        The price is held on the card and charged at the hand-over. With `requiresAction` in the payment the client \
        must take a further step; the request counts once the money is held.
        """, by: [.customer], with: [.idempotencyKey],
        answer: Success("The request.", status: 201, [.location]),
        refuses: wanting + [
            .spotPriceChanged,
            .soldByAuction,
        ])
    public static let bid = Endpoint<SpotBidBody, SpotBidAnswer>(
        .post, "/v1/spots/{id}/bids", id: "bid", "Bid for a spot",
        """
        The whole maximum is held. The winner pays one step above the second highest maximum, and never more than \
        their own. A bid in the last thirty seconds extends the auction by thirty seconds.
        """, by: [.customer], with: [.idempotencyKey],
        answer: Success("Whether you are the highest bidder, and the current bid.", status: 201),
        refuses: wanting + [
            .soldAtPrice,
            .auctionClosed,
            .bidTooLow,
            .spotPriceTooHigh,
        ])
    public static let mySpotRequests = Endpoint<PageQuery, Page<SpotRequest>>(
        .get, "/v1/me/spot-requests", id: "mySpotRequests", "My spot requests",
        by: [.customer], answer: "Newest first.")
    public static let approveRequest = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/approve", id: "approveRequest", "Approve a request",
        by: [.customer], answer: "The spot, reserved, with the buyer's contact.",
        refuses: [
            .spotRequestUnknown, .spotRequestNotPossible, .spotNotPossible, .soldByAuction,
            .spotRequestExpired,
        ])
    public static let denyRequest = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/deny", id: "denyRequest", "Decline a request",
        by: [.customer], answer: "The spot.",
        refuses: [.spotRequestUnknown, .spotRequestNotPossible, .spotNotPossible, .soldByAuction])
    public static let cancelRequest = Endpoint<Void, SpotRequest>(
        .post, "/v1/spot-requests/{id}/cancel", id: "cancelRequest", "Cancel my request",
        "Free until a minute after the approval; then the fee applies. The highest bid can't be cancelled.",
        by: [.customer], answer: "The request.",
        refuses: [.spotRequestUnknown, .spotRequestNotPossible])
    public static let here = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/here", id: "here", "Confirm that I am at the spot",
        "If both sides confirm, the buyer has arrived, whatever the positions say.",
        by: [.customer],
        answer: "The spot.", refuses: [.spotRequestUnknown, .spotRequestNotPossible])
    public static let parked = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/parked", id: "parked", "Confirm that I have parked",
        by: [.customer], answer: "The spot.",
        refuses: [
            .spotRequestUnknown, .spotRequestNotPossible,
            .buyerNotArrived,
        ])
    public static let spotGone = Endpoint<SpotGoneBody, Spot>(
        .post, "/v1/spot-requests/{id}/spot-gone", id: "spotGone", "Report that the spot is taken",
        "Possible at the place, with a picture. The money is released.", by: [.customer],
        answer: "The spot, now failed.",
        refuses: [
            .spotRequestUnknown, .spotRequestNotPossible,
            .spotPhotoUnknown,
            .notAtSpot,
        ])

    public static let all: [AnyEndpoint] = [
        requestSpot.untyped, bid.untyped, mySpotRequests.untyped, approveRequest.untyped,
        denyRequest.untyped, cancelRequest.untyped, here.untyped, parked.untyped, spotGone.untyped,
    ]

    private static let wanting: [Refusal] =
        Refusal.paying + [
            .spotUnknown, .spotNotPossible, .buyingSuspended,
            .vehicleUnknown,
            .ownSpot,
            .spotUnpaid,
            .spotRequestExists,
            .spotRequestDenied,
            .tooManySpotRequests,
            .spotPaymentRequired,
        ]
}

/// Alerts for free spots and spaces.
public enum ParkingAlertEndpoints {
    public static let parkingAlerts = Endpoint<PageQuery, Page<ParkingAlert>>(
        .get, "/v1/me/parking-alerts", id: "parkingAlerts", "My parking alerts",
        by: [.customer], answer: "Newest first.")
    public static let addParkingAlert = Endpoint<ParkingAlertBody, ParkingAlert>(
        .post, "/v1/me/parking-alerts", id: "addParkingAlert", "Add a parking alert",
        """
        We notify you within two seconds of an offer, at most once in five minutes; also of a space in a car park \
        that was full, if an hour there costs no more than `maxPrice`.
        """, by: [.customer],
        with: [.idempotencyKey], answer: Success("The alert.", status: 201),
        refuses: [.tooManyParkingAlerts])
    public static let removeParkingAlert = Endpoint<Void, Void>(
        .delete, "/v1/me/parking-alerts/{id}", id: "removeParkingAlert", "Remove a parking alert",
        by: [.customer], answer: "The alert is removed, or did not exist.")

    public static let all: [AnyEndpoint] = [
        parkingAlerts.untyped, addParkingAlert.untyped, removeParkingAlert.untyped,
    ]
}

/// Spots and policies, for operators.
public enum SpotOperatorEndpoints {
    public static let allSpots = Endpoint<AllSpotsQuery, Page<Spot>>(
        .get, "/v1/admin/spots", id: "allSpots", "All spots", by: [.operator],
        answer: "Newest first.")
    public static let decideDispute = Endpoint<SpotDecisionBody, Spot>(
        .post, "/v1/admin/spots/{id}/decision", id: "decideDispute", "Decide a dispute",
        by: [.operator], answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let spotPolicy = Endpoint<Void, SpotPolicy>(
        .get, "/v1/admin/spot-policies/{area}", id: "spotPolicy", "The rules of an area",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let putSpotPolicy = Endpoint<SpotPolicy, SpotPolicy>(
        .put, "/v1/admin/spot-policies/{area}", id: "putSpotPolicy", "Set the rules of an area",
        "They apply to spots that are offered from now on.", by: [.operator],
        ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let spotStatistics = Endpoint<SpanQuery, Page<SpotStatistics>>(
        .get, "/v1/admin/statistics/spots", id: "spotStatistics", "Statistics of spots",
        "One line per day and area, for up to 31 days; the last week by default.",
        by: [.operator],
        answer: "Newest first.")

    public static let all: [AnyEndpoint] = [
        allSpots.untyped, decideDispute.untyped, spotPolicy.untyped, putSpotPolicy.untyped,
        spotStatistics.untyped,
    ]
}
