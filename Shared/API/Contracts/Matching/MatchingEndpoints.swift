extension ServiceManifest {
    public static let matching = ServiceManifest(
        "matching", [.tokenKeys, .redis, .router, .maps, .interactive], peers: ["location"],
        endpoints: MatchingEndpoints.all, events: [ValetMatched.self, NoValetFound.self],
        hears: [
            DropOffRequested.self, MatchRepeated.self, ValetAssigned.self, OrderUnfulfilled.self,
            OrderCancelled.self, ValetWithdrawn.self, VehicleParked.self, ReturnRequested.self,
            ReturnUnfulfilled.self, RecallCancelled.self, VehicleReturned.self,
            OrderOverridden.self, ValetOffered.self, OfferEnded.self, AvailabilityChanged.self,
        ])
}

/// Explains matching decisions.
public enum MatchingEndpoints {
    public static let matching = Endpoint<Void, MatchingTrace>(
        .get, "/v1/orders/{id}/matching", id: "matching", "Explain why this valet was chosen",
        by: [.operator],
        answer: "The valets considered with their costs, and why the others were excluded.",
        refuses: [.noMatchingDecision])
    public static let all: [AnyEndpoint] = [
        matching.untyped
    ]
}
