/// Why bytes are not a picture that is taken.
public enum PictureError: Error, Sendable, Hashable, CaseIterable {
    case empty
    case unknownType
    /// It begins well and ends too early.
    case truncated
    /// More than a decoder should be asked to unfold.
    case tooManyPixels
    case malformed
}
