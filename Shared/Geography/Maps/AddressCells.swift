import Geo

/// The cells that contain an entry, as words of the index.
enum AddressCells {
    /// Sizes in degrees, smallest first: 2 km and 11 km.
    static let sizes: [(letter: String, degrees: Double)] = [("f", 0.02), ("c", 0.1)]

    static func names(at point: Coordinate) -> [String] {
        sizes.map { name($0.letter, numbers(point, $0.degrees)) }
    }

    /// The cell of the point and its neighbours, for each size.
    static func around(_ point: Coordinate) -> [[String]] {
        sizes.map { size in
            let (row, column) = numbers(point, size.degrees)
            return (row - 1...row + 1).flatMap { row in
                (column - 1...column + 1).map { name(size.letter, (row, $0)) }
            }
        }
    }

    private static func name(_ letter: String, _ numbers: (row: Int, column: Int)) -> String {
        "\(letter)\(numbers.row)x\(numbers.column)"
    }

    private static func numbers(
        _ point: Coordinate, _ degrees: Double
    ) -> (row: Int, column: Int) {
        (
            Int(((point.latitude + 90) / degrees).rounded(.down)),
            Int(((point.longitude + 180) / degrees).rounded(.down))
        )
    }
}
