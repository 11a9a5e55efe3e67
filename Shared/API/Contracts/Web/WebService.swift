extension ServiceManifest {
    /// The web apps: a page each, and their files; the tiles of their maps; what they tell of their faults.
    public static let web = ServiceManifest(
        "web", [.maps, .geocoder], endpoints: WebEndpoints.all,
        pages: ["/", "/valet", "/operator", "/service-worker.js", "/tiles"],
        folders: ["/apps", "/leaflet", "/tiles"])
}
