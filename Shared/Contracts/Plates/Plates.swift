import Foundation

/// When the state of a vehicle is photographed.
public enum PhotoMoment: String, Codable, Sendable, CaseIterable {
    case handOver, handBack
}

/// What a recogniser proposes for a picture; the valet confirms or corrects it when parking.
public struct Recognition: Codable, Sendable, Hashable {
    public struct Candidate: Codable, Sendable, Hashable {
        public var plate: String
        /// 0…1.
        public var confidence: Double

        public init(plate: String, confidence: Double) {
            self.plate = plate
            self.confidence = confidence
        }
    }

    public var id: RecognitionID
    /// Null when no plate was found.
    @Nullable public var plate: String?
    /// Of the plate, 0…1.
    @Nullable public var confidence: Double?
    /// As in `hk`.
    @Nullable public var region: String?
    @Nullable public var make: String?
    @Nullable public var makeConfidence: Double?
    @Nullable public var model: String?
    @Nullable public var modelConfidence: Double?
    @Nullable public var colour: String?
    @Nullable public var colourConfidence: Double?
    @Nullable public var bodyType: String?
    @Nullable public var year: String?
    /// Other readings of the plate, likeliest first, ten at most.
    public var candidates: [Candidate]
    public var photoURL: String
    /// The answer comes from the stub that stands in for a recogniser.
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

/// A photo of a vehicle's state: answer of `POST`, item of `GET /v1/orders/{id}/photos`.
public struct VehiclePhoto: Codable, Sendable, Hashable {
    public var id: PictureID
    public var moment: PhotoMoment
    /// Of the picture as it is kept, 64 hexadecimal digits.
    public var sha256: String
    @Nullable public var place: Place?
    public var by: PersonID
    public var role: Role
    public var takenAt: Date
    /// Signed, expires.
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
