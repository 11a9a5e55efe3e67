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
}

extension Transaction {
    func unscheduleAll(of id: SpotID) throws {
        for kind in [SpotWork.expiry, SpotWork.close, SpotWork.presumption, SpotWork.lapse] {
            try unschedule(kind, id)
        }
    }
}
