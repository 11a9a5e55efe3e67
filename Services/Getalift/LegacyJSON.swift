import Contracts
import Foundation
import Geo
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// The original's answers: rows of its tables, and its database driver's results of changes.
enum LegacyJSON {
    static func response(_ value: JSONValue, _ status: HTTPResponse.Status = .ok) -> Response {
        let body = (try? Wire.encode(value)).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ], body: .init(byteBuffer: body))
    }

    static func failure(_ message: String) -> JSONValue {
        ["success": false, "message": .text(message)]
    }

    static func error(_ message: String) -> JSONValue {
        ["success": false, "message": .text(message), "errorCode": 1]
    }

    /// The result of a change of rows, with `success` if a client reads that.
    static func done(_ rows: Int = 1, inserted: Int = 0, success: Bool = false) -> JSONValue {
        var packet: [String: JSONValue] = [
            "fieldCount": 0, "affectedRows": .integer(rows), "insertId": .integer(inserted),
            "serverStatus": 2, "warningCount": 0, "message": "", "protocol41": true,
            "changedRows": .integer(inserted == 0 ? rows : 0),
        ]
        if success { packet["success"] = true }
        return .object(packet)
    }

    static func point(_ point: Coordinate) -> JSONValue {
        ["x": .number(point.latitude), "y": .number(point.longitude)]
    }
}

/// A row of `User`, without its password.
struct UserRow: Sendable, Hashable {
    var id: Int
    var username: String
    var name = ""
    var surname = ""
    var email = ""
    var mobileNumber = ""
    var isVerified = false

    var object: [String: JSONValue] {
        [
            "id": .integer(id), "username": .text(username), "name": .text(name),
            "surname": .text(surname), "email": .text(email),
            "mobileNumber": .text(mobileNumber), "isVerified": .integer(isVerified ? 1 : 0),
        ]
    }

    var json: JSONValue { .object(object) }

    /// As the answer to a sign-in: clients expect the key `password`, which is empty.
    var withEmptyPassword: JSONValue { .object(object.merging(["password": ""]) { $1 }) }
}

/// A row of `Route`.
struct RouteRow: Sendable, Hashable {
    var id: Int
    var driver: Int
    var course: Course

    var object: [String: JSONValue] {
        [
            "id": .integer(id), "driver": .integer(driver),
            "startingPoint": LegacyJSON.point(course.origin.coordinate),
            "endPoint": LegacyJSON.point(course.destination.coordinate),
            "originAdress": .text(course.origin.address ?? ""),
            "destinationAdress": .text(course.destination.address ?? ""),
            "distance": .text(String(Int(course.meters.rounded()))),
            "duration": .text(String(course.seconds)),
            // A key of ours: routes of the original are all along roads.
            "isStraightLine": .bool(course.isStraightLine),
        ]
    }

    var json: JSONValue { .object(object) }

    /// Joined with one of its dates, as in the original: the date's id replaces its own.
    func json(on date: DateRow) -> JSONValue { .object(object.merging(date.object) { $1 }) }
}

/// A row of `RouteDate`.
struct DateRow: Sendable, Hashable {
    var id: Int
    var route: Int
    var day: TripDay

    var object: [String: JSONValue] {
        [
            "id": .integer(id), "route": .integer(route), "route_date": .text(day.text),
            "weekly_repeat": .integer(day.isWeekly ? 1 : 0),
        ]
    }

    var json: JSONValue { .object(object) }
}

/// A row of `Passenger`.
struct PassengerRow: Sendable, Hashable {
    var id: Int
    var ride: Int
    var passenger: Int
    var inTheCar: Bool

    var object: [String: JSONValue] {
        [
            "id": .integer(id), "ride": .integer(ride), "passenger": .integer(passenger),
            "inTheCar": .integer(inTheCar ? 1 : 0),
        ]
    }

    var json: JSONValue { .object(object) }
}

/// The route of a trip, or of a past ride.
struct Course: Sendable, Hashable {
    var trip: TripID
    var driver: TripPerson
    var origin, destination: Place
    var points: [Coordinate]
    /// True while no router knows the way between its points.
    var isStraightLine: Bool
    var meters: Double
    var seconds: Int

    init(_ trip: Trip) {
        (self.trip, driver) = (trip.id, trip.driver)
        (origin, destination) = (trip.origin, trip.destination)
        (points, isStraightLine) = (trip.way.points, trip.isStraightLine)
        (meters, seconds) = (trip.distanceMeters, trip.durationSeconds)
    }

    init(_ ride: Ride) {
        (trip, driver) = (ride.tripId, ride.driver)
        (origin, destination) = (ride.origin, ride.destination)
        (points, isStraightLine) = (ride.way.points, ride.isStraightLine)
        meters = zip(points, points.dropFirst()).reduce(0) { $0 + Geo.distanceMeters($1.0, $1.1) }
        seconds = Int(ride.arrivesAt.timeIntervalSince(ride.departsAt).rounded())
    }
}

extension LineString {
    var points: [Coordinate] {
        coordinates.filter { $0.count >= 2 }
            .map { Coordinate(latitude: $0[1], longitude: $0[0]) }
    }
}

// Answers are written as literals in this service.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral {
    public init(dictionaryLiteral fields: (String, JSONValue)...) {
        self = .object(Dictionary(fields) { $1 })
    }

    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
