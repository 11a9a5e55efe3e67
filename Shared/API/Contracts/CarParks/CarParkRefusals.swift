extension Refusal {
    public static let carParkUnknown = Refusal(
        404, "car_park.unknown", "There is no such car park.")
    public static let parkedVehicleUnknown = Refusal(
        404, "parked_vehicle.unknown", "You have not said where your vehicle is.",
        when: "No place is kept.")
    public static let carParkInUse = Refusal(
        409, "car_park.in_use",
        "There are bookings to come, or vehicles inside: close it first, and wait for them.")
    public static let openingHoursUnreadable = Refusal(
        422, "car_park.opening_hours", "These opening hours can't be read.", field: "openingHours",
        when: "They can't be read; `detail` says from where.")
    public static let carParkClosed = Refusal(
        409, "car_park.closed",
        "The car park is closed then: choose another time or another car park.",
        when: "The car park is closed, or closed at that time.")
    public static let parkingProductUnknown = Refusal(
        404, "parking_product.unknown", "There is no such product.")
    public static let parkingProductInvalid = Refusal(
        422, "booking.product_invalid",
        "The car park does not offer that: choose another product or quantity.", field: "productId")
    public static let bookingDateInvalid = Refusal(
        422, "booking.date_invalid", "This can't be booked for that time: choose another.",
        field: "start", when: "The time is past, too far ahead, or ends before it begins.")
    public static let bookingFull = Refusal(
        409, "booking.full",
        "There is not enough space at that time: choose another time or car park.")
    public static let carParkInOtherCurrency = Refusal(
        409, "car_park.other_currency", "The car park is paid in another currency than this order.")
    public static let bookingVehicleRequired = Refusal(
        422, "booking.vehicle_required", "Name a vehicle for each space.", field: "vehicleIds")
    public static let bookedVehicleUnknown = Refusal(
        422, "vehicle.unknown", "This is not one of your vehicles.", field: "vehicleIds")
    public static let termsOutdated = Refusal(
        409, "booking.terms_outdated", "The terms have changed: read them, and agree again.",
        field: "termsVersion")
    public static let bookingPriceChanged = Refusal(
        409, "booking.price_changed", "The price has changed: look at it, and agree again.",
        when: "It is not what the person was told; `amount` says what it is now. Nothing is taken.")
    public static let bookingOverlaps = Refusal(
        409, "booking.overlaps", "You, or the vehicle, have a booking elsewhere at that time.",
        when: "You, or the vehicle, have a booking elsewhere at that time; `bookingId` says which.")
    public static let tooManyBookings = Refusal(
        409, "booking.too_many", "You have as many bookings as one can have.")
    public static let bookingUnknown = Refusal(
        404, "booking.unknown", "There is no such booking, or it is not yours.")
    public static let bookingNotPossible = Refusal(
        409, "booking.not_possible", "That is not possible any more, or not yet.",
        when: "Not in this state of the booking.")
    public static let bookingHoldExpired = Refusal(
        409, "booking.hold_expired", "It was not paid in time: book again. Nothing is charged.")
    public static let bookingTooLate = Refusal(
        409, "booking.too_late", "A booking can be changed until its first day begins.")
    public static let bookingPaymentRequired = Refusal(
        422, "booking.payment_required", "It becomes dearer: name a way to pay the difference.")
    public static let bookingChangePending = Refusal(
        409, "booking.change_pending", "Another change of this booking is being paid."
    ).retrying(after: 2)
    public static let gateUnknown = Refusal(404, "gate.unknown", "There is no such gate.")
    public static let gateTokenInvalid = Refusal(
        401, "gate.token_invalid", "This is not the gate's token.")
    public static let gateRecognitionUnknown = Refusal(
        422, "gate.recognition_unknown", "There is no such recognition.", field: "recognitionId")
    public static let parkingSessionUnknown = Refusal(
        404, "parking_session.unknown", "There is no such stay, or it is not yours.")
    public static let parkingSessionEnded = Refusal(
        409, "parking_session.ended", "It has ended already.")
    public static let nothingDueForParking = Refusal(
        409, "parking_session.nothing_due", "There is nothing to pay.")
    public static let pointsInvalid = Refusal(
        422, "booking.points_invalid",
        "You have not so many points, or they are worth nothing or more than half of the price.",
        field: "points", when: "There are not so many points, or they are worth too much.")
    public static let carParkNotFull = Refusal(
        409, "car_park.not_full", "A space is free now, or nobody counts them.")
    public static let tooManyWatchedCarParks = Refusal(
        409, "watched_car_parks.too_many", "You watch as many car parks as one can.",
        when: "20 are watched.")
    public static let fineUnknown = Refusal(
        404, "fine.unknown", "There is no such fine, or it is not for a vehicle of yours.")
    public static let fineNotPossible = Refusal(
        409, "fine.not_possible", "That is not possible any more, or not yet.",
        when: "Not in this state of the fine.")
    public static let tooManyFinePhotos = Refusal(
        409, "fine.too_many_photos", "It has as many pictures as it can have.",
        when: "It has as many pictures as it can have, 6.")
    public static let tooManyCarParkPhotos = Refusal(
        409, "car_park.too_many_photos", "It has as many pictures as it can have.",
        when: "It has as many pictures as it can have, 10.")
}
