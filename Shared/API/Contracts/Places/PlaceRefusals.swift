extension Refusal {
    public static let vendorUnknown = Refusal(404, "vendor.unknown", "There is no such vendor.")
    public static let duplicateOfItself = Refusal(
        409, "vendor.duplicate_of_itself", "That is the same vendor, or a duplicate itself.")
    public static let tooManySavedVendors = Refusal(
        409, "saved_vendors.too_many", "You keep as many vendors as you can.",
        when: "200 are kept.")
    public static let tooManyVendorSuggestions = Refusal(
        409, "vendor_suggestion.too_many", "As many of your suggestions wait as can be.",
        when: "20 of yours wait already.")
    public static let vendorSuggestionUnknown = Refusal(
        404, "vendor_suggestion.unknown", "There is no such suggestion.")
    public static let vendorSuggestionDecided = Refusal(
        409, "vendor_suggestion.decided", "It was decided already.")
    public static let vendorImportUnknown = Refusal(
        404, "vendor_import.unknown", "There is no such import.")
    public static let vendorImportRunning = Refusal(
        409, "vendor_import.running", "Another import is under way.")
    public static let vendorImportUnreadable = Refusal(
        422, "vendor_import.unreadable", "The file can't be read.",
        when: "Neither CSV with these columns nor GeoJSON.")
}
