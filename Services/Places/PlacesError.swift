import Contracts
import HTTPTypes
import ServiceKit

/// What places refuses, in its own words.
enum PlacesError: ServiceError, Equatable {
    case vendorUnknown, duplicateOfItself
    case tooManySaved, tooManySuggestions
    case suggestionUnknown, suggestionDecided
    case importUnknown, importRunning, importUnreadable(String)

    var status: HTTPResponse.Status {
        switch self {
        case .vendorUnknown, .suggestionUnknown, .importUnknown: .notFound
        case .duplicateOfItself, .tooManySaved, .tooManySuggestions, .suggestionDecided,
            .importRunning:
            .conflict
        case .importUnreadable: .unprocessableContent
        }
    }

    var code: String {
        switch self {
        case .vendorUnknown: "vendor.unknown"
        case .duplicateOfItself: "vendor.duplicate_of_itself"
        case .tooManySaved: "saved_vendors.too_many"
        case .tooManySuggestions: "vendor_suggestion.too_many"
        case .suggestionUnknown: "vendor_suggestion.unknown"
        case .suggestionDecided: "vendor_suggestion.decided"
        case .importUnknown: "vendor_import.unknown"
        case .importRunning: "vendor_import.running"
        case .importUnreadable: "vendor_import.unreadable"
        }
    }

    var title: String {
        switch self {
        case .vendorUnknown: "There is no such vendor."
        case .duplicateOfItself: "That is the same vendor, or a duplicate itself."
        case .tooManySaved: "You keep as many vendors as you can."
        case .tooManySuggestions: "As many of your suggestions wait as can be."
        case .suggestionUnknown: "There is no such suggestion."
        case .suggestionDecided: "It was decided already."
        case .importUnknown: "There is no such import."
        case .importRunning: "Another import is under way."
        case .importUnreadable: "The file can't be read."
        }
    }

    var detail: String? {
        if case .importUnreadable(let detail) = self { detail } else { nil }
    }
}
