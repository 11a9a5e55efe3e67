import Contracts
import Foundation
import Geo
import HTTPTypes
import Support
import Testing

@testable import Getalift

/// What the original's clients see before any of their calls is looked at.
struct LegacyJSONTests {
    @Test(arguments: ["/api", "/api/", "/API/", "/api?x=1"])
    func theAddressAloneGreets(path: String) async throws {
        try await Bench.run { bench in
            let answer = try await bench.call(.get, path).expect(200, JSONValue.self)
            #expect(answer == ["message": "Hello World !"])
        }
    }

    static let closed: [(HTTPRequest.Method, String)] = [
        (.get, "/api/users"), (.get, "/api/Users/"), (.get, "/api/ratings/Comment/1"),
        (.post, "/api/findTarget"), (.put, "/api/routes"), (.delete, "/api/passenger/1"),
        (.get, "/api/nothing"), (.patch, "/api/users/1"),
    ]

    @Test(arguments: closed)
    func withoutATokenNothingIsAnswered(method: HTTPRequest.Method, path: String) async throws {
        try await Bench.run { bench in
            let answer = try await bench.call(method, path).expect(403, JSONValue.self)
            #expect(answer == ["success": false, "message": "No token provided"])
        }
    }

    @Test func aWrongTokenIsNoneWhereverItIs() async throws {
        try await Bench.run { bench in
            let wrong: JSONValue = ["success": false, "message": "Failed to auth token."]
            let form = HTTPFields([
                .init(name: .contentType, value: "application/x-www-form-urlencoded")
            ])
            let json = HTTPFields([.init(name: .contentType, value: "application/json")])
            for answer in [
                try await bench.call(.get, "/api/users", "", .token("nonsense")),
                try await bench.call(.get, "/api/users?token=nonsense"),
                try await bench.call(.post, "/api/rides", "token=nonsense&route=1", form),
                try await bench.call(.post, "/api/rides", #"{"token":"nonsense"}"#, json),
            ] {
                #expect(try answer.expect(200, JSONValue.self) == wrong)
            }
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/api/passenger/alert/1"), (.get, "/api/<b>"),
        (.delete, "/api/users"),
    ])
    func whatIsNotThereIsSaidAsExpressSaysIt(
        method: HTTPRequest.Method, path: String
    ) async throws {
        try await Bench.run { bench in
            let token = try await bench.session()
            let answer = try await bench.call(method, path, "", .token(token))
            #expect(answer.status == 404)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.text.contains("Cannot \(method.rawValue) /api/"))
            #expect(!answer.text.contains("<b>"))
            // Outside of the API nobody is asked for a token.
            let outside = try await bench.call(method, "/elsewhere")
            #expect(outside.status == 404 && outside.text.contains("/elsewhere"))
        }
    }

    @Test func whatCantBeReadIsAnErrorOfItsShape() async throws {
        try await Bench.run { bench in
            let json = HTTPFields([.init(name: .contentType, value: "application/json")])
            let torn = try await bench.call(.post, "/api/auth", #"{"username":"#, json)
            let answer = try torn.expect(400, JSONValue.self)
            #expect(answer == LegacyJSON.error("The body can't be read."))
            let long = String(repeating: "x", count: LegacyRequest.largestBody + 1)
            _ = try await bench.call(.post, "/api/auth", long).expect(413, JSONValue.self)
        }
    }

    @Test func aGatewayThatIsAwayIsAnErrorOfItsShape() async throws {
        try await Bench.run { bench in
            let token = try await bench.session()
            let answer = try await bench.call(.get, "/api/users", "", .token(token))
            let said = try answer.expect(503, JSONValue.self)
            #expect(said == LegacyJSON.error("The service is away for the moment: try again."))
        }
    }

    @Test func whoIsNobodyHereIsRefusedWithoutBeingLookedFor() async throws {
        try await Bench.run { bench in
            for body in ["", "username=dodo&password=dodo", "username=dodo", "password=dodo"] {
                let answer = try await bench.call(.post, "/api/auth", body)
                    .expect(200, JSONValue.self)
                #expect(answer == LegacyJSON.failure("Auth failed. Wrong credentials."))
            }
            let nameless = try await bench.call(.post, "/api/users", "password=x")
                .expect(200, JSONValue.self)
            #expect(nameless == LegacyJSON.error("A username has 1 to 64 characters."))
        }
    }

    @Test(.withoutDatabase, arguments: [true, false])
    func aRouteThatIsAStraightLineIsMarked(isStraightLine: Bool) {
        let ends = [
            Coordinate(latitude: 35.9, longitude: 14.5),
            Coordinate(latitude: 36.0, longitude: 14.5),
        ]
        let trip = Trip(
            id: .new(), status: .open,
            driver: TripPerson(id: .new(), firstName: "Dora", rating: nil),
            origin: Place(ends[0]), destination: Place(ends[1]), way: LineString(ends),
            isStraightLine: isStraightLine, distanceMeters: 13_000, durationSeconds: 2_000,
            departsAt: "2026-12-01T07:30:00", timeZone: "Europe/Malta", seats: 3,
            createdAt: Date(timeIntervalSince1970: 0), version: 1)
        let row = RouteRow(id: 1, driver: 2, course: Course(trip)).object
        #expect(row["isStraightLine"] == .bool(isStraightLine))
        #expect(row["distance"] == "13000" && row["duration"] == "2000")
    }

    /// Of 49 addresses of the original each is one of ours.
    @Test func everyCallOfTheOriginalHasALine() async throws {
        try await Bench.run { bench in
            let count = bench.parts.openCalls.count + bench.parts.calls.count
            #expect(count == 49)
        }
    }
}

@Suite(.withoutDatabase) struct FieldTests {
    @Test(arguments: [
        ("a=1&b=2", ["a": "1", "b": "2"]),
        ("origin=Triq il-Kbira, Mosta&x=", ["origin": "Triq il-Kbira, Mosta", "x": ""]),
        ("a=b%20c+d&e=100%", ["a": "b c d", "e": "100%"]),
        ("passId=7&routeId12", ["passId": "7", "routeId": "12"]),
        ("comment=a=b", ["comment": "a=b"]), ("", [:]), ("&&=", ["": ""]),
    ])
    func formsAreReadAsAppsWriteThem(text: String, values: [String: String]) {
        #expect(Fields(form: text).values == values)
    }

    @Test func objectsAreReadAsForms() throws {
        let json: JSONValue = try Wire.decode(
            from: Data(#"{"a":1,"b":2.5,"c":"x","d":true,"e":null,"f":[1]}"#.utf8))
        #expect(Fields(json: json).values == ["a": "1", "b": "2.5", "c": "x", "d": "1"])
        #expect(Fields(json: [1]).values == [:])
    }

    @Test func numbersAreNumbersOrNone() {
        let fields = Fields(form: "a= 12 &b=1e400&c=nan&d=35.9&e=x")
        #expect(fields.int("a") == 12)
        #expect(fields.number("d") == 35.9)
        for name in ["b", "c", "e", "f"] { #expect(fields.number(name) == nil, "\(name)") }
    }
}
