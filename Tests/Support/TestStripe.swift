import AsyncHTTPClient
import Foundation
import NIOCore

/// A real `localstripe` of its own on a free port; stops with its last reference.
public final class TestStripe: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public static let key = "sk_test_openvalet"
    public static let webhookSecret = "whsec_openvalet"
    /// Wants a further step.
    public static let cardWithStep = "4000002500003155"
    /// Can be kept, and is declined when it is charged.
    public static let cardWithoutMoney = "4000000000000341"

    /// Its own command listens on all interfaces, so its server is started without it.
    private static let program = """
        import sys; from aiohttp import web; from localstripe.server import app
        web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
        """

    public let url: String
    private let process: ChildProcess

    private init(port: Int) throws {
        url = "http://127.0.0.1:\(port)"
        process = try ChildProcess(
            #""$1" -c "$2" "$3""#,
            [ChildProcess.installed("bin/python"), Self.program, String(port)])
    }

    /// Returns once it answers.
    public static func start() async throws -> TestStripe {
        let stripe = try TestStripe(port: FreePort.find())
        let isReady = try await eventually {
            (try? await stripe.send(.GET, "/v1/customers")) != nil
        }
        guard isReady else {
            throw Failure(description: "localstripe does not answer: is it in .venv?")
        }
        return stripe
    }

    /// The answer's JSON; throws what it refuses.
    @discardableResult
    public func send(
        _ method: HTTPClientMethod, _ path: String, _ form: [String: String] = [:]
    ) async throws -> Data {
        var request = HTTPClientRequest(url: url + path)
        request.method = method == .GET ? .GET : .POST
        request.headers.add(name: "Authorization", value: "Bearer \(Self.key)")
        if method == .POST {
            request.headers.add(
                name: "Content-Type", value: "application/x-www-form-urlencoded")
            let fields = form.map { name, value in
                let plain = CharacterSet.alphanumerics
                let escaped = value.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
                return "\(name)=\(escaped)"
            }
            request.body = .bytes(ByteBuffer(string: fields.joined(separator: "&")))
        }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        let body = try await answer.body.collect(upTo: 1_024 * 1_024)
        guard answer.status == .ok else {
            throw Failure(description: "\(path): \(answer.status) \(String(buffer: body))")
        }
        return Data(body.readableBytesView)
    }

    public enum HTTPClientMethod: Sendable { case GET, POST }

    /// What a client's own form would make of a card.
    public func paymentMethod(_ number: String) async throws -> String {
        struct Answer: Decodable { let id: String }
        let data = try await send(
            .POST, "/v1/payment_methods",
            [
                "type": "card", "card[number]": number, "card[exp_month]": "12",
                "card[exp_year]": "2034", "card[cvc]": "123",
            ])
        return try JSONDecoder().decode(Answer.self, from: data).id
    }

    /// The customer's further step; the secret begins with the intent's id.
    public func authenticate(_ clientSecret: String) async throws {
        let id = clientSecret.components(separatedBy: "_secret_")[0]
        try await send(
            .POST, "/v1/payment_intents/\(id)/_authenticate",
            ["client_secret": clientSecret, "success": "true"])
    }

    public func status(ofIntent id: String) async throws -> String {
        struct Answer: Decodable { let status: String }
        return try JSONDecoder().decode(
            Answer.self, from: try await send(.GET, "/v1/payment_intents/\(id)")
        ).status
    }

    /// From now on events are sent there, signed.
    public func sendEvents(to address: String) async throws {
        try await send(
            .POST, "/_config/webhooks/openvalet", ["url": address, "secret": Self.webhookSecret])
    }
}
