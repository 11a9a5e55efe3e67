extension ServiceManifest {
    public static let location = ServiceManifest(
        "location", tag: "positions",
        [.tokenKeys, .database, .redis, .router, .maps, .personalData],
        endpoints: LocationEndpoints.all,
        events: [
            PartyArrived.self, PartyLeft.self, AvailabilityChanged.self, PositionRecorded.self,
        ],
        hears: [
            AccountChanged.self, AccountDeleted.self, EngagementChanged.self,
            ServiceAreaChanged.self,
        ])
}

/// Positions of people, and routes to them.
public enum LocationEndpoints {
    public static let recordPosition = Endpoint<PositionBody, Void>(
        .put, "/v1/me/location", id: "recordPosition", "Where I am",
        """
        Send one each 10 seconds, more often while a job runs. Those of many people are handed on together.
        """, by: [.customer, .valet], rate: .positions, bodyLimit: BodyLimit.position,
        answer: """
            Taken. A point that is too old, too inaccurate or repeated is kept with a mark and does not count.
            """, refuses: [.positionInvalid])
    public static let recordPositions = Endpoint<PositionsBody, PositionsAnswer>(
        .post, "/v1/me/locations", id: "recordPositions", "Where I have been",
        by: [.customer, .valet], answer: Success("How many count.", status: 202),
        refuses: [.positionInvalid])
    public static let setAvailability = Endpoint<AvailabilityBody, AvailabilityBody>(
        .put, "/v1/me/availability", id: "setAvailability", "On shift, on a break, or off",
        by: [.valet], answer: "The status as it is now: `busy` while a job runs.",
        refuses: [
            .valetSuspended,
            .valetOnJob, .valetOffShift,
            .positionInvalid,
        ])
    public static let nearbyValets = Endpoint<NearbyValetsQuery, Page<NearbyValet>>(
        .get, "/v1/valets/nearby", id: "nearbyValets", "Available valets around a point",
        answer: "Nearest first, rounded and without identity.")
    public static let track = Endpoint<Void, Track>(
        .get, "/v1/orders/{id}/track", id: "track", "Where the parties and the vehicle are",
        answer: "Positions with their age.", refuses: [.orderUnknown])
    public static let route = Endpoint<Void, RouteAnswer>(
        .get, "/v1/orders/{id}/route", id: "route", "The way to where the leg goes next",
        """
        Of the valet, or of the vehicle that they drive, for those who may see the `track`. Along roads \
        while there is a router that answers, else a straight line: `source` says which. A way is remembered \
        for a few seconds.
        """, answer: "The way from the valet's last position.",
        refuses: [
            .orderUnknown,
            .noRouteNow,
        ])
    public static let engagementTrack = Endpoint<Void, EngagementTrack>(
        .get, "/v1/engagements/{id}/track", id: "engagementTrack",
        "Where people and things are in an order, or in what another product calls by its id",
        answer: "Positions with their age, by the names that the product gives them.",
        refuses: [.engagementUnknown])
    public static let engagementRoute = Endpoint<Void, RouteAnswer>(
        .get, "/v1/engagements/{id}/route", id: "engagementRoute", "The way of who is on theirs",
        """
        For those who may see the `track`. Along roads while there is a router that answers, else a straight \
        line: `source` says which. A way is remembered for a few seconds.
        """, answer: "The way from their last position.",
        refuses: [
            .engagementUnknown,
            .noRouteNow,
        ])
    public static let all: [AnyEndpoint] = [
        recordPosition.untyped, recordPositions.untyped, setAvailability.untyped,
        nearbyValets.untyped, track.untyped, route.untyped, engagementTrack.untyped,
        engagementRoute.untyped,
    ]
}
