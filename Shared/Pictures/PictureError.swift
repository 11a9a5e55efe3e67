/// Why bytes are not a picture that is taken.
public enum PictureError: Error, Sendable, Hashable, CaseIterable {
    case empty
    case unknownType
    /// It begins well and ends too early.
    case truncated
    /// More than a decoder should be asked to unfold.
    case tooManyPixels
    case malformed

    /// Stable: clients are written against it.
    public var code: String {
        switch self {
        case .empty: "picture.empty"
        case .unknownType: "picture.unknown_type"
        case .truncated: "picture.truncated"
        case .tooManyPixels: "picture.too_large_dimensions"
        case .malformed: "picture.malformed"
        }
    }

    public var title: String {
        switch self {
        case .empty: "There is no picture in the body."
        case .unknownType: "The picture is of a type that is not taken here."
        case .truncated: "The picture is cut off."
        case .tooManyPixels:
            "The picture is larger than \(Picture.longestSide) pixels a side or "
                + "\(Picture.mostPixels / 1_000_000) million in all."
        case .malformed: "The picture can't be read."
        }
    }
}
