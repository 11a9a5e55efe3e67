import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The kinds of scheduled work.
enum SpotWork {
    /// An offer ends without a buyer.
    static let expiry = "spot-expiry"
    /// An auction ends.
    static let close = "auction-close"
    /// A buyer has arrived and does not confirm.
    static let presumption = "spot-presumption"
    /// A reservation ends without confirmations.
    static let lapse = "spot-lapse"
    /// The seller has not answered in time.
    static let answer = "request-answer"
    /// A card payment has not finished in time.
    static let authorising = "request-authorising"
    /// Notifies people whose alerts match a spot.
    static let alerts = "spot-alerts"
    /// The same for another product's parking.
    static let freed = "freed-parking"
    /// Deletes a picture that is unused or no longer needed.
    static let picture = "spot-picture"

    static func handlers(
        _ spots: SpotUseCases, _ photos: SpotPhotos
    ) -> [String: WorkQueue.Handler] {
        [
            expiry: WorkQueue.once(SpotID.init, spots.expire),
            close: WorkQueue.once(SpotID.init, spots.close),
            presumption: WorkQueue.once(SpotID.init, spots.presume),
            lapse: WorkQueue.once(SpotID.init, spots.lapse),
            answer: WorkQueue.once(SpotRequestID.init, spots.expire),
            authorising: WorkQueue.once(SpotRequestID.init) {
                try await spots.giveUp($0, as: .expired)
            },
            picture: WorkQueue.once(PictureID.init, photos.remove),
        ]
    }

    static func unscheduleAll(of id: SpotID, in transaction: Transaction) throws {
        for kind in [expiry, close, presumption, lapse] { try transaction.unschedule(kind, id) }
    }

    static func presumeLater(_ spot: SpotRecord, at now: Date, in transaction: Transaction) throws {
        guard spot.isPresumed else { return }
        let grace = TimeInterval(spot.policy.graceSeconds)
        try transaction.schedule(presumption, spot.id, at: now.addingTimeInterval(grace))
    }
}
