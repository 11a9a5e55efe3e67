import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Places

/// What people get along with.
struct MobilityTests {
    private static let path = "/v1/me/mobility"

    @Test func whatIsPutIsWhatIsThere() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let usual = try await caller.call(.get, Self.path, as: .alice)
                .expect(200, Mobility.self)
            #expect(usual == Mobility())
            var mine = Mobility(
                modes: .init([.bus, .walk]), maxWalkMeters: 800, acceptsStampsOnly: true,
                maxSeconds: 2_400, maxMeters: 10_000, radiusMeters: 8_000)
            (mine.passes, mine.stops) = (["Explore"], ["Belt 1"])
            mine.home = Place(latitude: 35.9, longitude: 14.5, address: "At home")
            let put = try await caller.call(.put, Self.path, mine, as: .alice)
            #expect(try put.expect(200, Mobility.self) == mine)
            #expect(
                try await caller.call(.get, Self.path, as: .alice).expect(200, Mobility.self)
                    == mine)
            #expect(
                try await caller.call(.get, Self.path, as: .bob).expect(200, Mobility.self)
                    == Mobility(), "nobody else's")
        }
    }

    @Test func eachFieldIsCheckedAlone() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let change: [String: JSONValue] = [
                "maxWalkMeters": 400, "maxSeconds": 3, "radiusMeters": "far",
                "modes": .object(["car": .bool(true)]), "shoes": "red",
                "home": .object(["latitude": .number(35.9), "longitude": .number(14.5)]),
            ]
            let answer = try await caller.call(.patch, Self.path, change, as: .alice)
                .expect(200, MobilityChanged.self)
            #expect(answer.refused.map(\.field) == ["maxSeconds", "radiusMeters", "shoes"])
            #expect(answer.mobility.maxWalkMeters == 400)
            #expect(answer.mobility.modes.set == [.bus, .train, .walk, .car], "the others stay")
            #expect(answer.mobility.home?.latitude == 35.9)
            let without = try await caller.call(
                .patch, Self.path, ["home": JSONValue.null], as: .alice
            ).expect(200, MobilityChanged.self)
            #expect(without.mobility.home == nil && without.refused.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("{}", nil), (#"{"maxSeconds":0}"#, "maxSeconds"),
            (#"{"modes":{"rocket":true}}"#, "modes"),
            (#"{"maxMeters":null}"#, "maxMeters"),
            (#"{"modes":{"bus":false,"train":false,"walk":false}}"#, "modes"),
            (#"{"home":{"latitude":91,"longitude":1}}"#, "home.latitude"),
            (#"{"passes":["a",7]}"#, "passes"), (#"{"maxWalkMeters":1.5}"#, "maxWalkMeters"),
            (#"{"acceptsStampsOnly":"yes"}"#, "acceptsStampsOnly"),
        ] as [(String, String?)])
    func whatIsAllWrongIsRefused(_ body: String, _ field: String?) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(.patch, Self.path, raw: Data(body.utf8), as: .alice)
                .refused(422, "request.invalid", field: field)
            #expect(
                try await caller.call(.get, Self.path, as: .alice).expect(200, Mobility.self)
                    == Mobility())
        }
    }

    @Test func eachFieldIsNamedWhereAllAreWrong() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let change: [String: JSONValue] = [
                "maxSeconds": 3, "shoes": "red", "home": .object(["latitude": .number(91)]),
                "modes": .object(["rocket": .bool(true)]),
            ]
            let problem = try await caller.call(.patch, Self.path, change, as: .alice)
                .refused(422, "request.invalid", field: "home")
            let errors = try #require(problem.errors)
            #expect(errors.map(\.field) == ["home", "maxSeconds", "modes", "shoes"])
            #expect(errors.first?.detail == problem.detail)
            #expect(
                try await caller.call(.get, Self.path, as: .alice).expect(200, Mobility.self)
                    == Mobility())
            let one = try await caller.call(
                .patch, Self.path, ["maxSeconds": JSONValue.integer(3)], as: .alice)
            let named = try one.refused(422, "request.invalid", field: "maxSeconds").errors
            #expect(named?.map(\.field) == ["maxSeconds"], "also of one alone")
            let none = try await caller.call(
                .put, Self.path, raw: Data("{}".utf8), as: .alice)
            #expect(try Wire.decode(Problem.self, from: none.data).errors == nil)
        }
    }

    @Test(arguments: [
        "maxWalkMeters", "maxSeconds", "maxMeters", "radiusMeters",
    ])
    func limitsHaveLimits(_ field: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var body: [String: JSONValue] = try JSONValue(of: Mobility()).decoded()
            body[field] = .integer(1_000_000)
            let answer = try await caller.call(.put, Self.path, body, as: .alice)
            try answer.refused(422, "request.invalid", field: field)
        }
    }
}
