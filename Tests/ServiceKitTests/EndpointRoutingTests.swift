import Answers
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Support
import Testing

@testable import ServiceKit

/// Handlers by the types of their endpoints.
@Suite(.withoutDatabase) struct EndpointRoutingTests {
    private struct Parcel: Codable, Sendable, Equatable { var weight: Int }

    private static let send = Endpoint<Parcel, Parcel>(
        .post, "/v1/parcels", id: "send", "Send", by: [.customer],
        answer: Success("It.", status: 201))
    private static let peek = Endpoint<Parcel?, Parcel?>(
        .post, "/v1/parcels/peek", id: "peek", "Peek", by: .anybody,
        answer: Success("It.", or: [204: "None."]))
    private static let drop = Endpoint<Void, Void>(
        .post, "/v1/parcels/drop", id: "drop", "Drop", by: .anybody,
        answer: Success("Dropped.", status: 202))
    private static let weigh = Endpoint<Bytes, Parcel>(
        .put, "/v1/parcels/weigh", id: "weigh", "Weigh", by: .anybody, bodyLimit: 4,
        answer: Success("It.", [.eTag]))
    private struct LabelQuery: Query {
        var size: Int?
        static let fields: [String: QueryField] = ["size": "How large."]
    }
    private static let label = Endpoint<LabelQuery, Bytes>(
        .get, "/v1/parcels/{id}/label", id: "label", "Label", by: .anybody, answer: "It.")
    private static let sent = Refusal(409, "parcel.sent", "It is on its way.", field: "id")
    private static let unknown = Refusal(404, "parcel.unknown", "There is no such parcel.")
    private static let open = Endpoint<Parcel, Void>(
        .post, "/v1/parcels/open", id: "open", "Open", by: .anybody, answer: "It is open.",
        refuses: [sent])

    private static let wrap = Endpoint<Parcel, Parcel>(
        .put, "/v1/parcels/wrap", id: "wrap", "Wrap", by: .anybody,
        bodyLimit: 2 * Context.largestBody, answer: "It.")

    private let clock = TestClock()

    private func call(
        _ endpoint: AnyEndpoint, _ body: String? = nil, as person: TestPerson? = nil,
        at path: String? = nil, type: String = "application/json"
    ) async throws -> Answer {
        let environment = try ServiceEnvironment.test("test", clock: clock)
        let router = environment.router()
        router.on(Self.send) { Parcel(weight: $0.body.weight + 1) }
        router.on(Self.peek) { $0.body }
        router.on(Self.drop) { _ in }
        router.on(Self.wrap) { $0.body }
        router.on(Self.weigh) { call in
            let weight = try await call.bytes().count
            return try Reply(
                Parcel(weight: weight), status: weight == 0 ? .created : nil,
                headers: [.eTag: ETag.text(weight)])
        }
        router.on(Self.label) { call in
            let id: OrderID = try call.id()
            return "\(id) \(call.query.size ?? 0)"
        }
        router.on(Self.open) { (call: Call<Parcel>) -> Void in
            guard call.body.weight > 0 else { throw Self.unknown }
            throw Self.sent.because("By train.").retrying(after: 60)
        }
        var headers: HTTPFields = [.contentType: type]
        if let person { headers[.authorization] = try await person.bearer(at: clock.now) }
        return try await Application(router: router).test(.router) { [headers] client in
            Answer(
                try await client.execute(
                    uri: path ?? endpoint.path, method: endpoint.method.httpMethod,
                    headers: headers, body: body.map { ByteBuffer(string: $0) }))
        }
    }

    @Test func aHandlerIsGivenTheBodyAndItsAnswerHasThePromisedStatus() async throws {
        let parcel = try await call(Self.send.untyped, #"{"weight":1}"#, as: .alice)
            .expect(201, Parcel.self)
        #expect(parcel == Parcel(weight: 2))
        #expect(try await call(Self.drop.untyped).status == 202)
    }

    @Test func whoMayNotCallIsToldSoBeforeTheBodyIsRead() async throws {
        try await call(Self.send.untyped, "{").refused(401, "auth.token_missing")
        try await call(Self.send.untyped, "{", as: .victor).refused(403, "auth.role")
        try await call(Self.send.untyped, #"{"weight":"x"}"#, as: .alice)
            .refused(400, "request.malformed", field: "weight")
    }

    @Test func aRefusalIsAnsweredAsItWasDeclaredWithWhatIsKnownOfThisTime() async throws {
        let problem = try await call(Self.open.untyped, #"{"weight":1}"#)
            .refused(409, "parcel.sent", field: "id")
        #expect(problem.title == "It is on its way.")
        #expect(problem.detail == "By train.")
        #expect(problem.retryAfterSeconds == 60)
    }

    /// Clients are written against the document: in a build of tests what it does not name is our fault.
    @Test func aRefusalThatTheEndpointDoesNotDeclareIsAFault() async throws {
        try await call(Self.open.untyped, #"{"weight":0}"#).refused(500, "internal.error")
    }

    @Test func whatMayBeAbsentMayBe() async throws {
        #expect(try await call(Self.peek.untyped).status == 204)
        let parcel = try await call(Self.peek.untyped, #"{"weight":1}"#).expect(200, Parcel.self)
        #expect(parcel == Parcel(weight: 1))
        try await call(Self.peek.untyped, "null").refused(400, "request.malformed")
    }

    @Test func aBodyThatNobodyTakesIsNotRead() async throws {
        let answer = try await call(Self.drop.untyped, "<a/>", type: "text/xml")
        #expect(answer.status == 202)
    }

    @Test func bytesAreReadByHandAndLimited() async throws {
        let answer = try await call(Self.weigh.untyped, "1234", type: "image/png")
        #expect(try answer.expect(200, Parcel.self) == Parcel(weight: 4))
        #expect(answer.headers[.eTag] == "\"4\"")
        #expect(try await call(Self.weigh.untyped, "").status == 201)
        try await call(Self.weigh.untyped, "12345").refused(413, "request.too_large")
    }

    @Test func jsonIsReadUpToTheLimitOfItsEndpoint() async throws {
        func wrap(padding: Int) async throws -> Answer {
            let padding = String(repeating: " ", count: padding)
            return try await call(Self.wrap.untyped, #"{"weight":1}"# + padding)
        }
        let parcel = try await wrap(padding: Context.largestBody).expect(200, Parcel.self)
        #expect(parcel == Parcel(weight: 1))
        try await wrap(padding: 2 * Context.largestBody).refused(413, "request.too_large")
    }

    @Test func whatIsNoJSONGoesOutAsItIs() async throws {
        let id = OrderID.new()
        func label(_ id: String, _ query: String = "") async throws -> Answer {
            try await call(Self.label.untyped, at: "/v1/parcels/\(id)/label\(query)")
        }
        #expect(try await label("\(id)", "?size=7").text == "\(id) 7")
        try await label("1").refused(404, "request.not_found")
        try await label("\(id)", "?size=x").refused(422, "request.invalid", field: "size")
    }
}
