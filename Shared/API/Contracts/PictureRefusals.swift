extension Refusal {
    public static let pictureUnknown = Refusal(
        404, "picture.unknown", "This picture is no longer available.")
    public static let pictureAddressInvalid = Refusal(
        403, "picture.address_invalid", "This picture's address is not signed by us.")
    public static let pictureAddressExpired = Refusal(
        403, "picture.address_expired", "This picture's address has expired. Load its page again.",
        when: "It was valid for minutes. Repeat the request whose answer had it.")

    public static let pictureEmpty = Refusal(
        422, "picture.empty", "There is no picture in the body.")
    public static let pictureTypeUnknown = Refusal(
        422, "picture.unknown_type", "Pictures of this type are not supported.",
        when: "The picture is neither JPEG, PNG nor WebP.")
    public static let pictureTruncated = Refusal(
        422, "picture.truncated", "The picture is cut off.")
    public static let pictureTooLarge = Refusal(
        422, "picture.too_large_dimensions", "The picture has too many pixels.")
    public static let pictureMalformed = Refusal(
        422, "picture.malformed", "The picture can't be read.")

    /// The refusals of a picture's signed address; see `Parameter.signature`.
    static let signedPicture: [Refusal] = [
        .pictureAddressInvalid, .pictureAddressExpired, .pictureUnknown,
    ]

    /// The refusals of an uploaded picture.
    static let noPicture: [Refusal] = [
        .pictureEmpty, .pictureTypeUnknown, .pictureTruncated, .pictureTooLarge, .pictureMalformed,
    ]
}
