/// BCP 47 tag of a language that people can choose, for example `zh-Hant`.
///
/// An open set: a tag that this release does not know is stored unchanged, so that nothing is lost
/// while releases are mixed. People choose from `allCases`.
public struct Language: RawRepresentable, Hashable, Sendable, Codable, CaseIterable {
    /// Longest tag, in characters (RFC 5646, section 4.4.1).
    public static let longestTag = 35

    public static let english = Language(known: "en")
    public static let traditionalChinese = Language(known: "zh-Hant")

    /// Languages that people can choose; each service has its texts in all of them.
    public static let allCases: [Language] = [.english, .traditionalChinese]

    public let rawValue: String

    private init(known tag: String) { rawValue = tag }

    /// Nil if the tag is not well formed.
    public init?(rawValue tag: String) {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isTag, tag.utf8.count <= Self.longestTag, let primary = parts.first,
            primary.utf8.count >= 2, primary.allSatisfy(\.isLetter)
        else { return nil }
        rawValue = tag
    }

    /// Nil if people cannot choose it.
    public static func spoken(_ tag: String) -> Language? {
        allCases.first { $0.rawValue == tag }
    }

    /// Whether people can choose it.
    public var isSpoken: Bool { Self.allCases.contains(self) }

    /// The part before the first hyphen: `zh`.
    public var primary: Substring { rawValue.prefix { $0 != "-" } }
}
