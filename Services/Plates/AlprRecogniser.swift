import Contracts
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Pictures
import ServiceKit

struct AlprSettings: Sendable {
    var url: URL
    var key: String
    var country: String
}

/// Asks an OpenALPR-style cloud API (`recognize_bytes`, version 3) to recognise a picture.
///
/// The API wants its key in the URL, so no URL and no error text is ever logged.
struct AlprRecogniser: Sendable {
    /// Attempts per picture, including the first.
    static let tries = 3
    /// Timeout of one attempt.
    static let tryLimit: Duration = .seconds(4)
    /// Timeout of all attempts together: the gateway gives a call ten seconds.
    static let patience: Duration = .seconds(9)

    private let settings: AlprSettings
    private let peer: HTTPPeer

    init(
        _ settings: AlprSettings, client: HTTPClient, tryLimit: Duration = Self.tryLimit,
        breaker: CircuitBreaker = CircuitBreaker("alpr", threshold: 6, pause: .seconds(2))
    ) {
        self.settings = settings
        peer = HTTPPeer(
            settings.url, client: client,
            .init(
                time: tryLimit, largestAnswer: 1_024 * 1_024, tries: Self.tries,
                firstPause: .milliseconds(150), patience: Self.patience), breaker: breaker)
    }

    /// Throws a `Refusal` if the recogniser gives no answer; a picture without a plate is an answer.
    func propose(_ picture: Data) async throws -> Proposal {
        let body = ByteBuffer(string: picture.base64EncodedString())
        var proposal: Proposal?
        let answer: HTTPPeer.Answer
        do {
            answer = try await peer.call(request(body)) { answer in
                switch answer.status {
                case 200:
                    let read = try? JSONDecoder().decode(AlprAnswer.self, from: answer.body)
                    proposal = read.map(Proposal.init)
                    return proposal == nil
                // The API uses 403 for "temporary rate limit exceeded".
                case 403: return true
                default: return answer.mayPass
                }
            }
        } catch is HTTPPeer.Silence {
            throw Refusal.recogniserUnavailable
        }
        if let proposal { return proposal }
        switch answer.status {
        case 400: throw Self.refusal(answer.body)
        case 402: throw Refusal.recogniserNoCredits
        case 200, 403, 408, 429, 500...: throw Refusal.recogniserUnavailable
        default: throw Refusal.recogniserMisconfigured
        }
    }

    /// The API answers 400 both for parameters, which are ours, and for pictures, which are the valet's.
    private static func refusal(_ data: Data) -> Refusal {
        let text = String(decoding: data.prefix(1_000), as: UTF8.self).lowercased()
        let isOurs = ["initialize", "country", "parameter"].contains { text.contains($0) }
        return isOurs ? .recogniserMisconfigured : .pictureMalformed
    }

    private func request(_ body: ByteBuffer) -> HTTPClientRequest {
        var query = URLComponents()
        query.queryItems = [
            URLQueryItem(name: "secret_key", value: settings.key),
            URLQueryItem(name: "country", value: settings.country),
            URLQueryItem(name: "recognize_vehicle", value: "1"),
            URLQueryItem(name: "topn", value: String(Proposal.mostCandidates)),
        ]
        // A plus sign would be decoded as a space.
        let text = query.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B") ?? ""
        return peer.request(
            .POST, "/v3/recognize_bytes?\(text)",
            [("content-type", "application/json"), ("accept", "application/json")], body: body)
    }
}

/// The fields of the API's answer that we read.
struct AlprAnswer: Decodable {
    /// A name or another reading, with its confidence in percent.
    struct Guess: Decodable {
        var name: String?
        var plate: String?
        var confidence: Double
    }

    struct Vehicle: Decodable {
        var color: [Guess]?
        var make: [Guess]?
        var make_model: [Guess]?
        var body_type: [Guess]?
        var year: [Guess]?
    }

    struct Result: Decodable {
        var plate: String
        var confidence: Double
        var region: String?
        var candidates: [Guess]?
        var vehicle: Vehicle?
    }

    var results: [Result]
    /// Set only by our stub, never by a real recogniser.
    var stub: Bool?
}
