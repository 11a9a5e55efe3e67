import Contracts
import Crypto
import Foundation
import JWTKit
import ServiceKit

/// The key that signs access tokens, and the keys by which others check them.
struct SigningKeys: Sendable {
    static let fileName = "accounts-signing-key.pem"

    /// What `/.well-known/jwks.json` answers (RFC 7517).
    struct Published: Codable, Sendable, Equatable {
        var keys: [Key]
    }

    struct Key: Codable, Sendable, Equatable {
        var kty = "EC"
        var crv = "P-256"
        var alg = "ES256"
        var use = "sig"
        var kid: String
        var x: String
        var y: String
    }

    let published: Published
    private let signer: JWTKeyCollection
    private let identifier: JWKIdentifier

    /// `previous` signs no longer, but its tokens are good until they expire.
    init(current: P256.Signing.PrivateKey, previous: P256.Signing.PublicKey? = nil) async throws {
        let key = Key(current.publicKey)
        published = Published(keys: [key] + [previous.map { Key($0) }].compactMap(\.self))
        identifier = JWKIdentifier(string: key.kid)
        signer = try await JWTKeyCollection()
            .add(ecdsa: ES256PrivateKey(backing: current), kid: identifier)
    }

    /// The configured key; else the one in the data folder, made there when it is missing.
    init(_ config: AccountsConfig, folder: String) async throws {
        let current: P256.Signing.PrivateKey
        if let pem = config.signingKey {
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
                throw ConfigError("OPENVALET_ACCOUNTS_SIGNING_KEY is no P-256 private key in PEM")
            }
            current = key
        } else {
            current = try KeyFile(folder: folder, name: Self.fileName).readOrMake()
        }
        let previous = try config.previousKey.map { pem in
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
                throw ConfigError("OPENVALET_ACCOUNTS_PREVIOUS_KEY is no P-256 public key in PEM")
            }
            return key
        }
        try await self.init(current: current, previous: previous)
    }

    func sign(_ claims: AccessClaims) async throws -> String {
        try await signer.sign(claims, kid: identifier)
    }

    /// Checks tokens as other services do, without asking over HTTP.
    func verifier(clock: ServiceClock) -> TokenVerifier {
        let published = published
        return TokenVerifier(clock: clock) {
            try JSONDecoder().decode(JWKS.self, from: Wire.encode(published))
        }
    }
}

extension SigningKeys.Key {
    init(_ key: P256.Signing.PublicKey) {
        let point = key.rawRepresentation
        let (x, y) = (Data(point.prefix(32)).base64URL, Data(point.suffix(32)).base64URL)
        // RFC 7638: SHA-256 of the required members in alphabetical order.
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        self.init(kid: Data(SHA256.hash(data: Data(members.utf8))).base64URL, x: x, y: y)
    }
}

/// A private key in a file that only its owner can read.
struct KeyFile {
    static let mode: mode_t = 0o600

    let path: String
    private let folder: String

    init(folder: String, name: String) {
        self.folder = folder
        path = "\(folder)/\(name)"
    }

    func readOrMake() throws -> P256.Signing.PrivateKey {
        if !FileManager.default.fileExists(atPath: path) { try make() }
        guard let pem = try? String(contentsOfFile: path, encoding: .utf8),
            let key = try? P256.Signing.PrivateKey(pemRepresentation: pem)
        else {
            throw ConfigError("\(path) holds no P-256 private key in PEM, or can't be read")
        }
        // Somebody may have copied it with looser rights; on a read-only file system it stays so.
        chmod(path, Self.mode)
        return key
    }

    /// Written whole under another name and linked, so that neither a crash nor a second process
    /// can leave half a key or two.
    private func make() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let draft = "\(path).\(UUID().uuidString)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL, Self.mode)
        guard descriptor >= 0 else {
            throw ConfigError("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(P256.Signing.PrivateKey().pemRepresentation.utf8))
        try file.synchronize()
        try file.close()
        guard link(draft, path) == 0 || errno == EEXIST else {
            throw ConfigError("\(path) can't be written: \(String(cString: strerror(errno)))")
        }
    }
}
