import Foundation

/// A mail in its wire form (RFC 5322): plain text, in UTF-8 if ASCII is not enough, and as HTML if there is any.
struct MailMessage: Sendable, Hashable {
    /// Longest line in octets, without its end (RFC 5322, section 2.1.1).
    static let longestLine = 998
    /// Octets of text in one encoded word, which fits a line of 76 beside the header's name (RFC 2047, section 2).
    static let longestWord = 39

    let id: String
    let from: String
    let to: String
    let subject: String
    let text: String
    var html: String?
    let date: Date

    /// Lines without their ends and without the final dot.
    var lines: [String] {
        let domain = from.split(separator: "@").last ?? "localhost"
        let head = [
            ("From", Self.oneLine(from)), ("To", Self.oneLine(to)),
            ("Subject", Self.encoded(Self.oneLine(subject))),
            ("Date", date.formatted(Self.dates)), ("Message-ID", "<\(id)@\(domain)>"),
            ("MIME-Version", "1.0"),
        ].map { "\($0): \($1)" }
        // RFC 3834: prevents automatic replies.
        let automatic = "Auto-Submitted: auto-generated"
        let plain = Part(type: "plain", text: text)
        guard let html else { return head + plain.head + [automatic, ""] + plain.body }
        let boundary = "=_\(id)"
        let parts = [plain, Part(type: "html", text: html)].flatMap { part in
            ["--\(boundary)"] + part.head + [""] + part.body
        }
        return head
            + ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", automatic, ""]
            + parts + ["--\(boundary)--"]
    }

    /// A text with its headers (RFC 2046, section 5.1.4: the plainest comes first).
    private struct Part {
        let type: String
        let text: String

        var head: [String] {
            [
                "Content-Type: text/\(type); charset=utf-8",
                "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")",
            ]
        }

        var body: [String] { isPlain ? lines : base64 }

        private var isPlain: Bool {
            text.utf8.allSatisfy { $0 < 0x80 }
                && lines.allSatisfy { $0.utf8.count <= MailMessage.longestLine }
        }

        private var lines: [String] {
            text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
        }

        private var base64: [String] {
            Data(lines.joined(separator: "\r\n").utf8)
                .base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
                .split(separator: "\n").map(String.init)
        }
    }

    /// Without control characters, which could add headers.
    private static func oneLine(_ value: String) -> String {
        String(
            String.UnicodeScalarView(
                value.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }

    /// As encoded words (RFC 2047) unless it is short ASCII.
    private static func encoded(_ subject: String) -> String {
        if subject.utf8.count <= 60, subject.utf8.allSatisfy({ $0 < 0x80 }),
            !subject.contains("=?")
        {
            return subject
        }
        var words = [""]
        for character in subject {
            let last = words[words.count - 1] + String(character)
            if last.utf8.count <= longestWord {
                words[words.count - 1] = last
            } else {
                words.append(String(character))
            }
        }
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    /// RFC 5322, section 3.3.
    private static let dates = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) +0000
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian))
}
