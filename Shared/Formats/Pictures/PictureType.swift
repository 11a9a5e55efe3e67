/// Accepted types of pictures, detected by their contents.
public enum PictureType: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"

    /// Nil if the first bytes match none of them.
    init?(_ bytes: Bytes) {
        if bytes.starts(with: [0xFF, 0xD8]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: Array("RIFF".utf8)),
            bytes.count < 12 || bytes.text(at: 8, count: 4) == "WEBP"
        {
            self = .webp
        } else {
            return nil
        }
    }
}
