extension ServiceManifest {
    /// The service that apps of the GetALift carpool call. It has no endpoints of this API. It
    /// calls the API on behalf of the users of these apps, and no other service calls it.
    public static let getalift = ServiceManifest(
        "getalift", [.database, .personalData], peers: ["gateway"], hears: [AccountDeleted.self],
        copies: [.people])
}
