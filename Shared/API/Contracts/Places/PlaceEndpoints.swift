extension ServiceManifest {
    public static let places = ServiceManifest(
        "places", [.tokenKeys, .database, .router, .geocoder, .maps, .personalData],
        endpoints: PlaceEndpoints.all + VendorEndpoints.all + MobilityEndpoints.all
            + VendorOperatorEndpoints.all, events: [VendorSuggestionDecided.self],
        hears: [AccountChanged.self, AccountDeleted.self, ServiceAreaChanged.self],
        copies: [.areas, .people])
}

/// Addresses, routes and reachable areas.
public enum PlaceEndpoints {
    public static let places = Endpoint<FindPlacesQuery, PlacesAnswer>(
        .get, "/v1/places", id: "places", "Search places",
        """
        Searches the rectangle around the service areas; with a point, around the nearest area, or the whole of the \
        platform's own map that has the point. Uses the language of `Accept-Language`. Understands coordinates such \
        as `22.2819, 114.1556`. The platform's own maps come first and match half-typed words; elsewhere a geocoder \
        is asked. Send a request when the person stops typing: geocoders don't want one per letter.
        """, by: .anybody, rate: .places,
        answer: """
            Best first. Without a map and a geocoder that answers, `source` is `coordinates`, and the list is empty \
            unless the query is coordinates.
            """)
    public static let placesAround = Endpoint<PointQuery, PlacesAnswer>(
        .get, "/v1/places/reverse", id: "placesAround", "The place at a point", by: .anybody,
        rate: .places,
        answer: """
            One place. If no map or geocoder knows it, it is the point itself, and `source` is `coordinates`.
            """)
    public static let routes = Endpoint<RoutesQuery, TravelRoutes>(
        .get, "/v1/routes", id: "routes", "Routes between two points",
        """
        Uses the given mode, or else the best available: car, then public transport with walking, then walking. \
        Steps are in the language of `language`, or of `Accept-Language`.
        """, by: .anybody,
        answer: "The earliest arrival first; empty if there is no such route.")
    public static let reachable = Endpoint<ReachableQuery, ReachableAreas>(
        .get, "/v1/reachable", id: "reachable", "Reachable areas",
        """
        Isochrones. For public transport: the walking area around each stop reached in time. Circles while no router \
        answers.
        """, by: .anybody,
        answer: Success("GeoJSON with one feature per mode.", as: [.geoJSON]))

    public static let all: [AnyEndpoint] = [
        places.untyped, placesAround.untyped, routes.untyped, reachable.untyped,
    ]
}

/// Vendors, saved vendors and suggested changes.
public enum VendorEndpoints {
    public static let vendors = Endpoint<FindVendorsQuery, VendorsAnswer>(
        .get, "/v1/vendors", id: "vendors", "Vendors that I can reach",
        """
        Uses the given limits, else those of my mobility; without sign-in, the defaults. Vendors out of reach are \
        only counted.
        """, by: .anybody,
        answer: "The quickest to reach first.")
    public static let vendor = Endpoint<Void, Vendor>(
        .get, "/v1/vendors/{id}", id: "vendor", "A vendor", by: .anybody,
        answer: Success("The vendor.", [.eTag]), refuses: [.vendorUnknown])
    public static let suggest = Endpoint<VendorSuggestionBody, VendorSuggestion>(
        .post, "/v1/vendors/{id}/suggestions", id: "suggestVendorChange",
        "Suggest a change", "An operator decides on it.", by: [.customer],
        with: [.idempotencyKey], answer: Success("The suggestion.", status: 201),
        refuses: [
            .vendorUnknown,
            .tooManyVendorSuggestions,
        ])
    public static let savedVendors = Endpoint<Void, Page<SavedVendor>>(
        .get, "/v1/me/saved-vendors", id: "savedVendors", "My saved vendors", by: [.customer],
        answer: "Newest first, all of them.")
    public static let saveVendor = Endpoint<Void, Void>(
        .put, "/v1/me/saved-vendors/{id}", id: "saveVendor", "Save a vendor", by: [.customer],
        answer: "The vendor is saved.",
        refuses: [.vendorUnknown, .tooManySavedVendors])
    public static let removeSavedVendor = Endpoint<Void, Void>(
        .delete, "/v1/me/saved-vendors/{id}", id: "removeSavedVendor", "Remove a saved vendor",
        by: [.customer], answer: "The vendor is not saved.")

    public static let all: [AnyEndpoint] = [
        vendors.untyped, vendor.untyped, suggest.untyped, savedVendors.untyped,
        saveVendor.untyped, removeSavedVendor.untyped,
    ]
}

/// How a person travels, and how far.
public enum MobilityEndpoints {
    public static let mobility = Endpoint<Void, Mobility>(
        .get, "/v1/me/mobility", id: "mobility", "How I travel, and how far",
        by: [.customer], answer: "My mobility, or the defaults.")
    public static let putMobility = Endpoint<Mobility, Mobility>(
        .put, "/v1/me/mobility", id: "putMobility", "Set how I travel", by: [.customer],
        answer: "My mobility as it is now; the next search uses it.")
    public static let changeMobility = Endpoint<MobilityChange, MobilityChanged>(
        .patch, "/v1/me/mobility", id: "changeMobility", "Change how I travel",
        """
        Each field is checked alone: valid fields are saved, the others are listed. If none is valid, `errors` of the \
        problem lists them all.
        """,
        by: [.customer], answer: "My mobility as it is now, and the refused fields.")

    public static let all: [AnyEndpoint] = [
        mobility.untyped, putMobility.untyped, changeMobility.untyped,
    ]
}

