import Foundation

/// When the state of a vehicle is photographed.
public enum PhotoMoment: String, Codable, Sendable, CaseIterable {
    case handOver, handBack
}

/// Proposal of a plate recogniser for a picture of a vehicle. The valet confirms or corrects it
/// when parking. Confidences are from 0 to 1.
public struct Recognition: Codable, Sendable, Hashable {
    /// Another reading of a plate.
    public struct Candidate: Codable, Sendable, Hashable {
        public var plate: String
        /// From 0 to 1.
        public var confidence: Double

        public init(plate: String, confidence: Double) {
            self.plate = plate
            self.confidence = confidence
        }
    }

    public var id: RecognitionID
    /// Null if no plate was found.
    @Nullable public var plate: String?
    /// Confidence in the plate, from 0 to 1.
    @Nullable public var confidence: Double?
    /// Region of the plate, for example `hk`.
    @Nullable public var region: String?
    @Nullable public var make: String?
    @Nullable public var makeConfidence: Double?
    @Nullable public var model: String?
    @Nullable public var modelConfidence: Double?
    @Nullable public var colour: String?
    @Nullable public var colourConfidence: Double?
    @Nullable public var bodyType: String?
    @Nullable public var year: String?
    /// Other readings of the plate, most likely first, at most ten.
    public var candidates: [Candidate]
    /// A signed address that expires.
    public var photoURL: String
    /// Whether the answer comes from the stub that replaces a recogniser.
    public var isStub: Bool
    public var createdAt: Date

    /// Largest number of candidates.
    public static let mostCandidates = 10

    public init(id: RecognitionID, photoURL: String, isStub: Bool, createdAt: Date) {
        self.id = id
        self.photoURL = photoURL
        self.isStub = isStub
        self.createdAt = createdAt
        candidates = []
        (plate, confidence, region, make, makeConfidence) = (nil, nil, nil, nil, nil)
        (model, modelConfidence, colour, colourConfidence) = (nil, nil, nil, nil)
        (bodyType, year) = (nil, nil)
    }
}

/// A photo of a vehicle's state.
public struct VehiclePhoto: Codable, Sendable, Hashable {
    public var id: PictureID
    public var moment: PhotoMoment
    /// SHA-256 of the stored picture, 64 hexadecimal digits.
    public var sha256: String
    @Nullable public var place: Place?
    public var by: PersonID
    public var role: Role
    public var takenAt: Date
    /// A signed address that expires.
    public var photoURL: String

    public init(
        id: PictureID, moment: PhotoMoment, sha256: String, place: Place?, by: PersonID,
        role: Role, takenAt: Date, photoURL: String
    ) {
        self.id = id
        self.moment = moment
        self.sha256 = sha256
        self.place = place
        self.by = by
        self.role = role
        self.takenAt = takenAt
        self.photoURL = photoURL
    }
}
