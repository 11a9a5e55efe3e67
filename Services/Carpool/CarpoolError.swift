import Contracts
import Foundation
import HTTPTypes
import ServiceKit

/// What carpool refuses, in its own words.
enum CarpoolError: ServiceError, Equatable {
    case tripUnknown, rideUnknown, seatUnknown, areaUnknown, vehicleUnknown
    case endsEqual, noRoad, inThePast
    case priceTooHigh(most: Money), priceNotAllowed, priceChanged(Money?)
    case tooManyTrips(String), tripOverlaps(String), tooManyFavourites, tooManySearches
    case tripNotPossible(TripStatus), seatsTaken
    case own, exists, unpaid(SeatRequestID), noSeat, overlaps
    case notOnTheWay, noRide, paymentRequired
    case seatNotPossible(SeatRequestStatus)
    case rideNotPossible(RideStatus), tooEarly(until: Date)

    var status: HTTPResponse.Status {
        switch self {
        case .tripUnknown, .rideUnknown, .seatUnknown, .areaUnknown, .vehicleUnknown: .notFound
        case .endsEqual, .noRoad, .inThePast, .priceTooHigh, .priceNotAllowed, .notOnTheWay,
            .noRide, .paymentRequired:
            .unprocessableContent
        case .priceChanged, .tooManyTrips, .tripOverlaps, .tooManyFavourites, .tooManySearches,
            .tripNotPossible, .seatsTaken, .own, .exists, .unpaid, .noSeat, .overlaps,
            .seatNotPossible, .rideNotPossible, .tooEarly:
            .conflict
        }
    }

    var code: String {
        switch self {
        case .tripUnknown: "trip.unknown"
        case .rideUnknown: "ride.unknown"
        case .seatUnknown: "seat_request.unknown"
        case .areaUnknown: "service_area.unknown"
        case .vehicleUnknown: "vehicle.unknown"
        case .endsEqual: "trip.ends_equal"
        case .noRoad: "trip.no_road"
        case .inThePast: "trip.in_the_past"
        case .priceTooHigh: "trip.price_too_high"
        case .priceNotAllowed: "trip.price_not_allowed"
        case .priceChanged: "trip.price_changed"
        case .tooManyTrips: "trip.too_many"
        case .tripOverlaps: "trip.overlaps"
        case .tooManyFavourites: "trip.too_many_favourites"
        case .tooManySearches: "saved_search.too_many"
        case .tripNotPossible: "trip.not_possible"
        case .seatsTaken: "trip.seats_taken"
        case .own: "seat_request.own"
        case .exists: "seat_request.exists"
        case .unpaid: "seat_request.unpaid"
        case .noSeat: "seat_request.no_seat"
        case .overlaps: "seat_request.overlaps"
        case .notOnTheWay: "seat_request.not_on_the_way"
        case .noRide: "seat_request.no_ride"
        case .paymentRequired: "seat_request.payment_required"
        case .seatNotPossible: "seat_request.not_possible"
        case .rideNotPossible: "ride.not_possible"
        case .tooEarly: "ride.too_early"
        }
    }

    var title: String {
        switch self {
        case .tripUnknown: "There is no such trip."
        case .rideUnknown: "There is no such ride, or it is not yours."
        case .seatUnknown: "There is no such request, or it is not yours."
        case .areaUnknown: "There is no such area."
        case .vehicleUnknown: "This is not one of your vehicles."
        case .endsEqual: "Both ends are the same place."
        case .noRoad: "The map knows no road from one to the other."
        case .inThePast: "No departure of it is still to come."
        case .priceTooHigh: "That is more than a share of the cost."
        case .priceNotAllowed: "Nothing may be asked there: it is outside of the areas."
        case .priceChanged: "It costs something else by now: look at it again."
        case .tooManyTrips: "There are too many trips of yours."
        case .tripOverlaps: "You drive another trip at that time."
        case .tooManyFavourites: "There are as many favourites as there can be."
        case .tooManySearches: "You have as many searches as one can have: remove one first."
        case .tripNotPossible: "It is not driven any more."
        case .seatsTaken: "More seats than that are taken."
        case .own: "You drive it yourself."
        case .exists: "You have asked already."
        case .unpaid: "Pay for the last ride first."
        case .noSeat: "There are not so many seats left."
        case .overlaps: "There is another ride at that time."
        case .notOnTheWay: "The way does not pass both points, one after the other."
        case .noRide: "It is not driven on that day."
        case .paymentRequired: "Name a way to pay."
        case .seatNotPossible, .rideNotPossible: "That is not possible any more, or not yet."
        case .tooEarly: "It is too early."
        }
    }

    var detail: String? {
        switch self {
        case .priceTooHigh(let most): "At most \(most.text(in: .english))."
        case .priceChanged(let price):
            price.map { "A seat costs \($0.text(in: .english))." } ?? "It costs nothing."
        case .tooManyTrips(let detail): detail
        case .tripOverlaps(let reference): "\(reference)."
        case .tooManyFavourites: "At most \(CarpoolLimits.mostFavourites)."
        case .tooManySearches: "At most \(SavedSearches.most)."
        case .tripNotPossible(let status): "The trip is \(status.rawValue)."
        case .seatNotPossible(let status): "The request is \(status.rawValue)."
        case .rideNotPossible(let status): "The ride is \(status.rawValue)."
        case .tooEarly(let until): "Until \(Wire.text(until))."
        default: nil
        }
    }

    var field: String? {
        switch self {
        case .endsEqual, .noRoad: "destination"
        case .inThePast: "departsAt"
        case .priceTooHigh, .priceNotAllowed, .priceChanged: "pricePerSeat"
        case .seatsTaken, .noSeat: "seats"
        case .vehicleUnknown: "vehicleId"
        case .notOnTheWay: "pickUp"
        case .noRide: "date"
        case .paymentRequired: "paymentMethodId"
        default: nil
        }
    }
}
