import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Connects the routing table to its handlers: most requests are forwarded, and a few are answered by the gateway
/// itself.
struct GatewayRoutes: Sendable {
    typealias Handler = @Sendable (Route, Request, Context) async throws -> Response

    /// The longest `Prefer: wait=N` that extends a call's time limit, in seconds.
    static let longestWait = 60
    /// The extra time for a call whose service has to wait for a payment provider.
    static let providerTime: Duration = .seconds(25)

    let table: RoutingTable
    let admission: Admission
    let forwarder: Forwarder
    let gatherer: PositionGatherer
    let streams: StreamRoutes
    let whereabouts: WhereaboutsSource
    let exports: ExportSource
    let timeout: Duration
    let clock: ServiceClock

    func add(to router: Router<Context>) {
        router.add(middleware: MethodRules(table: table))
        for page in table.pages {
            router.get(RouterPath(page.path)) { request, context in
                try await fetch(page.target, request, context)
            }
            router.head(RouterPath(page.path)) { request, context in
                try await fetch(page.target, request, context).createHeadResponse()
            }
        }
        for route in table.routes {
            let (endpoint, handler) = (route.endpoint, composed[route.endpoint.id] ?? forward)
            router.on(RouterPath(endpoint.path), method: endpoint.method.httpMethod) {
                request, context in
                try await handler(route, request, context)
            }
        }
    }

    /// Handlers of the gateway itself, by the endpoint's id.
    var composed: [String: Handler] {
        [
            LocationEndpoints.recordPosition.id: recordPosition,
            NotificationEndpoints.stream.id: openStream,
            AccountEndpoints.valets.id: listValets,
            AccountEndpoints.exportMe.id: exportMe,
            GatewayEndpoints.openAPI.id: document(Documents.openAPI),
            GatewayEndpoints.asyncAPI.id: document(Documents.asyncAPI),
        ]
    }

    /// Fetches a public page or file, whose path contains no characters to escape.
    private func fetch(
        _ target: Target, _ request: Request, _ context: Context
    ) async throws -> Response {
        _ = try await admission.admit(Self.page, request, context)
        let path = request.uri.path
        guard path.utf8.allSatisfy({ $0.isPlain || "./_".utf8.contains($0) }), !path.contains("..")
        else {
            throw Refusal.notFound
        }
        let call = ForwardedCall(
            method: .get, address: path, headers: request.headers, client: nil,
            body: ByteBuffer(), timeout: timeout)
        return try await forwarder.forward(call, to: target).response
    }

    /// Has its own limit, as one page loads dozens of files at once.
    private static let page = Endpoint<Void, Bytes>(
        .get, "/", id: "page", "A page or a file", by: .anybody, rate: .files, answer: "It."
    ).untyped

    @Sendable private func forward(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        guard route.endpoint.success.media.contains(.csv) else {
            return try await pass(route, request, context).response
        }
        return try await forwarder.stream(call(route, request, context), to: route.target)
    }

    private func pass(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> ForwardedAnswer {
        try await forwarder.forward(call(route, request, context), to: route.target)
    }

    /// The part of a request that is forwarded, once it is admitted.
    private func call(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> ForwardedCall {
        guard var address = route.endpoint.address({ context.parameters.get($0) }) else {
            throw Refusal.notFound
        }
        let (_, client) = try await admission.admit(route.endpoint, request, context)
        if let query = request.uri.query { address += "?\(query)" }
        return ForwardedCall(
            method: request.method, address: address, headers: request.headers, client: client,
            body: try await admission.body(request, limit: route.endpoint.bodyLimit),
            timeout: time(for: route.endpoint, request))
    }

    func time(for endpoint: AnyEndpoint, _ request: Request) -> Duration {
        timeout + (endpoint.asksProvider ? Self.providerTime : .zero)
            + (request.preferredWait(most: Self.longestWait) ?? .zero)
    }

    /// Answers when location has recorded the position, in a batch with others.
    @Sendable private func recordPosition(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        guard let identity = try await admission.admit(route.endpoint, request, context).identity
        else {
            throw Refusal.tokenMissing
        }
        var request = request
        request.body = RequestBody(
            buffer: try await request.collect(limit: route.endpoint.bodyLimit))
        let point = try await context.body(PositionBody.self, of: request)
        let outcome = try await gatherer.record(
            PositionBatch.Entry(
                person: identity.person, role: identity.mover, point: point, receivedAt: clock.now))
        if let refusal = outcome.refusal() { throw refusal }
        return Response(status: .noContent)
    }

    @Sendable private func openStream(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        let (_, address) = try await admission.admit(route.endpoint, request, context)
        return try await streams.open(request, context, from: address)
    }

    /// The valets from accounts with their positions; without positions while location is down.
    @Sendable private func listValets(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        let answer = try await pass(route, request, context)
        guard answer.status == .ok else { return answer.response }
        let data = Data(answer.body.readableBytesView)
        guard var page = try? Wire.decode(Page<ValetRecord>.self, from: data) else {
            throw Refusal.unavailable("The list of valets can't be read.")
        }
        guard let known = try? await whereabouts.of(page.items.map(\.id)) else {
            return answer.response
        }
        page.items = page.items.map { $0.located(known[$0.id]) }
        return try Reply(page).response(from: request, context: context)
    }

    @Sendable private func exportMe(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        guard let identity = try await admission.admit(route.endpoint, request, context).identity
        else {
            throw Refusal.tokenMissing
        }
        let whole = try await exports.export(identity.person, at: clock.now)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8",
                .contentDisposition: #"attachment; filename="openvalet-export.json""#,
            ], body: whole)
    }

    private func document(_ document: StaticDocument) -> Handler {
        { route, request, context in
            _ = try await admission.admit(route.endpoint, request, context)
            return document.response
        }
    }
}

/// Answers 405 if the address has other methods, even if the router does not know this one.
struct MethodRules: RouterMiddleware {
    let table: RoutingTable

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            guard let allowed = table.methods(at: request.uri.path),
                !allowed.contains(request.method)
            else { throw error }
            var response = Refusal.methodNotAllowed.problem.response()
            response.headers[.allow] = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            return response
        }
    }
}

extension ValetRecord {
    func located(_ whereabouts: ValetWhereabouts?) -> ValetRecord {
        var record = self
        record.status = whereabouts.map { $0.status.known } ?? .offline
        record.position = whereabouts?.position.map {
            Place(latitude: $0.latitude, longitude: $0.longitude)
        }
        record.positionAgeSeconds = whereabouts?.position?.ageSeconds
        return record
    }
}

/// Asks location for the positions of valets.
struct WhereaboutsSource: Sendable {
    let of: @Sendable (_ valets: [ValetID]) async throws -> [ValetID: ValetWhereabouts]

    init(_ location: Peer) {
        of = { valets in
            let answer = try await location(
                InternalEndpoints.whereabouts(body: WhereaboutsQuery(valets: valets)))
            return Dictionary(answer.items.map { ($0.valet, $0) }) { first, _ in first }
        }
    }
}
