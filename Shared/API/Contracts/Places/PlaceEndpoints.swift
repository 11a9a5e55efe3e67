extension ServiceManifest {
    public static let places = ServiceManifest(
        "places", [.tokenKeys, .database, .router, .geocoder, .maps, .personalData],
        endpoints: PlaceEndpoints.all + VendorEndpoints.all + MobilityEndpoints.all
            + VendorOperatorEndpoints.all, events: [VendorSuggestionDecided.self],
        hears: [AccountChanged.self, AccountDeleted.self, ServiceAreaChanged.self])
}

/// Addresses, ways and what is within reach.
public enum PlaceEndpoints {
    public static let places = Endpoint<FindPlacesQuery, PlacesAnswer>(
        .get, "/v1/places", id: "places", "Places by their words",
        """
        In the rectangle around the service areas; with a point, around the area nearest to it, and in the \
        whole of a map of the house's own where the point is on one. In the \
        language of `Accept-Language`. Coordinates such as `22.2819, 114.1556` are understood. The house's \
        own maps are looked into where they reach, also for words that are half typed; else a geocoder is \
        asked. Ask when somebody has finished typing: geocoders do not want a request for each letter.
        """, by: .anybody, rate: .places,
        answer: """
            Best first. Without map and geocoder, or while it is away, `source` is `coordinates`, and the list is \
            empty unless coordinates were asked for.
            """)
    public static let placesAround = Endpoint<PointQuery, PlacesAnswer>(
        .get, "/v1/places/reverse", id: "placesAround", "What is at a point", by: .anybody,
        rate: .places,
        answer: """
            One place. Where nobody knows better it is the point itself, and `source` is `coordinates`.
            """)
    public static let routes = Endpoint<RoutesQuery, TravelRoutes>(
        .get, "/v1/routes", id: "routes", "How I get from here to there",
        """
        By the mode that is asked for, else by the best that I have: a car, a bus or train and on foot, on foot. \
        Steps are in the language of `language`, or of `Accept-Language`.
        """, by: .anybody,
        answer: "The earliest to arrive first; none where one can't get there so.")
    public static let reachable = Endpoint<ReachableQuery, ReachableAreas>(
        .get, "/v1/reachable", id: "reachable", "What I can reach",
        """
        Isochrones. Of a bus or train: within a walk of the stops that it reaches in time. Circles while no router \
        answers.
        """, by: .anybody,
        answer: Success("GeoJSON, a feature a mode.", as: [.geoJSON]))

    public static let all: [AnyEndpoint] = [
        places.untyped, placesAround.untyped, routes.untyped, reachable.untyped,
    ]
}

/// Vendors and what people keep and say of them.
public enum VendorEndpoints {
    public static let vendors = Endpoint<FindVendorsQuery, VendorsAnswer>(
        .get, "/v1/vendors", id: "vendors", "Vendors that I can reach",
        """
        Within my limits, those of my mobility where they are not given, or the usual ones of who is not signed in. \
        Those out of reach are left out, and their number is told.
        """, by: .anybody,
        answer: "The quickest to reach first.")
    public static let vendor = Endpoint<Void, Vendor>(
        .get, "/v1/vendors/{id}", id: "vendor", "A vendor", by: .anybody,
        answer: Success("All of it.", [.eTag]), refuses: [.vendorUnknown])
    public static let suggest = Endpoint<VendorSuggestionBody, VendorSuggestion>(
        .post, "/v1/vendors/{id}/suggestions", id: "suggestVendorChange",
        "Say what is another than it stands here", "An operator looks at it.", by: [.customer],
        with: [.idempotencyKey], answer: Success("The suggestion.", status: 201),
        refuses: [
            .vendorUnknown,
            .tooManyVendorSuggestions,
        ])
    public static let savedVendors = Endpoint<Void, Page<SavedVendor>>(
        .get, "/v1/me/saved-vendors", id: "savedVendors", "Vendors that I keep", by: [.customer],
        answer: "Newest first, all of them.")
    public static let saveVendor = Endpoint<Void, Void>(
        .put, "/v1/me/saved-vendors/{id}", id: "saveVendor", "Keep a vendor", by: [.customer],
        answer: "It is kept.",
        refuses: [.vendorUnknown, .tooManySavedVendors])
    public static let removeSavedVendor = Endpoint<Void, Void>(
        .delete, "/v1/me/saved-vendors/{id}", id: "removeSavedVendor", "Keep it no more",
        by: [.customer], answer: "It is not kept.")

    public static let all: [AnyEndpoint] = [
        vendors.untyped, vendor.untyped, suggest.untyped, savedVendors.untyped,
        saveVendor.untyped, removeSavedVendor.untyped,
    ]
}

/// What I get along with.
public enum MobilityEndpoints {
    public static let mobility = Endpoint<Void, Mobility>(
        .get, "/v1/me/mobility", id: "mobility", "What I get along with, and how far",
        by: [.customer], answer: "The usual where nothing was ever said.")
    public static let putMobility = Endpoint<Mobility, Mobility>(
        .put, "/v1/me/mobility", id: "putMobility", "Say what I get along with", by: [.customer],
        answer: "As it is now; the next search goes by it.")
    public static let changeMobility = Endpoint<MobilityChange, MobilityChanged>(
        .patch, "/v1/me/mobility", id: "changeMobility", "Change some of it",
        """
        Each field is checked alone: those that can be taken are kept, the others are named. Where none can be \
        taken, `errors` of the problem names them all.
        """,
        by: [.customer], answer: "As it is now, and what was refused.")

