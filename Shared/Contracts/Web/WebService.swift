extension ServiceManifest {
    /// The web apps: a page each, and their files; the tiles of their maps.
    public static let web = ServiceManifest(
        "web", [.maps],
        pages: ["/", "/valet", "/operator", "/service-worker.js", "/tiles"],
        folders: ["/apps", "/leaflet", "/tiles"])
}
