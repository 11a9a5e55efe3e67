/// Pictures of car parks: operators manage them, everybody can see them.
public enum CarParkPhotoEndpoints {
    public static let addCarParkPhoto = Endpoint<Bytes, CarPark>(
        .post, "/v1/admin/car-parks/{id}/photos", id: "addCarParkPhoto",
        "Add a picture to a car park",
        """
        Send the bytes as they are, up to 8 MB; the content determines the type. Metadata is removed before the \
        picture is stored.
        """, by: [.operator], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The car park, with the picture as its last.", status: 201, [.eTag]),
        refuses: [
            .carParkUnknown,
            .tooManyCarParkPhotos,
        ] + Refusal.noPicture)
    public static let putCarParkPhotos = Endpoint<CarParkPhotos, CarPark>(
        .put, "/v1/admin/car-parks/{id}/photos", id: "putCarParkPhotos",
        "Reorder or remove a car park's pictures", by: [.operator], with: [.ifMatch],
        answer: Success("The car park.", [.eTag]),
        refuses: [
            .carParkUnknown,
            .preconditionFailed,
        ])
    public static let carParkPicture = Endpoint<Void, Bytes>(
        .get, "/v1/pictures/car-parks/{id}", id: "carParkPicture", "A picture of a car park",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success(
            "The picture; cache it for a day.", [.eTag], as: MediaType.photos,
            or: [304: "Unchanged."]),
        refuses: [.pictureUnknown])

    public static let all: [AnyEndpoint] = [
        addCarParkPhoto.untyped, putCarParkPhotos.untyped, carParkPicture.untyped,
    ]
}
