import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Which bucket of which store, and whose key.
public struct S3Settings: Sendable {
    public var url: URL
    public var region: String
    public var bucket: String
    public var keyID: String
    public var secret: String

    public init(url: URL, region: String, bucket: String, keyID: String, secret: String) {
        self.url = url
        self.region = region
        self.bucket = bucket
        self.keyID = keyID
        self.secret = secret
    }
}

/// Blobs in a bucket of any S3-compatible store, addressed by path.
public struct S3Blobs: BlobStore {
    /// Every call here may run twice with the same outcome, so each is tried so often.
    static let tries = 3
    private static let firstPause: Duration = .milliseconds(100)
    /// Longest time of one try.
    private static let timeLimit: TimeAmount = .seconds(15)
    /// Largest object that is read, in bytes.
    public static let largestObject = 16 * 1_024 * 1_024
    /// Of an error's text, in bytes.
    private static let largestError = 64 * 1_024

    private let settings: S3Settings
    private let signer: SigV4
    private let client: HTTPClient
    private let now: @Sendable () -> Date

    public init(
        _ settings: S3Settings, client: HTTPClient, now: @escaping @Sendable () -> Date = Date.init
    ) {
        self.settings = settings
        self.client = client
        self.now = now
        signer = SigV4(
            keyID: settings.keyID, secret: settings.secret, region: settings.region, service: "s3")
    }

    public func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError) {
        let answer = try await call(.PUT, "/\(key)", blob)
        guard answer.status == .ok else { throw answer.failure }
    }

    public func get(_ key: BlobKey) async throws(BlobError) -> Blob? {
        let answer = try await call(.GET, "/\(key)")
        switch answer.status {
        case .ok: return Blob(data: answer.body, contentType: answer.contentType)
        // Another 404 speaks of the bucket.
        case .notFound where answer.errorCode == "NoSuchKey": return nil
        default: throw answer.failure
        }
    }

    public func delete(_ key: BlobKey) async throws(BlobError) {
        let answer = try await call(.DELETE, "/\(key)")
        switch answer.status {
        case .ok, .noContent: return
        case .notFound where answer.errorCode == "NoSuchKey": return
        default: throw answer.failure
        }
    }

    /// Makes the bucket: for tests, and for whoever sets a store up.
    func makeBucket() async throws(BlobError) {
        let answer = try await call(.PUT, "")
        guard answer.status == .ok else { throw answer.failure }
    }
}

// MARK: Calls

extension S3Blobs {
    struct Answer {
        let status: HTTPResponseStatus
        let contentType: String
        let body: Data

        /// As in `<Code>NoSuchKey</Code>`.
        var errorCode: String? {
            String(decoding: body, as: UTF8.self)
                .firstMatch(of: /<Code>([A-Za-z]{1,64})<\/Code>/).map { String($0.1) }
        }

        var mayPass: Bool {
            status.code >= 500 && status != .insufficientStorage || status == .tooManyRequests
        }

        var failure: BlobError {
            let detail = "status \(status.code) \(errorCode ?? "")"
            if status == .insufficientStorage { return BlobError(.full, detail) }
            return BlobError(mayPass ? .unavailable : .refused, detail)
        }
    }

    /// Tries again, after a growing pause of random length, what may pass.
    private func call(
        _ method: HTTPMethod, _ path: String, _ blob: Blob? = nil
    ) async throws(BlobError) -> Answer {
        var pause = Self.firstPause
        for _ in 1..<Self.tries {
            if let answer = try? await attempt(method, path, blob), !answer.mayPass {
                return answer
            }
            guard (try? await Task.sleep(for: pause * Double.random(in: 0.5...1.5))) != nil else {
                throw BlobError(.unavailable, "cancelled")
            }
            pause *= 3
        }
        return try await attempt(method, path, blob)
    }

    private func attempt(
        _ method: HTTPMethod, _ path: String, _ blob: Blob?
    ) async throws(BlobError) -> Answer {
        do {
            let response = try await client.execute(
                request(method, path, blob), timeout: Self.timeLimit)
            let limit = response.status == .ok ? Self.largestObject : Self.largestError
            let body = try await response.body.collect(upTo: limit)
            return Answer(
                status: response.status,
                contentType: response.headers.first(name: "content-type")
                    ?? "application/octet-stream",
                body: Data(body.readableBytesView))
        } catch {
            throw BlobError(.unavailable, "\(type(of: error))")
        }
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ blob: Blob?
    ) -> HTTPClientRequest {
        let base = settings.url.absoluteString
        let address =
            (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/\(settings.bucket)\(path)"
        let time = SigV4.time(now())
        let hash = SigV4.hash(blob?.data ?? Data())
        var headers = [
            (name: "host", value: host), (name: "x-amz-content-sha256", value: hash),
            (name: "x-amz-date", value: time),
        ]
        if let blob { headers.append((name: "content-type", value: blob.contentType)) }
        let signed = SigV4.Request(
            method: method.rawValue,
            path: URLComponents(string: address)?.percentEncodedPath ?? "/",
            headers: headers, bodyHash: hash)
        var request = HTTPClientRequest(url: address)
        request.method = method
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        request.headers.add(
            name: "authorization", value: signer.authorization(signed, time: time))
        if let blob { request.body = .bytes(ByteBuffer(bytes: blob.data)) }
        return request
    }

    /// With the port, unless it is the scheme's own.
    private var host: String {
        let host = settings.url.host(percentEncoded: true) ?? ""
        guard let port = settings.url.port, port != (settings.url.scheme == "https" ? 443 : 80)
        else { return host }
        return "\(host):\(port)"
    }
}
