/// The kinds of picture that are taken, told by their content.
public enum PictureType: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
}
