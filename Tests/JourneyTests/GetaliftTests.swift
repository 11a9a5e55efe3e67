import AsyncHTTPClient
import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// The calls of GetALift's apps against a running house: each of its 49, as its clients write them.
@Suite(.serialized) struct GetaliftTests {
    /// Somebody with one of the old apps.
    private struct App: Sendable {
        let base: URL
        var token = ""
        var number = 0
        var username = ""
        var password = ""

        func call(
            _ method: String, _ path: String, _ fields: KeyValuePairs<String, String> = [:],
            asJSON: Bool = false
        ) async throws -> (status: Int, json: JSONValue, text: String) {
            var request = HTTPClientRequest(url: base.absoluteString + "/api" + path)
            request.method = .RAW(value: method)
            if !token.isEmpty { request.headers.add(name: "x-access-token", value: token) }
            if asJSON {
                let object = Dictionary(fields.map { ($0.key, $0.value) }) { $1 }
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .bytes(try Wire.encode(object))
            } else if !fields.isEmpty {
                request.headers.add(
                    name: "Content-Type", value: "application/x-www-form-urlencoded")
                // As iOS writes it: nothing is escaped.
                let form = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
                request.body = .bytes(Data(form.utf8))
            }
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
            let data = Data(
                try await answer.body.collect(upTo: 4 * 1_024 * 1_024).readableBytesView)
            let json = (try? Wire.decode(JSONValue.self, from: data)) ?? .null
            return (Int(answer.status.code), json, String(decoding: data, as: UTF8.self))
        }

        /// A list, under status 200.
        func list(
            _ path: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> [[String: JSONValue]] {
            let answer = try await call("GET", path)
            #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
            let rows: [[String: JSONValue]]? = try? answer.json.decoded()
            return try #require(rows, "\(answer.text)", sourceLocation: sourceLocation)
        }

        /// What the driver of a database said of a change.
        @discardableResult
        func change(
            _ method: String, _ path: String, _ fields: KeyValuePairs<String, String> = [:],
            asJSON: Bool = false, rows: Int = 1,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> [String: JSONValue] {
            let answer = try await call(method, path, fields, asJSON: asJSON)
            let packet: [String: JSONValue] = try answer.json.decoded()
            #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
            #expect(
                packet["affectedRows"] == .integer(rows), "\(answer.text)",
                sourceLocation: sourceLocation)
            return packet
        }

        /// `{"success":false,"message":…,"errorCode":1}`
        func refused(
            _ method: String, _ path: String, _ fields: KeyValuePairs<String, String> = [:],
            status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let answer = try await call(method, path, fields)
            let error: [String: JSONValue]? = try? answer.json.decoded()
            #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
            #expect(
                error?["success"] == .bool(false) && error?["errorCode"] == .integer(1),
                "\(answer.text)", sourceLocation: sourceLocation)
        }

        func near(_ town: Town, _ date: String) -> KeyValuePairs<String, String> {
            let (from, to) = (town.east(400), town.east(2_200))
            return [
                "startDate": date, "startLat": "\(from.latitude)", "startLng": "\(from.longitude)",
                "endLat": "\(to.latitude)", "endLng": "\(to.longitude)",
            ]
        }
    }

    private static func base(of platform: TestPlatform? = nil) async throws -> URL {
        let system: any LocalSystem =
            if let platform { platform } else { try await City.shared.world().system }
        return try #require(try system.address(of: "getalift"))
    }

    private static func signedUp(
        _ name: String, at platform: TestPlatform? = nil, asJSON: Bool = false
    ) async throws -> App {
        var app = App(base: try await base(of: platform))
        app.username = "\(name)-\(UUID().uuidString.prefix(8))"
        app.password = "a ride with \(name)"
        let email = "\(app.username)@example.com"
        let made = try await app.change(
            "POST", "/users",
            [
                "username": app.username, "password": app.password, "name": name,
                "surname": "Borg", "email": email, "mobileNumber": "0606060606",
            ], asJSON: asJSON)
        #expect(made["success"] == .bool(true))
        let answer = try await app.call(
            "POST", "/auth/", ["username": app.username, "password": app.password], asJSON: asJSON)
        let said: [String: JSONValue] = try answer.json.decoded()
        #expect(said["success"] == .bool(true), "\(answer.text)")
        let user: [String: JSONValue] = try #require(said["user"]).decoded()
        #expect(user["password"] == "" && user["email"] == .text(email.lowercased()))
        #expect(user["name"] == .text(name) && user["surname"] == "Borg")
        #expect(user["username"] == .text(app.username))
        app.token = try #require(said["token"]).decoded()
        app.number = try #require(user["id"]).decoded()
        return app
    }

