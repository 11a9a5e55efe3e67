import Crypto
import Foundation
import ServiceKit

/// Signs requests with AWS's signature version 4 ("Authenticating Requests: Using the Authorization Header").
struct SigV4: Sendable {
    static let algorithm = "AWS4-HMAC-SHA256"

    let keyID: String
    let secret: String
    let region: String
    let service: String

    /// The signed parts of a request. Header names are in lower case.
    struct Request {
        var method: String
        /// Each segment percent-encoded once.
        var path: String
        /// Sorted, percent-encoded `name=value` joined by `&`.
        var query = ""
        var headers: [(name: String, value: String)]
        /// SHA-256 of the body in hexadecimal digits.
        var bodyHash: String

        var signedHeaders: String { sorted.map(\.name).joined(separator: ";") }

        var canonicalText: String {
            let lines = sorted.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined()
            return [method, path, query, lines, signedHeaders, bodyHash].joined(separator: "\n")
        }

        private var sorted: [(name: String, value: String)] {
            headers.sorted { $0.name < $1.name }
        }

        /// Without surrounding spaces, and with single spaces inside.
        private static func trimmed(_ value: String) -> String {
            value.split(separator: " ").joined(separator: " ")
        }
    }

    /// The value of the `Authorization` header. `time` is the value of the `x-amz-date` header.
    func authorization(_ request: Request, time: String) -> String {
        let scope = "\(time.prefix(8))/\(region)/\(service)/aws4_request"
        let text = [Self.algorithm, time, scope, Self.hash(Data(request.canonicalText.utf8))]
            .joined(separator: "\n")
        let signature = Self.code(text, key: signingKey(date: String(time.prefix(8))))
        return "\(Self.algorithm) Credential=\(keyID)/\(scope),"
            + "SignedHeaders=\(request.signedHeaders),Signature=\(signature.hex)"
    }

    private func signingKey(date: String) -> Data {
        [date, region, service, "aws4_request"].reduce(Data("AWS4\(secret)".utf8)) { key, part in
            Self.code(part, key: key)
        }
    }

    private static func code(_ text: String, key: Data) -> Data {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    static func hash(_ data: Data) -> String { SHA256.hash(data: data).hex }

    /// For example `20260105T080000Z`.
    static func time(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: false)
                .dateSeparator(.omitted).timeSeparator(.omitted).timeZone(separator: .omitted))
    }
}
