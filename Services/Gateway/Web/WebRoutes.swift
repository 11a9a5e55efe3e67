import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// What browsers get beside the API: a page an app, and files from memory. No service is asked and
/// nobody need be signed in.
struct WebRoutes: Sendable {
    static let methods: [HTTPRequest.Method] = [.get, .head]
    /// Prefixes and single addresses of files.
    static let filePaths = ["/apps/**", "/leaflet/**", WebFiles.workerAddress]
    /// Counted apart from calls: a page fetches dozens of files at once.
    static let files = Endpoint<Void, Bytes>(
        .get, "/apps/**", id: "files", "A file of a web app", by: .anybody, rate: .files,
        answer: "The file.")

    let admission: Admission
    let source: WebSource
    let pages: WebPages
    let policy: WebPolicy

    init(_ config: WebConfig, admission: Admission) throws {
        self.admission = admission
        source = try config.source()
        pages = try WebPages(config.tiles)
        policy = WebPolicy(config.tiles)
    }

    func add(to router: Router<Context>) {
        for app in WebApp.allCases {
            add(app.address, to: router) { request in try page(app, request) }
        }
        for path in Self.filePaths {
            add(path, to: router) { request in try file(request) }
        }
    }

    private func add(
        _ path: String, to router: Router<Context>,
        _ answer: @escaping @Sendable (Request) throws -> Response
    ) {
        for method in GatewayRoutes.methods {
            router.on(RouterPath(path), method: method) { request, context in
                guard Self.methods.contains(method) else {
                    return GatewayRoutes.refusal(Self.methods)
                }
                _ = try await admission.admit(Self.files.untyped, request, context)
                return try answer(request)
            }
        }
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
