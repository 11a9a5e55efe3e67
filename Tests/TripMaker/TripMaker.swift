import Foundation
import Geo
import TripSearch

/// Trips and searches of a country of the shape of Malta: the same for the same seed.
public struct TripMaker {
    struct Town {
        let name: String
        let place: Coordinate
        /// How many drive there, against the others.
        let weight: Double

        init(_ name: String, _ latitude: Double, _ longitude: Double, _ weight: Double) {
            self.name = name
            place = Coordinate(latitude: latitude, longitude: longitude)
            self.weight = weight
        }
    }

    static let towns = [
        Town("Valletta", 35.8989, 14.5146, 12), Town("Sliema", 35.9122, 14.5042, 10),
        Town("San Ġiljan", 35.9184, 14.4885, 9), Town("Msida", 35.9020, 14.4840, 10),
        Town("Birkirkara", 35.8972, 14.4611, 9), Town("Mosta", 35.9092, 14.4256, 8),
        Town("Qormi", 35.8794, 14.4722, 7), Town("Luqa", 35.8575, 14.4775, 7),
        Town("Attard", 35.8897, 14.4378, 5), Town("Naxxar", 35.9136, 14.4436, 5),
        Town("Żabbar", 35.8761, 14.5350, 5), Town("Rabat", 35.8817, 14.3989, 4),
        Town("San Pawl il-Baħar", 35.9483, 14.4017, 6), Town("Mellieħa", 35.9564, 14.3622, 4),
        Town("Ċirkewwa", 35.9889, 14.3292, 3), Town("Birżebbuġa", 35.8258, 14.5269, 4),
        Town("Marsaxlokk", 35.8419, 14.5431, 2), Town("Paola", 35.8731, 14.5075, 5),
        Town("Żejtun", 35.8558, 14.5331, 4), Town("Siġġiewi", 35.8556, 14.4364, 3),
        Town("Żurrieq", 35.8311, 14.4742, 3), Town("Dingli", 35.8606, 14.3814, 1),
        Town("Victoria", 36.0444, 14.2397, 4), Town("Nadur", 36.0378, 14.2942, 1),
        Town("Xagħra", 36.0500, 14.2644, 1), Town("Mġarr", 36.0258, 14.2953, 2),
    ]
    /// Gozo is an island of its own.
    private static let firstOfGozo = 22
    private static let totalWeight = towns.reduce(0) { $0 + $1.weight }

    public let firstDay: Day
    public var random: SeededNumbers

    public init(seed: UInt64, firstDay: Day) {
        random = SeededNumbers(seed: seed)
        self.firstDay = firstDay
    }

    public mutating func trips(_ count: Int) -> [Trip] { (0..<count).map { _ in trip() } }

    public mutating func queries(_ count: Int) -> [TripQuery] { (0..<count).map { _ in query() } }

    public mutating func trip() -> Trip {
        let way = way()
        let seats = Int.random(in: 1...4, using: &random)
        let schedule = schedule()
        return Trip(
            id: random.uuid(), version: 1, driver: random.uuid(), way: way, schedule: schedule,
            seats: seats,
            maxDetourSeconds: random.chance(0.2)
                ? 60 * Int.random(in: 5...15, using: &random) : 0,
            taken: random.chance(0.2) ? [taken(way, schedule)] : [],
            cancelled: random.chance(0.05)
                ? [firstDay + Int.random(in: 0..<28, using: &random)] : [])
    }

    /// Somebody near a town to near another, within three hours, as the search of the app.
    public mutating func query() -> TripQuery {
        while true {
            let (from, to) = ends()
            // A local time of Malta in winter, near enough.
            let seconds =
                (Int(firstDay.number) + Int.random(in: 0..<14, using: &random)) * 86_400
                + secondOfDay() - 3_600 - Int.random(in: 0..<5_400, using: &random)
            let after = Date(timeIntervalSince1970: Double(seconds))
            let query = TripQuery(
                from: from, to: to, departAfter: after,
                departBefore: after.addingTimeInterval(3 * 3_600),
                seats: random.chance(0.8) ? 1 : 2)
            if let query { return query }
        }
    }

    // MARK: Where

    private mutating func town() -> Int {
        var left = Double.random(in: 0..<Self.totalWeight, using: &random)
        return Self.towns.firstIndex {
            left -= $0.weight
            return left < 0
        } ?? 0
    }

