import Foundation
import Geo

public enum EngagementKind {}

/// The id of what people deal with each other about: an order's, a spot's, a ride's.
public typealias EngagementID = Identifier<EngagementKind>

/// Who deals with whom at present, and what that opens to them: all that the platform knows of an order,
/// a spot or a ride. The product says it anew with each change; the newest version counts.
public struct Engagement: Codable, Sendable, Hashable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// Something is still to be done or to be paid: nobody who is present may leave the house.
        case open
        /// It went as agreed, and can be rated.
        case ended
        case cancelled
    }

    /// Somebody who takes part, or has done theirs.
    public struct Participant: Codable, Sendable, Hashable {
        public var person: PersonID
        /// Not done with it: bound while it is open, and may follow it.
        public var isPresent: Bool
        /// Works for it now, and can be given no other job.
        public var isBusy: Bool
        /// Whose live position they may see now.
        public var sees: [PersonID]
        /// Whom they rate once it has ended. The first of them stands in the answer.
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

    /// Somebody is on their way.
    public struct Way: Codable, Sendable, Hashable {
        public var mover: PersonID
        /// Nil while they choose for themselves.
        public var to: Coordinate?
        /// Nil where nobody waits to hear that they are there.
        public var meeting: Meeting?

        public init(mover: PersonID, to: Coordinate?, meeting: Meeting? = nil) {
            self.mover = mover
            self.to = to
            self.meeting = meeting
        }
    }

    /// An arrival that is told, once for each `id`.
    public struct Meeting: Codable, Sendable, Hashable {
        /// The product's name for it, as in `dropOff`.
        public var id: String
        /// How near is there; location's usual distance when nil.
        public var withinMeters: Double?
        /// How exact the point itself is: two positions that may be the same are, when this is given.
        public var accuracyMeters: Double?

        public init(id: String, withinMeters: Double? = nil, accuracyMeters: Double? = nil) {
            self.id = id
            self.withinMeters = withinMeters
            self.accuracyMeters = accuracyMeters
        }
    }

    /// A departure that is waited for, and told once for each `id`.
    public struct Leaving: Codable, Sendable, Hashable {
        /// The product's name for it, as in `handOver`.
        public var id: String
        public var person: PersonID
        public var from: Coordinate
        /// Farther than this, and than the reading may be wrong besides, is gone.
        public var beyondMeters: Double

        public init(id: String, person: PersonID, from: Coordinate, beyondMeters: Double) {
            self.id = id
            self.person = person
            self.from = from
            self.beyondMeters = beyondMeters
        }
    }

    /// A point that those who follow it are shown: where a person is, or where a thing stands.
    public struct Marker: Codable, Sendable, Hashable {
        /// The field of the answer, by the product's name: `customer`, `vehicle`.
        public var name: String
        /// Whose position it is; of a thing, who has it. Only shown to who sees that person.
        public var person: PersonID?
        /// Where a thing stands.
        public var at: Coordinate?
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

    /// What may be photographed, and whose it is.
    public struct Photos: Codable, Sendable, Hashable {
        /// Photos are removed with their account.
        public var owner: PersonID
        public var windows: [Window]
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
        /// Not later than this.
        public var until: Date?

        public init(_ moment: PhotoMoment, until: Date? = nil) {
            self.moment = .known(moment)
            self.until = until
        }
    }

    /// What somebody made of a recogniser's proposal.
    public struct Confirmation: Codable, Sendable, Hashable {
        public var recognition: RecognitionID
        public var vehicle: VehicleDescription

        public init(recognition: RecognitionID, vehicle: VehicleDescription) {
            self.recognition = recognition
            self.vehicle = vehicle
        }
    }

    public var id: EngagementID
    public var product: Product
    /// Grows with each change; gaps mean nothing.
    public var version: Int
    public var state: Open<State>
    public var participants: [Participant]
    /// Who is asked whether they take part: they can be given no other job meanwhile, and nothing is open to
    /// them.
    public var asked: [PersonID]
    public var way: Way?
    /// Nil where nobody waits to hear that somebody has gone.
    public var leaving: Leaving?
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

/// Something of a product that is unfinished or unpaid, and keeps a person in the house.
public struct Binding: Codable, Sendable, Hashable {
    /// Nil when there is nothing.
    public var engagement: EngagementID?

    public init(_ engagement: EngagementID?) { self.engagement = engagement }
}
