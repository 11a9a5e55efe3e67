import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Serves browsers a page per app, and files from memory. No other service and no sign-in are needed.
struct WebRoutes: Sendable {
    let source: WebSource
    let pages: WebPages
    let policy: WebPolicy
    let ownTiles: OwnTiles
    /// Nil outside a demo.
    let demo: DemoView?

    init(_ config: WebConfig) throws {
        pages = try WebPages(
            config.tiles, hasGeocoder: config.hasGeocoder, isDemo: config.demo != nil,
            company: config.company)
        source = try config.source(pages)
        policy = WebPolicy(config.tiles, config.cardForm)
        ownTiles = OwnTiles(config.maps)
        demo = config.demo
    }

    func add(to router: Router<Context>) {
        for app in WebApp.allCases {
            router.get(RouterPath(app.address)) { request, _ in try page(app, request) }
        }
        // A QR code may name the stay; the page reads the code from its address.
        router.get("/pay/{code}") { request, _ in try page(.pay, request) }
        for path in ["/apps/**", "/leaflet/**", WebFiles.workerAddress] {
            router.get(RouterPath(path)) { request, _ in try file(request) }
        }
        ownTiles.add(to: router)
    }

    private func page(_ app: WebApp, _ request: Request) throws -> Response {
        let language = Language(accepting: request.headers[.acceptLanguage])
        let files = try source.files()
        let page = pages.page(
            app, language, version: files.version, hasLeaflet: files.hasLeaflet)
        var headers = policy.page
        headers[.contentLanguage] = language.rawValue
        headers[.webVersion] = files.version
        return page.answer(request, headers)
    }

    /// Uses the raw path: ours contain nothing to unescape.
    private func file(_ request: Request) throws -> Response {
        let files = try source.files()
        guard let file = files[request.uri.path] else { throw Refusal.notFound }
        var headers = policy.file
        headers[.webVersion] = files.version
        return file.answer(request, headers)
    }
}

extension HTTPField.Name {
    /// The version of the web apps that a page or file belongs to; those of two versions don't fit together.
    static let webVersion = Self("OpenValet-Web-Version")!
}