    private mutating func near(_ place: Coordinate, _ degrees: Double) -> Coordinate {
        Coordinate(
            latitude: place.latitude + degrees * random.normal(),
            longitude: place.longitude + degrees * random.normal())
    }

    private mutating func ends() -> (Coordinate, Coordinate) {
        let first = town()
        var second = town()
        while second == first { second = town() }
        return (near(Self.towns[first].place, 0.006), near(Self.towns[second].place, 0.006))
    }

    /// The ferry's line is a part of the way to Gozo.
    private mutating func corners() -> [Coordinate] {
        let (from, to) = ends()
        let isGozo = { (point: Coordinate) in point.latitude > 36.01 }
        guard isGozo(from) == isGozo(to) else {
            let ferry = [Self.towns[14].place, Self.towns[25].place]
            return [from] + (isGozo(from) ? ferry.reversed() : ferry) + [to]
        }
        // Through a town or two that are not far from the straight way.
        let straight = Geo.distanceMeters(from, to)
        let between = Self.towns.filter {
            Geo.distanceMeters(from, $0.place) + Geo.distanceMeters($0.place, to) < 1.25 * straight
        }.shuffled(using: &random).prefix(2).sorted {
            Geo.distanceMeters(from, $0.place) < Geo.distanceMeters(from, $1.place)
        }
        return [from] + between.map { near($0.place, 0.002) } + [to]
    }

    private mutating func way() -> Way {
        while true {
            var points: [Coordinate] = []
            var seconds: [Double] = []
            var now = 0.0
            let corners = corners()
            let pace = Double.random(in: 7...14, using: &random)
            for (a, b) in zip(corners, corners.dropFirst()) {
                let length = Geo.distanceMeters(a, b)
                let steps = max(1, Int(length / Double.random(in: 150...300, using: &random)))
                for step in 0..<steps {
                    let part = Double(step) / Double(steps)
                    let straight = Coordinate(
                        latitude: a.latitude + part * (b.latitude - a.latitude),
                        longitude: a.longitude + part * (b.longitude - a.longitude))
                    points.append(step == 0 ? straight : near(straight, 0.0004))
                    seconds.append(now)
                    now += length / Double(steps) / pace * .random(in: 0.7...1.6, using: &random)
                }
            }
            points.append(corners[corners.count - 1])
            seconds.append(now)
            if let way = Way(points, seconds: seconds)?.simplified() { return way }
        }
    }

    // MARK: When

    private mutating func secondOfDay() -> Int {
        let hour =
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: 7.5 + 0.8 * random.normal()
            case 4..<8: 17.0 + 1.2 * random.normal()
            default: Double.random(in: 5..<24, using: &random)
            }
        return min(max(0, Int(hour * 3_600)), 86_399) / 60 * 60
    }

    private mutating func zone() -> String {
        guard random.chance(0.03) else { return "Europe/Malta" }
        return ["Europe/Rome", "Europe/London", "UTC"].randomElement(using: &random) ?? "UTC"
    }

    private mutating func schedule() -> Schedule {
        while true {
            let repeats = random.chance(0.7)
            let first = firstDay + (repeats ? 0 : Int.random(in: 0..<14, using: &random))
            let schedule = Schedule(
                firstDay: first, secondOfDay: secondOfDay(), timeZone: zone(),
                weekdays: repeats ? weekdays() : 0,
                until: repeats && random.chance(0.2)
                    ? firstDay + Int.random(in: 7..<200, using: &random) : nil,
                exceptions: repeats && random.chance(0.1)
                    ? (0..<3).map { _ in firstDay + Int.random(in: 0..<60, using: &random) } : [])
            if let schedule { return schedule }
        }
    }

    /// Mostly every working day, else some of them.
    private mutating func weekdays() -> UInt8 {
        random.chance(0.4) ? 0b1_1111 : UInt8.random(in: 1...0b1_1111, using: &random)
    }

    private mutating func taken(_ way: Way, _ schedule: Schedule) -> Trip.Taken {
        let length = way.durationSeconds
        let from = Int.random(in: 0...(length / 2), using: &random)
        let to = Int.random(in: from...length, using: &random)
        let seats = Int.random(in: 1...2, using: &random)
        guard schedule.repeats, random.chance(0.5) else {
            let day =
                schedule.repeats
                ? firstDay + Int.random(in: 0..<14, using: &random) : schedule.firstDay
            return Trip.Taken(day: day, from: from, to: to, seats: seats)
        }
        return Trip.Taken(firstDay: firstDay, lastDay: nil, from: from, to: to, seats: seats)
    }
}
