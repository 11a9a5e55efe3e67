import Foundation

/// The answer that a picture's comment asks for.
struct Script: Sendable, Equatable {
    /// The confidence of `make` without `make_confidence`, in percent.
    static let usualConfidence = 90.0

    private let values: [String: String]

    /// Any other comment gives an empty script.
    init(comment: String?) {
        let comment = (comment ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        values = Self.object(comment) ?? Self.pairs(comment)
    }

    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    func number(_ name: String) -> Double? { self[name].flatMap(Double.init) }

    /// As in `AB1234:93.1,A81234:70`.
    var candidates: [(plate: String, confidence: Double)] {
        (self["candidates"] ?? "").split(separator: ",").compactMap { text in
            let parts = text.split(separator: ":").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2, let confidence = Double(parts[1]) else { return nil }
            return (parts[0], confidence)
        }
    }

    private static func object(_ text: String) -> [String: String]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
            let pairs = object as? [String: Any]
        else { return nil }
        return pairs.mapValues { "\($0)" }
    }

    private static func pairs(_ text: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in text.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            if parts.count == 2 { pairs[parts[0].lowercased()] = parts[1] }
        }
        return pairs
    }
}
