import Foundation
import Geo
import Transit
import TripMaker

/// Lines of a city that is nowhere, of the size of Malta's network: they wander over a grid of stops, which they share.
struct MadeUpCity {
    private static let columns = 50
    private static let rows = 40
    private static let spacing = 0.004
    static let days = ServiceDay(number: 20_454)...ServiceDay(number: 20_818)

    private var random = SeededNumbers(seed: 1)

    /// A GTFS archive of as many lines, each in both directions.
    mutating func archive(lines count: Int) -> Data? {
        let lines = (0..<count).flatMap { number -> [MadeUpLine] in
            let stops = path()
            return [stops, stops.reversed()].enumerated().map { direction, stops in
                MadeUpLine(
                    id: "\(number)-\(direction)", ref: "\(number)", name: "Line \(number)",
                    mode: .bus, stops: stops)
            }
        }
        return MadeUpFeed(lines, timeZone: .gmt, days: Self.days)?.archive
    }

    /// Mostly straight ahead.
    private mutating func path() -> [MadeUpLine.Stop] {
        var (column, row) = (
            Int.random(in: 0..<Self.columns, using: &random),
            Int.random(in: 0..<Self.rows, using: &random)
        )
        let steps = [(1, 0), (0, 1), (-1, 0), (0, -1)]
        var direction = Int.random(in: 0..<4, using: &random)
        return (0..<Int.random(in: 20...50, using: &random)).map { _ in
            let next = steps[direction]
            if random.chance(0.2) || !(0..<Self.columns).contains(column + next.0)
                || !(0..<Self.rows).contains(row + next.1)
            {
                direction = (direction + (random.chance(0.5) ? 1 : 3)) % 4
            }
            column = min(max(0, column + steps[direction].0), Self.columns - 1)
            row = min(max(0, row + steps[direction].1), Self.rows - 1)
            return .init(
                id: "\(column)-\(row)", name: "Stop \(column)-\(row)",
                at: Coordinate(
                    latitude: 35.8 + Double(row) * Self.spacing,
                    longitude: 14.3 + Double(column) * Self.spacing))
        }
    }
}
