extension Refusal {
    public static let parkingNothingFound = Refusal(
        404, "parking.nothing_found",
        "There is nothing to pay with these details. Check the plate and the time.",
        when: """
            Nothing is due for a stay with these details. It is the same answer for an unknown plate, a wrong time, \
            a stay that is paid or booked, and one that a valet's order pays.
            """)
    public static let tooManyLookups = Refusal(
        429, "parking.too_many_lookups", "Too many attempts. Try again later.",
        when: "Too many wrong details for this plate or code, known or not.")
    public static let parkingLookupExpired = Refusal(
        409, "parking.lookup_expired", "This took too long. Look the price up again.",
        when: "The token is not ours or has expired, or the price is another by now.")
}
