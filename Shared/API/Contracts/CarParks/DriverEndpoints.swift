/// What drivers keep with us beside their bookings: points, an alert of what they spend, car parks that they watch.
public enum DriverEndpoints {
    public static let loyalty = Endpoint<Void, Loyalty>(
        .get, "/v1/me/loyalty", id: "loyalty", "My points", by: [.customer],
        answer: "Points, and the newest hundred entries.")
    public static let spendingAlert = Endpoint<Void, SpendingAlert>(
        .get, "/v1/me/spending-alert", id: "spendingAlert", "When am I told of what I spend?",
        by: [.customer], answer: "The alert; `perDay` is null where there is none.")
    public static let putSpendingAlert = Endpoint<SpendingAlert, SpendingAlert>(
        .put, "/v1/me/spending-alert", id: "putSpendingAlert",
        "Be told when a day's parking costs more",
        "Once a day, by the clock of the car park that is paid for; what goes back is taken off.",
        by: [.customer], answer: "The alert.")
    public static let autoPay = Endpoint<Void, AutoPay>(
        .get, "/v1/me/auto-pay", id: "autoPay", "Do I pay at the exit by myself?",
        by: [.customer], answer: "The setting; `paymentMethodId` is null where one is asked.")
    public static let putAutoPay = Endpoint<AutoPay, AutoPay>(
        .put, "/v1/me/auto-pay", id: "putAutoPay", "Pay at the exit without a tap",
        """
        A stay of one's vehicle that was not booked is charged to this method when it leaves, and the gate opens. \
        Where that fails the gate says what is owed, as without it.
        """, by: [.customer], answer: "The setting.",
        refuses: [.paymentMethodUnknown])
    public static let watchedCarParks = Endpoint<Void, Page<WatchedCarPark>>(
        .get, "/v1/me/watched-car-parks", id: "watchedCarParks", "Car parks that I watch",
        by: [.customer], answer: "All of them.")
    public static let watchCarPark = Endpoint<SpaceClassQuery, WatchedCarPark>(
        .put, "/v1/me/watched-car-parks/{id}", id: "watchCarPark",
        "Be told when a space is free",
        "Of a car park that is full. One is told once; the watch is over then.", by: [.customer],
        answer: "The watch.",
        refuses: [
            .carParkUnknown,
            .carParkNotFull,
            .tooManyWatchedCarParks,
        ])
    public static let unwatchCarPark = Endpoint<SpaceClassQuery, Void>(
        .delete, "/v1/me/watched-car-parks/{id}", id: "unwatchCarPark", "Watch it no more",
        by: [.customer], answer: "It is not watched.",
        refuses: [.carParkUnknown])

    public static let all: [AnyEndpoint] = [
        loyalty.untyped, spendingAlert.untyped, putSpendingAlert.untyped, autoPay.untyped,
        putAutoPay.untyped, watchedCarParks.untyped,
        watchCarPark.untyped, unwatchCarPark.untyped,
    ]
}
