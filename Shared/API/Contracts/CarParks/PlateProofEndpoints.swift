/// Proofs that a person has the vehicle with a plate, which open its stays and fines.
public enum PlateProofEndpoints {
    public static let plateProofs = Endpoint<Void, Page<PlateProof>>(
        .get, "/v1/me/plate-proofs", id: "plateProofs", "The plates of my vehicles",
        "Stays and fines of a plate are shown once it is proven that you have the vehicle.",
        by: [.customer], answer: "All of them.")
    public static let usePlateCode = Endpoint<PlateCodeBody, PlateCodeAnswer>(
        .post, "/v1/me/plate-proofs", id: "usePlateCode", "Enter a code",
        """
        The code that a gate shows opens that stay, and proves the plate of your vehicle unless somebody else's is \
        proven. The reference on the notice of a fine opens that fine. An invitation proves the plate. After ten \
        wrong codes, wait an hour.
        """, by: [.customer], answer: "What the code has opened.",
        refuses: [.plateCodeUnknown, .tooManyPlateCodes])
    public static let inviteToPlate = Endpoint<Void, PlateInvitation>(
        .post, "/v1/me/plate-proofs/{id}/invitations", id: "inviteToPlate", "Share a vehicle",
        """
        Another person with this vehicle enters the code, and sees its stays and fines too. People who were invited \
        can't invite others.
        """, by: [.customer], answer: Success("The invitation.", status: 201),
        refuses: [.ownVehicleUnknown, .plateNotProven, .plateSharedByOther])
    public static let vehiclesWithPlate = Endpoint<PlateProofsQuery, Page<PlateProof>>(
        .get, "/v1/admin/plate-proofs", id: "vehiclesWithPlate", "Find vehicles by their plate",
        """
        Anybody can add any plate. Compare the end of the vehicle's id with the one that its owner \
        sees in the app.
        """, by: [.operator], answer: "Newest first.")
    public static let provePlate = Endpoint<Void, PlateProof>(
        .put, "/v1/admin/plate-proofs/{id}", id: "provePlate",
        "Confirm that a vehicle is its owner's",
        "Check its papers first. Proofs of other people for the same plate end.", by: [.operator],
        answer: "The plate.", refuses: [.ownVehicleUnknown])
    public static let withdrawPlateProof = Endpoint<Void, Void>(
        .delete, "/v1/admin/plate-proofs/{id}", id: "withdrawPlateProof",
        "Withdraw the proof of a plate", by: [.operator], answer: "The plate is not proven.",
        refuses: [.ownVehicleUnknown])

    public static let all: [AnyEndpoint] = [
        plateProofs.untyped, usePlateCode.untyped, inviteToPlate.untyped,
        vehiclesWithPlate.untyped, provePlate.untyped, withdrawPlateProof.untyped,
    ]
}
