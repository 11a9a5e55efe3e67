import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Pictures
import ServiceKit

/// Which recogniser, and as whom.
struct AlprSettings: Sendable {
    var url: URL
    var key: String
    var country: String
}

/// Asks an OpenALPR-style cloud API (`recognize_bytes`, version 3) what is on a picture.
///
/// Its key goes in the address, as the API wants it, so no address and no error text is ever logged.
struct AlprRecogniser: Sendable {
    /// Tries of one picture, the first included.
    static let tries = 3
    /// Longest time of one try.
    static let tryLimit: Duration = .seconds(4)
    /// No try begins later than this: the gateway gives a call ten seconds.
    static let lastStart: Duration = .seconds(5)
    private static let firstPause: Duration = .milliseconds(150)
    /// Largest answer that is read, in bytes.
    private static let largestAnswer = 1_024 * 1_024

    /// Why a try gave nothing.
    private enum Failure: Error {
        /// Worth another try.
        case passing
        case final(PlateError)
    }

    private let settings: AlprSettings
    private let client: HTTPClient
    private let tryLimit: Duration
    private let breaker: CircuitBreaker

    init(
        _ settings: AlprSettings, client: HTTPClient, tryLimit: Duration = Self.tryLimit,
        breaker: CircuitBreaker = CircuitBreaker(threshold: 6, pause: .seconds(2))
    ) {
        self.settings = settings
        self.client = client
        self.tryLimit = tryLimit
        self.breaker = breaker
    }

    /// Throws a `PlateError` when the recogniser can't say; a picture without a plate is an answer.
    func propose(_ picture: Data) async throws -> Proposal {
        let body = ByteBuffer(string: picture.base64EncodedString())
        let latest = ContinuousClock.now + Self.lastStart
        var pause = Self.firstPause
        for attempt in 1...Self.tries {
            guard breaker.mayCall() else { break }
            do throws(Failure) {
                let proposal = try await ask(body)
                breaker.succeeded()
                return proposal
            } catch .passing {
                breaker.failed()
            } catch .final(let error) {
                breaker.succeeded()
                throw error
            }
            guard attempt < Self.tries, ContinuousClock.now < latest else { break }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause *= 4
        }
        try Task.checkCancellation()
        throw PlateError.recogniserUnavailable
    }

    private func ask(_ body: ByteBuffer) async throws(Failure) -> Proposal {
        let status: HTTPResponseStatus
        let data: Data
        do {
            let response = try await client.execute(
                request(body), timeout: .nanoseconds(tryLimit.nanoseconds))
            status = response.status
            let bytes = try await response.body.collect(upTo: Self.largestAnswer)
            data = Data(bytes.readableBytesView)
        } catch {
            throw .passing
        }
        switch status.code {
        case 200:
            guard let answer = try? JSONDecoder().decode(AlprAnswer.self, from: data) else {
                throw .passing
            }
            return Proposal(answer)
        case 400: throw .final(Self.refusal(data))
        case 401: throw .final(.recogniserMisconfigured)
        case 402: throw .final(.recogniserNoCredits)
        // The API's own 403 is "temporary rate limit exceeded".
        case 403, 408, 429, 500...: throw .passing
        default: throw .final(.recogniserMisconfigured)
        }
    }

    /// 400 is said of parameters, which are ours, and of pictures, which are the valet's.
    private static func refusal(_ data: Data) -> PlateError {
        let text = String(decoding: data.prefix(1_000), as: UTF8.self).lowercased()
        let isOurs = ["initialize", "country", "parameter"].contains { text.contains($0) }
        return isOurs ? .recogniserMisconfigured : .picture(.malformed)
    }

    private func request(_ body: ByteBuffer) -> HTTPClientRequest {
        let base = settings.url.absoluteString
        let address = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v3/recognize_bytes"
        var query = URLComponents()
        query.queryItems = [
            URLQueryItem(name: "secret_key", value: settings.key),
            URLQueryItem(name: "country", value: settings.country),
            URLQueryItem(name: "recognize_vehicle", value: "1"),
            URLQueryItem(name: "topn", value: String(Proposal.mostCandidates)),
        ]
        // A plus sign would be read as a space.
        let text = query.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B") ?? ""
        var request = HTTPClientRequest(url: "\(address)?\(text)")
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "accept", value: "application/json")
        request.body = .bytes(body)
        return request
    }
}

/// The part of the API's answer that we read.
struct AlprAnswer: Decodable {
    /// A name, or another reading, and its confidence in percent.
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
    /// Our stub's mark; no real recogniser has it.
    var stub: Bool?
}
