extension Refusal {
    public static let pictureUnknown = Refusal(
        404, "picture.unknown", "This picture is not shown any more.")
    public static let pictureAddressInvalid = Refusal(
        403, "picture.address_invalid", "This address of a picture was not made by us.")
    public static let pictureAddressExpired = Refusal(
        403, "picture.address_expired", "This address of a picture has expired: ask for a new one.",
        when: "It was good for minutes; the answer that had it gives a new one.")

    public static let pictureEmpty = Refusal(
        422, "picture.empty", "There is no picture in the body.")
    public static let pictureTypeUnknown = Refusal(
        422, "picture.unknown_type", "The picture is of a type that is not taken here.",
        when: "Neither JPEG, PNG nor WebP.")
    public static let pictureTruncated = Refusal(
        422, "picture.truncated", "The picture is cut off.")
    public static let pictureTooLarge = Refusal(
        422, "picture.too_large_dimensions", "The picture has more pixels than we take.")
    public static let pictureMalformed = Refusal(
        422, "picture.malformed", "The picture can't be read.")

    /// What an address of a picture does not open, signed as `Parameter.signature` says.
    static let signedPicture: [Refusal] = [
        .pictureAddressInvalid, .pictureAddressExpired, .pictureUnknown,
    ]

    /// What is no picture that is taken.
    static let noPicture: [Refusal] = [
        .pictureEmpty, .pictureTypeUnknown, .pictureTruncated, .pictureTooLarge, .pictureMalformed,
    ]
}
