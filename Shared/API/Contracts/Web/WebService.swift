extension ServiceManifest {
    /// Serves the web apps' pages and files and the tiles of their maps, and receives their error reports.
    public static let web = ServiceManifest(
        "web", [.maps, .geocoder], endpoints: WebEndpoints.all,
        pages: ["/", "/valet", "/operator", "/pay", "/service-worker.js", "/tiles"],
        folders: ["/apps", "/leaflet", "/pay", "/tiles"])
}
