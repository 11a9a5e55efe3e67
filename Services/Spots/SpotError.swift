import Contracts
import Foundation
import HTTPTypes
import ServiceKit

/// What spots refuses, in its own words.
enum SpotError: ServiceError, Equatable {
    case unknown, areaUnknown, vehicleUnknown, pictureUnknown
    case outsideServiceArea, saleNotAllowed, priceTooHigh(cap: Money)
    case notThere(String)
    case openExists(SpotID), own, exists, denied, tooManyRequests, tooManyPhotos
    case suspended(Strike.Side, until: Date)
    case unpaid(SpotRequestID)
    case priceChanged(Money), paymentRequired
    case auction, noAuction, auctionClosed, bidTooLow(next: Money)
    case notPossible(SpotStatus)
    case requestUnknown, requestNotPossible(SpotRequestStatus), requestExpired
    case tooEarly(until: Date), buyerArrived, notArrived

    var status: HTTPResponse.Status {
        switch self {
        case .unknown, .areaUnknown, .vehicleUnknown, .pictureUnknown, .requestUnknown: .notFound
        case .outsideServiceArea, .saleNotAllowed, .priceTooHigh, .notThere, .paymentRequired,
            .bidTooLow:
            .unprocessableContent
        case .suspended: .forbidden
        case .openExists, .own, .exists, .denied, .tooManyRequests, .tooManyPhotos, .unpaid,
            .priceChanged, .auction, .noAuction, .auctionClosed, .notPossible,
            .requestNotPossible, .requestExpired, .tooEarly, .buyerArrived, .notArrived:
            .conflict
        }
    }

    var code: String {
        switch self {
        case .unknown: "spot.unknown"
        case .areaUnknown: "service_area.unknown"
        case .vehicleUnknown: "vehicle.unknown"
        case .pictureUnknown: "picture.unknown"
        case .outsideServiceArea: "spot.outside_service_area"
        case .saleNotAllowed: "spot.sale_not_allowed"
        case .priceTooHigh: "spot.price_too_high"
        case .notThere: "spot.not_there"
        case .openExists: "spot.open_exists"
        case .own: "spot.own"
        case .exists: "spot_request.exists"
        case .denied: "spot_request.denied"
        case .tooManyRequests: "spot.too_many_requests"
        case .tooManyPhotos: "spot.too_many_photos"
        case .suspended(.selling, _): "spot.selling_suspended"
        case .suspended(.buying, _): "spot.buying_suspended"
        case .unpaid: "spot.unpaid"
        case .priceChanged: "spot.price_changed"
        case .paymentRequired: "spot.payment_required"
        case .auction: "spot.auction"
        case .noAuction: "spot.no_auction"
        case .auctionClosed: "spot.auction_closed"
        case .bidTooLow: "spot.bid_too_low"
        case .notPossible: "spot.not_possible"
        case .requestUnknown: "spot_request.unknown"
        case .requestNotPossible: "spot_request.not_possible"
        case .requestExpired: "spot_request.expired"
        case .tooEarly: "spot.too_early"
        case .buyerArrived: "spot.buyer_arrived"
        case .notArrived: "spot.not_arrived"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is no such spot."
        case .areaUnknown: "There is no such area."
        case .vehicleUnknown: "This is not one of your vehicles."
        case .pictureUnknown: "There is no such picture of yours, or it is not shown any more."
        case .outsideServiceArea: "Nothing can be offered there: it is outside of the areas."
        case .saleNotAllowed: "Spots can't be sold there: offer it for nothing."
        case .priceTooHigh: "That is more than a spot may cost there."
        case .notThere: "You have to be there: share your position."
        case .openExists: "You have an open spot already."
        case .own: "It is your own."
        case .exists: "You want a spot already: give that up first."
        case .denied: "The seller has said no."
        case .tooManyRequests: "Too many others have asked already: look for another."
        case .tooManyPhotos: "There are too many pictures that you have not used."
        case .suspended(.selling, _): "You can't offer spots for now: too much went wrong lately."
        case .suspended(.buying, _): "You can't get spots for now: too much went wrong lately."
        case .unpaid: "Pay for the last spot first."
        case .priceChanged: "It costs something else by now: look at it again."
        case .paymentRequired: "Name a way to pay."
        case .auction: "It is sold by auction: bid for it."
        case .noAuction: "It is sold at a price: ask for it."
        case .auctionClosed: "The auction is over."
        case .bidTooLow: "That is too little: bid more."
        case .notPossible: "That is not possible any more, or not yet."
        case .requestUnknown: "There is no such request, or it is not yours."
        case .requestNotPossible: "That is not possible any more, or not yet."
        case .requestExpired: "The time to answer is over: the buyer's money is released."
        case .tooEarly: "The buyer still has time."
        case .buyerArrived: "The buyer is there."
        case .notArrived: "Nobody knows yet that you are there: say so first."
        }
    }

    var detail: String? {
        switch self {
        case .notThere(let detail): detail
        case .priceTooHigh(let cap): "At most \(cap.text(in: .english))."
        case .priceChanged(let price): "It costs \(price.text(in: .english))."
        case .bidTooLow(let next): "At least \(next.text(in: .english))."
        case .suspended(_, let until), .tooEarly(let until): "Until \(Wire.text(until))."
        case .notPossible(let status): "The spot is \(status.rawValue)."
        case .requestNotPossible(let status): "The request is \(status.rawValue)."
        case .tooManyRequests: "At most \(SpotLimits.mostRequests)."
        case .tooManyPhotos: "At most \(SpotPhotos.most)."
        default: nil
        }
    }

    var field: String? {
        switch self {
        case .outsideServiceArea, .notThere: "position"
        case .saleNotAllowed, .priceTooHigh, .priceChanged: "price"
        case .bidTooLow: "maximum"
        case .vehicleUnknown: "vehicleId"
        case .pictureUnknown: "photoId"
        case .paymentRequired: "paymentMethodId"
        default: nil
        }
    }
}
