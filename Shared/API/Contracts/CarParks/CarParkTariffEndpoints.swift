/// Tariffs of car parks for stays without a booking, and the price of a longer booking.
public enum CarParkTariffEndpoints {
    public static let parkingTariff = Endpoint<Void, ParkingTariff>(
        .get, "/v1/admin/car-parks/{id}/tariff", id: "parkingTariff", "The tariff of a car park",
        by: [.operator],
        answer: Success("The current version; version 0 without prices if there is none.", [.eTag]),
        refuses: [.carParkUnknown])
    public static let putParkingTariff = Endpoint<ParkingTariffBody, ParkingTariff>(
        .put, "/v1/admin/car-parks/{id}/tariff", id: "putParkingTariff",
        "Change the tariff of a car park", by: [.operator], with: [.ifMatch],
        answer: Success("The new version. Vehicles that are inside keep their prices.", [.eTag]),
        refuses: [.carParkUnknown, .preconditionFailed])
    public static let previewParkingTariff = Endpoint<TariffPreviewBody, [TariffPreview]>(
        .post, "/v1/admin/car-parks/{id}/tariff/preview", id: "previewParkingTariff",
        "Preview the prices of a tariff", "Nothing is saved.", by: [.operator],
        answer: "The prices of the stays, in the same order.", refuses: [.carParkUnknown])

    public static let quoteExtension = Endpoint<ExtendBody, BookingChangeQuote>(
        .post, "/v1/bookings/{id}/quote-extension", id: "quoteExtension",
        "The price of an extension", by: [.customer],
        answer: "New lines and the difference; the booking stays as it is.",
        refuses: [
            .bookingUnknown, .bookingNotPossible, .carParkUnknown, .carParkClosed,
            .bookingDateInvalid, .parkingProductInvalid,
        ])

    public static let all: [AnyEndpoint] = [
        parkingTariff.untyped, putParkingTariff.untyped, previewParkingTariff.untyped,
        quoteExtension.untyped,
    ]
}
