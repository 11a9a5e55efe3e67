/// OpenStreetMap's tags of places that sell or give food, or where people who do so gather
/// (https://wiki.openstreetmap.org/wiki/Map_features).
public enum VendorTags {
    /// Accepted values, by key.
    public static let values: [String: Set<String>] = [
        "amenity": [
            "marketplace", "social_facility", "place_of_worship", "restaurant", "fast_food",
            "cafe", "food_court",
        ],
        "shop": [
            "supermarket", "convenience", "greengrocer", "bakery", "butcher", "deli", "farm",
            "grocery", "health_food", "seafood", "food",
        ],
    ]
    /// Social facilities that provide food.
    public static let food: Set<String> = ["food_bank", "soup_kitchen"]

    public static func isVendor(_ tags: [String: String]) -> Bool {
        guard tags["name"] != nil else { return false }
        if tags["amenity"] == "social_facility" {
            return tags["social_facility"].map(food.contains) == true
        }
        return values.contains { key, values in tags[key].map(values.contains) == true }
    }
}
