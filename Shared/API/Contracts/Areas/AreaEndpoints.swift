extension ServiceManifest {
    public static let areas = ServiceManifest(
        "areas", [.tokenKeys, .database], endpoints: AreaEndpoints.all,
        events: [ServiceAreaChanged.self], hears: [AccountChanged.self, AccountDeleted.self],
        tells: [.areas], copies: [.people])
}

/// Service areas and their tariffs.
public enum AreaEndpoints {
    public static let serviceAreas = Endpoint<Void, ServiceAreaCollection>(
        .get, "/v1/service-areas", id: "serviceAreas", "All service areas", by: .anybody,
        answer: "GeoJSON, with the tariff of each area.")
    public static let serviceArea = Endpoint<Void, ServiceAreaFeature>(
        .get, "/v1/admin/service-areas/{id}", id: "serviceArea", "A service area for editing",
        by: [.operator], ids: .reference(to: ServiceAreaID.self),
        answer: Success("The area as it is now; use its `ETag` as `If-Match`.", [.eTag]),
        refuses: [.serviceAreaUnknown])
    public static let putServiceArea = Endpoint<ServiceAreaFeature, ServiceAreaFeature>(
        .put, "/v1/admin/service-areas/{id}", id: "putServiceArea",
        "Create or change a service area",
        by: [.operator], bodyLimit: BodyLimit.area, ids: .reference(to: ServiceAreaID.self),
        with: [.ifMatch],
        answer: Success("The area as it is now.", [.eTag], or: [201: "A new area."]),
        refuses: [
            .tooManyServiceAreas,
            .preconditionFailed,
            .currencyOfTariff,
        ])
    public static let putTariff = Endpoint<Tariff, ServiceAreaFeature>(
        .put, "/v1/admin/service-areas/{id}/tariff", id: "putTariff",
        "Publish a new version of the tariff",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), with: [.ifMatch],
        answer: Success(
            "The area as it is now. Existing orders keep their tariff.", [.eTag]),
        refuses: [.serviceAreaUnknown, .preconditionFailed])
    public static let all: [AnyEndpoint] = [
        serviceAreas.untyped, serviceArea.untyped, putServiceArea.untyped, putTariff.untyped,
    ]
}
