import Foundation
import Geo

public enum EngagementKind {}

/// The id of the item that an engagement is about: of an order, a spot or a ride.
public typealias EngagementID = Identifier<EngagementKind>

/// The people who deal with each other about an item of a product (an order, a spot or a ride), and
/// what they may therefore see and do. The product publishes it again with each change, and the
/// newest version replaces earlier ones.
///
/// It is all that the platform knows of the item.
public struct Engagement: Codable, Sendable, Hashable {
    /// State of an engagement. `open`: something is still to be done or paid, so participants who
    /// are present can't delete their accounts. `ended`: it went as agreed, and can be rated.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// Something is still to be done or paid: participants who are present can't delete their
        /// accounts.
        case open
        /// It went as agreed, and can be rated.
        case ended
        case cancelled
    }

    /// A person who takes part, or has done their part.
    public struct Participant: Codable, Sendable, Hashable {
        public var person: PersonID
        /// Whether the person has not finished their part yet. They may follow the engagement and,
        /// while it is open, can't delete their account.
        public var isPresent: Bool
        /// Whether the person is working on it now and can't be given another job.
        public var isBusy: Bool
        /// People whose live position this person may see now.
        public var sees: [PersonID]
        /// People whom this person rates once the engagement has ended. The answer to a rating
        /// names the first of them.
        public var rates: [PersonID]

        public init(
            _ person: PersonID, isPresent: Bool = true, isBusy: Bool = false,
            sees: [PersonID] = [], rates: [PersonID] = []
        ) {
            self.person = person
            self.isPresent = isPresent
            self.isBusy = isBusy
            self.sees = sees
            self.rates = rates
        }
    }

    /// A person on their way.
    public struct Way: Codable, Sendable, Hashable {
        public var mover: PersonID
        /// Their destination; absent while they choose it themselves.
        public var to: Coordinate?
        /// The arrival to report; absent if nobody waits for it.
        public var meeting: Meeting?

        public init(mover: PersonID, to: Coordinate?, meeting: Meeting? = nil) {
            self.mover = mover
            self.to = to
            self.meeting = meeting
        }
    }

    /// An arrival that is reported once for each `id`.
    public struct Meeting: Codable, Sendable, Hashable {
        /// The product's name for the meeting, for example `dropOff`.
        public var id: String
        /// How near the person has to be, in metres. Defaults to the location service's usual
        /// distance.
        public var withinMeters: Double?
        /// Accuracy of the meeting point, in metres. If given, a person has also arrived once they
        /// are within this plus the accuracy of their position, up to the location service's usual
        /// distance.
        public var accuracyMeters: Double?

        public init(id: String, withinMeters: Double? = nil, accuracyMeters: Double? = nil) {
            self.id = id
            self.withinMeters = withinMeters
            self.accuracyMeters = accuracyMeters
        }
    }

    /// A departure that is waited for, and reported once for each `id`.
    public struct Leaving: Codable, Sendable, Hashable {
        /// The product's name for the departure, for example `hand-over`.
        public var id: String
        public var person: PersonID
        public var from: Coordinate
        /// Distance from `from`, in metres. The person has left once they are farther away than
        /// this plus the accuracy of their position.
        public var beyondMeters: Double

        public init(id: String, person: PersonID, from: Coordinate, beyondMeters: Double) {
            self.id = id
            self.person = person
            self.from = from
            self.beyondMeters = beyondMeters
        }
    }

    /// A point shown to people who follow the engagement: where a person or a thing is.
    public struct Marker: Codable, Sendable, Hashable {
        /// The product's name for the point, for example `customer` or `vehicle`, which is its
        /// field in the answer to a request for the track.
        public var name: String
        /// The person whose position is shown, or who has the thing. It is shown only to those who
        /// may see this person.
        public var person: PersonID?
        /// Position of a thing that does not move.
        public var at: Coordinate?
        /// When the thing got there.
        public var since: Date?

        public init(
            _ name: String, of person: PersonID? = nil, at: Coordinate? = nil, since: Date? = nil
        ) {
            self.name = name
            self.person = person
            self.at = at
            self.since = since
        }
    }

    /// The moments that may be photographed, and the owner of the photos.
    public struct Photos: Codable, Sendable, Hashable {
        /// The person whose photos these are. They are deleted with this person's account.
        public var owner: PersonID
        public var windows: [Window]
        /// The vehicle as a person confirmed or corrected it from a recogniser's proposal.
        public var confirmed: Confirmation?

        public init(owner: PersonID, windows: [Window], confirmed: Confirmation? = nil) {
            self.owner = owner
            self.windows = windows
            self.confirmed = confirmed
        }
    }

    /// A moment that may be photographed now.
    public struct Window: Codable, Sendable, Hashable {
        public var moment: Open<PhotoMoment>
        /// The end of the period in which it may be photographed; absent for no end.
        public var until: Date?

        public init(_ moment: PhotoMoment, until: Date? = nil) {
            self.moment = .known(moment)
            self.until = until
        }
    }

    /// The vehicle as a person confirmed or corrected it from a recogniser's proposal.
    public struct Confirmation: Codable, Sendable, Hashable {
        public var recognition: RecognitionID
        public var vehicle: VehicleDescription

        public init(recognition: RecognitionID, vehicle: VehicleDescription) {
            self.recognition = recognition
            self.vehicle = vehicle
        }
    }

    public var id: EngagementID
    /// The product it belongs to, for example `valet`.
    public var product: Product
    /// Increases with each change; gaps have no meaning.
    public var version: Int
    public var state: Open<State>
    public var participants: [Participant]
    /// People who were asked to take part and haven't answered yet. They can't be given another job
    /// meanwhile, and may not follow the engagement.
    public var asked: [PersonID]
    public var way: Way?
    /// The departure to report; absent if nobody waits for one.
    public var leaving: Leaving?
    /// Points shown to people who follow the engagement.
    public var markers: [Marker]
    public var photos: Photos?

    public init(id: EngagementID, product: Product, version: Int, state: State) {
        self.id = id
        self.product = product
        self.version = version
        self.state = .known(state)
        (participants, asked, markers) = ([], [], [])
    }

    public func participant(_ person: PersonID) -> Participant? {
        participants.first { $0.person == person }
    }
}

/// An unfinished or unpaid item of a product, because of which a person can't delete their account.
public struct Binding: Codable, Sendable, Hashable {
    /// Absent if there is none.
    public var engagement: EngagementID?

    public init(_ engagement: EngagementID?) { self.engagement = engagement }
}
