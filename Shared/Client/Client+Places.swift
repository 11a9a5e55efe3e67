import Contracts
import Foundation
import Geo

extension OpenValetClient {
    // MARK: Addresses and ways

    /// Places by their words, in the service areas; with a point, in the one nearest to it.
    ///
    /// For when somebody has finished typing: geocoders do not want a request for each letter.
    public func places(
        _ query: String, near point: Coordinate? = nil, limit: Int? = nil,
        in language: Language? = nil
    ) async throws -> PlacesAnswer {
        let call = try PlaceEndpoints.places().with("query", query).with(
            "latitude", point?.latitude
        )
        .with("longitude", point?.longitude).with("limit", limit)
        return try await value(call.speaking(language))
    }

    /// What is at a point; the coordinates themselves where nobody knows better.
    public func place(
        at point: Coordinate, in language: Language? = nil
    ) async throws -> PlacesAnswer {
        let call = try PlaceEndpoints.placesAround().with("latitude", point.latitude)
            .with("longitude", point.longitude)
        return try await value(call.speaking(language))
    }

    /// By the mode, else by the best that I have.
    public func routes(
        from start: Coordinate, to end: Coordinate, by mode: MobilityMode? = nil,
        in language: Language? = nil
    ) async throws -> TravelRoutes {
        let call = try PlaceEndpoints.routes().asMyself()
            .with("from", "\(start.latitude),\(start.longitude)")
            .with("to", "\(end.latitude),\(end.longitude)").with("mode", mode?.rawValue)
        return try await value(call.speaking(language))
    }

    // MARK: Vendors

    /// Within my limits, the quickest to reach first.
    public func vendors(
        near point: Coordinate, kinds: [VendorKind] = [], acceptsStamps: Bool? = nil
    ) async throws -> VendorsAnswer {
        let names = kinds.isEmpty ? nil : kinds.map(\.rawValue).joined(separator: ",")
        return try await value(
            VendorEndpoints.vendors().asMyself().with("latitude", point.latitude)
                .with("longitude", point.longitude).with("kinds", names)
                .with("acceptsStamps", acceptsStamps))
    }

    public func vendor(_ id: VendorID) async throws -> Vendor {
        try await value(VendorEndpoints.vendor(id))
    }

    public func suggest(
        _ change: VendorSuggestionBody, of id: VendorID, key: RequestKey = .new()
    ) async throws -> VendorSuggestion {
        try await value(VendorEndpoints.suggest(id, body: change, key: key))
    }

    public func savedVendors() async throws -> [SavedVendor] {
        try await value(VendorEndpoints.savedVendors()).items
    }

    public func save(vendor id: VendorID) async throws {
        try await done(VendorEndpoints.saveVendor(id))
    }

    public func removeSaved(vendor id: VendorID) async throws {
        try await done(VendorEndpoints.removeSavedVendor(id))
    }

    // MARK: My mobility

    public func mobility() async throws -> Mobility {
        try await value(MobilityEndpoints.mobility())
    }

    @discardableResult
    public func put(_ mobility: Mobility) async throws -> Mobility {
        try await value(MobilityEndpoints.putMobility(body: mobility))
    }

    // MARK: Operators

    public func add(_ vendor: VendorBody, key: RequestKey = .new()) async throws -> Vendor {
        try await value(VendorOperatorEndpoints.addVendor(body: vendor, key: key))
    }

    public func vendorSuggestions() async throws -> Page<VendorSuggestion> {
        try await value(VendorOperatorEndpoints.suggestions())
    }

    @discardableResult
    public func accept(suggestion id: VendorSuggestionID) async throws -> VendorSuggestion {
        try await value(VendorOperatorEndpoints.acceptSuggestion(id))
    }

    /// CSV or GeoJSON, by whose name the next import knows the vendors again.
    public func importVendors(_ file: Data, name: String) async throws -> VendorImport {
        try await value(VendorOperatorEndpoints.importVendors(bytes: file).with("name", name))
    }

    public func vendorImport(_ id: VendorImportID) async throws -> VendorImport {
        try await value(VendorOperatorEndpoints.vendorImport(id))
    }

    /// How much is known of vendors, a line a kind.
    public func vendorCoverage() async throws -> [VendorCoverage] {
        try await value(VendorOperatorEndpoints.coverage()).items
    }
}
