/// Fines: operators issue them to a plate; the vehicle's owner pays or appeals.
public enum FineEndpoints {
    public static let issueFine = Endpoint<FineBody, Fine>(
        .post, "/v1/admin/fines", id: "issueFine", "Fine a vehicle", by: [.operator],
        with: [.idempotencyKey], answer: Success("The fine.", status: 201, [.location]),
        refuses: [.carParkUnknown])
    public static let finesForOperators = Endpoint<FinesQuery, Page<Fine>>(
        .get, "/v1/admin/fines", id: "finesForOperators", "All fines", by: [.operator],
        answer: "Newest first.")
    public static let addFinePhoto = Endpoint<Bytes, Fine>(
        .post, "/v1/admin/fines/{id}/photos", id: "addFinePhoto", "Add a picture to a fine",
        "Send the bytes as they are, up to 8 MB; the content determines the type.",
        by: [.operator], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The fine, with the picture.", status: 201),
        refuses: [.fineUnknown, .fineNotPossible, .tooManyFinePhotos] + Refusal.noPicture)
    public static let decideFine = Endpoint<FineDecisionBody, Fine>(
        .post, "/v1/admin/fines/{id}/decision", id: "decideFine", "Decide on a fine",
        """
        Uphold an appealed fine or cancel it. Without an appeal you can only cancel; a paid fine is then refunded.
        """, by: [.operator], answer: "The fine as it is now.",
        refuses: [.fineUnknown, .fineNotPossible])

    public static let myFines = Endpoint<PageQuery, Page<Fine>>(
        .get, "/v1/me/fines", id: "myFines", "Fines of my vehicles", by: [.customer],
        answer: """
            Fines for the proven plates of my vehicles, also earlier ones, and fines that I opened by their reference; \
            newest first.
            """)
    public static let fine = Endpoint<Void, Fine>(
        .get, "/v1/fines/{id}", id: "fine", "A fine", by: [.customer, .operator],
        answer: "The fine.", refuses: [.fineUnknown])
    public static let fineCharge = Endpoint<Void, BillCharge>(
        .get, "/v1/fines/{id}/charge", id: "fineCharge", "Amount charged for a fine",
        "The fine, plus tax if prices don't include it.", by: [.customer],
        answer: "The amount charged.", refuses: [.fineUnknown])
    public static let payFine = Endpoint<PayBody, FinePayment>(
        .post, "/v1/fines/{id}/pay", id: "payFine", "Pay a fine",
        "For a fine that is already paid, the person who paid it gets the same answer.",
        by: [.customer],
        with: [.idempotencyKey],
        answer: "Fine and payment; with `requiresAction` the client must take a further step.",
        refuses: Refusal.paying + [.fineUnknown, .fineNotPossible])
    public static let appealFine = Endpoint<AppealBody, Fine>(
        .post, "/v1/fines/{id}/appeal", id: "appealFine", "Appeal against a fine",
        "Possible once, and before the fine is paid.", by: [.customer], with: [.idempotencyKey],
        answer: "The fine as it is now.", refuses: [.fineUnknown, .fineNotPossible])
    public static let addAppealPhoto = Endpoint<Bytes, Fine>(
        .post, "/v1/fines/{id}/photos", id: "addAppealPhoto", "Add a picture to an appeal",
        "Possible until the appeal is decided. Send the bytes as they are, up to 8 MB.",
        by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The fine, with the picture.", status: 201),
        refuses: [.fineUnknown, .fineNotPossible, .tooManyFinePhotos] + Refusal.noPicture)
    public static let finePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/fines/{id}", id: "finePicture", "A picture of a fine or an appeal",
        "The signature in the address grants access; the fine has the address.",
        by: .anybody,
        answer: Success(
            "The picture; cache it as long as the address is valid.", as: MediaType.photos),
        refuses: Refusal.signedPicture)

    public static let all: [AnyEndpoint] = [
        issueFine.untyped, finesForOperators.untyped, addFinePhoto.untyped, decideFine.untyped,
        myFines.untyped, fine.untyped, fineCharge.untyped, payFine.untyped, appealFine.untyped,
        addAppealPhoto.untyped, finePicture.untyped,
    ]
}
