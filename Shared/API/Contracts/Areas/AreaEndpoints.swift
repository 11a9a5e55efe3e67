extension ServiceManifest {
    public static let areas = ServiceManifest(
        "areas", [.tokenKeys, .database], endpoints: AreaEndpoints.all,
        events: [ServiceAreaChanged.self], hears: [AccountChanged.self, AccountDeleted.self])
}

/// Where the house serves, and at which tariff.
public enum AreaEndpoints {
    public static let serviceAreas = Endpoint<Void, ServiceAreaCollection>(
        .get, "/v1/service-areas", id: "serviceAreas", "Where the service is offered", by: .anybody,
        answer: "GeoJSON, with each tariff.")
    public static let serviceArea = Endpoint<Void, ServiceAreaFeature>(
        .get, "/v1/admin/service-areas/{id}", id: "serviceArea", "A service area, to change it",
        by: [.operator], ids: .reference(to: ServiceAreaID.self),
        answer: Success("The area as it is now; its `ETag` is for `If-Match`.", [.eTag]),
        refuses: [.serviceAreaUnknown])
    public static let putServiceArea = Endpoint<ServiceAreaFeature, ServiceAreaFeature>(
        .put, "/v1/admin/service-areas/{id}", id: "putServiceArea", "Make or change a service area",
        by: [.operator], bodyLimit: BodyLimit.area, ids: .reference(to: ServiceAreaID.self),
        with: [.ifMatch],
        answer: Success("The area as it is now.", [.eTag], or: [201: "A new area."]),
        refuses: [
            .tooManyServiceAreas,
            .preconditionFailed,
            .currencyOfTariff,
        ])
    public static let putTariff = Endpoint<Tariff, ServiceAreaFeature>(
        .put, "/v1/admin/service-areas/{id}/tariff", id: "putTariff", "A new version of the tariff",
        by: [.operator], ids: .reference(to: ServiceAreaID.self), with: [.ifMatch],
        answer: Success(
            "The area as it is now. Orders keep the tariff under which they were placed.", [.eTag]),
        refuses: [.serviceAreaUnknown, .preconditionFailed])
    public static let all: [AnyEndpoint] = [
        serviceAreas.untyped, serviceArea.untyped, putServiceArea.untyped, putTariff.untyped,
    ]
}
