/// Where somebody has left their vehicle: kept for them alone.
public enum ParkedVehicleEndpoints {
    public static let putParkedVehicle = Endpoint<ParkedVehicleBody, ParkedVehicle>(
        .put, "/v1/me/parked-vehicle", id: "putParkedVehicle", "Where I have parked",
        "In place of what was said before, and of its picture. Nobody else sees it.",
        by: [.customer], answer: "The place as it is kept.")
    public static let parkedVehicle = Endpoint<Void, ParkedVehicle>(
        .get, "/v1/me/parked-vehicle", id: "parkedVehicle", "Where have I parked?",
        by: [.customer], answer: "The place.", refuses: [.parkedVehicleUnknown])
    public static let removeParkedVehicle = Endpoint<Void, Void>(
        .delete, "/v1/me/parked-vehicle", id: "removeParkedVehicle", "Forget where I have parked",
        "With its picture.", by: [.customer], answer: "It is forgotten, or was not known.")
    public static let parkedVehicleRoute = Endpoint<PointQuery, WayAnswer>(
        .get, "/v1/me/parked-vehicle/route", id: "parkedVehicleRoute",
        "The way on foot to where I have parked", by: [.customer],
        answer: "Along roads, or as the crow flies.", refuses: [.parkedVehicleUnknown])
    public static let putParkedVehiclePhoto = Endpoint<Bytes, ParkedVehicle>(
        .put, "/v1/me/parked-vehicle/photo", id: "putParkedVehiclePhoto",
        "A picture of where I have parked",
        """
        In place of the one before. The bytes as they are, up to 8 MB; their type is told by their content. What a \
        camera wrote into the picture is removed before it is kept.
        """, by: [.customer], bodyLimit: BodyLimit.photo, takes: MediaType.photos,
        answer: "The place, with the picture.",
        refuses: [.parkedVehicleUnknown] + Refusal.noPicture)
    public static let removeParkedVehiclePhoto = Endpoint<Void, Void>(
        .delete, "/v1/me/parked-vehicle/photo", id: "removeParkedVehiclePhoto",
        "No picture of where I have parked", by: [.customer],
        answer: "There is none, and its bytes are deleted.")
    public static let parkedVehiclePicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/parked-vehicles/{id}", id: "parkedVehiclePicture",
        "A picture of where somebody has parked",
        "Opened by the signature in the address, which its owner alone is given.",
        by: .anybody,
        answer: Success(
            "The picture, to be cached as long as the address is good.", as: MediaType.photos),
        refuses: Refusal.signedPicture)

    public static let all: [AnyEndpoint] = [
        putParkedVehicle.untyped, parkedVehicle.untyped, removeParkedVehicle.untyped,
        parkedVehicleRoute.untyped, putParkedVehiclePhoto.untyped,
        removeParkedVehiclePhoto.untyped, parkedVehiclePicture.untyped,
    ]
}
