import AsyncHTTPClient
import EventBus
import Foundation
import NIOCore
import NIOHTTP1
import ServiceKit

/// The store, its bucket and the access key.
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
    /// Number of tries. All calls here can be repeated with the same outcome.
    static let tries = 3
    /// Maximum size of an object that is read, in bytes.
    public static let largestObject = 16 * 1_024 * 1_024

    private let settings: S3Settings
    private let signer: SigV4
    private let peer: HTTPPeer
    private let now: @Sendable () -> Date

    public init(
        _ settings: S3Settings, client: HTTPClient, now: @escaping @Sendable () -> Date = Date.init
    ) {
        self.settings = settings
        peer = HTTPPeer(
            settings.url, client: client,
            .init(
                time: .seconds(15), largestAnswer: Self.largestObject, tries: Self.tries,
                patience: .seconds(45)))
        self.now = now
        signer = SigV4(
            keyID: settings.keyID, secret: settings.secret, region: settings.region, service: "s3")
    }

    public func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError) {
        let answer = try await call(.PUT, "/\(key)", blob)
        guard answer.status == 200 else { throw answer.failure }
    }

    public func get(_ key: BlobKey) async throws(BlobError) -> Blob? {
        let answer = try await call(.GET, "/\(key)")
        switch answer.status {
        case 200: return Blob(data: answer.body, contentType: answer.contentType)
        // Other 404s concern the bucket.
        case 404 where answer.errorCode == "NoSuchKey": return nil
        default: throw answer.failure
        }
    }

    public func delete(_ key: BlobKey) async throws(BlobError) {
        let answer = try await call(.DELETE, "/\(key)")
        switch answer.status {
        case 200, 204: return
        case 404 where answer.errorCode == "NoSuchKey": return
        default: throw answer.failure
        }
    }

    /// Creates the bucket; for tests, and for setting up a store.
    func makeBucket() async throws(BlobError) {
        let answer = try await call(.PUT, "")
        guard answer.status == 200 else { throw answer.failure }
    }
}

// MARK: Calls

extension S3Blobs {
    /// Retries temporary failures.
    private func call(
        _ method: HTTPMethod, _ path: String, _ blob: Blob? = nil
    ) async throws(BlobError) -> HTTPPeer.Answer {
        do {
            return try await peer.call(request(method, path, blob)) { $0.isPassing }
        } catch {
            throw BlobError(.unavailable, loggable(error))
        }
    }

    private func request(
        _ method: HTTPMethod, _ path: String, _ blob: Blob?
    ) -> HTTPClientRequest {
        let address = "\(peer.base)/\(settings.bucket)\(path)"
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

    /// Includes the port unless it is the scheme's default.
    private var host: String {
        let host = settings.url.host(percentEncoded: true) ?? ""
        guard let port = settings.url.port, port != (settings.url.scheme == "https" ? 443 : 80)
        else { return host }
        return "\(host):\(port)"
    }
}

extension HTTPPeer.Answer {
    fileprivate var contentType: String {
        headers.first(name: "content-type") ?? "application/octet-stream"
    }

    /// For example `NoSuchKey` in `<Code>NoSuchKey</Code>`.
    fileprivate var errorCode: String? {
        String(decoding: body, as: UTF8.self)
            .firstMatch(of: /<Code>([A-Za-z]{1,64})<\/Code>/).map { String($0.1) }
    }

    fileprivate var isFull: Bool { status == 507 }
    fileprivate var isPassing: Bool { !isFull && (status >= 500 || status == 429) }

    fileprivate var failure: BlobError {
        let detail = "status \(status) \(errorCode ?? "")"
        if isFull { return BlobError(.full, detail) }
        return BlobError(isPassing ? .unavailable : .refused, detail)
    }
}
