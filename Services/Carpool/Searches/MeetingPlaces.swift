import Geo
import Maps
import TripSearch

/// Where people get in and out: where a car can stop, if the house's maps know a place that costs hardly any walking.
struct MeetingPlaces: Sendable {
    /// A walk may become so much longer, in metres.
    private static let longer = 100.0
    /// Around where the way is nearest, in metres.
    private static let around = 300.0
    /// Such a place is beside the way, in metres.
    private static let beside = 40.0
    /// What is passed so much earlier or later is another passage, in seconds.
    private static let passage = 120.0

    /// A place of a way that somebody walks to, or from.
    struct Meeting: Sendable {
        var point: Coordinate
        /// Along the way.
        var seconds: Double
        var walkMeters: Double
        var isStop = false
        /// Its name.
        var stop: String?
    }

    /// Nil without maps.
    let book: StopBook?

    /// The same, or where a car can stop instead.
    ///
    /// - Parameter person: Where the passenger is, or goes, at most so many metres on foot.
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
