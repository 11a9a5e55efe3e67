import Foundation
import Geo

/// The sun's times at a place, within some two minutes.
///
/// The formulas are NOAA's General Solar Position Calculations
/// (https://gml.noaa.gov/grad/solcalc/solareqns.PDF); dawn and dusk are those of civil twilight.
enum SunEvent: String, Sendable, Hashable, CaseIterable {
    case dawn, sunrise, sunset, dusk

    /// The sun's angle from the zenith, in degrees. At sunrise it includes refraction and the sun's radius.
    private var zenith: Double {
        switch self {
        case .dawn, .dusk: 96
        case .sunrise, .sunset: 90.833
        }
    }

    /// Where the sun stays below that angle all day, all events are at its noon; where it stays above, half a day
    /// before and after, and a minute more, so that the days overlap: their noons are not quite 24 hours apart.
    func moment(on day: CivilDay, at position: Coordinate, noon: Date) -> Date {
        let radians = Double.pi / 180
        let ofYear = Double(day.number - CivilDay(day.year, 1, 1).number)
        let angle = 2 * .pi / 365 * (ofYear - position.longitude / 360)
        let declination = Self.sum(
            0.006918, (-0.399912, 0.070257), (-0.006758, 0.000907), (-0.002697, 0.00148), angle)
        let equation =
            Self.sum(
                0.000075, (0.001868, -0.032077), (-0.014615, -0.040849), (0, 0), angle) * 229.18
        let latitude = position.latitude * radians
        let cosine =
            cos(zenith * radians) / (cos(latitude) * cos(declination))
            - tan(latitude) * tan(declination)
        let half = cosine < -1 ? 180.25 : acos(min(1, cosine)) / radians
        let sign: Double = self == .dawn || self == .sunrise ? 1 : -1
        let minutes = 720 - 4 * (position.longitude + sign * half) - equation
        let sunNoon = 720 - 4 * position.longitude - equation
        // Where clocks are a day ahead of the sun, as in Samoa, its noon of this date is another day's.
        let start = Double(day.number) * 86_400
        let away = ((start + sunNoon * 60 - noon.timeIntervalSince1970) / 86_400).rounded()
        return Date(timeIntervalSince1970: ((start + minutes * 60) / 60).rounded() * 60)
            .addingTimeInterval(-away * 86_400)
    }

    /// The first terms of a Fourier series: the constant, then factors of cosine and sine.
    private static func sum(
        _ constant: Double, _ one: (Double, Double), _ two: (Double, Double),
        _ three: (Double, Double), _ angle: Double
    ) -> Double {
        constant + one.0 * cos(angle) + one.1 * sin(angle) + two.0 * cos(2 * angle)
            + two.1 * sin(2 * angle) + three.0 * cos(3 * angle) + three.1 * sin(3 * angle)
    }
}
