import Client
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Named values of a query or a body, which is a form or JSON.
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

    /// Reads `name=value&…`. Apps escape nothing, so spaces and other characters are literal.
    init(form: some StringProtocol) {
        for pair in form.split(separator: "&").prefix(Self.most) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.plain(parts[0])
            if parts.count == 2 {
                values[name] = Self.plain(parts[1])
            } else if let match = name.wholeMatch(of: /([A-Za-z]+)(\d+)/)?.output {
                // iOS leaves out the equals sign: `routeId12`.
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

    /// Invalid escapes stay as they are.
    private static func plain(_ text: some StringProtocol) -> String {
        let spaced = String(text).replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}

/// One request of an app.
struct LegacyRequest: Sendable {
    /// The largest body, in bytes.
    static let largestBody = 64 * 1_024

    let body: Fields
    let query: Fields
    /// The id in the path; 0, which is never assigned, if it is not a number.
    let id: Int
    /// The client's address, as earlier proxies report it and as seen here.
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

    /// Read from the same places as in the original.
    func token(of request: Request) -> String? {
        [body["token"], query["token"], request.headers[.init("x-access-token")!]]
            .lazy.compactMap(\.self).first { !$0.isEmpty }
    }
}

/// The signed-in person, and the client for their calls to our API.
struct Rider: Sendable {
    let person: PersonID
    let number: Int
    let client: OpenValetClient

    /// Throws if the caller acts for somebody else, which the original did not check.
    func require(_ number: Int?) throws {
        guard number == nil || number == self.number else { throw GetaliftError.notYours }
    }
}
