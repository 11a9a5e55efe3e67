import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// A spot's engagement: two people who meet, see each other's position, and rate each other.
extension SpotRecord {
    static let arrival = "arrival"
    static let leaving = "hand-over"

    /// Nil until somebody has the spot.
    var engagement: Engagement? {
        guard let reservation else { return nil }
        let state: Engagement.State =
            switch status {
            case .offered, .reserved: .open
            case .handedOver: .ended
            case .failed, .cancelled, .expired: .cancelled
            }
        var engagement = Engagement(
            id: id.as(EngagementID.self), product: .spots, version: version.number, state: state)
        let (isOpen, buyer) = (status == .reserved, reservation.buyer)
        engagement.participants = [
            Engagement.Participant(
                seller, isPresent: isOpen, sees: isOpen ? [buyer] : [], rates: [buyer]),
            Engagement.Participant(
                buyer, isPresent: isOpen, sees: isOpen ? [seller] : [], rates: [seller]),
        ]
        guard isOpen else { return engagement }
        let meeting = Engagement.Meeting(
            id: Self.arrival, withinMeters: SpotLimits.arrivalMeters,
            accuracyMeters: offer.accuracyMeters)
        engagement.way = Engagement.Way(
            mover: buyer, to: offer.position,
            meeting: reservation.arrivedAt == nil ? meeting : nil)
        if !reservation.sellerIsDone {
            engagement.leaving = Engagement.Leaving(
                id: Self.leaving, person: seller, from: offer.position,
                beyondMeters: SpotLimits.leavingMeters)
        }
        engagement.markers = [
            Engagement.Marker("seller", of: seller), Engagement.Marker("buyer", of: buyer),
            Engagement.Marker("spot", at: offer.position),
        ]
        return engagement
    }
}

extension SpotStore {
    /// Engagements of open spots by id, as other services may hear of them at any age.
    func told(after id: String, limit: Int) throws -> [StateSource.Entry] {
        try transaction.rows(
            "SELECT body FROM spots WHERE is_open = 1 AND id > ? ORDER BY id LIMIT ?", id, limit
        ).map { row in
            let spot: SpotRecord = try row.json()
            return .init(spot.id, spot.engagement.map(EngagementChanged.init))
        }
    }
}

extension SpotUseCases {
    func engagement(_ id: EngagementID) async throws -> Engagement {
        guard
            let engagement = try await database.read({
                try $0.spots.find(id.as(SpotID.self))?.engagement
            })
        else { throw Refusal.notFound }
        return engagement
    }

    /// A person's reserved spot, leading bid or unpaid amount.
    func binding(_ person: PersonID) async throws -> EngagementID? {
        try await database.read { transaction in
            if let spot = try transaction.spots.open(of: person), spot.status == .reserved {
                return spot.id.as(EngagementID.self)
            }
            let bound = try transaction.requests.open(of: person).first {
                $0.status == .approved || $0.isBid && $0.status == .pending
            }
            if let bound { return bound.spot.as(EngagementID.self) }
            return try transaction.requests.owed(of: person).flatMap {
                try transaction.requests.find($0)?.spot.as(EngagementID.self)
            }
        }
    }
}
