/// Fines: issued by operators to a plate, paid or appealed against by whoever has the vehicle.
public enum FineEndpoints {
    public static let issueFine = Endpoint<FineBody, Fine>(
        .post, "/v1/admin/fines", id: "issueFine", "Fine a vehicle", by: [.operator],
        with: [.idempotencyKey], answer: Success("The fine.", status: 201, [.location]),
        refuses: [.carParkUnknown])
    public static let finesForOperators = Endpoint<FinesQuery, Page<Fine>>(
        .get, "/v1/admin/fines", id: "finesForOperators", "Fines", by: [.operator],
        answer: "Newest first.")
    public static let addFinePhoto = Endpoint<Bytes, Fine>(
        .post, "/v1/admin/fines/{id}/photos", id: "addFinePhoto", "A picture for a fine",
        "The bytes as they are, up to 8 MB; their type is told by their content.",
        by: [.operator], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The fine, with the picture.", status: 201),
        refuses: [.fineUnknown, .fineNotPossible, .tooManyFinePhotos] + Refusal.noPicture)
    public static let decideFine = Endpoint<FineDecisionBody, Fine>(
        .post, "/v1/admin/fines/{id}/decision", id: "decideFine", "Decide on a fine",
        """
        An appeal is upheld or the fine cancelled; without an appeal it can only be cancelled, also after it was \
        paid: the money goes back then.
        """, by: [.operator], answer: "The fine as it is now.",
        refuses: [.fineUnknown, .fineNotPossible])

    public static let myFines = Endpoint<PageQuery, Page<Fine>>(
        .get, "/v1/me/fines", id: "myFines", "Fines of my vehicles", by: [.customer],
        answer: "Of the plates of my vehicles, also of those added later; newest first.")
    public static let fine = Endpoint<Void, Fine>(
        .get, "/v1/fines/{id}", id: "fine", "A fine", by: [.customer, .operator],
        answer: "The fine.", refuses: [.fineUnknown])
    public static let payFine = Endpoint<PayBody, FinePayment>(
        .post, "/v1/fines/{id}/pay", id: "payFine", "Pay a fine",
        "A fine that is paid gives the same answer again, to who has paid it.", by: [.customer],
        with: [.idempotencyKey],
        answer: "Fine and payment; with `requiresAction` the client has a further step to take.",
        refuses: Refusal.paying + [.fineUnknown, .fineNotPossible])
    public static let appealFine = Endpoint<AppealBody, Fine>(
        .post, "/v1/fines/{id}/appeal", id: "appealFine", "Appeal against a fine",
        "Once, and before it is paid.", by: [.customer], with: [.idempotencyKey],
        answer: "The fine as it is now.", refuses: [.fineUnknown, .fineNotPossible])
    public static let addAppealPhoto = Endpoint<Bytes, Fine>(
        .post, "/v1/fines/{id}/photos", id: "addAppealPhoto", "A picture for an appeal",
        "Until it is decided. The bytes as they are, up to 8 MB.",
        by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The fine, with the picture.", status: 201),
        refuses: [.fineUnknown, .fineNotPossible, .tooManyFinePhotos] + Refusal.noPicture)
    public static let finePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/fines/{id}", id: "finePicture", "A picture of a fine or an appeal",
        "Opened by the signature in the address, as the fine has it.",
        by: .anybody,
        answer: Success(
            "The picture, to be cached as long as the address is good.", as: MediaType.photos),
        refuses: Refusal.signedPicture)

    public static let all: [AnyEndpoint] = [
        issueFine.untyped, finesForOperators.untyped, addFinePhoto.untyped, decideFine.untyped,
        myFines.untyped, fine.untyped, payFine.untyped, appealFine.untyped,
        addAppealPhoto.untyped, finePicture.untyped,
    ]
}
