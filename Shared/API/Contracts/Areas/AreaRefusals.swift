extension Refusal {
    public static let serviceAreaUnknown = Refusal(
        404, "service_area.unknown", "There is no such service area.")
    public static let tooManyServiceAreas = Refusal(
        409, "service_area.too_many", "The limit of service areas is reached.")
    public static let currencyOfTariff = Refusal(
        422, "service_area.currency", "Change the currency together with the tariff.",
        field: "properties.currency")
}
