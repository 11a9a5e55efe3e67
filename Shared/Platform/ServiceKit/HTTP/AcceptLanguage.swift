import Contracts

extension Language {
    /// Maximum number of entries of `Accept-Language` that are read.
    private static let mostEntries = 32

    /// The supported language that a browser prefers (RFC 9110, 12.5.4); English if it names none of ours. People who
    /// read any kind of Chinese get our Chinese texts, which serve them better than English.
    public init(accepting header: String?) {
        let entries = (header ?? "").split(separator: ",").prefix(Self.mostEntries)
        var best: (language: Language, weight: Double)?
        for entry in entries {
            let parts = entry.split(separator: ";").map { $0.trimming(while: \.isWhitespace) }
            let tag = parts.first?.split(separator: "-").first?.lowercased()
            guard let language = Self.tags[tag ?? ""] else { continue }
            let weight = parts.dropFirst().compactMap(Self.weight).first ?? 1
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? .english
    }

    private static let tags: [String: Language] = ["en": .english, "zh": .traditionalChinese]

    /// The weight in `q=0.8`.
    private static func weight(_ parameter: Substring) -> Double? {
        let parts = parameter.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "q" else { return nil }
        return Double(parts[1]).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

extension Substring {
    fileprivate func trimming(while isOff: (Character) -> Bool) -> Substring {
        let start = drop(while: isOff)
        guard let end = start.lastIndex(where: { !isOff($0) }) else { return start.prefix(0) }
        return start[...end]
    }
}
