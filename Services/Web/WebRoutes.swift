import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// What browsers get beside the API: a page an app, and files from memory. No service is asked and
/// nobody need be signed in.
struct WebRoutes: Sendable {
    let source: WebSource
    let pages: WebPages
    let policy: WebPolicy
    let ownTiles: OwnTiles

    init(_ config: WebConfig) throws {
        source = try config.source()
        pages = try WebPages(config.tiles)
        policy = WebPolicy(config.tiles)
        ownTiles = OwnTiles(config.maps)
    }

    func add(to router: Router<Context>) {
        for app in WebApp.allCases {
            router.get(RouterPath(app.address)) { request, _ in try page(app, request) }
        }
        for path in ["/apps/**", "/leaflet/**", WebFiles.workerAddress] {
            router.get(RouterPath(path)) { request, _ in try file(request) }
        }
        ownTiles.add(to: router)
    }

    private func page(_ app: WebApp, _ request: Request) throws -> Response {
        let language = Language(accepting: request.headers[.acceptLanguage])
        let page = pages.page(app, language, hasLeaflet: try source.files().hasLeaflet)
        var headers = policy.page
        headers[.contentLanguage] = language.rawValue
        return page.answer(request, headers)
    }

    /// The address as it came, not unescaped: ours have nothing to escape.
    private func file(_ request: Request) throws -> Response {
        guard let file = try source.files()[request.uri.path] else { throw RequestError.notFound }
        return file.answer(request, policy.file)
    }
}
