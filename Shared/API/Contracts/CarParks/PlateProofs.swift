import Foundation

/// How it was proven that a person has the vehicle with a plate. `gate`: the code that a gate showed for a stay.
/// `ticket`: a gate read the plate and the ticket of the person's booking together. `valet`: a valet
/// recognised the plate when parking the person's vehicle. `invitation`: a person with the same vehicle
/// has invited them. `operator`: an operator has checked it.
public enum PlateProofSource: String, Codable, Sendable, CaseIterable {
    case gate, ticket, valet, invitation, `operator`
}

/// The plate of one of a person's vehicles, and whether it is proven that they have the vehicle.
///
/// Until then, no stays and fines of the plate are shown except those that the person opened by a code.
public struct PlateProof: Codable, Sendable, Hashable {
    public var vehicleId: VehicleID
    public var plate: String
    public var isProven: Bool
    /// Null while it is not proven.
    @Nullable public var source: PlateProofSource?
    /// Null while it is not proven.
    @Nullable public var provenAt: Date?

    public init(
        vehicleId: VehicleID, plate: String, source: PlateProofSource? = nil, provenAt: Date? = nil
    ) {
        (self.vehicleId, self.plate) = (vehicleId, plate)
        isProven = source != nil
        self.source = source
        self.provenAt = provenAt
    }
}

/// A code and the plate that it belongs to.
public struct PlateCodeBody: Codable, Sendable {
    public var plate: String
    /// Code that the gate showed, reference on the notice of a fine, or code of an invitation.
    public var code: String

    public init(plate: String, code: String) { (self.plate, self.code) = (plate, code) }
}

/// The result of entering a code.
public struct PlateCodeAnswer: Codable, Sendable, Hashable {
    /// Whether it is proven now that the person has the vehicle with the plate.
    public var isProven: Bool
    /// The stay of the code; null if it belongs to a fine or an invitation.
    @Nullable public var session: ParkingSessionID?
    /// The fine of the code; null if it belongs to a stay or an invitation.
    @Nullable public var fine: FineID?

    public init(isProven: Bool, session: ParkingSessionID? = nil, fine: FineID? = nil) {
        self.isProven = isProven
        self.session = session
        self.fine = fine
    }
}

/// An invitation to share a vehicle's stays and fines.
public struct PlateInvitation: Codable, Sendable, Hashable {
    /// For one person, who has to enter it with the plate.
    public var code: String
    public var expiresAt: Date

    public init(code: String, expiresAt: Date) {
        (self.code, self.expiresAt) = (code, expiresAt)
    }
}
