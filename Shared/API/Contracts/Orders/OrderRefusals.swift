extension Refusal {
    public static let orderUnknown = Refusal(
        404, "order.unknown", "There is no such order, or it is someone else's.")

    public static let orderScheduleInvalid = Refusal(
        422, "order.schedule_invalid", "You can't place an order for this time.",
        field: "scheduledFor", when: "The time is outside the limits that `detail` names.")
    public static let offerEnded = Refusal(
        409, "order.offer_ended", "This offer has ended.",
        when: "The offer was answered, has expired or was withdrawn.")
    public static let orderValetSuspended = Refusal(
        403, "order.valet_suspended", "You are suspended from working as a valet.")
    public static let orderTaskUnknown = Refusal(
        404, "order.task_unknown", "This vehicle has no such task.", field: "kind")
    public static let orderTaskTaken = Refusal(
        409, "order.task_taken", "Another valet has taken this task.")
    public static let orderTaskDone = Refusal(409, "order.task_done", "This task is already done.")

    public static let unfinishedOrderExists = Refusal(
        409, "order.unfinished_exists", "You already have an open order.",
        when: "The customer has an open order; `engagementId` names it.")
    public static let paymentDue = Refusal(
        409, "payment.due", "Pay for your earlier order first.",
        when: """
            An earlier order or its fee must be paid first; `engagementId` and `amount` say which and \
            how much.
            """)
    public static let orderOutsideServiceArea = Refusal(
        422, "order.outside_service_area", "This place is outside our service areas.",
        when: "The point is outside every service area; `servicePoint` is the nearest area's.")
    public static let orderVehicleUnknown = Refusal(
        422, "order.vehicle_unknown", "This is not one of your vehicles.",
        field: "vehicleId")
    public static let extraUnavailable = Refusal(
        422, "order.extra_unavailable", "This extra is not offered here.", field: "extras")
    public static let orderNotPossible = Refusal(
        409, "order.not_possible", "The order's state does not allow this.")
    public static let orderNotAssigned = Refusal(
        403, "order.not_assigned", "This job is not assigned to you.")
    public static let noValetAssigned = Refusal(
        409, "order.nothing_assigned", "No valet is assigned at the moment.")
    public static let wrongOrderCode = Refusal(
        422, "order.wrong_code", "This is not the customer's code.", field: "code")
    public static let orderCodeLocked = Refusal(
        429, "order.code_locked", "Too many wrong codes. Try again in a minute.",
        when: "Five wrong codes lock the order's code for a minute.")
    public static let orderCodesUsedUp = Refusal(
        409, "order.codes_used_up", "Too many wrong codes. Our staff must look at this order.",
        when: "Ten wrong codes were entered, so an operator must set the order's state.")
    public static let valetNotArrived = Refusal(
        409, "order.not_arrived", "The valet has not arrived at the meeting point yet.")
    public static let customerHasTime = Refusal(
        409, "order.waiting", "Wait until the customer's waiting time is over.")
    public static let valetBusy = Refusal(
        409, "order.valet_busy", "The valet has another job now.")
    public static let orderContended = Refusal(
        503, "order.contended", "Too many changes at once. Try again in a moment."
    ).retrying(after: 1)
    public static let orderRecognitionUnknown = Refusal(
        422, "order.recognition_unknown", "This recognition belongs to another valet or order.",
        field: "recognitionId")
    public static let alertUnknown = Refusal(404, "alert.unknown", "There is no such alert.")
}
