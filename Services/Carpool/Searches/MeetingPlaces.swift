import Geo
import Maps
import TripSearch

/// Pick-up and drop-off places where a car can stop, if the platform's maps have one that costs hardly any extra
/// walking.
struct MeetingPlaces: Sendable {
    /// The longest extra walk, in metres.
    private static let longer = 100.0
    /// The radius searched around the nearest point of the route, in metres.
    private static let around = 300.0
    /// The largest distance of a place from the route, in metres.
    private static let beside = 40.0
    /// A point passed earlier or later than this belongs to another passage, in seconds.
    private static let passage = 120.0

    /// A point of the route where a passenger gets in or out.
    struct Meeting: Sendable {
        var point: Coordinate
        /// Along the route.
        var seconds: Double
        var walkMeters: Double
        var isStop = false
        /// The stop's name.
        var stop: String?
    }

    /// Nil without maps.
    let book: StopBook?

    /// Returns a nearby place where a car can stop, or the same point if there is none.
    ///
    /// - Parameter person: The start or destination of the passenger, who walks at most `most` metres.
    func stop(
        for meeting: Meeting, of person: Coordinate, within most: Double, along way: Way
    ) async -> Meeting {
        guard let book else { return meeting }
        let start = way.position(nearest: meeting.point)
        // A passenger for whom the driver makes a detour is met at that point.
        guard start.metersAway <= Self.beside, abs(start.seconds - meeting.seconds) <= 2 else {
            return meeting
        }
        let most = min(most, meeting.walkMeters + Self.longer)
        var best: Meeting?
        for place in await book.stops(near: meeting.point, within: Self.around) {
            let walk = Geo.distanceMeters(person, place.point)
            guard walk <= most, walk < best?.walkMeters ?? .infinity else { continue }
            let passed = way.position(nearest: place.point)
            guard passed.metersAway <= Self.beside,
                abs(passed.seconds - meeting.seconds) <= Self.passage
            else { continue }
            best = Meeting(
                point: place.point, seconds: passed.seconds, walkMeters: walk, isStop: true,
                stop: place.name)
        }
        return best ?? meeting
    }
}
