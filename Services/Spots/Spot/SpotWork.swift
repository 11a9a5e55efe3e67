import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// What is done when its time has come.
enum SpotWork {
    /// Nobody got it in time.
    static let expiry = "spot-expiry"
    /// An auction is over.
    static let close = "auction-close"
    /// Somebody came, and says nothing.
    static let presumption = "spot-presumption"
    /// Nobody says anything.
    static let lapse = "spot-lapse"
    /// The seller has not answered.
    static let answer = "request-answer"
    /// A card has not answered.
    static let authorising = "request-authorising"
    /// Notifies people whose alerts a spot fits.
    static let alerts = "spot-alerts"
    /// The same of what another product has.
    static let freed = "freed-parking"
    /// A picture that nobody has named, or needs any more.
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
