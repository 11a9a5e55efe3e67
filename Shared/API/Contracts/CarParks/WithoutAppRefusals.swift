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
    public static let parkingPaymentReturned = Refusal(
        409, "parking.payment_returned",
        "Someone else has paid, or the stay has ended. This payment will be refunded.",
        when:
            "Somebody else paid for the stay, or an operator ended it, while this payment was made."
    )
    public static let lostTicketWithoutPrice = Refusal(
        409, "parking.lost_ticket_without_price", "The tariff has no price for a lost ticket.",
        when: "The car park has no tariff, or its tariff has no price for a lost ticket.")
    public static let parkingLookupExpired = Refusal(
        409, "parking.lookup_expired", "This price is no longer valid. Look it up again.",
        when: "The token is not ours or has expired, or the price is another by now.")
}
