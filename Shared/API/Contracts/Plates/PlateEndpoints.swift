extension ServiceManifest {
    public static let plates = ServiceManifest(
        "plates", [.tokenKeys, .database, .blobs, .personalData, .asksEngagements],
        endpoints: PlateEndpoints.all, events: [RecognitionMade.self, PhotoTaken.self],
        hears: [AccountChanged.self, AccountDeleted.self, EngagementChanged.self],
        copies: [.people, .engagements])
}

/// Plate recognition and photos of vehicles.
public enum PlateEndpoints {
    public static let recognisePlate = Endpoint<Upload<RecognitionQuery>, Recognition>(
        .post, "/v1/plates/recognitions", id: "recognisePlate", "Recognise a vehicle's plate",
        """
        Send the bytes as they are, up to 8 MB; the content determines the type. Metadata is removed before the \
        picture is stored. If no plate is found, `plate` is null.
        """, by: [.valet], rate: .recognitions, bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        with: [.idempotencyKey],
        answer: Success(
            """
            The recogniser's proposal; send its id as `recognitionId` when the vehicle is parked.
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
        Send the bytes as they are, up to 8 MB; the content determines the type. Metadata is removed before the \
        picture is stored. The custody record keeps the digest of the stored picture.
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
        For the parties of the order and for operators; newest first. The address of a picture is valid for \
        about ten minutes.
        """, answer: "One page.", refuses: [.nothingToPhotograph])
    public static let vehiclePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/vehicles/{id}", id: "vehiclePicture", "A photo of a vehicle",
        """
        The signature in the address grants access; people who may see the photo get it as `photoURL`.
        """, by: .anybody,
        answer: Success(
            "The picture; cache it as long as the address is valid.", as: MediaType.photos),
        refuses: Refusal.signedPicture)
    public static let all: [AnyEndpoint] = [
        recognisePlate.untyped, takePhoto.untyped, photos.untyped, vehiclePicture.untyped,
    ]
}
