import Contracts
import Foundation
import Hummingbird

extension Request {
    /// The offered type with the highest weight in `Accept` (RFC 9110 §12.5.1), the first of equals; `other` if it
    /// names none of them.
    public func preferred(of offered: [Contracts.MediaType], else other: Contracts.MediaType)
        -> Contracts.MediaType
    {
        var weights: [String: Double] = [:]
        for value in headers[values: .accept] {
            for part in value.split(separator: ",") {
                let words = part.split(separator: ";").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased()
                }
                let weight = words.first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
                if let name = words.first { weights[name] = weight ?? 1 }
            }
        }
        func weight(_ type: Contracts.MediaType) -> Double {
            let range = "\(type.rawValue.prefix { $0 != "/" })/*"
            return weights[type.rawValue] ?? weights[range] ?? 0
        }
        return offered.reduce((type: other, weight: 0.0)) { best, type in
            weight(type) > best.weight ? (type, weight(type)) : best
        }.type
    }
}
