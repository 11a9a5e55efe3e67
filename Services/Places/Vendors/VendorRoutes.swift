import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases: vendors.
extension PlacesParts {
    func addVendors(to router: Router<Context>) {
        router.on(VendorEndpoints.vendors) { call in
            let own = try await mobility.mobility(of: call.caller)
            return try await finder.find(VendorSearch(call.query, own, at: environment.clock.now))
        }
        router.on(VendorEndpoints.vendor) { try await vendors.vendor($0.vendor()).reply() }
        router.on(VendorEndpoints.suggest) {
            try await vendors.suggest(
                $0.body, of: $0.vendor(), by: $0.person.person, once: $0.idempotency)
        }
        router.on(VendorEndpoints.savedVendors) {
            try await vendors.saved(by: $0.person.person)
        }
        router.on(VendorEndpoints.saveVendor) {
            try await vendors.save($0.vendor(), by: $0.person.person)
        }
        router.on(VendorEndpoints.removeSavedVendor) { call in
            guard let id = VendorID(call.path()) else { return }
            try await vendors.removeSaved(id, by: call.person.person)
        }
        addOperators(to: router)
        addImports(to: router)
    }

    private func addOperators(to router: Router<Context>) {
        router.on(VendorOperatorEndpoints.allVendors) { call in
            try await vendors.list(
                kind: call.query.kind,
                words: Check.optionalText(call.query.q, "q", most: 100), call.page)
        }
        router.on(VendorOperatorEndpoints.addVendor) { call in
            let vendor = try await vendors.add(
                call.body, by: call.person.person, once: call.idempotency)
            return try vendor.reply(headers: [.location: "/v1/vendors/\(vendor.id)"])
        }
        router.on(VendorOperatorEndpoints.putVendor) {
            try await vendors.change(
                $0.vendor(), to: $0.body, by: $0.person.person, ifVersion: $0.ifMatch
            ).reply()
        }
        router.on(VendorOperatorEndpoints.removeVendor) { call in
            guard let id = VendorID(call.path()) else { return }
            try await vendors.remove(id, by: call.person.person)
        }
        router.on(VendorOperatorEndpoints.setDuplicate) {
            try await vendors.setDuplicate($0.vendor(), of: $0.body.of, by: $0.person.person)
        }
        router.on(VendorOperatorEndpoints.unsetDuplicate) {
            try await vendors.unsetDuplicate($0.vendor(), by: $0.person.person)
        }
        router.on(VendorOperatorEndpoints.duplicates) { _ in try await vendors.duplicates() }
        router.on(VendorOperatorEndpoints.coverage) { _ in try await vendors.coverage() }
        router.on(VendorOperatorEndpoints.exportVendors) { _ in
            try Reply(
                try await vendors.export(),
                headers: [
                    .contentType: MediaType.geoJSON.rawValue,
                    .contentDisposition: "attachment; filename=\"vendors.geojson\"",
                ])
        }
        router.on(VendorOperatorEndpoints.suggestions) { call in
            try await vendors.suggestions(call.query.status ?? .open, call.page)
        }
        router.on(VendorOperatorEndpoints.acceptSuggestion) {
            try await vendors.decide($0.suggestion(), accepts: true, by: $0.person.person)
        }
        router.on(VendorOperatorEndpoints.declineSuggestion) {
            try await vendors.decide($0.suggestion(), accepts: false, by: $0.person.person)
        }
    }

    private func addImports(to router: Router<Context>) {
        router.on(VendorOperatorEndpoints.importVendors) { call in
            try await imports.begin(
                call.bytes(), name: call.body.query.name, by: call.person.person)
        }
        router.on(VendorOperatorEndpoints.vendorImports) { _ in try await imports.list() }
        router.on(VendorOperatorEndpoints.vendorImport) {
            try await imports.one($0.id(or: .vendorImportUnknown))
        }
    }
}

extension Vendor: Versioned {}

extension Call {
    fileprivate func vendor() throws -> VendorID { try id(or: .vendorUnknown) }
    fileprivate func suggestion() throws -> VendorSuggestionID {
        try id(or: .vendorSuggestionUnknown)
    }
}

extension VendorSearch {
    /// Uses the limits of the caller's mobility unless the query has its own.
    fileprivate init(_ query: FindVendorsQuery, _ own: Mobility, at now: Date) throws {
        guard let point = query.point ?? own.home?.coordinate else {
            throw Refusal.invalid("latitude", "Send a point, or save a home in your mobility.")
        }
        var limits = ReachLimits(own)
        limits.modes = try query.modes?.some("modes") ?? limits.modes
        limits.maxWalkMeters = query.maxWalkMeters ?? limits.maxWalkMeters
        limits.maxSeconds = query.maxSeconds ?? limits.maxSeconds
        limits.maxMeters = query.maxMeters ?? limits.maxMeters
        let skipped = try query.page.cursor(as: Int.self) ?? 0
        guard (0...Self.most).contains(skipped) else { throw Refusal.cursorUnknown }
        self.init(
            point: point, radiusMeters: query.radiusMeters ?? own.radiusMeters,
            kinds: query.kinds?.values ?? [], openAt: query.openAt?.date(at: now),
            stampsOnly: query.acceptsStamps ?? own.acceptsStampsOnly,
            accessibleOnly: query.accessible ?? false,
            words: try Check.optionalText(query.q, "q", most: 100), limits: limits,
            departAt: query.departAt ?? now, sort: query.sort ?? .time, skipped: skipped,
            limit: query.page.limit)
    }
}
