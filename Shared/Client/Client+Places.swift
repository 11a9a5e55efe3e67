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
        let call = try PlaceEndpoints.places(
            asks: FindPlacesQuery(query, near: point).with(\.limit, limit))
        return try await value(call.speaking(language))
    }

    /// What is at a point; the coordinates themselves where nobody knows better.
    public func place(
        at point: Coordinate, in language: Language? = nil
    ) async throws -> PlacesAnswer {
        let call = try PlaceEndpoints.placesAround(asks: PointQuery(point))
        return try await value(call.speaking(language))
    }

    /// By the mode, else by the best that I have.
    public func routes(
        from start: Coordinate, to end: Coordinate, by mode: MobilityMode? = nil,
        in language: Language? = nil
    ) async throws -> TravelRoutes {
        let call = try PlaceEndpoints.routes(
            asks: RoutesQuery(from: start, to: end).with(\.mode, mode)
        ).asMyself()
        return try await value(call.speaking(language))
    }

    // MARK: Vendors

    /// Within my limits, the quickest to reach first.
    public func vendors(
        near point: Coordinate, kinds: [VendorKind] = [], acceptsStamps: Bool? = nil
    ) async throws -> VendorsAnswer {
        try await value(
            VendorEndpoints.vendors(
                asks: FindVendorsQuery(near: point)
                    .with(\.kinds, kinds.isEmpty ? nil : CommaSeparated(Set(kinds)))
                    .with(\.acceptsStamps, acceptsStamps)
            ).asMyself())
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
        try await value(VendorOperatorEndpoints.suggestions(asks: VendorSuggestionsQuery()))
    }

    @discardableResult
    public func accept(suggestion id: VendorSuggestionID) async throws -> VendorSuggestion {
        try await value(VendorOperatorEndpoints.acceptSuggestion(id))
    }

    /// CSV or GeoJSON, by whose name the next import knows the vendors again.
    public func importVendors(_ file: Data, name: String) async throws -> VendorImport {
        try await value(
            VendorOperatorEndpoints.importVendors(asks: VendorImportQuery(name: name), bytes: file))
    }

    public func vendorImport(_ id: VendorImportID) async throws -> VendorImport {
        try await value(VendorOperatorEndpoints.vendorImport(id))
    }

    /// How much is known of vendors, a line a kind.
    public func vendorCoverage() async throws -> [VendorCoverage] {
        try await value(VendorOperatorEndpoints.coverage()).items
    }
}
