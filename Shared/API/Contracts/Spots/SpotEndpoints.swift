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
        ])
}

/// Spots: offered by who leaves, found by who comes.
public enum SpotEndpoints {
    public static let offerSpot = Endpoint<SpotBody, Spot>(
        .post, "/v1/spots", id: "offerSpot", "Offer my spot",
        "One stands there: the last position that was sent is a minute old at most, and within 30 metres.",
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
        answer: "Open ones, nearest first, on a grid of fifty metres.")
    public static let spot = Endpoint<Void, Spot>(
        .get, "/v1/spots/{id}", id: "spot", "A spot", by: [.customer, .operator],
        answer: Success("As the caller may see it.", [.eTag]), refuses: [.spotUnknown])
    public static let spotTerms = Endpoint<PointQuery, SpotTerms>(
        .get, "/v1/spot-terms", id: "spotTerms", "What holds for a spot there",
        answer: "The area's policy, and what was paid around there lately.",
        refuses: [.spotOutsideServiceArea])
    public static let spotTrack = LocationEndpoints.engagementTrack.at(
        "/v1/spots/{id}/track", id: "spotTrack", "Where the two of a reserved spot are",
        "`seller`, `buyer` and `spot`, for its two sides, while it is reserved.")
    public static let spotRoute = LocationEndpoints.engagementRoute.at(
        "/v1/spots/{id}/route", id: "spotRoute", "The buyer's way to the spot")
    public static let rateSpot = RatingEndpoints.rateEngagement.at(
        "/v1/spots/{id}/rating", id: "rateSpot", "Rate the other side", "Once it is handed over.")
    public static let mySpots = Endpoint<PageQuery, Page<Spot>>(
        .get, "/v1/me/spots", id: "mySpots", "Spots that I offer, or have offered",
        by: [.customer], answer: "Newest first.")
    public static let cancelSpot = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/cancel", id: "cancelSpot", "Take my spot back",
        "Buyers' money is released. Of one that is reserved it counts against the seller.",
        by: [.customer], answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let leaveSpot = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/leaving", id: "leaveSpot", "I am leaving it now",
        "Of a reserved spot. Moving thirty metres away says the same.", by: [.customer],
        answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let buyerAbsent = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/buyer-absent", id: "buyerAbsent", "The buyer has not come",
        "After `absentAfter`. The buyer pays the fee.", by: [.customer], answer: "The spot.",
        refuses: [
            .spotUnknown, .spotNotPossible,
            .buyerHasTime,
            .buyerArrived,
        ])
    public static let spotHandedOver = Endpoint<Void, Spot>(
        .post, "/v1/spots/{id}/handed-over", id: "spotHandedOver", "It is handed over",
        "Said by both sides.", by: [.customer], answer: "The spot.",
        refuses: [.spotUnknown, .spotNotPossible])
    public static let answerDispute = Endpoint<SpotAnswerBody, Spot>(
        .post, "/v1/spots/{id}/answer", id: "answerDispute", "What I say to a dispute",
        "Once, by the seller, until it is decided.", by: [.customer], answer: "The spot.",
        refuses: [.spotUnknown, .spotNotPossible])
    public static let addSpotPhoto = Endpoint<Bytes, SpotPhoto>(
        .post, "/v1/me/spot-photos", id: "addSpotPhoto", "A picture for a spot",
        """
        The bytes as they are, up to 8 MB; their type is told by their content. To be named in an offer or a \
        dispute within the hour.
        """, by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The picture.", status: 201),
        refuses: [.tooManySpotPhotos]
            + Refusal.noPicture)
    public static let spotPicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/spots/{id}", id: "spotPicture", "A picture of a spot",
        "Opened by the signature in the address.", by: .anybody,
        answer: Success(
            "The picture, to be cached as long as the address is good.", as: MediaType.photos),
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
        .post, "/v1/spots/{id}/requests", id: "requestSpot", "I want this spot",
        """
        The price is held on the card, and taken at the hand-over. With `requiresAction` in the payment the client \
        has a further step to take; the request counts as soon as the money is held.
        """, by: [.customer], with: [.idempotencyKey],
        answer: Success("The request.", status: 201, [.location]),
        refuses: wanting + [
            .spotPriceChanged,
            .soldByAuction,
        ])
    public static let bid = Endpoint<SpotBidBody, SpotBidAnswer>(
        .post, "/v1/spots/{id}/bids", id: "bid", "Bid for a spot",
        """
        Up to a maximum, all of which is held; the winner pays the second highest maximum and one step, at most \
        their own. A bid in the last thirty seconds prolongs the auction by thirty seconds.
        """, by: [.customer], with: [.idempotencyKey],
        answer: Success("Whether one leads, and at what.", status: 201),
        refuses: wanting + [
            .soldAtPrice,
            .auctionClosed,
            .bidTooLow,
            .spotPriceTooHigh,
        ])
    public static let mySpotRequests = Endpoint<PageQuery, Page<SpotRequest>>(
        .get, "/v1/me/spot-requests", id: "mySpotRequests", "Spots that I want, or wanted",
        by: [.customer], answer: "Newest first.")
    public static let approveRequest = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/approve", id: "approveRequest", "This buyer gets it",
        by: [.customer], answer: "The spot, reserved, with the buyer's contact.",
        refuses: [
            .spotRequestUnknown, .spotRequestNotPossible, .spotNotPossible, .soldByAuction,
            .spotRequestExpired,
        ])
    public static let denyRequest = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/deny", id: "denyRequest", "Not this buyer",
        by: [.customer], answer: "The spot.",
        refuses: [.spotRequestUnknown, .spotRequestNotPossible, .spotNotPossible, .soldByAuction])
    public static let cancelRequest = Endpoint<Void, SpotRequest>(
        .post, "/v1/spot-requests/{id}/cancel", id: "cancelRequest", "I do not want it any more",
        "Free until a minute after the approval; then the fee is taken. A bid that leads stays.",
        by: [.customer], answer: "The request.",
        refuses: [.spotRequestUnknown, .spotRequestNotPossible])
    public static let here = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/here", id: "here", "I am at the spot",
        "Said by both sides it is an arrival, whatever their positions say.", by: [.customer],
        answer: "The spot.", refuses: [.spotRequestUnknown, .spotRequestNotPossible])
    public static let parked = Endpoint<Void, Spot>(
        .post, "/v1/spot-requests/{id}/parked", id: "parked", "I have parked there",
        by: [.customer], answer: "The spot.",
        refuses: [
            .spotRequestUnknown, .spotRequestNotPossible,
            .buyerNotArrived,
        ])
    public static let spotGone = Endpoint<SpotGoneBody, Spot>(
        .post, "/v1/spot-requests/{id}/spot-gone", id: "spotGone", "It is taken",
        "Said at the place, with a picture. The money is released.", by: [.customer],
        answer: "The spot, failed.",
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

/// What people want to be told of.
public enum ParkingAlertEndpoints {
    public static let parkingAlerts = Endpoint<PageQuery, Page<ParkingAlert>>(
        .get, "/v1/me/parking-alerts", id: "parkingAlerts", "Where I look for parking",
        by: [.customer], answer: "Newest first.")
    public static let addParkingAlert = Endpoint<ParkingAlertBody, ParkingAlert>(
        .post, "/v1/me/parking-alerts", id: "addParkingAlert", "Tell me of spots around here",
        """
        Within two seconds of an offer, and at most once in five minutes; also of a space in a car park that was full. \
        `maxPrice` is held against the price of an hour there.
        """, by: [.customer],
        with: [.idempotencyKey], answer: Success("The alert.", status: 201),
        refuses: [.tooManyParkingAlerts])
    public static let removeParkingAlert = Endpoint<Void, Void>(
        .delete, "/v1/me/parking-alerts/{id}", id: "removeParkingAlert", "Tell me no more",
        by: [.customer], answer: "It is gone, also where there was none.")

    public static let all: [AnyEndpoint] = [
        parkingAlerts.untyped, addParkingAlert.untyped, removeParkingAlert.untyped,
    ]
}

/// What operators see and set.
public enum SpotOperatorEndpoints {
    public static let allSpots = Endpoint<AllSpotsQuery, Page<Spot>>(
        .get, "/v1/admin/spots", id: "allSpots", "Spots", by: [.operator], answer: "Newest first.")
    public static let decideDispute = Endpoint<SpotDecisionBody, Spot>(
        .post, "/v1/admin/spots/{id}/decision", id: "decideDispute", "Decide a dispute",
        by: [.operator], answer: "The spot.", refuses: [.spotUnknown, .spotNotPossible])
    public static let spotPolicy = Endpoint<Void, SpotPolicy>(
        .get, "/v1/admin/spot-policies/{area}", id: "spotPolicy", "What an area allows",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let putSpotPolicy = Endpoint<SpotPolicy, SpotPolicy>(
        .put, "/v1/admin/spot-policies/{area}", id: "putSpotPolicy", "Set what an area allows",
        "For what is offered from now on.", by: [.operator],
        ids: .reference(to: ServiceAreaID.self), answer: "The policy.",
        refuses: [.serviceAreaUnknown])
    public static let spotStatistics = Endpoint<SpanQuery, Page<SpotStatistics>>(
        .get, "/v1/admin/statistics/spots", id: "spotStatistics", "How long people take",
        "One line per day and area, for up to 31 days; the last week by default.",
        by: [.operator],
        answer: "Newest first.")

    public static let all: [AnyEndpoint] = [
        allSpots.untyped, decideDispute.untyped, spotPolicy.untyped, putSpotPolicy.untyped,
        spotStatistics.untyped,
    ]
}
