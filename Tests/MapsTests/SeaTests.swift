import Foundation
import Geo
import Testing

@testable import Maps

/// A box of ten by ten; coasts keep the land on their left.
struct SeaTests {
    private static let box = MapFacts.Bounds(south: 0, west: 0, north: 10, east: 10)

    private func points(_ numbers: (Double, Double)...) -> [Coordinate] {
        numbers.map { Coordinate(latitude: $0.1, longitude: $0.0) }
    }

    private func sea(_ coastlines: [Coordinate]...) -> Sea {
        Sea(coastlines: coastlines, within: Self.box)
    }

    /// By the shoelace formula, islands taken off.
    private func size(_ sea: Sea) -> Double {
        func size(_ ring: [Coordinate]) -> Double {
            abs(
                zip(ring, ring.dropFirst()).reduce(0) {
                    $0 + $1.0.longitude * $1.1.latitude - $1.1.longitude * $1.0.latitude
                }) / 2
        }
        return sea.areas.reduce(0) { sum, area in
            sum + size(area.outer) - area.islands.reduce(0) { $0 + size($1) }
        }
    }

    @Test func withoutACoastThereIsNone() {
        #expect(sea().areas.isEmpty)
    }

    @Test func itLiesOnTheRightOfACoast() {
        let eastwards = sea(points((-1, 4), (11, 4)))
        #expect(size(eastwards) == 40)
        let westwards = sea(points((11, 4), (-1, 4)))
        #expect(size(westwards) == 60)
    }

    @Test func waysArePutTogetherWhateverTheirOrder() {
        let coast = sea(points((5, 4), (8, 4)), points((8, 4), (11, 4)), points((-1, 4), (5, 4)))
        #expect(size(coast) == 40)
    }

    @Test func anIslandLiesInIt() {
        let island = points((4, 4), (6, 4), (6, 6), (4, 6), (4, 4))
        #expect(size(sea(island)) == 96)
        #expect(size(sea(island, points((11, 8), (-1, 8)))) == 20)
        #expect(size(sea(island, points((-1, 8), (11, 8)))) == 76)
    }

    @Test func aBasinIsSea() {
        #expect(size(sea(points((4, 4), (4, 6), (6, 6), (6, 4), (4, 4)))) == 4)
    }

    @Test func anIslandOverTheEdgeIsCut() {
        #expect(size(sea(points((8, 4), (12, 4), (12, 6), (8, 6), (8, 4)))) == 96)
    }

    @Test func straitsAreTwoCoasts() {
        #expect(size(sea(points((11, 6), (-1, 6)), points((-1, 2), (11, 2)))) == 60)
        #expect(size(sea(points((-1, 6), (11, 6)), points((11, 2), (-1, 2)))) == 40)
    }

    @Test func aCoastThatWasCutNearTheEdgeGoesOnToIt() {
        #expect(size(sea(points((0.2, 4), (9.8, 4)))) == 40)
        #expect(sea(points((3, 4), (7, 4))).areas.isEmpty)
    }

    @Test func itsDocumentHasEachRing() throws {
        let document = sea(points((4, 4), (6, 4), (6, 6), (4, 4))).document
        #expect(document.matches(of: #/<node /#).count == 7)
        #expect(document.matches(of: #/<way /#).count == 2)
        #expect(document.matches(of: /role='inner'/).count == 1)
        #expect(document.contains("<tag k='natural' v='bay'/>"))
        // Of OpenStreetMap nothing is in the way, and tilemaker's bits for ways take 250 MB instead of 2 GB.
        let ways = document.matches(of: /<way id='(\d+)'/).map { Int($0.1) }
        #expect(ways == [2_000_000_000, 2_000_000_001])
        #expect(document.matches(of: /<member type='way' ref='(\d+)'/).map { Int($0.1) } == ways)
    }
}
