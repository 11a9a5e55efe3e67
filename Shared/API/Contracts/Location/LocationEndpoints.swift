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
        ], copies: [.areas, .people, .engagements, .shifts])
}

/// Positions of people, and routes to them.
public enum LocationEndpoints {
    public static let recordPosition = Endpoint<PositionBody, Void>(
        .put, "/v1/me/location", id: "recordPosition", "Send my position",
        """
        Send one every 10 seconds, more often during a job. The gateway forwards positions of many people together.
        """, by: [.customer, .valet], rate: .positions, bodyLimit: BodyLimit.position,
        answer: """
            Accepted. A position that is too old, too inaccurate, repeated or at 0° N, 0° E is stored with a mark and \
            does not count.
            """, refuses: [.positionInvalid])
    public static let recordPositions = Endpoint<PositionsBody, PositionsAnswer>(
        .post, "/v1/me/locations", id: "recordPositions", "Send several positions",
        "Impossible positions are left out; the request is refused only if all of them are.",
        by: [.customer, .valet],
        answer: Success("The number of positions that count.", status: 202),
        refuses: [.positionInvalid])
    public static let setAvailability = Endpoint<AvailabilityBody, AvailabilityBody>(
        .put, "/v1/me/availability", id: "setAvailability", "Set my availability",
        by: [.valet], answer: "The status as it is now: `busy` during a job.",
        refuses: [
            .valetSuspended,
            .valetOnJob, .valetOffShift,
            .positionInvalid,
        ])
    public static let nearbyValets = Endpoint<NearbyValetsQuery, Page<NearbyValet>>(
        .get, "/v1/valets/nearby", id: "nearbyValets", "Available valets around a point",
        answer: "Nearest first, rounded and without identity.")
    public static let track = Endpoint<Void, Track>(
        .get, "/v1/orders/{id}/track", id: "track", "Positions of the parties and the vehicle",
        answer: "Positions with their age.", refuses: [.orderUnknown])
    public static let route = Endpoint<Void, RouteAnswer>(
        .get, "/v1/orders/{id}/route", id: "route", "The route of the current leg",
        """
        The route of the valet, or of the vehicle that they drive, for people who may see the `track`. Along roads, \
        or a straight line while no router answers: `source` says which. A route is cached for a few seconds.
        """, answer: "The route from the valet's last position.",
        refuses: [
            .orderUnknown,
            .noRouteNow,
        ])
    public static let engagementTrack = Endpoint<Void, EngagementTrack>(
        .get, "/v1/engagements/{id}/track", id: "engagementTrack",
        "Positions in an order or in another product's engagement",
        answer: "Positions with their age, by the product's names for them.",
        refuses: [.engagementUnknown])
    public static let engagementRoute = Endpoint<Void, RouteAnswer>(
        .get, "/v1/engagements/{id}/route", id: "engagementRoute",
        "The route of the person on the way",
        """
        For people who may see the `track`. Along roads, or a straight line while no router answers: `source` says \
        which. A route is cached for a few seconds.
        """, answer: "The route from their last position.",
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
