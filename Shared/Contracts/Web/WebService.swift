extension ServiceManifest {
    /// The web apps: a page each, and their files.
    public static let web = ServiceManifest(
        "web", [], endpoints: WebEndpoints.all,
        pages: ["/", "/valet", "/operator", "/service-worker.js"], folders: ["/apps", "/leaflet"])
}
