import Contracts
import Dispatch
import Foundation
import ServiceKit
import Routing
import Support
import Testing

@testable import Orders

/// What people are told of a point that came without words.
struct AddressTests {
    private struct Unreadable: Error {}

    private let corner = Place(Place.central.coordinate)
    private let street = OrderAddresses(within: .seconds(60)) {
        "\($0.latitude) Queen's Road"
    }

    @Test func eachPointWithoutWordsHasThoseOfTheMaps() async throws {
        let bench = try await Bench(addresses: street)
        try await bench.run { caller in
            let order = try await caller.order(in: .parked)
            try await caller.act(
                "recall", order.id, RecallBody(returnTo: corner), as: .alice)
            let seen = try await caller.read(order.id, as: .alice)
            let placed = try await caller.place(as: .bob, at: corner)
            #expect(placed.dropOff.address == "\(corner.latitude) Queen's Road")
            #expect(seen.parked?.address == "\(ParkedAt.garage.latitude) Queen's Road")
            #expect(seen.returnTo?.address == placed.dropOff.address)
            let stored = try await bench.stored(order.id)
            #expect(stored.meetingPoint(.return).address == seen.parked?.address)
        }
    }

    @Test func whatSomebodyWroteStays() async throws {
        let bench = try await Bench(addresses: street)
        try await bench.run { caller in
            var place = Place.central
            place.address = "behind the church"
            let order = try await caller.place(at: place)
            #expect(order.dropOff.address == "behind the church")
        }
    }

    @Test(arguments: [
        OrderAddresses.none, OrderAddresses(MapsConfig(folder: "/nonexistent")),
        OrderAddresses { _ in throw Unreadable() },
    ])
    func nobodyIsRefusedForWantOfWords(addresses: OrderAddresses) async throws {
        let bench = try await Bench(addresses: addresses)
        try await bench.run { caller in
            let order = try await caller.place(at: corner)
            #expect(order.dropOff.address == nil)
        }
    }

    @Test func nobodyWaitsForAMapThatBlocks() async throws {
        let hold = DispatchSemaphore(value: 0)
        let blocked = OrderAddresses { _ in
            // Bounded, so that a failure is no hang.
            hold.wait(timeout: .now() + .seconds(30)) == .success ? "too late" : "far too late"
        }
        let bench = try await Bench(addresses: blocked)
        try await bench.run { caller in
            let first = try await caller.place(at: corner)
            #expect(first.dropOff.address == nil)
            // Nor behind who does.
            let second = try await caller.place(as: .bob, at: corner)
            #expect(second.dropOff.address == nil)
        }
        hold.signal()
    }

    @Test(.withoutDatabase) func noAddressIsLongerThanOneThatPeopleMayWrite() async throws {
        let long = OrderAddresses(within: .seconds(60)) { _ in
            String(repeating: "x", count: 300)
        }
        #expect(await long.address(at: Place.central.coordinate)?.count == Check.longestAddress)
    }
}
