import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// Vendors through the gateway: kept by an operator, found by what each person gets along with, saved, and put right.
@Suite(.serialized) struct PlacesTests {
    /// A town with a market near, another one farther out, and one that only a car reaches.
    private struct Streets: Sendable {
        let town: Town
        let near, middle, far: Vendor

        static func built() async throws -> Streets {
            let town = try await Town.found()
            func add(_ name: String, _ meters: Double) async throws -> Vendor {
                var body = VendorBody(
                    name: name, kind: .foodMarket, position: town.east(meters).coordinate,
                    address: "Street \(name)", openingHours: "24/7")
                body.accessibility = Accessibility(stepCentimeters: 0, doorCentimeters: 90)
                return try await town.world.boss(VendorOperatorEndpoints.addVendor(body: body))
            }
            return Streets(
                town: town, near: try await add("Near", 300), middle: try await add("Middle", 900),
                far: try await add("Far", 6_000))
        }

        var here: Coordinate { town.east(0).coordinate }
    }

    @Test func peopleFindWhatTheyReachAndAChangeTakesEffectAtOnce() async throws {
        let streets = try await Streets.built()
        let ada = try await streets.town.customer("Ada").client
        func names(_ mobility: Mobility) async throws -> [String] {
            try await ada(MobilityEndpoints.putMobility(body: mobility))
            return try await ada(
                VendorEndpoints.vendors(asks: FindVendorsQuery(near: streets.here)).asMyself()
            ).items.map(\.name)
        }
        let car = Mobility(modes: .init([.car]), radiusMeters: 10_000)
        #expect(try await names(car) == ["Near", "Middle", "Far"])
        let walk = Mobility(modes: .init([.walk]), maxWalkMeters: 1_500, radiusMeters: 10_000)
        #expect(try await names(walk) == ["Near", "Middle"])
        let wheelchair = Mobility(
            modes: .init([.wheelchair]), maxWalkMeters: 500, radiusMeters: 10_000)
        #expect(try await names(wheelchair) == ["Near"])
        // A person who is not signed in has the default limits.
        let anybody = OpenValetClient(streets.town.world.system.baseURL)
        let found = try await anybody(
            VendorEndpoints.vendors(asks: FindVendorsQuery(near: streets.here)).asMyself())
        #expect(found.items.map(\.name) == ["Near"] && found.beyondLimits == 1)
        let stamps = try await anybody(
            VendorEndpoints.vendors(
                asks: FindVendorsQuery(near: streets.here).with(\.acceptsStamps, true)
            ).asMyself())
        #expect(stamps.items.isEmpty)

        let route = try #require(
            try await ada(
                PlaceEndpoints.routes(
                    asks: RoutesQuery(from: streets.here, to: streets.near.position)
                ).asMyself()
            ).items.first)
        #expect(route.mode == .wheelchair && route.legs.count == 1)
        let farther = try #require(
            try await ada(
                PlaceEndpoints.routes(
                    asks: RoutesQuery(from: streets.here, to: streets.far.position)
                ).asMyself()
            ).items.first)
        #expect(farther.breaks.contains("maxWalkMeters"))
    }

    @Test func aVendorIsKeptAndASuggestionPutsItRight() async throws {
        let streets = try await Streets.built()
        let ada = try await streets.town.customer("Ada").client
        try await ada(VendorEndpoints.saveVendor(streets.middle.id))
        try await ada(VendorEndpoints.saveVendor(streets.near.id))
        #expect(
            try await ada(VendorEndpoints.savedVendors()).items.map(\.vendor.name) == [
                "Near", "Middle",
            ])
        try await ada(VendorEndpoints.removeSavedVendor(streets.middle.id))
        #expect(try await ada(VendorEndpoints.savedVendors()).items.map(\.vendor.name) == ["Near"])

        var change = VendorSuggestionBody()
        change.acceptsStamps = .yes
        let suggestion = try await ada(VendorEndpoints.suggest(streets.near.id, body: change))
        let boss = streets.town.world.boss
        let waiting = try await boss(
            VendorOperatorEndpoints.suggestions(asks: VendorSuggestionsQuery())
        ).items.map(\.id)
        #expect(waiting.contains(suggestion.id))
        try await boss(VendorOperatorEndpoints.acceptSuggestion(suggestion.id))
        let stamps = try await ada(
            VendorEndpoints.vendors(
                asks: FindVendorsQuery(near: streets.here).with(\.acceptsStamps, true)
            ).asMyself())
        #expect(stamps.items.map(\.id) == [streets.near.id])
        #expect(try await ada(VendorEndpoints.vendor(streets.near.id)).confirmedBy == "people")
        let isTold = try await eventually {
            try await ada(NotificationEndpoints.notifications()).items.contains {
                $0.event == VendorSuggestionDecided.type && $0.link == "/places/\(streets.near.id)"
                    && $0.text == "We’ve corrected Near. Thank you."
            }
        }
        #expect(isTold)
    }

    /// The file goes through the door, and is taken in behind it.
    @Test func aFileOfVendorsIsTakenIn() async throws {
        let town = try await Town.found()
        let boss = town.world.boss
        var text = "id,name,kind,latitude,longitude\n0,Nowhere,grocery,x,0\n"
        for row in 1...2_000 {
            let place = town.east(Double(row))
            text += "\(row),Shop \(row),grocery,\(place.latitude),\(place.longitude)\n"
        }
        let begun = try await boss(
            VendorOperatorEndpoints.importVendors(
                asks: VendorImportQuery(name: "\(town.id)"), bytes: Data(text.utf8)))
        var last = begun
        _ = try await eventually {
            last = try await boss(VendorOperatorEndpoints.vendorImport(begun.id))
            return last.status == .done
        }
        #expect(last.added == 2_000 && last.refused.map(\.line) == [2])
        let ada = try await town.customer("Ada").client
        let found = try await ada(
            VendorEndpoints.vendors(asks: FindVendorsQuery(near: town.east(0).coordinate))
                .asMyself())
        #expect(found.items.count == 50 && found.next != nil)
    }
}
