extension Refusal {
    public static let rateLimited = Refusal(
        429, "rate.limited", "Too many requests. Try again in a moment.",
        when: "Too many requests. Try again later.")
    public static let tooManyStreams = Refusal(
        429, "stream.too_many", "This account has too many open streams.")
    public static let addressTooLong = Refusal(
        414, "request.too_large", "The address is too long.")
    public static let headTooLarge = Refusal(
        431, "request.too_large", "The request's headers are too large.")
    public static let bodyTooSlow = Refusal(
        408, "request.too_slow", "The request's body did not arrive in time.")
    public static let hostMissing = Refusal(
        400, "request.malformed", "The request must name exactly one host.")
}
