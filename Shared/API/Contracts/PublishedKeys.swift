/// Public keys for checking a service's signatures, as a JSON Web Key Set (RFC 7517).
public struct PublishedKeys: Codable, Sendable, Hashable {
    /// A public key on the curve P-256.
    public struct Key: Codable, Sendable, Hashable {
        public var kty = "EC"
        public var crv = "P-256"
        public var alg = "ES256"
        public var use = "sig"
        /// Thumbprint of the key (RFC 7638).
        public var kid: String
        public var x: String
        public var y: String

        public init(kid: String, x: String, y: String) { (self.kid, self.x, self.y) = (kid, x, y) }
    }

    public var keys: [Key]

    public init(keys: [Key]) { self.keys = keys }
}

extension PublishedKeys.Key: SchemaNamed {
    public static var schemaName: String { "PublishedKey" }
}
