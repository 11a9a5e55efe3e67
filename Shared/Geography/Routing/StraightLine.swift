import Contracts
import Geo

/// Estimates of a route while no router answers.
public enum StraightLine {
    /// Streets in a town are about this much longer than the straight line.
    public static let detourFactor = 1.3
    /// Along streets, including stops: 23 km/h.
    public static let metersPerSecond = 6.5

    /// On foot: 5 km/h.
    public static let walkingMetersPerSecond = 1.4

    /// By bicycle: 15 km/h.
    static let cyclingMetersPerSecond = 4.2
    /// In a wheelchair: 4 km/h, as in Valhalla.
    public static let wheelingMetersPerSecond = 1.1

    /// Along the straight line: 5 m/s.
    private static let straightMetersPerSecond = metersPerSecond / detourFactor

    /// The seconds by car for a straight line of that many metres.
    public static func seconds(meters: Double) -> Double { meters / straightMetersPerSecond }

    public static func route(from start: Coordinate, to end: Coordinate) -> Route {
        let meters = Geo.distanceMeters(start, end)
        return Route(
            points: [start, end], distanceMeters: meters * detourFactor,
            durationSeconds: seconds(meters: meters))
    }

    public static func route(
        from start: Coordinate, to end: Coordinate, by mode: TravelMode
    ) -> Route {
        var route = route(from: start, to: end)
        let pace: Double? =
            switch mode {
            case .car: nil
            case .foot: walkingMetersPerSecond
            case .bicycle: cyclingMetersPerSecond
            case .wheelchair: wheelingMetersPerSecond
            }
        if let pace { route.durationSeconds = route.distanceMeters / pace }
        return route
    }
}
