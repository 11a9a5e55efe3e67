import Contracts
import Crypto
import Foundation
import JWTKit

/// A service's signing key, and the keys with which others verify its signatures (ES256).
public struct SigningKeys: Sendable {
    /// The public keys for others (RFC 7517).
    public let published: PublishedKeys
    private let keys: JWTKeyCollection
    private let identifier: JWKIdentifier

    /// `previous` no longer signs, but its signatures remain valid.
    public init(
        current: P256.Signing.PrivateKey, previous: P256.Signing.PublicKey? = nil
    ) async throws {
        let key = PublishedKeys.Key(current.publicKey)
        identifier = JWKIdentifier(string: key.kid)
        keys = try await JWTKeyCollection()
            .add(ecdsa: ES256PrivateKey(backing: current), kid: identifier)
        guard let previous else {
            published = PublishedKeys(keys: [key])
            return
        }
        let old = PublishedKeys.Key(previous)
        published = PublishedKeys(keys: [key, old])
        try await keys.add(
            ecdsa: ES256PublicKey(backing: previous), kid: JWKIdentifier(string: old.kid))
    }

    /// The configured key, or else the one in the data folder, created if it is missing.
    public init(_ settings: Settings, folder: String) async throws {
        let current =
            try settings.current.map { pem in
                guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
                    throw ConfigError("\(settings.names.current) is not a P-256 private key in PEM")
                }
                return key
            } ?? KeyFile(folder: folder, name: settings.fileName).readOrMake()
        let previous = try settings.previous.map { pem in
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
                throw ConfigError("\(settings.names.previous) is not a P-256 public key in PEM")
            }
            return key
        }
        try await self.init(current: current, previous: previous)
    }

    /// A compact JWS (RFC 7515) with the key's thumbprint as `kid`.
    public func sign(_ claims: some JWTPayload) async throws -> String {
        try await keys.sign(claims, kid: identifier)
    }

    /// Verifies a JWS that one of the keys signed. Throws JWTKit's errors.
    public func verify<Claims: JWTPayload>(
        _ text: String, as type: Claims.Type = Claims.self
    ) async throws -> Claims {
        try await keys.verify(text, as: type)
    }
}

extension SigningKeys {
    /// The settings of one service, by its name.
    public struct Settings: Sendable {
        let fileName: String
        let names: (current: String, previous: String)
        public let current, previous: String?

        public init(_ service: ServiceManifest, _ values: ConfigValues) throws {
            fileName = Self.fileName(service)
            names = Self.names(service)
            current = try values.optional(names.current)
            previous = try values.optional(names.previous)
        }

        /// `signs` describes the purpose, for example `signs access tokens`.
        public static func keys(_ service: ServiceManifest, _ signs: String) -> [ConfigKey] {
            [
                ConfigKey(
                    names(service).current, default: "", secret: true,
                    "P-256 private key in PEM that \(signs). Without it, one is created and stored "
                        + "in the data folder as \(fileName(service))."),
                ConfigKey(
                    names(service).previous, default: "", secret: true,
                    "P-256 public key in PEM of the previous key: what it signed is still valid."
                ),
            ]
        }

        private static func fileName(_ service: ServiceManifest) -> String {
            "\(service.name)-signing-key.pem"
        }

        private static func names(_ service: ServiceManifest) -> (current: String, previous: String)
        {
            let prefix = "OPENVALET_\(service.name.uppercased())"
            return ("\(prefix)_SIGNING_KEY", "\(prefix)_PREVIOUS_KEY")
        }
    }
}

extension PublishedKeys.Key {
    public init(_ key: P256.Signing.PublicKey) {
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
        // Somebody may have copied it with looser permissions. On a read-only file system they stay.
        chmod(path, Self.mode)
        return key
    }

    /// Writes the key under another name and links it, so that neither a crash nor a second process can leave half a
    /// key or two keys.
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
