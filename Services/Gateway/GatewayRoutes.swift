import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Joins the routing table to what answers: services by forwarding, the gateway itself for the few
/// it composes.
struct GatewayRoutes: Sendable {
    typealias Handler = @Sendable (Route, Request, Context) async throws -> Response

    /// Methods that get 405 where the table has others.
    static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]
    /// Longest `Prefer: wait=N` that a call's time-out is lengthened for, in seconds.
    static let longestWait = 60

    let admission: Admission
    let forwarder: Forwarder
    let gatherer: PositionGatherer
    let streams: StreamRoutes
    let whereabouts: WhereaboutsSource
    let exports: ExportSource
    let web: WebRoutes
    let timeout: Duration
    let clock: HouseClock

    func add(to router: Router<Context>) {
        web.add(to: router)
        for route in RoutingTable.routes {
            guard let handler = handler(of: route) else { continue }
            router.on(RouterPath(route.path), method: route.method) { request, context in
                try await handler(route, request, context)
            }
        }
        for (path, allowed) in RoutingTable.methods {
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ in Self.refusal(allowed) }
            }
        }
    }

    /// Nil for a line of the table that names the gateway and has nothing here: a test looks for
    /// it.
    func handler(of route: Route) -> Handler? {
        guard route.target == .gateway else { return forward }
        switch (route.method, route.path) {
        case (.put, "/v1/me/location"): return recordPosition
        case (.get, "/v1/stream"): return openStream
        case (.get, "/v1/admin/valets"): return listValets
        case (.get, "/v1/me/export"): return exportMe
        case (.get, "/openapi.yaml"): return document(Documents.openAPI)
        case (.get, "/asyncapi.yaml"): return document(Documents.asyncAPI)
        default: return nil
        }
    }

    static func refusal(_ allowed: [HTTPRequest.Method]) -> Response {
        var response = RequestError.methodNotAllowed.problem.response()
        response.headers[.allow] = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        return response
    }

    @Sendable private func forward(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        try await pass(route, to: route.target, request, context).response
    }

    private func pass(
        _ route: Route, to target: Target, _ request: Request, _ context: Context
    ) async throws -> ForwardedAnswer {
        guard var address = route.address(id: context.parameters.get("id")) else {
            throw RequestError.notFound
        }
        let (_, client) = try await admission.admit(route, request, context)
        if let query = request.uri.query { address += "?\(query)" }
        let wait = request.preferredWait(most: Self.longestWait) ?? .zero
        let call = ForwardedCall(
            method: request.method, address: address, headers: request.headers, client: client,
            body: try await admission.body(request, limit: route.bodyLimit), timeout: timeout + wait
        )
        return try await forwarder.forward(call, to: target)
    }

    /// Answers when location has taken the position, together with those of others.
    @Sendable private func recordPosition(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        guard let identity = try await admission.admit(route, request, context).identity else {
            throw RequestError.tokenMissing
        }
        var request = request
        request.body = RequestBody(buffer: try await request.collect(limit: route.bodyLimit))
        let point = try await context.body(PositionBody.self, of: request)
        let outcome = try await gatherer.record(
            PositionBatch.Entry(
                person: identity.person, role: identity.role, point: point, receivedAt: clock.now))
        if let field = outcome.invalidField {
            throw InvalidRequest(
                field, outcome.detail ?? "This can't be a position.", code: "location.invalid")
        }
        return Response(status: .noContent)
    }

    @Sendable private func openStream(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        let (_, address) = try await admission.admit(route, request, context)
        return try await streams.open(request, context, from: address)
    }

    /// Accounts' list, completed with where the valets are; without that while location is away.
    @Sendable private func listValets(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        let answer = try await pass(route, to: .accounts, request, context)
        guard answer.status == .ok else { return answer.response }
        let data = Data(answer.body.readableBytesView)
        guard var page = try? Wire.decode(Page<ValetRecord>.self, from: data) else {
            throw Unavailable("The list of valets can't be read.")
        }
        guard let known = try? await whereabouts.of(page.items.map(\.id)) else {
            return answer.response
        }
        page.items = page.items.map { $0.located(known[$0.id]) }
        return try Reply(.ok, page).response(from: request, context: context)
    }

    @Sendable private func exportMe(
        _ route: Route, _ request: Request, _ context: Context
    ) async throws -> Response {
        guard let identity = try await admission.admit(route, request, context).identity else {
            throw RequestError.tokenMissing
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
            _ = try await admission.admit(route, request, context)
            return document.response
        }
    }
}

extension ValetRecord {
    func located(_ whereabouts: ValetWhereabouts?) -> ValetRecord {
        var record = self
        record.status = whereabouts?.status
        record.position = whereabouts?.position.map {
            Place(latitude: $0.latitude, longitude: $0.longitude)
        }
        record.positionAgeSeconds = whereabouts?.position?.ageSeconds
        return record
    }
}

/// Asks location where valets are.
struct WhereaboutsSource: Sendable {
    let of: @Sendable (_ valets: [ValetID]) async throws -> [ValetID: ValetWhereabouts]

    init(_ location: Peer) {
        of = { valets in
            let answer: WhereaboutsAnswer = try await location.post(
                "/internal/whereabouts", body: WhereaboutsQuery(valets: valets))
            return Dictionary(answer.items.map { ($0.valet, $0) }) { first, _ in first }
        }
    }
}
