import Testing

@testable import Geo

@Suite struct CellTests {
    @Test func theTextOfACellNeverChanges() {
        let cell = Cell(containing: Coordinate(latitude: 22.2819, longitude: 114.1556))
        #expect(cell.description == "500.24970.60533")
        #expect(Cell("500.24970.60533") == cell)
    }

    @Test(arguments: [
        "", "500", "500.1", "500.1.1.1", "x.1.1", "+500.1.1", "0500.1.1", "500.40030.0",
        "500.-1.0", "500.0.99", "5.0.0", "500.20000.80100",
    ])
    func textThatNamesNoCellIsRefused(_ text: String) {
        #expect(Cell(text) == nil)
    }

    @Test func everyPointIsInItsCellAndTheTextComesBack() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<5_000 {
            let point = random.coordinate()
            let cell = Cell(containing: point)
            let box = cell.boundingBox
            #expect(box.south <= point.latitude && point.latitude <= box.north)
            #expect(box.west - 1e-9 <= point.longitude && point.longitude <= box.east + 1e-9)
            #expect(Cell(cell.description) == cell)
        }
    }

    @Test func cellsAreAboutAsLargeAsTheirSize() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<500 {
            let point = Coordinate(
                latitude: .random(in: -80...80, using: &random),
                longitude: .random(in: -180...180, using: &random))
            let box = Cell(containing: point).boundingBox
            let height = (box.north - box.south) * Geo.earthRadiusMeters * .pi / 180
            #expect(abs(height - 500) < 1)
            let width = Geo.distanceMeters(
                Coordinate(latitude: box.south, longitude: box.west),
                Coordinate(latitude: box.south, longitude: box.east))
            #expect((480...501).contains(width))
        }
    }

    @Test func bothSidesOfTheAntimeridianAreOneCell() {
        let east = Cell(containing: Coordinate(latitude: 5, longitude: -180))
        let west = Cell(containing: Coordinate(latitude: 5, longitude: 180))
        #expect(east == west)
    }

    @Test(arguments: [
        Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 180),
        Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 0, longitude: -180),
    ])
    func cornersOfTheWorldHaveACell(_ point: Coordinate) {
        let cell = Cell(containing: point)
        #expect(Cell(cell.description) == cell)
        #expect(Cell.covering(center: point, radiusMeters: 100).contains(cell))
    }

    @Test func whatIsNoNumberStillHasACellAndStopsNothing() {
        _ = Cell(containing: Coordinate(latitude: .nan, longitude: .infinity))
    }

    /// What searches rely on: nobody within the circle is in a cell that is not covered.
    @Test func aCoveringMissesNobody() {
        var random = SeededRandom(seed: 6)
        for round in 0..<400 {
            var center = random.coordinate()
            if round % 8 == 0 { center.latitude = 89.98 }
            if round % 8 == 4 { center.latitude = -89.99 }
            if round % 4 == 1 { center.longitude = 179.999 }
            let radius = Double.random(in: 1...6_000, using: &random)
            let covered = Set(Cell.covering(center: center, radiusMeters: radius))
            for _ in 0..<50 {
                let point = Geo.destination(
                    from: center, bearingDegrees: .random(in: 0...360, using: &random),
                    distanceMeters: radius * Double.random(in: 0...1, using: &random))
                #expect(covered.contains(Cell(containing: point)), "\(center) \(radius) \(point)")
            }
        }
    }

    @Test func aCoveringHasNoCellTwiceAndFewTooMany() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<100 {
            let center = random.coordinate()
            let radius = Double.random(in: 500...6_000, using: &random)
            let cells = Cell.covering(center: center, radiusMeters: radius)
            #expect(Set(cells).count == cells.count)
            let around = Double.pi * (radius + 800) * (radius + 800) / (480 * 480)
            if abs(center.latitude) < 80 { #expect(Double(cells.count) < around) }
        }
    }

    @Test func aLargerCircleCoversTheSmaller() {
        let center = Coordinate(latitude: 22.2819, longitude: 114.1556)
        let small = Set(Cell.covering(center: center, radiusMeters: 800))
        let large = Set(Cell.covering(center: center, radiusMeters: 6_000))
        #expect(small.isSubset(of: large))
        #expect((450...560).contains(large.count))
    }
}

@Suite struct BoundingBoxTests {
    @Test func aCircleIsInsideItsBox() {
        var random = SeededRandom(seed: 8)
        for round in 0..<500 {
            var center = random.coordinate()
            if round.isMultiple(of: 5) { center.longitude = -179.99 }
            if round % 5 == 1 { center.latitude = 89.9 }
            let radius = Double.random(in: 1...20_000, using: &random)
            let box = BoundingBox(center: center, radiusMeters: radius)
            for bearing in stride(from: 0.0, to: 360, by: 15) {
                let edge = Geo.destination(
                    from: center, bearingDegrees: bearing, distanceMeters: radius * 0.999_999)
                #expect(box.contains(edge), "\(center) \(radius) \(bearing)")
            }
        }
    }

    @Test func aBoxAcrossTheAntimeridianHasBothSides() {
        let box = BoundingBox(south: -1, west: 170, north: 1, east: -170)
        #expect(box.crossesAntimeridian)
        #expect(box.contains(Coordinate(latitude: 0, longitude: 175)))
        #expect(box.contains(Coordinate(latitude: 0, longitude: -175)))
        #expect(box.contains(Coordinate(latitude: 0, longitude: 180)))
        #expect(!box.contains(Coordinate(latitude: 0, longitude: 0)))
        #expect(!box.contains(Coordinate(latitude: 2, longitude: 175)))
    }
}
