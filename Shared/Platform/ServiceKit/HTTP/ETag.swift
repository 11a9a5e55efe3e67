import Contracts
import Foundation
import Hummingbird

/// The version as an entity tag (RFC 9110 §8.8.3).
public enum ETag {
    public static func text(_ version: Int) -> String { "\"\(version)\"" }

    /// The versions in `If-Match` or `If-None-Match`. A tag that isn't ours matches nothing.
    public static func versions(_ header: String) -> VersionCondition {
        if header.trimmingCharacters(in: .whitespaces) == "*" { return .exists }
        let versions = header.split(separator: ",").compactMap { tag -> Int? in
            var tag = tag.trimmingCharacters(in: .whitespaces)
            if tag.hasPrefix("W/") { tag = String(tag.dropFirst(2)) }
            guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            return Int(tag.dropFirst().dropLast())
        }
        return .oneOf(versions)
    }
}

/// A value that is answered with its version as the `ETag`.
public protocol Versioned: Encodable {
    var version: Int { get }
}

extension Versioned {
    public var tag: HTTPFields { [.eTag: ETag.text(version)] }

    public func reply(headers: HTTPFields = [:]) throws -> Reply<Self> {
        try Reply(self, headers: headers + tag)
    }
}

/// `If-Match` of a request (RFC 9110 §13.1.1).
public enum VersionCondition: Sendable, Equatable {
    case none
    case exists
    case oneOf([Int])

    public func matches(_ version: Int) -> Bool {
        switch self {
        case .none: false
        case .exists: true
        case .oneOf(let versions): versions.contains(version)
        }
    }

    public func require(_ version: Int?) throws {
        switch self {
        case .none: return
        case .exists: guard version != nil else { throw Refusal.preconditionFailed }
        case .oneOf(let versions):
            guard let version, versions.contains(version) else {
                throw Refusal.preconditionFailed
            }
        }
    }
}

extension Request {
    /// Whether the caller already has this version: `If-None-Match`, compared weakly (RFC 9110, 13.1.2).
    public func knows(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }.contains {
            let known = $0.trimmingCharacters(in: .whitespaces)
            return known == "*" || known == tag || known == "W/\(tag)"
        }
    }
}
