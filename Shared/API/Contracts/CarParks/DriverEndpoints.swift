/// Drivers' points, spending alerts, automatic payment and watched car parks.
public enum DriverEndpoints {
    public static let loyalty = Endpoint<Void, Loyalty>(
        .get, "/v1/me/loyalty", id: "loyalty", "My points", by: [.customer],
        answer: "Points, and the newest hundred entries.")
    public static let spendingAlert = Endpoint<Void, SpendingAlert>(
        .get, "/v1/me/spending-alert", id: "spendingAlert", "My spending alert",
        by: [.customer], answer: "The alert; `perDay` is null if there is none.")
    public static let putSpendingAlert = Endpoint<SpendingAlert, SpendingAlert>(
        .put, "/v1/me/spending-alert", id: "putSpendingAlert",
        "Get an alert when a day's parking costs more",
        "Sent once a day, by the local time of the car park; refunds are subtracted.",
        by: [.customer], answer: "The alert.")
    public static let autoPay = Endpoint<Void, AutoPay>(
        .get, "/v1/me/auto-pay", id: "autoPay", "My automatic payment at the exit",
        by: [.customer], answer: "The setting; `paymentMethodId` is null if it is off.")
    public static let putAutoPay = Endpoint<AutoPay, AutoPay>(
        .put, "/v1/me/auto-pay", id: "putAutoPay", "Pay automatically at the exit",
        """
        When my vehicle leaves a stay without a booking, this method is charged and the gate opens. If the charge \
        fails, the gate shows the amount due, as without this setting.
        """, by: [.customer], answer: "The setting.",
        refuses: [.paymentMethodUnknown])
    public static let watchedCarParks = Endpoint<Void, Page<WatchedCarPark>>(
        .get, "/v1/me/watched-car-parks", id: "watchedCarParks", "Car parks that I watch",
        by: [.customer], answer: "All of them.")
    public static let watchCarPark = Endpoint<SpaceClassQuery, WatchedCarPark>(
        .put, "/v1/me/watched-car-parks/{id}", id: "watchCarPark",
        "Watch a full car park",
        "We notify you once when a space is free, and the watch ends.", by: [.customer],
        answer: "The watch.",
        refuses: [
            .carParkUnknown,
            .carParkNotFull,
            .tooManyWatchedCarParks,
        ])
    public static let unwatchCarPark = Endpoint<SpaceClassQuery, Void>(
        .delete, "/v1/me/watched-car-parks/{id}", id: "unwatchCarPark", "Stop watching a car park",
        by: [.customer], answer: "The car park is not watched.",
        refuses: [.carParkUnknown])

    public static let all: [AnyEndpoint] = [
        loyalty.untyped, spendingAlert.untyped, putSpendingAlert.untyped, autoPay.untyped,
        putAutoPay.untyped, watchedCarParks.untyped,
        watchCarPark.untyped, unwatchCarPark.untyped,
    ]
}
