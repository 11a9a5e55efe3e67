/// The place where a person has parked, visible only to them.
public enum ParkedVehicleEndpoints {
    public static let putParkedVehicle = Endpoint<ParkedVehicleBody, ParkedVehicle>(
        .put, "/v1/me/parked-vehicle", id: "putParkedVehicle", "Save where I parked",
        "Replaces the previous place and its picture. Nobody else sees it.",
        by: [.customer], answer: "The saved place.")
    public static let parkedVehicle = Endpoint<Void, ParkedVehicle>(
        .get, "/v1/me/parked-vehicle", id: "parkedVehicle", "Where I parked",
        by: [.customer], answer: "The place.", refuses: [.parkedVehicleUnknown])
    public static let removeParkedVehicle = Endpoint<Void, Void>(
        .delete, "/v1/me/parked-vehicle", id: "removeParkedVehicle", "Delete where I parked",
        "Deletes the picture, too.", by: [.customer], answer: "No place is saved.")
    public static let parkedVehicleRoute = Endpoint<PointQuery, WayAnswer>(
        .get, "/v1/me/parked-vehicle/route", id: "parkedVehicleRoute",
        "The walk to where I parked", by: [.customer],
        answer: "The route along roads, or a straight line.", refuses: [.parkedVehicleUnknown])
    public static let putParkedVehiclePhoto = Endpoint<Bytes, ParkedVehicle>(
        .put, "/v1/me/parked-vehicle/photo", id: "putParkedVehiclePhoto",
        "Add a picture of where I parked",
        """
        Replaces the previous picture. Send the bytes as they are, up to 8 MB; the content determines the type. \
        Metadata is removed before the picture is stored.
        """, by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: "The place, with the picture.",
        refuses: [.parkedVehicleUnknown] + Refusal.noPicture)
    public static let removeParkedVehiclePhoto = Endpoint<Void, Void>(
        .delete, "/v1/me/parked-vehicle/photo", id: "removeParkedVehiclePhoto",
        "Delete the picture of where I parked", by: [.customer],
        answer: "The picture is deleted.")
    public static let parkedVehiclePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/parked-vehicles/{id}", id: "parkedVehiclePicture",
        "A picture of where a person parked",
        "The signature in the address grants access; only its owner gets the address.",
        by: .anybody,
        answer: Success(
            "The picture; cache it as long as the address is valid.", as: MediaType.photos),
        refuses: Refusal.signedPicture)

    public static let all: [AnyEndpoint] = [
        putParkedVehicle.untyped, parkedVehicle.untyped, removeParkedVehicle.untyped,
        parkedVehicleRoute.untyped, putParkedVehiclePhoto.untyped,
        removeParkedVehiclePhoto.untyped, parkedVehiclePicture.untyped,
    ]
}
