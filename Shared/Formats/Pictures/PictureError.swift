/// Why a picture is refused.
public enum PictureError: Error, Sendable, Hashable, CaseIterable {
    case empty
    case unknownType
    /// It begins correctly but ends too early.
    case truncated
    /// More pixels than a decoder should have to expand.
    case tooManyPixels
    case malformed
}
