import Foundation
import Hummingbird
import Pictures

/// The stub's routes.
func stubRouter(_ stub: AlprStub) -> Router<BasicRequestContext> {
    let router = Router()
    let routes = StubRoutes(stub: stub)
    router.post("/v3/recognize_bytes", use: routes.recognise)
    router.post("/control", use: routes.control)
    router.get("/control") { _, _ in try StubRoutes.json(.ok, stub.mood) }
    for path in ["/health/live", "/health/ready"] {
        router.get(RouterPath(path)) { _, _ in try StubRoutes.json(.ok, ["status": "ready"]) }
    }
    return router
}

struct StubRoutes: Sendable {
    /// The largest picture in base64, in bytes.
    static let largestPicture = 16 * 1_024 * 1_024
    private static let largestControl = 4 * 1_024
    private static let mostCandidates = 1_000

    let stub: AlprStub

    private struct Refusal: Encodable {
        var error_code: Int
        var error: String
        let stub = true
    }

    @Sendable func recognise(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let mood = stub.next()
        switch mood.mode {
        case .normal: break
        case .slow: try await Task.sleep(for: .seconds(mood.seconds ?? 1))
        case .failing: return try refuse(.serviceUnavailable, "Told to fail")
        case .rateLimited: return try refuse(.forbidden, "Rate limit exceeded")
        case .noCredits: return try refuse(.init(code: 402), "Monthly credits exceeded")
        case .badKey: return try refuse(.unauthorized, "Invalid secret_key")
        }
        let query = request.uri.queryParameters
        guard let key = query["secret_key"], key == (stub.key ?? String(key))[...] else {
            return try refuse(.unauthorized, "Invalid secret_key")
        }
        guard let country = query["country"], !country.isEmpty else {
            return try refuse(.badRequest, "The country parameter is missing")
        }
        let topn = query["topn"].flatMap { Int($0) } ?? 10
        guard (1...Self.mostCandidates).contains(topn) else {
            return try refuse(.badRequest, "The topn parameter is out of range")
        }
        guard let picture = try await picture(of: request) else {
            return try refuse(.badRequest, "The image can't be read")
        }
        return try await answer(
            picture, topn: topn, withVehicle: query["recognize_vehicle"] == "1")
    }

    /// Nil if the body is not a picture in base64, quoted or unquoted.
    private func picture(of request: Request) async throws -> Picture? {
        let body = try await request.body.collect(upTo: Self.largestPicture)
        let text = String(buffer: body).trimmingCharacters(
            in: .whitespacesAndNewlines.union(["\""]))
        return Data(base64Encoded: text).flatMap { try? Picture($0) }
    }

    private func answer(
        _ picture: Picture, topn: Int, withVehicle: Bool
    ) async throws -> Response {
        let script = Script(comment: picture.comment)
        if let seconds = script.number("seconds"), (0...Mood.longestDelay).contains(seconds) {
            try await Task.sleep(for: .seconds(seconds))
        }
        if let status = script.number("status"), (400...599).contains(status) {
            return try refuse(.init(code: Int(status)), "The picture's comment says so")
        }
        return try Self.json(
            .ok, StubAnswer(picture, script, topn: topn, withVehicle: withVehicle))
    }

    @Sendable func control(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let body = try await request.body.collect(upTo: Self.largestControl)
        guard let mood = try? JSONDecoder().decode(Mood.self, from: Data(buffer: body)),
            mood.isPossible
        else {
            let modes = Mood.Mode.allCases.map(\.rawValue).joined(separator: ", ")
            return try refuse(.badRequest, "mode is one of \(modes); seconds to 60, times from 1")
        }
        stub.set(mood)
        return try Self.json(.ok, mood)
    }

    private func refuse(_ status: HTTPResponse.Status, _ text: String) throws -> Response {
        try Self.json(status, Refusal(error_code: status.code, error: text))
    }

    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
        let data = try JSONEncoder().encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}
