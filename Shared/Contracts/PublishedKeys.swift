/// Public keys by which what a service signs is checked, as a JSON Web Key Set (RFC 7517).
public struct PublishedKeys: Codable, Sendable, Hashable {
    public struct Key: Codable, Sendable, Hashable {
        public var kty = "EC"
        public var crv = "P-256"
        public var alg = "ES256"
        public var use = "sig"
        /// The key's thumbprint (RFC 7638).
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
