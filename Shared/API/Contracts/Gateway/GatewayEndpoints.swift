extension ServiceManifest {
    public static let gateway = ServiceManifest(
        "gateway", tag: "documents", [.tokenKeys, .redis, .interactive],
        endpoints: GatewayEndpoints.all,
        hears: [PositionRecorded.self, NotificationCreated.self, AccountDeleted.self])
}

/// The documents of the API.
public enum GatewayEndpoints {
    public static let openAPI = Endpoint<Void, Bytes>(
        .get, "/openapi.yaml", id: "openAPI", "The HTTP API", by: .anybody,
        answer: Success("The HTTP API.", as: [.yaml]))
    public static let asyncAPI = Endpoint<Void, Bytes>(
        .get, "/asyncapi.yaml", id: "asyncAPI", "The events", by: .anybody,
        answer: Success("The events.", as: [.yaml]))
    public static let all: [AnyEndpoint] = [
        openAPI.untyped, asyncAPI.untyped,
    ]
}