    /// By the clocks of Malta, unless told otherwise.
    private static func local(
        in seconds: Double, _ format: String, zone: String = "Europe/Malta"
    ) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSinceNow: seconds))
    }

    /// The number of the new route.
    private static func publish(
        _ driver: App, _ town: Town, _ dates: String
    ) async throws -> Int {
        let before = try await driver.list("/driverroutes/\(driver.number)")
        let known = Set(before.map { $0["route"] })
        let (from, to) = (town.east(0), town.east(2_500))
        let answer = try await driver.call(
            "PUT", "/routes",
            [
                "startLat": "\(from.latitude)", "startLng": "\(from.longitude)",
                "endLat": "\(to.latitude)", "endLng": "\(to.longitude)",
                "origin": "Triq il-Kbira, Mosta", "destination": "Msida", "distance": "3 km",
                "duration": "5 mins", "driverId": "\(driver.number)", "dates": dates,
            ])
        let packets: [[String: JSONValue]] = try answer.json.decoded()
        #expect(answer.status == 200 && packets.count >= 2, "\(answer.text)")
        let rows = try await driver.list("/driverroutes/\(driver.number)/")
        let row = try #require(rows.first { !known.contains($0["route"]) })
        return try #require(row["route"]).decoded()
    }

    /// Until the index has heard of the route, and of its driver.
    private static func find(
        _ route: Int, _ app: App, _ town: Town, _ date: String, asJSON: Bool = false
    ) async throws -> [String: JSONValue] {
        var found: [String: JSONValue]?
        _ = try await eventually {
            let answer = try await app.call(
                "POST", "/findTarget", app.near(town, date), asJSON: asJSON)
            let rows: [[String: JSONValue]] = try answer.json.decoded()
            found = rows.first { $0["id"] == .integer(route) }
            return found.map { $0["user_name"] != "" } ?? false
        }
        return try #require(found)
    }

    // MARK: Tests

    @Test func routesAreMadeFoundAndKept() async throws {
        let town = try await Town.found()
        let driver = try await Self.signedUp("Dora")
        let passenger = try await Self.signedUp("Paul", asJSON: true)
        let departure = Self.local(in: 86_400, "yyyy-MM-dd;HH:mm")
        let route = try await Self.publish(driver, town, departure + ";1")

        let row = try #require(try await driver.list("/routes/\(route)").first)
        #expect(
            row["originAdress"] == "Triq il-Kbira, Mosta" && row["destinationAdress"] == "Msida")
        #expect(row["driver"] == .integer(driver.number))
        for name in ["distance", "duration"] {
            let text: String = try #require(row[name]).decoded()
            #expect((Int(text) ?? 0) > 0)
        }
        let start: [String: Double] = try #require(row["startingPoint"]).decoded()
        #expect(abs((start["x"] ?? 0) - town.east(0).latitude) < 0.000_1)
        #expect(abs((start["y"] ?? 0) - town.east(0).longitude) < 0.000_1)
        let date = try #require(try await driver.list("/routedate/\(route)").first)
        #expect(date["weekly_repeat"] == 1 && date["route"] == .integer(route))
        let minute = departure.replacing(";", with: "T")
        #expect(date["route_date"] == .text("\(minute):00.000Z"))
        for path in ["/driverroutesdate/\(driver.number)", "/DriverRoutes/\(driver.number)"] {
            let dated = try #require(try await driver.list(path).first)
            #expect(dated["id"] == date["id"] && dated["route"] == .integer(route))
        }
        #expect(try await driver.list("/routedate").count == 1)
        #expect(try await driver.list("/routes").count == 1)

        // What nobody has found is nobody's to see in a list.
        #expect(try await passenger.list("/routes").isEmpty)
        #expect(try await passenger.list("/search?date=").isEmpty)
        #expect(try await passenger.list("/driverroutes/\(driver.number)").isEmpty)
        #expect(try await passenger.list("/users/\(driver.number)").isEmpty)
        let forms = ["yyyy-MM-dd HH:mm", "dd-MM-yyyy HH:mm", "HH:mm"]
        for (number, form) in forms.enumerated() {
            let found = try await Self.find(
                route, passenger, town, Self.local(in: 60, form), asJSON: number == 1)
            try check(found, of: route, driver)
        }
        #expect(try await passenger.list("/search?date=").map { $0["route"] } == [.integer(route)])
        #expect(try await passenger.list("/search/?date=2100-01-01").isEmpty)
        let query = passenger.near(town, "").dropFirst().map { "\($0.key)=\($0.value)" }
            .joined(separator: "&")
        for path in ["/search2", "/searchT"] {
            let rows = try await passenger.list("\(path)?date=&\(query)")
            #expect(rows.map { $0["route"] } == [.integer(route)])
        }
        #expect(try await passenger.list("/driverroutes/\(driver.number)").count == 1)
        let shown = try #require(try await passenger.list("/users/\(driver.number)").first)
        #expect(shown["name"] == "Dora" && shown["username"] == .text(driver.username))
        #expect(shown["email"] == "" && shown["surname"] == "" && shown["password"] == nil)

        try await favourites(route, passenger, driver)
        try await passenger.refused("DELETE", "/routes/\(route)")
        try await driver.change("DELETE", "/routes/\(route)")
        #expect(try await driver.list("/driverroutes/\(driver.number)").isEmpty)
        #expect(try await driver.list("/routes/99999999").isEmpty)
        try await driver.change("DELETE", "/routes/99999999", rows: 0)
    }

    /// The keys that iOS and Android force.
    private func check(_ found: [String: JSONValue], of route: Int, _ driver: App) throws {
        #expect(found["user_id"] == .integer(driver.number) && found["user_name"] == "Dora")
        #expect(found["originAdress"] == "Triq il-Kbira, Mosta")
        let date: String = try #require(found["route_date"]).decoded()
        #expect(date.hasSuffix(":00.000Z"))
        let points: [[String: JSONValue]] = try #require(found["routePoints"]).decoded()
        #expect(points.count >= 2)
        let seconds: [Int] = try points.map { try #require($0["seconds_from_start"]).decoded() }
        #expect(seconds.first == 0 && seconds == seconds.sorted())
        let ids: [Int] = try points.map { try #require($0["id"]).decoded() }
        #expect(ids == Array(ids[0]..<ids[0] + ids.count))
        for point in points {
            let place: [String: Double] = try #require(point["point"]).decoded()
            #expect(place.keys.sorted() == ["x", "y"])
            #expect(point["route"] == .integer(route))
        }
        for name in ["closestPointStart", "closestPointEnd"] {
            let point: [String: JSONValue] = try #require(found[name]).decoded()
            #expect(
                point.keys.sorted() == ["id", "lat", "lng", "route", "seconds_from_start"])
            let id: Int = try #require(point["id"]).decoded()
            #expect(ids.contains(id))
        }
        let walked: [Double] = try ["distancePointStart", "distancePointEnd", "totalDistance"].map {
            try #require(found[$0]).decoded()
        }
        #expect(abs(walked[0] + walked[1] - walked[2]) < 1 && walked[2] < 100)
    }

    private func favourites(_ route: Int, _ app: App, _ other: App) async throws {
        let one = "/favoriteRoute/?userId=\(app.number)&routeId=\(route)"
        #expect(try await app.list(one).isEmpty)
        try await app.change(
            "POST", "/favoriteRoute/", ["userId": "\(app.number)", "routeId": "\(route)"])
        let row = try #require(try await app.list(one).first)
        #expect(row["routeId"] == .integer(route) && row["userId"] == .integer(app.number))
        let kept = try #require(try await app.list("/favoriteRoute/\(app.number)").first)
        #expect(kept["id"] == .integer(route) && kept["routeId"] == .integer(route))
        // Nobody else sees them, adds to them or takes them away.
        #expect(try await other.list("/favoriteRoute/\(app.number)").isEmpty)
        #expect(try await other.list(one).isEmpty)
        try await other.refused(
            "POST", "/favoriteRoute", ["userId": "\(app.number)", "routeId": "\(route)"])
        try await other.change("DELETE", "/favoriteRoute/\(route)", rows: 0)
        #expect(try await app.list(one).count == 1)
        try await app.change("DELETE", "/favoriteRoute/\(route)")
        #expect(try await app.list(one).isEmpty)
    }

    @Test func aPassengerRidesAlongIsConfirmedAndRated() async throws {
        // Where no hour comes twice, as one does in Malta in October: the time of a departure means the first.
        let zone = "Asia/Hong_Kong"
        let platform = try await TestPlatform.start(["OPENVALET_GETALIFT_TIME_ZONE": zone])
        defer { platform.stop() }
        let town = try await Town.found(in: try await World(platform))
        let driver = try await Self.signedUp("Dora", at: platform)
        let passenger = try await Self.signedUp("Paul", at: platform)
        let stranger = try await Self.signedUp("Stan", at: platform)
        let route = try await Self.publish(
            driver, town, Self.local(in: 600, "yyyy-MM-dd;HH:mm:ss", zone: zone))
        _ = try await Self.find(route, passenger, town, Self.local(in: 0, "HH:mm", zone: zone))

        let made = try await passenger.change("POST", "/rides/", ["route": "\(route)"])
        #expect(made["success"] == .bool(true))
        let ride: Int = try #require(made["insertId"]).decoded()
        try await passenger.refused("POST", "/rides", ["route": "\(route)"])
        try await passenger.refused(
            "POST", "/passenger",
            ["ride": "\(ride)", "passenger": "\(driver.number)", "inTheCar": "0"])
        let added = try await passenger.change(
            "POST", "/passenger",
            ["ride": "\(ride)", "passenger": "\(passenger.number)", "inTheCar": "0"])
        let seat: Int = try #require(added["insertId"]).decoded()
        // As iOS writes it, without the sign.
        try await passenger.refused(
            "POST", "/passenger/existingRide", ["passId": "\(passenger.number)&routeId\(route)"])
        try await shown(route, ride, seat, driver, passenger, stranger)

        // Before it has departed a yes is only remembered; a stranger has none.
        let all = "/passenger/alert/withoutDateVerification/\(driver.number)"
        let alert = try #require(try await driver.list(all).first)
        #expect(alert["id"] == .integer(seat) && alert["username"] == .text(passenger.username))
        #expect(alert["inTheCar"] == 0 && alert["passenger"] == .integer(passenger.number))
        try await driver.change("PUT", "/passenger/alert/\(seat)", ["inTheCar": "1"])
        #expect(try await driver.list(all).isEmpty)
        try await stranger.change(
            "PUT", "/passenger/alert/\(seat)", ["inTheCar": "1"], rows: 0)
        try await passenger.refused("PUT", "/passenger/alert/\(seat)", ["inTheCar": "1"])
        #expect(try await stranger.list("/passenger/alert/\(driver.number)").isEmpty)
        #expect(try await driver.list("/passenger/alert/\(driver.number)").isEmpty)
        platform.clock.advance(by: 601)
        let departed = try await eventually {
            try await !driver.list("/passenger/alert/\(driver.number)").isEmpty
        }
        #expect(departed)
        try await driver.change(
            "PUT", "/passenger/alert/\(seat)/", ["inTheCar": "1"], asJSON: true)
        #expect(try await driver.list("/passenger/alert/\(driver.number)").isEmpty)
        #expect(try await driver.list("/passengers/\(seat)").first?["inTheCar"] == 1)
        let routes = try await passenger.list("/rides/route/\(passenger.number)")
        let ridden = try #require(routes.first)
        #expect(ridden["id"] == .integer(route) && ridden["driver"] == .integer(driver.number))
        try await rate(route, driver, passenger, stranger)
    }

    private func shown(
        _ route: Int, _ ride: Int, _ seat: Int, _ driver: App, _ passenger: App, _ stranger: App
    ) async throws {
        for path in ["/rides/test/\(route)", "/rides/routeId/\(route)"] {
            #expect(try await passenger.list(path) == [["id": .integer(ride)]])
        }
        let row: [String: JSONValue] = ["id": .integer(ride), "route": .integer(route)]
        #expect(try await driver.list("/rides/\(ride)") == [row])
        #expect(try await driver.list("/rides") == [row])
        #expect(try await stranger.list("/rides").isEmpty)
        let passengers = try await passenger.list("/passengers")
        #expect(
            passengers == [
                [
                    "id": .integer(seat), "ride": .integer(ride), "inTheCar": 0,
                    "passenger": .integer(passenger.number),
                ]
            ])
        #expect(try await driver.list("/passengers/\(seat)") == passengers)
        #expect(try await stranger.list("/passengers/\(seat)").isEmpty)
        let mine = try #require(
            try await passenger.list("/passenger/route/\(passenger.number)").first)
        #expect(mine["id"] == .integer(seat) && mine["destinationAdress"] == "Msida")
        #expect(try await stranger.list("/passenger/route/\(passenger.number)").isEmpty)
        // Carpool may hear of the passenger's name a moment later.
        let isNamed = try await eventually {
            try await driver.list("/passenger/information/\(route)") == [
                ["id": .integer(passenger.number), "surname": "Paul"]
            ]
        }
        #expect(isNamed)
        #expect(try await stranger.list("/passenger/information/\(route)").isEmpty)
        #expect(try await passenger.list("/rides/route/\(passenger.number)").isEmpty)
        // People who ride together see each other's first name.
        #expect(try await driver.list("/users/\(passenger.number)").first?["name"] == "Paul")
        #expect(try await stranger.list("/users/\(passenger.number)").isEmpty)
        try await driver.refused("PUT", "/rides/\(ride)", ["route": "1"])
        try await driver.refused("PUT", "/passenger/\(seat)", ["ride": "1", "passenger": "1"])
        try await stranger.change("DELETE", "/passenger/\(seat)", rows: 0)
        try await stranger.refused("DELETE", "/rides/\(ride)")
    }

    private func rate(
        _ route: Int, _ driver: App, _ passenger: App, _ stranger: App
    ) async throws {
        #expect(
            try await passenger.list("/ratings/\(driver.number)") == [["AVG(stars)": .null]])
        let words: KeyValuePairs = [
            "author": "\(passenger.number)", "target": "\(driver.number)", "routeId": "\(route)",
            "stars": "4", "comment": "On time", "postDate": "2026-11-25 15:00:00",
        ]
        try await stranger.refused("POST", "/ratings/existingRate", words)
        let isRated = try await eventually {
            // Ratings has to hear of the ride's end before.
            let answer = try await passenger.call("POST", "/ratings/existingRate", words)
            let said: [String: JSONValue] = try answer.json.decoded()
            return said["success"] == .bool(true)
        }
        #expect(isRated)
        try await passenger.refused("POST", "/ratings/existingRate", words)
        let answer = try await driver.call(
            "POST", "/ratings/existingRate/Driver",
            [
                "author": "\(driver.number)", "target": "\(passenger.number)",
                "routeId": "\(route)", "stars": "5", "comment": "", "postDate": "",
            ])
        let said: [String: JSONValue] = try answer.json.decoded()
        #expect(said["success"] == .bool(true), "\(answer.text)")
        #expect(try await driver.list("/ratings/\(driver.number)") == [["AVG(stars)": 4]])
        try await passenger.change(
            "PUT", "/ratings",
            [
                "stars": "2", "comment": "Late", "postDate": "",
                "author": "\(passenger.number)", "routeId": "\(route)",
            ])
        #expect(try await driver.list("/ratings/\(driver.number)") == [["AVG(stars)": 2]])
        let comment = try #require(
            try await stranger.list("/ratings/Comment/\(driver.number)").first)
        #expect(comment["comment"] == "Late" && comment["username"] == "")
        let given = try #require(try await passenger.list("/ratings").first)
        #expect(given["stars"] == 2 && given["target"] == .integer(driver.number))
        let number: Int = try #require(given["id"]).decoded()
        #expect(try await stranger.list("/ratings").isEmpty)
        try await passenger.refused("DELETE", "/ratings/\(number)")
    }

    @Test func seatsAreGivenUpByEitherSide() async throws {
        let town = try await Town.found()
        let driver = try await Self.signedUp("Dora")
        let passenger = try await Self.signedUp("Paul")
        let route = try await Self.publish(
            driver, town, Self.local(in: 86_400, "yyyy-M-d;H:mm:ss"))
        try await passenger.refused("POST", "/rides", ["route": "99999999"])
        try await passenger.refused(
            "POST", "/passenger/existingRide", ["passId": "\(passenger.number)", "routeId": "0"])
        // Its driver has no seat in it.
        try await driver.refused(
            "POST", "/passenger/existingRide",
            ["passId": "\(driver.number)", "routeId": "\(route)"])

        // Without a search it is the whole way.
        func ask() async throws -> Int {
            let made = try await passenger.change(
                "POST", "/passenger/existingRide",
                ["passId": "\(passenger.number)", "routeId": "\(route)"])
            #expect(made["success"] == .bool(true))
            return try #require(made["insertId"]).decoded()
        }
        let first = try await ask()
        try await passenger.change("DELETE", "/passenger/\(first)")
        #expect(try await passenger.list("/passenger/route/\(passenger.number)").isEmpty)
        let second = try await ask()
        #expect(second > first)
        try await driver.change("DELETE", "/passenger/\(second)")
        try await driver.change("DELETE", "/passenger/\(second)", rows: 0)
        _ = try await ask()
        let ride = try #require(try await driver.list("/rides").first?["id"])
        let number: Int = try ride.decoded()
        try await driver.change("DELETE", "/rides/\(number)")
        #expect(try await passenger.list("/passenger/route/\(passenger.number)").isEmpty)
    }

    @Test func peopleChangeWhatIsTheirsAndNothingElse() async throws {
        let ada = try await Self.signedUp("Ada")
        let bob = try await Self.signedUp("Bob")
        let email = "\(ada.username)@example.com".lowercased()
        #expect(try await ada.list("/users").map { $0["id"] } == [.integer(ada.number)])
        func change(
            _ username: String, _ password: String, _ email: String, _ name: String = "Adele"
        ) -> KeyValuePairs<String, String> {
            [
                "username": username, "password": password, "name": name, "surname": "Vella",
                "email": email, "mobileNumber": "", "isVerified": "0",
            ]
        }
        let path = "/users/\(ada.number)"
        try await bob.refused("PUT", path, change("x", bob.password, email))
        try await ada.refused("PUT", path, change(ada.username, "", email))
        try await ada.refused("PUT", path, change(ada.username, "another password", email))
        try await ada.refused("PUT", path, change(ada.username, ada.password, "x@example.com"))
        try await ada.refused("PUT", path, change(bob.username, ada.password, email))
        // What is refused in part changes nothing.
        let long = String(repeating: "A", count: 81)
        try await ada.refused("PUT", path, change("Old \(ada.username)", ada.password, email, long))
        let unchanged = try #require(try await ada.list(path).first)
        #expect(unchanged["name"] == "Ada" && unchanged["username"] == .text(ada.username))
        let name = "New \(ada.username)"
        try await ada.change("PUT", path, change(name, ada.password, email))
        let row = try #require(try await ada.list(path).first)
        #expect(row["name"] == "Adele" && row["username"] == .text(name))
        for (username, isKnown) in [
            (name.uppercased(), true), (email, true), (ada.username, false),
        ] {
            let answer = try await ada.call(
                "POST", "/auth", ["username": username, "password": ada.password])
            let said: [String: JSONValue] = try answer.json.decoded()
            #expect(said["success"] == .bool(isKnown), "\(username): \(answer.text)")
        }
        // A taken name, a weak password, an address that is none.
        let nobody = App(base: ada.base)
        func signUp(
            _ name: String, _ password: String, _ email: String
        ) -> KeyValuePairs<String, String> {
            [
                "username": name, "password": password, "name": "Eve", "surname": "Eve",
                "email": email, "mobileNumber": "",
            ]
        }
        let free = "eve-\(UUID().uuidString.prefix(8))"
        try await nobody.refused("POST", "/users", signUp(name, "a long password", "e@e.com"))
        try await nobody.refused("POST", "/users", signUp(free, "dodo", "\(free)@example.com"))
        try await nobody.refused("POST", "/users", signUp(free, "a long password", email))
        try await nobody.refused("POST", "/users", signUp(free, "a long password", "nonsense"))
        try await nobody.change(
            "POST", "/users", signUp(free, "a long password", "\(free)@example.com"))

        try await bob.refused("DELETE", path, ["password": bob.password])
        try await ada.refused("DELETE", path)
        try await ada.change("DELETE", path, ["password": ada.password])
        let answer = try await ada.call(
            "POST", "/auth", ["username": name, "password": ada.password])
        let said: [String: JSONValue] = try answer.json.decoded()
        #expect(said["success"] == .bool(false))
    }

    @Test func aDumpOfTheOriginalIsTakenOver() async throws {
        let town = try await Town.found()
        let system = town.world.system
        let mark = UUID().uuidString.prefix(8).lowercased()
        let (from, to) = (town.east(0), town.east(2_500))
        let number = Int.random(in: 1_000_000...9_000_000)
        let dump = """
            INSERT INTO `User` VALUES
            (\(number), 'dodo-\(mark)', '$2b$10$x', 'Dodo', 'Dodo', 'dodo-\(mark)@example.com', '0606060606', 0),
            (\(number + 1), 'dada-\(mark)', '$2b$10$x', 'Dada', '', '', '', 0);
            INSERT INTO `Route` VALUES (\(number), ST_GeomFromText('POINT(\(from.latitude) \(from.longitude))'),
            ST_GeomFromText('POINT(\(to.latitude) \(to.longitude))'), \(number), 'Mosta', 'Msida', '1', '2');
            INSERT INTO `RouteDate` VALUES (1, \(number), '2018-06-08 18:00:00', 1);
            INSERT INTO `FavoriteRoute` VALUES (1, \(number), \(number));
            """
        let file = system.folder.appending(path: "\(mark).sql")
        try dump.write(to: file, atomically: true, encoding: .utf8)
        func run() throws -> String {
            try Command.output(
                RunningSystem.debugBinaries.appending(path: "openvalet").path,
                ["import", "getalift", file.path, "--data", system.folder.path])
        }
        let said = try run()
        #expect(said.contains("Imported 1 people, 1 trips and 1 favourites."), "\(said)")
        #expect(said.contains("dada-\(mark)"))
        let again = try run()
        #expect(again.contains("Imported 0 people, 0 trips and 0 favourites."), "\(again)")

        // A user who has set a new password, with the code from the e-mail, is still the same user.
        let app = try await Self.signedUp("Ada")
        // It leaves on Fridays at six. A search is of a week less a minute, which must not be that minute.
        let route = try await Self.find(number, app, town, "\(Self.next(weekday: 6)) 17:00")
        #expect(route["user_id"] == .integer(number) && route["originAdress"] == "Mosta")
        #expect(try await app.list("/routedate/\(number)").first?["weekly_repeat"] == 1)
        let dodo = try #require(try await app.list("/users/\(number)").first)
        #expect(dodo["username"] == .text("dodo-\(mark)"))
        try await OpenValetClient(system.baseURL)(
            AccountEndpoints.requestPasswordReset(
                body: ContactBody(email: "dodo-\(mark)@example.com")))
    }

    /// In the form of the original's own: 24 people who drive 15 ways a week each, in rows 2 km apart.
    @Test func aDumpOf360RoutesIsImportedAndSearched() async throws {
        let town = try await Town.found()
        let system = town.world.system
        let mark = UUID().uuidString.prefix(8).lowercased()
        let first = Int.random(in: 10_000_000...90_000_000)
        func end(_ route: Int, _ meters: Double) -> Place {
            var place = town.east(meters)
            place.latitude += 0.02 * Double(route / 18)
            return place
        }
        /// The bytes of MySQL: no reference system, little-endian, a point.
        func hex(_ place: Place) -> String {
            let numbers = [place.latitude, place.longitude].flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
            }
            let bytes: [UInt8] = [0, 0, 0, 0, 1, 1, 0, 0, 0] + numbers
            return "0x" + bytes.map { String(format: "%02X", $0) }.joined()
        }
        func time(_ route: Int) -> String { String(format: "%02d:15", 5 + route % 18) }
        let users = (0..<24).map { user in
            """
            (\(first + user), 'driver\(user)-\(mark)', '$2b$10$x', 'Driver', 'Borg', \
            'driver\(user)-\(mark)@example.com', '', 1)
            """
        }
        let routes = (0..<360).map { route in
            """
            (\(first + route), \(hex(end(route, 0))), \(hex(end(route, 2_500))), \
            \(first + route % 24), 'From \(route)', 'To \(route)', '2.5 km', '6 mins')
            """
        }
        let dates = (0..<360).map { route in
            "(\(route + 1), \(first + route), '2018-06-0\(4 + route % 5) \(time(route)):00', 1)"
        }
        let tables = [("User", users), ("Route", routes), ("RouteDate", dates)]
        let dump = tables.map { name, rows in
            "INSERT INTO `\(name)` VALUES \(rows.joined(separator: ","));\n"
        }.joined()
        let file = system.folder.appending(path: "\(mark).sql")
        try dump.write(to: file, atomically: true, encoding: .utf8)
        let said = try Command.output(
            RunningSystem.debugBinaries.appending(path: "openvalet").path,
            ["import", "getalift", file.path, "--data", system.folder.path])
        #expect(said.contains("Imported 24 people, 360 trips and 0 favourites."), "\(said)")

        let app = try await Self.signedUp("Ada")
        for route in stride(from: 0, to: 360, by: 11) {
            let (from, to) = (end(route, 400), end(route, 2_200))
            // 4 June 2018 was a Monday, the first day of the week here.
            let day = Self.next(weekday: 2 + route % 5)
            var text = ""
            // The index may hear of the last ones a moment after the import.
            let isFound = try await eventually {
                let answer = try await app.call(
                    "POST", "/findTarget",
                    [
                        "startDate": "\(day) \(time(route))", "startLat": "\(from.latitude)",
                        "startLng": "\(from.longitude)", "endLat": "\(to.latitude)",
                        "endLng": "\(to.longitude)",
                    ])
                text = answer.text
                let found: [[String: JSONValue]] = try answer.json.decoded()
                return found.first?["id"] == .integer(first + route)
            }
            #expect(isFound, "\(route): \(text.prefix(300))")
        }
    }

    /// The day after tomorrow or later, by the clocks of Malta; 1 is Sunday.
    private static func next(weekday: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Malta") ?? .gmt
        let after = Date(timeIntervalSinceNow: 86_400)
        let day =
            calendar.nextDate(
                after: after, matching: DateComponents(hour: 12, weekday: weekday),
                matchingPolicy: .nextTime) ?? after
        return local(in: day.timeIntervalSinceNow, "yyyy-MM-dd")
    }

    @Test func whatMakesNoSenseIsRefusedInItsShape() async throws {
        let town = try await Town.found()
        let app = try await Self.signedUp("Ada")
        for date in ["", "tomorrow", "2026-02-30 10:00"] {
            try await app.refused("POST", "/findTarget", app.near(town, date), status: 400)
        }
        try await app.refused(
            "POST", "/findTarget", ["startDate": "10:00", "startLat": "x"], status: 400)
        try await app.refused(
            "PUT", "/routes",
            [
                "startLat": "35.9", "startLng": "14.5", "endLat": "35.8", "endLng": "14.4",
                "driverId": "\(app.number)", "origin": "a", "destination": "b",
            ], status: 400)
        try await app.refused(
            "PUT", "/routes",
            [
                "startLat": "35.9", "startLng": "14.5", "endLat": "35.8", "endLng": "14.4",
                "driverId": "\(app.number + 1)", "dates": "2100-01-01;10:00",
            ])
        // Rules of the house: not in the past.
        try await app.refused(
            "PUT", "/routes",
            [
                "startLat": "35.9", "startLng": "14.5", "endLat": "35.8", "endLng": "14.4",
                "dates": "2018-06-08;18:00",
            ])
        #expect(try await app.list("/driverroutes/\(app.number)").isEmpty)
        for path in [
            "/users/x", "/users/-1", "/routes/0", "/rides/99999999", "/passengers/1e9",
            "/driverroutes/99999999", "/passenger/alert/99999999", "/favoriteRoute/99999999",
            "/favoriteRoute", "/ratings/Comment/99999999", "/rides/test/x",
        ] {
            #expect(try await app.list(path).isEmpty, "\(path)")
        }
        #expect(try await app.list("/ratings/99999999") == [["AVG(stars)": .null]])
        let page = try await app.call("POST", "/passenger/alert/1", ["inTheCar": "1"])
        #expect(page.status == 404 && page.text.contains("Cannot POST /api/passenger/alert/1"))
        try await app.refused("PUT", "/passenger/alert/1", ["inTheCar": "x"], status: 400)
        try await app.change("PUT", "/passenger/alert/99999999", ["inTheCar": "1"], rows: 0)
        try await app.change("PUT", "/ratings", ["stars": "1", "routeId": "99999999"], rows: 0)
    }
}
