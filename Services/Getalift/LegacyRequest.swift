import Client
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// What an app sends by name: of a query, or of a body as a form or as JSON.
struct Fields: Sendable, Hashable {
    static let most = 64

    private(set) var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    func text(_ name: String) -> String {
        (values[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func int(_ name: String) -> Int? { Int(text(name)) }

    func number(_ name: String) -> Double? {
        Double(text(name)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// `name=value&…`. Apps escape nothing: spaces and all else stand as they are.
    init(form: some StringProtocol) {
        for pair in form.split(separator: "&").prefix(Self.most) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.plain(parts[0])
            if parts.count == 2 {
                values[name] = Self.plain(parts[1])
            } else if let match = name.wholeMatch(of: /([A-Za-z]+)(\d+)/)?.output {
                // iOS leaves the sign out: `routeId12`.
                values[String(match.1)] = String(match.2)
            } else {
                values[name] = ""
            }
        }
    }

    init(json: JSONValue) {
        guard case .object(let object) = json else { return }
        for (name, value) in object.prefix(Self.most) {
            switch value {
            case .text(let text): values[name] = text
            case .integer(let number): values[name] = String(number)
            case .number(let number): values[name] = String(number)
            case .bool(let flag): values[name] = flag ? "1" : "0"
            case .null, .list, .object: break
            }
        }
    }

    /// What is no escape stays as it is.
    private static func plain(_ text: some StringProtocol) -> String {
        let spaced = String(text).replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}

/// One request of an app.
struct LegacyRequest: Sendable {
    /// Largest body, in bytes.
    static let largestBody = 64 * 1_024

    let body: Fields
    let query: Fields
    /// What stands in the path for a name with a colon; 0, which is nobody's, for what is no number.
    let id: Int
    /// Its address, as those before us have said it, and as we see it.
    let forwardedFor: String?

    init(_ request: Request, _ context: Context, id: Int) async throws {
        self.id = id
        query = Fields(form: request.uri.query ?? "")
        let bytes = try await request.collect(limit: Self.largestBody)
        let data = Data(bytes.readableBytesView)
        if request.headers[.contentType]?.lowercased().contains("json") == true, !data.isEmpty {
            guard let json = try? Wire.decode(JSONValue.self, from: data) else {
                throw GetaliftError.malformed("The body can't be read.")
            }
            body = Fields(json: json)
        } else {
            body = Fields(form: String(decoding: data, as: UTF8.self))
        }
        let before = request.headers[values: .init("X-Forwarded-For")!]
        let hops = before + [context.remoteAddress].compactMap(\.self)
        forwardedFor = hops.isEmpty ? nil : hops.joined(separator: ", ")
    }

    /// As the original looks for it.
    func token(of request: Request) -> String? {
        [body["token"], query["token"], request.headers[.init("x-access-token")!]]
            .lazy.compactMap(\.self).first { !$0.isEmpty }
    }
}

/// The person who is signed in, and how their calls reach our API.
struct Rider: Sendable {
    let person: PersonID
    let number: Int
    let client: OpenValetClient

    /// Refuses who speaks for somebody else: the original believed it.
    func require(_ number: Int?) throws {
        guard number == nil || number == self.number else { throw GetaliftError.notYours }
    }
}
