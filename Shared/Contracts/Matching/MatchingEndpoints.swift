extension ServiceManifest {
    public static let matching = ServiceManifest(
        "matching", [.tokenKeys, .redis, .router, .maps], peers: ["location"],
        endpoints: MatchingEndpoints.all, events: [ValetMatched.self, NoValetFound.self],
        hears: [.orders, .location])
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
