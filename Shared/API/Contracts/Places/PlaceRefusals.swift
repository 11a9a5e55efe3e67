extension Refusal {
    public static let vendorUnknown = Refusal(404, "vendor.unknown", "There is no such vendor.")
    public static let duplicateOfItself = Refusal(
        409, "vendor.duplicate_of_itself", "This is the same vendor, or itself a duplicate.")
    public static let tooManySavedVendors = Refusal(
        409, "saved_vendors.too_many",
        "You have reached the limit of saved vendors. Remove one first.",
        when: "The limit is 200.")
    public static let tooManyVendorSuggestions = Refusal(
        409, "vendor_suggestion.too_many",
        "Too many of your suggestions are pending. Wait for our decision.",
        when: "20 of the customer's suggestions are pending.")
    public static let vendorSuggestionUnknown = Refusal(
        404, "vendor_suggestion.unknown", "There is no such suggestion.")
    public static let vendorSuggestionDecided = Refusal(
        409, "vendor_suggestion.decided", "This suggestion is already decided.")
    public static let vendorImportUnknown = Refusal(
        404, "vendor_import.unknown", "There is no such import.")
    public static let vendorImportRunning = Refusal(
        409, "vendor_import.running", "Another import is running.")
    public static let vendorImportUnreadable = Refusal(
        422, "vendor_import.unreadable", "The file can't be read.",
        when: "The file is neither CSV with these columns nor GeoJSON.")
}
