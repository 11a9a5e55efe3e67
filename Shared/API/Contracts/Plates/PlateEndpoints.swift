extension ServiceManifest {
    public static let plates = ServiceManifest(
        "plates", [.tokenKeys, .database, .blobs, .personalData, .asksEngagements],
        endpoints: PlateEndpoints.all, events: [RecognitionMade.self, PhotoTaken.self],
        hears: [AccountChanged.self, AccountDeleted.self, EngagementChanged.self])
}

/// Plates that are recognised, photos of vehicles.
public enum PlateEndpoints {
    public static let recognisePlate = Endpoint<Upload<RecognitionQuery>, Recognition>(
        .post, "/v1/plates/recognitions", id: "recognisePlate", "Have a vehicle recognised",
        """
        The bytes as they are, up to 8 MB; their type is told by their content. What a camera wrote into the \
        picture is removed before it is kept. That no plate was found is an answer, with `plate` null.
        """, by: [.valet], rate: .recognitions, bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        with: [.idempotencyKey],
        answer: Success(
            """
            What the recogniser proposes; name it as `recognitionId` when the vehicle is parked.
            """, status: 201),
        refuses: [
            .nothingToPhotograph, .photographedTooLate,
            .tooManyRecognitions,
            .recogniserUnavailable,
            .recogniserMisconfigured,
            .recogniserNoCredits,
        ] + Refusal.noPicture)
    public static let takePhoto = Endpoint<Upload<VehiclePhotoQuery>, VehiclePhoto>(
        .post, "/v1/orders/{id}/photos", id: "takePhoto", "Photograph the state of the vehicle",
        """
        The bytes as they are, up to 8 MB; their type is told by their content. What a camera wrote into the \
        picture is removed before it is kept. The digest of what is kept goes into the custody record.
        """, by: [.customer, .valet], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        with: [.idempotencyKey], answer: Success("The photo.", status: 201),
        refuses: [
            .nothingToPhotograph,
            .momentNotPossible,
            .photographedTooLate,
            .tooManyVehiclePhotos,
        ] + Refusal.noPicture)
    public static let photos = Endpoint<PageQuery, Page<VehiclePhoto>>(
        .get, "/v1/orders/{id}/photos", id: "photos", "Photos of the vehicle's state",
        """
        For the parties of the order, and for operators; newest first. An address opens its picture for \
        about ten minutes.
        """, answer: "One page.", refuses: [.nothingToPhotograph])
    public static let vehiclePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/vehicles/{id}", id: "vehiclePicture", "A photo of a vehicle",
        """
        Opened by the signature in the address, which answers with a `photoURL` give to those who may see \
        it.
        """, by: .anybody,
        answer: Success(
            "The picture, to be cached as long as the address is good.", as: MediaType.photos),
        refuses: Refusal.signedPicture)
    public static let all: [AnyEndpoint] = [
        recognisePlate.untyped, takePhoto.untyped, photos.untyped, vehiclePicture.untyped,
    ]
}
