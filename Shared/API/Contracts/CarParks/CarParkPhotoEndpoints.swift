/// Pictures of car parks: managed by operators, seen by everybody.
public enum CarParkPhotoEndpoints {
    public static let addCarParkPhoto = Endpoint<Bytes, CarPark>(
        .post, "/v1/admin/car-parks/{id}/photos", id: "addCarParkPhoto",
        "A picture of a car park",
        """
        The bytes as they are, up to 8 MB; their type is told by their content. What a camera wrote into the \
        picture is removed before it is kept.
        """, by: [.operator], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: Success("The car park, with the picture as its last.", status: 201, [.eTag]),
        refuses: [
            .carParkUnknown,
            .tooManyCarParkPhotos,
        ] + Refusal.noPicture)
    public static let putCarParkPhotos = Endpoint<CarParkPhotos, CarPark>(
        .put, "/v1/admin/car-parks/{id}/photos", id: "putCarParkPhotos",
        "Order or remove a car park's pictures", by: [.operator], with: [.ifMatch],
        answer: Success("The car park.", [.eTag]),
        refuses: [
            .carParkUnknown,
            .preconditionFailed,
        ])
    public static let carParkPicture = Endpoint<Void, Bytes>(
        .get, "/v1/pictures/car-parks/{id}", id: "carParkPicture", "A picture of a car park",
        by: .anybody, with: [.ifNoneMatch],
        answer: Success(
            "The picture, to be cached for a day.", [.eTag], as: MediaType.photos,
            or: [304: "As before."]),
        refuses: [.pictureUnknown])

    public static let all: [AnyEndpoint] = [
        addCarParkPhoto.untyped, putCarParkPhotos.untyped, carParkPicture.untyped,
    ]
}