/// Vendors, for operators.
public enum VendorOperatorEndpoints {
    public static let allVendors = Endpoint<AllVendorsQuery, Page<Vendor>>(
        .get, "/v1/admin/vendors", id: "allVendors", "All vendors", by: [.operator],
        answer: "Newest first, including duplicates.")
    public static let addVendor = Endpoint<VendorBody, Vendor>(
        .post, "/v1/admin/vendors", id: "addVendor", "Add a vendor", by: [.operator],
        with: [.idempotencyKey], answer: Success("The vendor.", status: 201, [.location, .eTag]))
    public static let putVendor = Endpoint<VendorBody, Vendor>(
        .put, "/v1/admin/vendors/{id}", id: "putVendor", "Change a vendor",
        "Later imports don't change fields that an operator has changed.", by: [.operator],
        with: [.ifMatch], answer: Success("The vendor.", [.eTag]),
        refuses: [.vendorUnknown, .preconditionFailed])
    public static let removeVendor = Endpoint<Void, Void>(
        .delete, "/v1/admin/vendors/{id}", id: "removeVendor", "Remove a vendor",
        "Later imports don't bring it back.", by: [.operator], answer: "The vendor is removed.")
    public static let setDuplicate = Endpoint<DuplicateBody, Vendor>(
        .put, "/v1/admin/vendors/{id}/duplicate", id: "setDuplicate",
        "Mark a vendor as a duplicate", "It stays stored, but lists no longer show it.",
        by: [.operator], answer: "The vendor.",
        refuses: [
            .vendorUnknown,
            .duplicateOfItself,
        ])
    public static let unsetDuplicate = Endpoint<Void, Vendor>(
        .delete, "/v1/admin/vendors/{id}/duplicate", id: "unsetDuplicate",
        "Mark a vendor as not a duplicate", by: [.operator], answer: "The vendor.",
        refuses: [.vendorUnknown])
    public static let duplicates = Endpoint<Void, Page<VendorPair>>(
        .get, "/v1/admin/vendor-duplicates", id: "vendorDuplicates", "Possible duplicates",
        by: [.operator],
        answer: "Pairs with similar names within 150 m, nearest first; at most 100.")
    public static let suggestions = Endpoint<VendorSuggestionsQuery, Page<VendorSuggestion>>(
        .get, "/v1/admin/vendor-suggestions", id: "vendorSuggestions", "Suggested changes",
        by: [.operator],
        answer: "Newest first.")
    public static let acceptSuggestion = Endpoint<Void, VendorSuggestion>(
        .post, "/v1/admin/vendor-suggestions/{id}/accept", id: "acceptVendorSuggestion",
        "Accept a suggestion", by: [.operator], answer: "The suggestion; the vendor is changed.",
        refuses: [
            .vendorSuggestionUnknown, .vendorSuggestionDecided, .vendorUnknown, .duplicateOfItself,
        ])
    public static let declineSuggestion = Endpoint<Void, VendorSuggestion>(
        .post, "/v1/admin/vendor-suggestions/{id}/decline", id: "declineVendorSuggestion",
        "Decline a suggestion", by: [.operator], answer: "The suggestion.",
        refuses: [.vendorSuggestionUnknown, .vendorSuggestionDecided])
    public static let importVendors = Endpoint<Upload<VendorImportQuery>, VendorImport>(
        .post, "/v1/admin/vendor-imports", id: "importVendors", "Import vendors",
        """
        CSV (RFC 4180, UTF-8) with a header of `name,kind,latitude,longitude` and \
        any of `id, address, phone, website, openingHours, timeZone, acceptsStamps, photo, stepCentimeters, \
        doorCentimeters`, or GeoJSON with OpenStreetMap's tags. Semicolons and tabs may separate the fields of CSV, \
        too, and degrees may have a decimal comma. The import runs after the answer: poll its progress. Invalid rows \
        are listed, all others are imported.
        """, by: [.operator], bodyLimit: BodyLimit.vendors, takes: [.csv, .geoJSON],
        answer: Success("The import has begun.", status: 202),
        refuses: [
            .vendorImportRunning,
            .vendorImportUnreadable,
        ])
    public static let vendorImports = Endpoint<Void, Page<VendorImport>>(
        .get, "/v1/admin/vendor-imports", id: "vendorImports", "Imports", by: [.operator],
        answer: "The newest 20, without their refused rows.")
    public static let vendorImport = Endpoint<Void, VendorImport>(
        .get, "/v1/admin/vendor-imports/{id}", id: "vendorImport", "An import and its progress",
        by: [.operator], answer: "The import, with its refused rows.",
        refuses: [.vendorImportUnknown])
    public static let exportVendors = Endpoint<Void, JSONValue>(
        .get, "/v1/admin/vendors/export", id: "exportVendors", "All vendors as GeoJSON",
        by: [.operator],
        answer: Success("A FeatureCollection.", [.contentDisposition], as: [.geoJSON]))
    public static let coverage = Endpoint<Void, Page<VendorCoverage>>(
        .get, "/v1/admin/vendor-coverage", id: "vendorCoverage", "Coverage of vendor data",
        by: [.operator], answer: "One line per kind.")

    public static let all: [AnyEndpoint] = [
        allVendors.untyped, addVendor.untyped, exportVendors.untyped, putVendor.untyped,
        removeVendor.untyped, setDuplicate.untyped, unsetDuplicate.untyped, duplicates.untyped,
        suggestions.untyped, acceptSuggestion.untyped, declineSuggestion.untyped,
        importVendors.untyped, vendorImports.untyped, vendorImport.untyped, coverage.untyped,
    ]
}
