import Contracts
import Foundation
import HTTPTypes
import ServiceKit

/// What car parks refuses, in its own words.
enum CarParkError: ServiceError, Equatable {
    case unknown, inUse
    case openingHours(OpeningHours.Unreadable)
    case closed(reason: String?)
    case productUnknown, productInvalid(String)
    case dateInvalid(String)
    case full
    case otherCurrency(String)
    case vehicleRequired, vehicleUnknown
    case termsOutdated(current: Int)
    case priceChanged(Money)
    case overlaps(BookingID)
    case tooMany
    case bookingUnknown, bookingNotPossible(BookingStatus)
    case holdExpired, tooLate, paymentRequired, furtherStep, changePending
    case gateUnknown, gateToken, recognitionUnknown
    case sessionUnknown, sessionEnded, nothingDue
    case parkedVehicleUnknown
    case pointsInvalid
    case notFull, tooManyWatched
    case fineUnknown, fineNotPossible(FineStatus), fineTooManyPhotos, pictureUnknown
    case tooManyPhotos

    var status: HTTPResponse.Status {
        switch self {
        case .unknown, .productUnknown, .bookingUnknown, .gateUnknown, .sessionUnknown,
            .parkedVehicleUnknown, .fineUnknown, .pictureUnknown:
            .notFound
        case .openingHours, .productInvalid, .dateInvalid, .vehicleRequired, .vehicleUnknown,
            .paymentRequired, .pointsInvalid, .recognitionUnknown:
            .unprocessableContent
        case .inUse, .closed, .full, .otherCurrency, .termsOutdated, .priceChanged, .overlaps,
            .tooMany,
            .bookingNotPossible, .holdExpired, .tooLate, .changePending, .nothingDue, .sessionEnded,
            .fineNotPossible, .fineTooManyPhotos, .tooManyPhotos, .notFull, .tooManyWatched:
            .conflict
        case .gateToken: .unauthorized
        case .furtherStep: .init(code: 402, reasonPhrase: "Payment Required")
        }
    }

    var code: String {
        switch self {
        case .unknown: "car_park.unknown"
        case .parkedVehicleUnknown: "parked_vehicle.unknown"
        case .inUse: "car_park.in_use"
        case .openingHours: "car_park.opening_hours"
        case .closed: "car_park.closed"
        case .productUnknown: "parking_product.unknown"
        case .productInvalid: "booking.product_invalid"
        case .dateInvalid: "booking.date_invalid"
        case .full: "booking.full"
        case .otherCurrency: "car_park.other_currency"
        case .vehicleRequired: "booking.vehicle_required"
        case .vehicleUnknown: "vehicle.unknown"
        case .termsOutdated: "booking.terms_outdated"
        case .priceChanged: "booking.price_changed"
        case .overlaps: "booking.overlaps"
        case .tooMany: "booking.too_many"
        case .bookingUnknown: "booking.unknown"
        case .bookingNotPossible: "booking.not_possible"
        case .holdExpired: "booking.hold_expired"
        case .tooLate: "booking.too_late"
        case .paymentRequired: "booking.payment_required"
        case .furtherStep: "payment.declined"
        case .changePending: "booking.change_pending"
        case .gateUnknown: "gate.unknown"
        case .gateToken: "gate.token_invalid"
        case .recognitionUnknown: "gate.recognition_unknown"
        case .sessionUnknown: "parking_session.unknown"
        case .sessionEnded: "parking_session.ended"
        case .nothingDue: "parking_session.nothing_due"
        case .pointsInvalid: "booking.points_invalid"
        case .notFull: "car_park.not_full"
        case .tooManyWatched: "watched_car_parks.too_many"
        case .fineUnknown: "fine.unknown"
        case .fineNotPossible: "fine.not_possible"
        case .fineTooManyPhotos: "fine.too_many_photos"
        case .pictureUnknown: "picture.unknown"
        case .tooManyPhotos: "car_park.too_many_photos"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is no such car park."
        case .inUse:
            "There are bookings to come, or vehicles inside: close it first, and wait for them."
        case .openingHours: "These opening hours can't be read."
        case .closed: "The car park is closed then: choose another time or another car park."
        case .productUnknown: "There is no such product."
        case .productInvalid:
            "The car park does not offer that: choose another product or quantity."
        case .dateInvalid: "This can't be booked for that time: choose another."
        case .full: "There is not enough space at that time: choose another time or car park."
        case .otherCurrency: "The car park is paid in another currency than this order."
        case .vehicleRequired: "Name a vehicle for each space."
        case .vehicleUnknown: "This is not one of your vehicles."
        case .termsOutdated: "The terms have changed: read them, and agree again."
        case .priceChanged: "The price has changed: look at it, and agree again."
        case .overlaps: "You, or the vehicle, have a booking elsewhere at that time."
        case .tooMany: "You have as many bookings as one can have."
        case .bookingUnknown: "There is no such booking, or it is not yours."
        case .bookingNotPossible: "That is not possible any more, or not yet."
        case .holdExpired: "It was not paid in time: book again. Nothing is charged."
        case .tooLate: "A booking can be changed until its first day begins."
        case .paymentRequired: "It becomes dearer: name a way to pay the difference."
        case .furtherStep: "The payment was declined."
        case .changePending: "Another change of this booking is being paid."
        case .gateUnknown: "There is no such gate."
        case .gateToken: "This is not the gate's token."
        case .recognitionUnknown: "There is no such recognition."
        case .sessionUnknown: "There is no such stay, or it is not yours."
        case .sessionEnded: "It has ended already."
        case .nothingDue: "There is nothing to pay."
        case .pointsInvalid:
            "You have not so many points, or they are worth nothing or more than half of the price."
        case .notFull: "A space is free now, or nobody counts them."
        case .tooManyWatched: "You watch as many car parks as one can."
        case .fineUnknown: "There is no such fine, or it is not for a vehicle of yours."
        case .fineNotPossible: "That is not possible any more, or not yet."
        case .fineTooManyPhotos, .tooManyPhotos: "It has as many pictures as it can have."
        case .pictureUnknown: "This picture is not shown any more."
        case .parkedVehicleUnknown: "You have not said where your vehicle is."
        }
    }

    var detail: String? {
        switch self {
        case .openingHours(let unreadable): unreadable.description
        case .closed(let reason): reason
        case .otherCurrency(let currency): "It is paid in \(currency)."
        case .productInvalid(let detail), .dateInvalid(let detail): detail
        case .termsOutdated(let current): "The current terms are version \(current)."
        case .furtherStep: "This card asks for a further step: use another."
        case .bookingNotPossible(let status): "The booking is \(status.rawValue)."
        case .fineNotPossible(let status): "The fine is \(status.rawValue)."
        case .fineTooManyPhotos: "At most \(FineUseCases.mostPhotos)."
        case .tooManyPhotos: "At most \(CarParkPictures.most)."
        case .tooManyWatched: "At most \(WatchedCarParks.most)."
        case .tooMany: "At most \(BookingLimits.mostCurrent)."
        default: nil
        }
    }

    var field: String? {
        switch self {
        case .openingHours: "openingHours"
        case .vehicleRequired, .vehicleUnknown: "vehicleIds"
        case .termsOutdated: "termsVersion"
        case .productInvalid: "productId"
        case .dateInvalid: "start"
        case .pointsInvalid: "points"
        case .recognitionUnknown: "recognitionId"
        default: nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .overlaps(let id): problem.bookingId = id
        case .priceChanged(let money): problem.amount = money
        case .changePending: problem.retryAfterSeconds = 2
        default: break
        }
    }
}
