import Contracts
import HTTPTypes
import Pictures
import ServiceKit

/// What plates refuses, in its own words.
enum PlateError: ServiceError, Equatable {
    /// Also somebody else's.
    case unknown
    case ended
    /// The vehicle is not being handed over or back.
    case momentNotPossible
    case tooManyPhotos
    case tooManyRecognitions
    case pictureUnknown
    case picture(PictureError)
    case recogniserUnavailable
    case recogniserMisconfigured
    case recogniserNoCredits

    /// When asking the recogniser again may help, in seconds: longer than a client waits by itself,
    /// since the valet had better type.
    private static let soon = 10
    /// Until an operator has done something.
    private static let later = 300

    var status: HTTPResponse.Status {
        switch self {
        case .unknown, .pictureUnknown: .notFound
        case .ended, .momentNotPossible, .tooManyPhotos, .tooManyRecognitions: .conflict
        case .picture: .unprocessableContent
        case .recogniserUnavailable, .recogniserMisconfigured, .recogniserNoCredits:
            .serviceUnavailable
        }
    }

    var code: String {
        switch self {
        case .unknown: "plates.order_unknown"
        case .ended: "plates.order_ended"
        case .momentNotPossible: "plates.moment_not_possible"
        case .tooManyPhotos: "plates.too_many_photos"
        case .tooManyRecognitions: "plates.too_many_recognitions"
        case .pictureUnknown: "picture.unknown"
        case .picture(let error): error.code
        case .recogniserUnavailable: "plates.recogniser_unavailable"
        case .recogniserMisconfigured: "plates.recogniser_misconfigured"
        case .recogniserNoCredits: "plates.recogniser_no_credits"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is nothing of this id, or it is not yours."
        case .ended: "This has ended."
        case .momentNotPossible: "The vehicle is not being handed over, or back, at present."
        case .tooManyPhotos: "There are as many photos as there can be."
        case .tooManyRecognitions: "The vehicle was recognised as often as it can be."
        case .pictureUnknown: "There is no such picture."
        case .picture(let error): error.title
        case .recogniserUnavailable: "Plates can't be recognised at the moment."
        case .recogniserMisconfigured: "The recogniser does not accept our settings."
        case .recogniserNoCredits: "The recogniser's credits are used up."
        }
    }

    var detail: String? {
        switch self {
        case .recogniserUnavailable, .recogniserMisconfigured, .recogniserNoCredits:
            "Type the plate and go on."
        case .tooManyPhotos: "At most \(PlateUseCases.mostPhotos)."
        case .tooManyRecognitions: "At most \(PlateUseCases.mostRecognitions)."
        case .picture(.unknownType): "A JPEG, PNG or WebP, told by its content."
        case .unknown, .ended, .momentNotPossible, .pictureUnknown, .picture: nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .recogniserUnavailable: problem.retryAfterSeconds = Self.soon
        case .recogniserMisconfigured, .recogniserNoCredits:
            problem.retryAfterSeconds = Self.later
        case .unknown, .ended, .momentNotPossible, .tooManyPhotos, .tooManyRecognitions,
            .pictureUnknown, .picture:
            break
        }
    }
}