    public static let all: [AnyEndpoint] = [
        mobility.untyped, putMobility.untyped, changeMobility.untyped,
    ]
}

/// What operators do with vendors.
public enum VendorOperatorEndpoints {
    public static let allVendors = Endpoint<AllVendorsQuery, Page<Vendor>>(
        .get, "/v1/admin/vendors", id: "allVendors", "All vendors", by: [.operator],
        answer: "Newest first, duplicates too.")
    public static let addVendor = Endpoint<VendorBody, Vendor>(
        .post, "/v1/admin/vendors", id: "addVendor", "Add a vendor", by: [.operator],
        with: [.idempotencyKey], answer: Success("The vendor.", status: 201, [.location, .eTag]))
    public static let putVendor = Endpoint<VendorBody, Vendor>(
        .put, "/v1/admin/vendors/{id}", id: "putVendor", "Change a vendor",
        "What comes by imports later changes no field that an operator has.", by: [.operator],
        with: [.ifMatch], answer: Success("The vendor.", [.eTag]),
        refuses: [.vendorUnknown, .preconditionFailed])
    public static let removeVendor = Endpoint<Void, Void>(
        .delete, "/v1/admin/vendors/{id}", id: "removeVendor", "Remove a vendor",
        "It does not come back by an import.", by: [.operator], answer: "It is gone.")
    public static let setDuplicate = Endpoint<DuplicateBody, Vendor>(
        .put, "/v1/admin/vendors/{id}/duplicate", id: "setDuplicate",
        "Say that it is the same as another", "It stays, and is shown in lists no more.",
        by: [.operator], answer: "The vendor.",
        refuses: [
            .vendorUnknown,
            .duplicateOfItself,
        ])
    public static let unsetDuplicate = Endpoint<Void, Vendor>(
        .delete, "/v1/admin/vendors/{id}/duplicate", id: "unsetDuplicate",
        "Say that it is one of its own", by: [.operator], answer: "The vendor.",
        refuses: [.vendorUnknown])
    public static let duplicates = Endpoint<Void, Page<VendorPair>>(
        .get, "/v1/admin/vendor-duplicates", id: "vendorDuplicates", "Vendors that may be one",
        by: [.operator],
        answer: "Pairs of like names within 150 m, the nearest first; 100 at most.")
    public static let suggestions = Endpoint<VendorSuggestionsQuery, Page<VendorSuggestion>>(
        .get, "/v1/admin/vendor-suggestions", id: "vendorSuggestions", "What people suggest",
        by: [.operator],
        answer: "Newest first.")
    public static let acceptSuggestion = Endpoint<Void, VendorSuggestion>(
        .post, "/v1/admin/vendor-suggestions/{id}/accept", id: "acceptVendorSuggestion",
        "Take a suggestion over", by: [.operator], answer: "The suggestion; the vendor is changed.",
        refuses: [
            .vendorSuggestionUnknown, .vendorSuggestionDecided, .vendorUnknown, .duplicateOfItself,
        ])
    public static let declineSuggestion = Endpoint<Void, VendorSuggestion>(
        .post, "/v1/admin/vendor-suggestions/{id}/decline", id: "declineVendorSuggestion",
        "Leave a suggestion", by: [.operator], answer: "The suggestion.",
        refuses: [.vendorSuggestionUnknown, .vendorSuggestionDecided])
    public static let importVendors = Endpoint<Upload<VendorImportQuery>, VendorImport>(
        .post, "/v1/admin/vendor-imports", id: "importVendors", "Take vendors of a file",
        """
        CSV (RFC 4180, UTF-8) with a header of `name,kind,latitude,longitude` and any of `id, address, phone, \
        website, openingHours, timeZone, acceptsStamps, photo, stepCentimeters, doorCentimeters`, or GeoJSON with \
        OpenStreetMap's tags. Rows that can't be taken are listed, the others go in, behind the answer: ask how far \
        it is.
        """, by: [.operator], bodyLimit: BodyLimit.vendors, takes: [.csv, .geoJSON],
        answer: Success("It has begun.", status: 202),
        refuses: [
            .vendorImportRunning,
            .vendorImportUnreadable,
        ])
    public static let vendorImports = Endpoint<Void, Page<VendorImport>>(
        .get, "/v1/admin/vendor-imports", id: "vendorImports", "Imports", by: [.operator],
        answer: "The newest 20, without what was refused.")
    public static let vendorImport = Endpoint<Void, VendorImport>(
        .get, "/v1/admin/vendor-imports/{id}", id: "vendorImport", "An import, and how far it is",
        by: [.operator], answer: "The import, with what was refused.",
        refuses: [.vendorImportUnknown])
    public static let exportVendors = Endpoint<Void, JSONValue>(
        .get, "/v1/admin/vendors/export", id: "exportVendors", "All vendors as GeoJSON",
        by: [.operator],
        answer: Success("A FeatureCollection.", [.contentDisposition], as: [.geoJSON]))
    public static let coverage = Endpoint<Void, Page<VendorCoverage>>(
        .get, "/v1/admin/vendor-coverage", id: "vendorCoverage", "How much is known of vendors",
        by: [.operator], answer: "A line a kind.")

    public static let all: [AnyEndpoint] = [
        allVendors.untyped, addVendor.untyped, exportVendors.untyped, putVendor.untyped,
        removeVendor.untyped, setDuplicate.untyped, unsetDuplicate.untyped, duplicates.untyped,
        suggestions.untyped, acceptSuggestion.untyped, declineSuggestion.untyped,
        importVendors.untyped, vendorImports.untyped, vendorImport.untyped, coverage.untyped,
    ]
}
