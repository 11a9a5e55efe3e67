import Foundation

extension Topic {
    public static let places: Topic = "places"
}

extension Product {
    public static let places: Product = "places"
}

/// An operator has accepted or declined a suggestion. The event doesn't name the person who
/// made it.
public struct VendorSuggestionDecided: Event {
    public static let type = "places.vendor-suggestion-decided.v1"
    public static let topic = Topic.places
    public var suggestion: VendorSuggestionID
    public var vendor: VendorID
    public var status: Open<VendorSuggestion.Status>
    public var key: String { suggestion.description }

    public init(_ suggestion: VendorSuggestion) {
        (self.suggestion, vendor) = (suggestion.id, suggestion.vendor)
        status = suggestion.status
    }
}
