import Contracts
import Foundation
import HTTPTypes
import Hummingbird

/// Which part of a list is asked for.
public struct PageRequest: Sendable, Equatable {
    /// Cursor that the last page gave; opaque to clients.
    public var after: String?
    public var limit: Int

    public init(after: String? = nil, limit: Int = PageLimit.standard) {
        self.after = after
        self.limit = limit
    }
}

extension Request {
    /// Longest cursor, in characters.
    private static var longestCursor: Int { 200 }

    /// `?after=&limit=`, within limits.
    public func page() throws -> PageRequest {
        let after = query("after").flatMap { $0.isEmpty ? nil : $0 }
        guard (after?.count ?? 0) <= Self.longestCursor else {
            throw InvalidRequest.cursor
        }
        guard let text = query("limit") else { return PageRequest(after: after) }
        guard let limit = Int(text), (1...PageLimit.most).contains(limit) else {
            throw InvalidRequest("limit", "A whole number from 1 to \(PageLimit.most).")
        }
        return PageRequest(after: after, limit: limit)
    }

    public func query(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// A number of the query, required.
    public func double(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        guard let value = query(name).flatMap(Double.init), range.contains(value) else {
            throw InvalidRequest(
                name, "A number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// `Prefer: wait=N` (RFC 7240), within 0…`most` seconds; nil when not asked for.
    public func preferredWait(most: Int = 30) -> Duration? {
        for preference in headers[values: .prefer].flatMap({ $0.split(separator: ",") }) {
            let parts = preference.split(separator: "=").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1]),
                seconds >= 0
            {
                return .seconds(min(seconds, most))
            }
        }
        return nil
    }
}

extension HTTPField.Name {
    public static let idempotencyKey = Self("Idempotency-Key")!
    public static let prefer = Self("Prefer")!
    public static let preferenceApplied = Self("Preference-Applied")!
    public static let traceparent = Self("traceparent")!
}
