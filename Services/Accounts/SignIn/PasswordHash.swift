import Contracts
import Crypto
import CryptoExtras
import Foundation

/// The cost of one guess at a password.
struct PasswordCost: Sendable, Hashable {
    /// Base-2 logarithm of scrypt's N.
    let logarithmOfN: Int
    let blockSize: Int
    let parallelism: Int

    /// 32 MiB and about a third of a second per hash. It is one of the equivalent minimum settings of OWASP's Password
    /// Storage Cheat Sheet (N=2^17 r=8 p=1, …, N=2^15 r=8 p=3), and allows two hashes at once on a small machine.
    static let standard = PasswordCost(logarithmOfN: 15, blockSize: 8, parallelism: 3)
    /// Almost free, for tests.
    static let cheap = PasswordCost(logarithmOfN: 4, blockSize: 1, parallelism: 1)

    var rounds: Int { 1 << logarithmOfN }
}

/// A salted scrypt hash (RFC 7914) in the PHC string form: `$scrypt$ln=15,r=8,p=3$salt$hash`.
struct PasswordHash: Sendable, Hashable, LosslessStringConvertible {
    static let saltBytes = 16
    static let hashBytes = 32

    let cost: PasswordCost
    let salt: Data
    let hash: Data

    init(cost: PasswordCost, salt: Data, hash: Data) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Blocks, and uses much memory: call it through `PasswordHasher`.
    init(_ password: String, cost: PasswordCost) throws {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        self.init(
            cost: cost, salt: salt, hash: try Self.derive(password, salt: salt, cost: cost))
    }

    /// A hash that is as expensive to check as a real one, and matches no password.
    static func decoy(cost: PasswordCost) -> PasswordHash {
        let random = SymmetricKey(size: .init(bitCount: (saltBytes + hashBytes) * 8))
            .withUnsafeBytes { Data($0) }
        return PasswordHash(
            cost: cost, salt: Data(random.prefix(saltBytes)), hash: Data(random.suffix(hashBytes)))
    }

    /// Blocks, as making a hash does.
    func fits(_ password: String) throws -> Bool {
        let derived = try Self.derive(password, salt: salt, cost: cost)
        // Compares all bytes, so that the time does not depend on the first difference.
        return zip(derived, hash).reduce(derived.count ^ hash.count) { difference, pair in
            difference | Int(pair.0 ^ pair.1)
        } == 0
    }

    /// NFKC, so that the same password typed on two keyboards is equal (NIST SP 800-63B §5.1.1.2).
    static func normalised(_ password: String) -> String {
        password.precomposedStringWithCompatibilityMapping
    }

    private static func derive(
        _ password: String, salt: Data, cost: PasswordCost
    ) throws -> Data {
        // The C function needs an address even for no bytes. So an empty password becomes a NUL, which the rules never
        // accept.
        let bytes = password.isEmpty ? Data([0]) : Data(normalised(password).utf8)
        return try KDF.Scrypt.deriveKey(
            from: bytes, salt: salt, outputByteCount: hashBytes,
            rounds: cost.rounds, blockSize: cost.blockSize, parallelism: cost.parallelism
        ).withUnsafeBytes { Data($0) }
    }

    var description: String {
        let parameters = "ln=\(cost.logarithmOfN),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(parameters)$\(Self.text(salt))$\(Self.text(hash))"
    }

    init?(_ description: String) {
        let parts = description.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let cost = PasswordCost(parts[2]), let salt = Self.bytes(parts[3]),
            let hash = Self.bytes(parts[4]), !salt.isEmpty, hash.count == Self.hashBytes
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    /// PHC strings use base64 without padding.
    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "=", with: "")
    }

    private static func bytes(_ text: Substring) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text + padding)
    }
}

extension PasswordCost {
    /// Reads `ln=15,r=8,p=3`, within the limits of a machine.
    init?(_ text: Substring) {
        let values = text.split(separator: ",").map { $0.split(separator: "=") }
        guard values.map(\.first) == ["ln", "r", "p"],
            let numbers = Optional(values.compactMap { $0.last.flatMap { Int($0) } }),
            numbers.count == 3, (1...20).contains(numbers[0]), (1...32).contains(numbers[1]),
            (1...16).contains(numbers[2])
        else { return nil }
        self.init(logarithmOfN: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
    }
}
