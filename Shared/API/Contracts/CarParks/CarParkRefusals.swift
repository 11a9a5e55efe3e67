extension Refusal {
    public static let carParkUnknown = Refusal(
        404, "car_park.unknown", "There is no such car park.")
    public static let parkedVehicleUnknown = Refusal(
        404, "parked_vehicle.unknown", "You haven't saved where you parked.",
        when: "No place is saved.")
    public static let carParkInUse = Refusal(
        409, "car_park.in_use",
        "There are future bookings or vehicles inside. Close the car park first, and wait for them."
    )
    public static let openingHoursUnreadable = Refusal(
        422, "car_park.opening_hours", "These opening hours are not in OpenStreetMap's format.",
        field: "openingHours",
        when: "They can't be read; `detail` says where.")
    public static let carParkClosed = Refusal(
        409, "car_park.closed",
        "The car park is closed at that time. Choose another time or car park.",
        when: """
            An operator has closed the car park, or its opening hours say that it is closed at the start \
            or at the end, when nobody could fetch a vehicle.
            """)
    public static let parkingProductUnknown = Refusal(
        404, "parking_product.unknown", "There is no such product.")
    public static let parkingProductInvalid = Refusal(
        422, "booking.product_invalid",
        "The car park does not offer this. Choose another product or quantity.", field: "productId")
    public static let bookingDateInvalid = Refusal(
        422, "booking.date_invalid", "You can't book this time. Choose another one.",
        field: "start", when: "The time is past, too far ahead, or ends before it begins.")
    public static let bookingFull = Refusal(
        409, "booking.full",
        "Not enough free spaces at that time. Choose another time or car park.")
    public static let carParkInOtherCurrency = Refusal(
        409, "car_park.other_currency", "The car park's currency differs from the order's.")
    public static let bookingVehicleRequired = Refusal(
        422, "booking.vehicle_required", "Choose a vehicle for each space.", field: "vehicleIds")
    public static let bookedVehicleUnknown = Refusal(
        422, "vehicle.unknown", "This is not one of your vehicles.", field: "vehicleIds")
    public static let termsOutdated = Refusal(
        409, "booking.terms_outdated", "The terms have changed. Read and accept them again.",
        field: "termsVersion")
    public static let bookingPriceChanged = Refusal(
        409, "booking.price_changed", "The price has changed. Check it and confirm again.",
        when:
            "The price differs from the one shown; `amount` is the current one. Nothing is charged."
    )
    public static let bookingOverlaps = Refusal(
        409, "booking.overlaps", "You or the vehicle have another booking at that time.",
        when:
            """
            The customer or the vehicle has another booking at that time; `bookingId` names it if it is the customer's.
            """)
    public static let tooManyBookings = Refusal(
        409, "booking.too_many", "You have reached the limit of bookings.",
        when: "The limit is 50 bookings, of which 3 may be unpaid.")
    public static let bookingTooSoon = Refusal(
        429, "booking.too_soon",
        "Several of your bookings were not paid in time. Wait before you book again.")
    public static let bookingUnknown = Refusal(
        404, "booking.unknown", "There is no such booking, or it is not yours.")
    public static let bookingNotPossible = Refusal(
        409, "booking.not_possible", "That is no longer possible, or not yet.",
        when: "The booking's state does not allow it.")
    public static let bookingHoldExpired = Refusal(
        409, "booking.hold_expired", "You didn't pay in time, so nothing is charged. Book again.")
    public static let bookingTooLate = Refusal(
        409, "booking.too_late", "You can change a booking only before its first day.")
    public static let bookingPaymentRequired = Refusal(
        422, "booking.payment_required",
        "The price goes up. Choose a payment method for the difference.")
    public static let bookingChangePending = Refusal(
        409, "booking.change_pending", "Another change of this booking is still being paid."
    ).retrying(after: 2)
    public static let gateUnknown = Refusal(404, "gate.unknown", "There is no such gate.")
    public static let gateTokenInvalid = Refusal(
        401, "gate.token_invalid", "This is not the gate's token.")
    public static let gateRecognitionUnknown = Refusal(
        422, "gate.recognition_unknown", "There is no such recognition.", field: "recognitionId")
    public static let parkingSessionUnknown = Refusal(
        404, "parking_session.unknown", "There is no such stay, or it is not yours.")
    public static let parkingSessionEnded = Refusal(
        409, "parking_session.ended", "This stay has already ended.")
    public static let settlementRequired = Refusal(
        422, "parking_session.settlement_required",
        "An amount is due for this stay. Choose whether to write it off or bill it later.",
        field: "settlement", when: "An amount is due for the stay, and `settlement` is absent.")
    public static let nothingDueForParking = Refusal(
        409, "parking_session.nothing_due", "There is nothing to pay.")
    public static let pointsInvalid = Refusal(
        422, "booking.points_invalid",
        "You don't have enough points, or they are worth nothing or more than half of the price.",
        field: "points", when: "Too few points, or they are worth nothing or too much.")
    public static let carParkNotFull = Refusal(
        409, "car_park.not_full", "A space is free now, or the car park doesn't report its spaces.")
    public static let tooManyWatchedCarParks = Refusal(
        409, "watched_car_parks.too_many", "You have reached the limit of car parks to watch.",
        when: "The limit is 20.")
    public static let fineUnknown = Refusal(
        404, "fine.unknown", "There is no such fine, or it is for someone else's vehicle.",
        when: "There is no such fine, or it is not proven that the vehicle is the customer's.")
    public static let fineNotPossible = Refusal(
        409, "fine.not_possible", "That is no longer possible, or not yet.",
        when: "The fine's state does not allow it.")
    public static let plateCodeUnknown = Refusal(
        404, "plate.code_unknown", "This code doesn't belong to the plate. Check both.",
        field: "code", when: "The plate has no stay, fine or invitation with this code.")
    public static let tooManyPlateCodes = Refusal(
        429, "plate.too_many_codes", "Too many wrong codes. Try again later.")
    public static let plateNotProven = Refusal(
        409, "plate.not_proven",
        "First enter the code that a gate shows when you drive in with this vehicle.",
        when: "It is not proven that the person has the vehicle.")
    public static let plateSharedByOther = Refusal(
        409, "plate.shared_by_other",
        "Somebody else shared this vehicle with you. Only they can invite others.",
        when: "The person has the vehicle by an invitation.")
    public static let tooManyFinePhotos = Refusal(
        409, "fine.too_many_photos", "The limit of pictures is reached.",
        when: "The limit is 6 pictures.")
    public static let tooManyCarParkPhotos = Refusal(
        409, "car_park.too_many_photos", "The limit of pictures is reached.",
        when: "The limit is 10 pictures.")
}
