extension ServiceManifest {
    public static let matching = ServiceManifest(
        "matching", [.tokenKeys, .redis, .router, .maps], peers: ["location"],
        endpoints: MatchingEndpoints.all, events: [ValetMatched.self, NoValetFound.self],
        hears: [
            DropOffRequested.self, MatchRepeated.self, ValetAssigned.self, OrderUnfulfilled.self,
            OrderCancelled.self, ValetWithdrawn.self, VehicleParked.self, ReturnRequested.self,
            ReturnUnfulfilled.self, RecallCancelled.self, VehicleReturned.self,
            OrderOverridden.self, ValetOffered.self, OfferEnded.self, AvailabilityChanged.self,
        ])
}

/// Why which valet.
public enum MatchingEndpoints {
    public static let matching = Endpoint<Void, MatchingTrace>(
        .get, "/v1/orders/{id}/matching", id: "matching", "Why this valet", by: [.operator],
        answer: "Who was considered, at what cost, and why the others were not.",
        refuses: [.noMatchingDecision])
    public static let all: [AnyEndpoint] = [
        matching.untyped
    ]
}
