extension ServiceManifest {
    public static let orders = ServiceManifest(
        "orders",
        [.tokenKeys, .database, .maps, .personalData, .bills, .engagements, .interactive],
        peers: ["accounts", "areas", "plates", "payments", "carparks"],
        endpoints: OrderEndpoints.all,
        events: [
            DropOffRequested.self, MatchRepeated.self, ValetAssigned.self,
            OrderUnfulfilled.self, OrderCancelled.self, ValetWithdrawn.self, VehicleCollected.self,
            VehicleParked.self, ReturnRequested.self, ReturnUnfulfilled.self, RecallCancelled.self,
            VehicleRetrieved.self, VehicleReturned.self, OrderFinished.self, OrderOverridden.self,
            OrderOverdue.self, OrderNeedsOperator.self, OrderScheduled.self, ValetOffered.self,
            OfferEnded.self,
            TaskChanged.self,
        ],
        hears: [
            AccountChanged.self, AccountDeleted.self, VehicleChanged.self, ServiceAreaChanged.self,
            PartyArrived.self, AvailabilityChanged.self, ValetMatched.self, NoValetFound.self,
            PaymentSucceeded.self, RecognitionMade.self, PhotoTaken.self, RatingGiven.self,
        ], tells: [.engagements, .bills, .shifts, .parkedVehicles],
        copies: [.areas, .people, .vehicles],
        types: [AlertStatus.self, OrderSnapshot.self])
}

