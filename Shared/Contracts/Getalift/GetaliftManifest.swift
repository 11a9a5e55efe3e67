extension ServiceManifest {
    /// What apps of the GetALift carpool call. It has none of our endpoints, asks our API as these apps' people would,
    /// and is known to nobody.
    public static let getalift = ServiceManifest(
        "getalift", [.database, .personalData], peers: ["gateway"], hears: [AccountDeleted.self])
}
