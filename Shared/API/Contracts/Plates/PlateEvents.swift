import Foundation

extension Topic {
    public static let plates: Topic = "plates"
}

/// A recogniser examined a picture of a vehicle.
public struct RecognitionMade: Event {
    public static let type = "plates.recognition-made.v1"
    public static let topic = Topic.plates
    public var recognition: RecognitionID
    public var engagement: EngagementID?
    public var valet: ValetID
    /// Absent if no plate was found.
    public var plate: String?
    public var madeAt: Date
    public var key: String { recognition.description }

    public init(
        recognition: RecognitionID, engagement: EngagementID?, valet: ValetID, plate: String?,
        madeAt: Date
    ) {
        self.recognition = recognition
        self.engagement = engagement
        self.valet = valet
        self.plate = plate
        self.madeAt = madeAt
    }
}

/// The state of a vehicle was photographed at a hand-over or hand-back.
public struct PhotoTaken: ProductEvent {
    public static let type = "plates.photo-taken.v1"
    public static let topic = Topic.plates
    public var photo: PictureID
    public var engagement: EngagementID
    /// The product of the engagement, for example `valet`.
    public var product: Product
    public var moment: Open<PhotoMoment>
    /// SHA-256 of the stored picture, 64 hexadecimal digits.
    public var sha256: String
    public var place: Place?
    public var by: PersonID
    public var role: Open<Role>
    public var takenAt: Date
    public var key: String { engagement.description }

    public init(
        photo: PictureID, engagement: EngagementID, product: Product, moment: PhotoMoment,
        sha256: String, place: Place?, by: PersonID, role: Role, takenAt: Date
    ) {
        self.photo = photo
        self.engagement = engagement
        self.product = product
        self.moment = .known(moment)
        self.sha256 = sha256
        self.place = place
        self.by = by
        self.role = .known(role)
        self.takenAt = takenAt
    }
}