/// The valet order, its tasks and shifts.
public enum OrderEndpoints {
    public static let placeOrder = Endpoint<PlaceOrderBody, OrderView>(
        .post, "/v1/orders", id: "placeOrder", "Order a valet", by: [.customer],
        with: [.prefer, .idempotencyKey],
        answer: Success("The order.", status: 201, [.eTag, .location, .preferenceApplied]),
        refuses: [
            .unfinishedOrderExists,
            .paymentDue, .orderOutsideServiceArea,
            .orderVehicleUnknown,
            .extraUnavailable,
            .orderScheduleInvalid,
            .orderContended,
        ])
    public static let orders = Endpoint<OrdersQuery, Page<OrderView>>(
        .get, "/v1/orders", id: "orders", "My orders",
        answer: "A customer's orders and a valet's jobs; for operators, all orders.")
    public static let currentOrder = Endpoint<CurrentOrderQuery, OrderView?>(
        .get, "/v1/orders/current", id: "currentOrder", "My open order or job",
        "The job, for a person with both.", by: [.customer, .valet],
        answer: Success("The order.", [.eTag], or: [204: "There is none."]))
    public static let order = Endpoint<Void, OrderView>(
        .get, "/v1/orders/{id}", id: "order", "An order", with: [.prefer, .ifNoneMatch],
        answer: Success(
            "The order.", [.eTag, .preferenceApplied],
            or: [304: "The version of `If-None-Match` is still current."]), refuses: [.orderUnknown]
    )
    public static let cancel = Endpoint<ReasonBody?, OrderView>(
        .post, "/v1/orders/{id}/cancel", id: "cancel", "Cancel an order",
        """
        Free until the grace time after assignment, then the tariff's fee applies; not possible once the valet has \
        the vehicle.
        """, by: [.customer], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [.orderUnknown, .orderNotPossible, .orderContended])
    public static let cancelRecall = Endpoint<ReasonBody?, OrderView>(
        .post, "/v1/orders/{id}/cancel-recall", id: "cancelRecall",
        "Leave the vehicle parked after all", by: [.customer], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [.orderUnknown, .orderNotPossible, .orderContended])
    public static let customerAbsent = Endpoint<ReasonBody?, OrderView>(
        .post, "/v1/orders/{id}/customer-absent", id: "customerAbsent",
        "Report that the customer did not come",
        by: [.valet], with: [.idempotencyKey], answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .valetNotArrived,
            .customerHasTime, .orderContended,
        ])
    public static let withdraw = Endpoint<ReasonBody?, OrderView>(
        .post, "/v1/orders/{id}/withdraw", id: "withdraw", "Withdraw from a job",
        by: [.valet, .operator], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .noValetAssigned, .orderContended,
        ])
    public static let collect = Endpoint<CodeBody, OrderView>(
        .post, "/v1/orders/{id}/collect", id: "collect", "Confirm that I have the vehicle",
        by: [.valet],
        with: [.idempotencyKey], answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .orderCodesUsedUp, .wrongOrderCode, .orderCodeLocked,
            .orderContended,
        ])
    public static let park = Endpoint<ParkBody, OrderView>(
        .post, "/v1/orders/{id}/park", id: "park", "Confirm that the vehicle is parked",
        "With `carParkId` the vehicle takes a space there until it is fetched; the bill has a line for it.",
        by: [.valet], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .orderRecognitionUnknown, .orderContended,
            .carParkUnknown,
            .carParkClosed,
            .bookingFull,
            .carParkInOtherCurrency,
        ])
    public static let recall = Endpoint<RecallBody, OrderView>(
        .post, "/v1/orders/{id}/recall", id: "recall", "Have the vehicle brought back",
        by: [.customer], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [.orderUnknown, .orderNotPossible, .orderOutsideServiceArea, .orderContended])
    public static let retrieve = Endpoint<Void, OrderView>(
        .post, "/v1/orders/{id}/retrieve", id: "retrieve",
        "Confirm that I have fetched the parked vehicle",
        by: [.valet], with: [.idempotencyKey], answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .orderContended,
        ])
    public static let handBack = Endpoint<CodeBody, OrderView>(
        .post, "/v1/orders/{id}/hand-back", id: "handBack",
        "Confirm that the customer has the vehicle back", by: [.valet],
        with: [.idempotencyKey], answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .orderNotPossible,
            .orderCodesUsedUp, .wrongOrderCode, .orderCodeLocked,
            .orderContended,
        ])
    public static let quote = Endpoint<Void, Quote>(
        .get, "/v1/orders/{id}/quote", id: "quote", "Duration and price so far",
        answer: "The bill if it were issued now.", refuses: [.orderUnknown])
    public static let custody = Endpoint<PageQuery, Page<CustodyEntry>>(
        .get, "/v1/orders/{id}/custody", id: "custody",
        "The custody record of the vehicle and its key",

        answer: "Oldest first: each line carries the hash of the one before.",
        refuses: [.orderUnknown])
    public static let offers = Endpoint<Void, Page<Offer>>(
        .get, "/v1/me/offers", id: "offers", "The job that I am offered", by: [.valet],
        answer: "None or one.")
    public static let confirmOfferDelivery = Endpoint<Void, Offer>(
        .post, "/v1/orders/{id}/offer-delivered", id: "confirmOfferDelivery",
        "Confirm that the phone has the offer", by: [.valet], with: [.idempotencyKey],
        answer: "The offer; the time to answer runs from the first call.",
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .offerEnded,
            .orderContended,
        ])
    public static let acceptOffer = Endpoint<Void, OrderView>(
        .post, "/v1/orders/{id}/accept", id: "acceptOffer", "Accept an offered job",
        by: [.valet], with: [.idempotencyKey],
        answer: Success(
            """
            The order as it is now. A repeat gets the same answer while the job is still the valet's.
            """, [.eTag]),
        refuses: [
            .orderNotAssigned,
            .orderValetSuspended, .orderUnknown, .offerEnded, .orderContended,
        ])
    public static let declineOffer = Endpoint<Void, OrderView>(
        .post, "/v1/orders/{id}/decline", id: "declineOffer",
        "Decline an offered job", by: [.valet], with: [.idempotencyKey],
        answer: Success(
            "The order without its parties' private data. A repeat gets the same answer.", [.eTag]),
        refuses: [
            .orderNotAssigned, .orderValetSuspended, .orderUnknown, .offerEnded,
            .orderContended,
        ])
    public static let tasks = Endpoint<TasksQuery, Page<TaskListing>>(
        .get, "/v1/tasks", id: "tasks", "Wash and refuel of parked vehicles",
        by: [.valet, .operator],
        answer: """
            A valet sees the open tasks of the area where they were when their availability last changed, and the \
            tasks that they have taken or done. Operators see all tasks.
            """)
    public static let takeTask = Endpoint<TaskBody, OrderView>(
        .post, "/v1/orders/{id}/take-task", id: "takeTask", "Take a task of a parked vehicle",
        by: [.valet], with: [.idempotencyKey],
        answer: Success(
            "The order as this valet may see it. They can still get jobs.", [.eTag]),
        refuses: [
            .orderValetSuspended,
            .orderUnknown,
            .orderTaskUnknown, .orderNotPossible,
            .orderTaskTaken, .orderTaskDone,
            .orderContended,
        ])
    public static let releaseTask = Endpoint<TaskBody, OrderView>(
        .post, "/v1/orders/{id}/release-task", id: "releaseTask", "Release a task", by: [.valet],
        with: [.idempotencyKey], answer: Success("The order as this valet may see it.", [.eTag]),
        refuses: [
            .orderValetSuspended,
            .orderNotAssigned,
            .orderUnknown,
            .orderTaskUnknown, .orderNotPossible,
            .orderTaskDone, .orderContended,
        ])
    public static let completeTask = Endpoint<TaskBody, OrderView>(
        .post, "/v1/orders/{id}/complete-task", id: "completeTask", "Complete a task",
        by: [.valet], with: [.idempotencyKey],
        answer: Success("The order as this valet may see it.", [.eTag]),
        refuses: [
            .orderValetSuspended,
            .orderNotAssigned,
            .orderUnknown,
            .orderTaskUnknown, .orderNotPossible,
            .orderTaskDone, .orderContended,
        ])
    public static let ownShifts = Endpoint<PageQuery, Page<Shift>>(
        .get, "/v1/me/shifts", id: "ownShifts", "My shifts", by: [.valet],
        answer: "Newest first, with their breaks.")
    public static let shifts = Endpoint<ShiftsQuery, Page<Shift>>(
        .get, "/v1/admin/shifts", id: "shifts", "Shifts of all valets", by: [.operator],
        answer: "Newest first, with their breaks.")
    public static let allOrders = Endpoint<AllOrdersQuery, Page<OrderView>>(
        .get, "/v1/admin/orders", id: "allOrders", "All orders", by: [.operator],
        answer: "Newest first.")
    public static let overrideOrder = Endpoint<OverrideBody, OrderView>(
        .post, "/v1/admin/orders/{id}/override", id: "override", "Change an order's state by hand",
        by: [.operator], with: [.idempotencyKey],
        answer: Success("The order as it is now.", [.eTag]),
        refuses: [
            .orderUnknown, .orderNotPossible,
            .valetBusy,
            .orderContended,
        ])
    public static let orderStatistics = Endpoint<SpanQuery, OrderStatistics>(
        .get, "/v1/admin/statistics/orders", id: "orderStatistics", "Statistics of orders",
        """
        Covers the orders placed in a span of up to 31 days; the last day by default.
        """, by: [.operator], answer: "Counts and waiting times.")
    public static let verifyCustody = Endpoint<Void, CustodyVerification>(
        .get, "/v1/admin/orders/{id}/custody/verification", id: "verifyCustody",
        "Verify the custody record", by: [.operator],
        answer: "The chain from the first line to the last.", refuses: [.orderUnknown])
    public static let alerts = Endpoint<AlertsQuery, Page<Alert>>(
        .get, "/v1/admin/alerts", id: "alerts", "Orders that have been in one state for too long",
        by: [.operator],
        answer: "Newest first.")
    public static let acknowledgeAlert = Endpoint<Void, Alert>(
        .post, "/v1/admin/alerts/{id}/acknowledge", id: "acknowledgeAlert", "Acknowledge an alert",
        by: [.operator], answer: "The alert as it is now. A second operator changes nothing.",
        refuses: [.alertUnknown])
    public static let all: [AnyEndpoint] = [
        placeOrder.untyped, orders.untyped, currentOrder.untyped,
        order.untyped, cancel.untyped, cancelRecall.untyped, customerAbsent.untyped,
        withdraw.untyped, collect.untyped, park.untyped, recall.untyped, retrieve.untyped,
        handBack.untyped, quote.untyped, custody.untyped, offers.untyped,
        confirmOfferDelivery.untyped, acceptOffer.untyped, declineOffer.untyped, tasks.untyped,
        takeTask.untyped, releaseTask.untyped, completeTask.untyped, ownShifts.untyped,
        shifts.untyped, allOrders.untyped, overrideOrder.untyped,
        orderStatistics.untyped, verifyCustody.untyped,
        alerts.untyped, acknowledgeAlert.untyped,
    ]
}
