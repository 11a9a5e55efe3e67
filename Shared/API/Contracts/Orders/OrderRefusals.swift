extension Refusal {
    public static let orderUnknown = Refusal(
        404, "order.unknown", "There is no such order, or it is not yours.")

    public static let orderScheduleInvalid = Refusal(
        422, "order.schedule_invalid", "An order can't be placed for this time.",
        field: "scheduledFor", when: "The time ahead is not within the limits that `detail` names.")
    public static let offerEnded = Refusal(
        409, "order.offer_ended", "This offer has ended.",
        when: "The offer was answered, ran out or was withdrawn.")
    public static let orderValetSuspended = Refusal(
        403, "order.valet_suspended", "This valet may not work at present.")
    public static let orderTaskUnknown = Refusal(
        404, "order.task_unknown", "This vehicle has no such task.", field: "kind")
    public static let orderTaskTaken = Refusal(
        409, "order.task_taken", "Another valet has taken this task.")
    public static let orderTaskDone = Refusal(409, "order.task_done", "This task has been done.")

    public static let unfinishedOrderExists = Refusal(
        409, "order.unfinished_exists", "There is an unfinished order already.",
        when: "There is an unfinished order; `engagementId` says which.")
    public static let paymentDue = Refusal(
        409, "payment.due", "An earlier order has to be paid first.",
        when: """
            An earlier order, or its fee, has to be paid first; `engagementId` and `amount` say \
            which and how much.
            """)
    public static let orderOutsideServiceArea = Refusal(
        422, "order.outside_service_area", "This point is outside every service area.",
        when: "The point is outside every service area; `servicePoint` is the nearest area's.")
    public static let orderVehicleUnknown = Refusal(
        422, "order.vehicle_unknown", "This is not one of the customer's vehicles.",
        field: "vehicleId")
    public static let extraUnavailable = Refusal(
        422, "order.extra_unavailable", "This extra is not offered here.", field: "extras")
    public static let orderNotPossible = Refusal(
        409, "order.not_possible", "The order's state does not allow this.")
    public static let orderNotAssigned = Refusal(
        403, "order.not_assigned", "This job is not given to you at present.")
    public static let noValetAssigned = Refusal(
        409, "order.nothing_assigned", "No valet is assigned at present.")
    public static let wrongOrderCode = Refusal(
        422, "order.wrong_code", "This is not the customer's code.", field: "code")
    public static let orderCodeLocked = Refusal(
        429, "order.code_locked", "Too many wrong codes: try again in a moment.",
        when: "Five wrong codes lock for a minute.")
    public static let orderCodesUsedUp = Refusal(
        409, "order.codes_used_up", "Too many wrong codes: an operator has to look at this order.",
        when: "Ten wrong codes were typed, so an operator has to set the order's state.")
    public static let valetNotArrived = Refusal(
        409, "order.not_arrived", "The valet has not arrived at the meeting point yet.")
    public static let customerHasTime = Refusal(
        409, "order.waiting", "The customer's waiting time is not over yet.")
    public static let valetBusy = Refusal(
        409, "order.valet_busy", "The valet has another job meanwhile.")
    public static let orderContended = Refusal(
        503, "order.contended", "Too many changes at once: try again in a moment."
    ).retrying(after: 1)
    public static let orderRecognitionUnknown = Refusal(
        422, "order.recognition_unknown", "This recognition is none of this valet and order.",
        field: "recognitionId")
    public static let alertUnknown = Refusal(404, "alert.unknown", "There is no such alert.")
}
