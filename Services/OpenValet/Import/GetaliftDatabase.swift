import Contracts
import Foundation
import Geo

/// The part of the original's database that is imported.
struct GetaliftDatabase {
    struct User: Equatable {
        var number: Int
        var username, name, surname, email, mobile: String
    }

    /// A route with its dates.
    struct Route: Equatable {
        struct Departure: Equatable {
            /// Local time of the original: `2018-06-08 18:00:00`.
            var text: String
            var isWeekly: Bool
        }

        var number, driver: Int
        var start, end: Coordinate
        var origin, destination: String
        var departures: [Departure]
    }

    var users: [User]
    var routes: [Route]
    /// Pairs of a user and a route.
    var favourites: [(user: Int, route: Int)]
    /// Numbers of past passengers and ratings, which are not imported.
    var passengers, ratings: Int

    init(_ dump: SQLDump) {
        func rows(_ name: String) -> [SQLDump.Row] {
            dump.tables[name] ?? dump.tables[name + "s"] ?? []
        }
        users = rows("user").compactMap { row in
            guard let number = row["id"]?.int, let username = row["username"]?.text else {
                return nil
            }
            return User(
                number: number, username: username, name: row["name"]?.text ?? "",
                surname: row["surname"]?.text ?? "", email: row["email"]?.text ?? "",
                mobile: row["mobileNumber"]?.text ?? "")
        }
        let dates = Dictionary(grouping: rows("routedate")) { $0["route"]?.int ?? 0 }
        routes = rows("route").compactMap { row in
            guard let number = row["id"]?.int, let driver = row["driver"]?.int,
                let start = row["startingPoint"]?.point, let end = row["endPoint"]?.point
            else { return nil }
            return Route(
                number: number, driver: driver, start: start, end: end,
                origin: row["originAdress"]?.text ?? "",
                destination: row["destinationAdress"]?.text ?? "",
                departures: dates[number, default: []].compactMap { row in
                    row["route_date"]?.text.map {
                        Route.Departure(text: $0, isWeekly: row["weekly_repeat"]?.int == 1)
                    }
                })
        }
        favourites = rows("favoriteroute").compactMap { row in
            guard let user = row["userId"]?.int, let route = row["routeId"]?.int else { return nil }
            return (user, route)
        }
        (passengers, ratings) = (rows("passenger").count, rows("rating").count)
    }
}

extension GetaliftDatabase.Route {
    /// Its future trips: one recurring trip per weekly departure, and one per single date.
    func trips(in zone: TimeZone, at now: Date) -> [TripBody] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        (formatter.timeZone, formatter.calendar) = (zone, calendar)
        let origin = Place(start, address: origin.isEmpty ? nil : String(origin.prefix(200)))
        let destination = Place(
            end, address: destination.isEmpty ? nil : String(destination.prefix(200)))
        return departures.compactMap { departure in
            formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
            guard var date = formatter.date(from: departure.text) else { return nil }
            if departure.isWeekly, date <= now {
                let weeks = Int(now.timeIntervalSince(date) / (7 * 86_400))
                date =
                    (weeks...weeks + 2).lazy
                    .compactMap { calendar.date(byAdding: .day, value: 7 * $0, to: date) }
                    .first { $0 > now } ?? date
            }
            guard date > now else { return nil }
            let weekdays: [TripWeekday] = [
                .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday,
            ]
            let weekday = weekdays[(calendar.component(.weekday, from: date) - 1) % 7]
            formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
            return TripBody(
                origin: origin, destination: destination, departsAt: formatter.string(from: date),
                timeZone: zone.identifier,
                repeats: departure.isWeekly ? TripRepeats(weekdays: [weekday]) : nil, seats: 3,
                acceptsAutomatically: true)
        }
    }
}
