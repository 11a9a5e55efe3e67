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
                return try await town.world.boss.add(body)
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
            try await ada.put(mobility)
            return try await ada.vendors(near: streets.here).items.map(\.name)
        }
        let car = Mobility(modes: .init([.car]), radiusMeters: 10_000)
        #expect(try await names(car) == ["Near", "Middle", "Far"])
        let walk = Mobility(modes: .init([.walk]), maxWalkMeters: 1_500, radiusMeters: 10_000)
        #expect(try await names(walk) == ["Near", "Middle"])
        let wheelchair = Mobility(
            modes: .init([.wheelchair]), maxWalkMeters: 500, radiusMeters: 10_000)
        #expect(try await names(wheelchair) == ["Near"])
        // Who is not signed in has the usual limits.
        let anybody = OpenValetClient(streets.town.world.system.baseURL)
        let found = try await anybody.vendors(near: streets.here)
        #expect(found.items.map(\.name) == ["Near"] && found.beyondLimits == 1)
        let stamps = try await anybody.vendors(near: streets.here, acceptsStamps: true)
        #expect(stamps.items.isEmpty)

        let route = try #require(
            try await ada.routes(from: streets.here, to: streets.near.position).items.first)
        #expect(route.mode == .wheelchair && route.legs.count == 1)
        let farther = try #require(
            try await ada.routes(from: streets.here, to: streets.far.position).items.first)
        #expect(farther.breaks.contains("maxWalkMeters"))
    }

    @Test func aVendorIsKeptAndASuggestionPutsItRight() async throws {
        let streets = try await Streets.built()
        let ada = try await streets.town.customer("Ada").client
        try await ada.save(vendor: streets.middle.id)
        try await ada.save(vendor: streets.near.id)
        #expect(try await ada.savedVendors().map(\.vendor.name) == ["Near", "Middle"])
        try await ada.removeSaved(vendor: streets.middle.id)
        #expect(try await ada.savedVendors().map(\.vendor.name) == ["Near"])

        var change = VendorSuggestionBody()
        change.acceptsStamps = .yes
        let suggestion = try await ada.suggest(change, of: streets.near.id)
        let boss = streets.town.world.boss
        let waiting = try await boss.vendorSuggestions().items.map(\.id)
        #expect(waiting.contains(suggestion.id))
        try await boss.accept(suggestion: suggestion.id)
        let stamps = try await ada.vendors(near: streets.here, acceptsStamps: true)
        #expect(stamps.items.map(\.id) == [streets.near.id])
        #expect(try await ada.vendor(streets.near.id).confirmedBy == "people")
        let isTold = try await eventually {
            try await ada.notifications().items.contains {
                $0.event == VendorSuggestionDecided.type && $0.link == "/places/\(streets.near.id)"
                    && $0.text == "Near is put right. Thank you."
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
        let begun = try await boss.importVendors(Data(text.utf8), name: "\(town.id)")
        var last = begun
        _ = try await eventually {
            last = try await boss.vendorImport(begun.id)
            return last.status == .done
        }
        #expect(last.added == 2_000 && last.refused.map(\.line) == [2])
        let ada = try await town.customer("Ada").client
        let found = try await ada.vendors(near: town.east(0).coordinate)
        #expect(found.items.count == 50 && found.next != nil)
    }
}
