import Contracts
import Foundation
import Geo
import HTTPTypes
import Support
import Testing

@testable import Location

/// What the routes take, and what they refuse.
@Suite struct RouteTests {
    private static let place = #"{"latitude":22.25,"longitude":114.15}"#

    @Test func aPositionIsTaken() async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let answer = try await caller.call(
                .put, "/v1/me/location",
                #"""
                {"latitude":22.25,"longitude":114.15,"accuracyMeters":8,"headingDegrees":90,
                 "speedMetersPerSecond":3.5,"recordedAt":"2026-01-05T07:59:58Z","unknown":1}
                """#, as: .alice)
            #expect(answer.status == 204)
            let again = try await caller.call(.put, "/v1/me/location", Self.place, as: .alice)
            #expect(again.status == 204)
        }
        let seen = try await bench.store.lastSeen([TestPerson.alice.id])
        #expect(seen[TestPerson.alice.id]?.at == bench.clock.now.milliseconds)
    }

    @Test(arguments: [
        (#""latitude":90.1,"longitude":0"#, "latitude"),
        (#""latitude":-1e300,"longitude":0"#, "latitude"),
        (#""latitude":0,"longitude":180.1"#, "longitude"),
        (#""latitude":0,"longitude":0,"accuracyMeters":-1"#, "accuracyMeters"),
        (#""latitude":0,"longitude":0,"accuracyMeters":1e9"#, "accuracyMeters"),
        (#""latitude":0,"longitude":0,"headingDegrees":361"#, "headingDegrees"),
        (#""latitude":0,"longitude":0,"speedMetersPerSecond":1000"#, "speedMetersPerSecond"),
    ])
    func whatCantBeAPositionIsRefused(_ fields: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let one = try await caller.call(.put, "/v1/me/location", "{\(fields)}", as: .alice)
            #expect(one.status == 422)
            #expect(one.problem?.code == "location.invalid")
            #expect(one.problem?.field == field)
            let several = try await caller.call(
                .post, "/v1/me/locations", #"{"points":[{\#(fields)},{\#(fields)}]}"#, as: .alice)
            #expect(several.status == 422)
            #expect(several.problem?.code == "location.invalid")
            #expect(several.problem?.field == "points[0].\(field)")
        }
        #expect(try await bench.store.lastSeen([TestPerson.alice.id]).isEmpty)
    }

    @Test(arguments: [
        (#"{"latitude":90.1,"longitude":0}"#, "points[1].latitude"),
        (#"{"latitude":1,"longitude":1,"accuracyMeters":-1}"#, "points[1].accuracyMeters"),
        (
            #"{"latitude":1,"longitude":1,"speedMetersPerSecond":1000}"#,
            "points[1].speedMetersPerSecond"
        ),
        (#"{"latitude":1}"#, "points[1].longitude"),
        (#"{"latitude":null,"longitude":1}"#, "points[1].latitude"),
        (#"{"latitude":1,"longitude":1,"recordedAt":"yesterday"}"#, "points[1].recordedAt"),
        ("null", "points[1]"), ("[1,1]", "points[1]"),
    ])
    func onePointThatCantBeOneDoesNotSpoilTheOthers(_ point: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let first =
                #"{"latitude":22.25,"longitude":114.15,"recordedAt":"2026-01-05T07:59:58Z"}"#
            let answer = try await caller.call(
                .post, "/v1/me/locations", #"{"points":[\#(first),\#(point),\#(Self.place)]}"#,
                as: .alice)
            #expect(answer.status == 202)
            let counts = try answer.decoded(PositionsAnswer.self)
            #expect(counts.accepted == 2)
            #expect(counts.ignored == 1)
            #expect(counts.refused.map(\.field) == [field])
        }
        let seen = try await bench.store.lastSeen([TestPerson.alice.id])
        #expect(seen[TestPerson.alice.id]?.at == bench.clock.now.milliseconds)
    }

    @Test(arguments: [
        #"{"points":[{"latitude":1}]}"#, #"{"points":[null]}"#, #"{"points":{}}"#,
        #"{"points":null}"#, #"{}"#,
    ])
    func aBatchWithoutAPointThatCanBeReadIsRefused(_ body: String) async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let answer = try await caller.call(.post, "/v1/me/locations", body, as: .alice)
            #expect(answer.status == 400)
            #expect(answer.problem?.code == "request.malformed")
        }
    }

    /// Core Location gives -1 for a course and a speed that it doesn't know.
    @Test(arguments: [
        #""headingDegrees":-1,"speedMetersPerSecond":-1"#, #""headingDegrees":-1"#,
        #""speedMetersPerSecond":-1.0"#, #""headingDegrees":-0.5,"speedMetersPerSecond":0"#,
    ])
    func aNegativeHeadingOrSpeedIsUnknown(_ fields: String) async throws {
        let bench = try await Bench()
        let point = #"{"latitude":22.25,"longitude":114.15,\#(fields),"recordedAt":"#
        try await bench.http { caller in
            let one = try await caller.call(
                .put, "/v1/me/location", #"\#(point)"2026-01-05T07:59:57Z"}"#, as: .alice)
            #expect(one.status == 204)
            let points = #"\#(point)"2026-01-05T07:59:58Z"},\#(Self.place)"#
            let answer = try await caller.call(
                .post, "/v1/me/locations", #"{"points":[\#(points)]}"#, as: .alice)
            #expect(try answer.decoded() == PositionsAnswer(accepted: 2, ignored: 0))
        }
        let track = try await bench.useCases.held(on: TestPerson.alice.id).track
        #expect(track.count == 3)
        #expect(track.allSatisfy { ($0.speedMetersPerSecond ?? 0) == 0 })
        #expect(track.allSatisfy { $0.headingDegrees == nil })
    }

    @Test func aBatchOfAClockThatIsAheadKeepsItsIntervals() async throws {
        let bench = try await Bench()
        let ahead = [25.0, 35, 45].map { bench.clock.now.addingTimeInterval($0) }
        let body = PositionsBody(
            points: ahead.map {
                PositionBody(latitude: 22.25, longitude: 114.15, recordedAt: $0)
            })
        let text = String(decoding: try Wire.encode(body), as: UTF8.self)
        try await bench.http { caller in
            let answer = try await caller.call(.post, "/v1/me/locations", text, as: .victor)
            #expect(try answer.decoded() == PositionsAnswer(accepted: 3, ignored: 0))
        }
        let now = bench.clock.now.milliseconds
        let kept = try await bench.track(.victor, in: Region(area: Bench.island))
        #expect(kept.map(\.at) == [now - 20_000, now - 10_000, now])
    }

    @Test func onePointWithAnImpossibleTimeDoesNotMoveTheOthers() async throws {
        let bench = try await Bench()
        let now = bench.clock.now
        let body = PositionsBody(
            points: [-10.0, 400 * 86_400, 0].map {
                PositionBody(
                    latitude: 22.25, longitude: 114.15, recordedAt: now.addingTimeInterval($0))
            })
        let text = String(decoding: try Wire.encode(body), as: UTF8.self)
        try await bench.http { caller in
            let answer = try await caller.call(.post, "/v1/me/locations", text, as: .victor)
            #expect(try answer.decoded() == PositionsAnswer(accepted: 2, ignored: 1))
        }
        let kept = try await bench.track(.victor, in: Region(area: Bench.island))
        #expect(kept.map(\.mark) == ["", "", "future"])
        #expect(kept.prefix(2).map(\.at) == [now.milliseconds - 10_000, now.milliseconds])
    }

    @Test(arguments: [
        #"{"latitude":"NaN","longitude":0}"#, #"{"latitude":NaN,"longitude":0}"#,
        #"{"latitude":1e999,"longitude":0}"#, #"{"latitude":1}"#, "", "[]", "null",
        #"{"latitude":1,"longitude":1,"recordedAt":"yesterday"}"#,
        #"{"latitude":1,"longitude":1,"recordedAt":12}"#,
    ])
    func aBodyThatCantBeReadIsRefused(_ body: String) async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let answer = try await caller.call(.put, "/v1/me/location", body, as: .alice)
            #expect(answer.status == 400)
            #expect(answer.problem?.code == "request.malformed")
        }
    }

    @Test func aBatchInAnyOrderIsCounted() async throws {
        let bench = try await Bench()
        let points = [3, 1, 2, 2, 200_000].map { ago in
            PositionBody(
                latitude: 22.25, longitude: 114.15,
                recordedAt: bench.clock.now.addingTimeInterval(-Double(ago)))
        }
        let body = String(decoding: try Wire.encode(PositionsBody(points: points)), as: UTF8.self)
        try await bench.http { caller in
            let answer = try await caller.call(.post, "/v1/me/locations", body, as: .victor)
            #expect(answer.status == 202)
            #expect(try answer.decoded() == PositionsAnswer(accepted: 3, ignored: 2))
            let empty = try await caller.call(
                .post, "/v1/me/locations", #"{"points":[]}"#, as: .victor)
            #expect(try empty.decoded() == PositionsAnswer(accepted: 0, ignored: 0))
        }
    }

    @Test func moreThanTwoHundredPointsAreRefused() async throws {
        let bench = try await Bench()
        let list = Array(repeating: Self.place, count: 201).joined(separator: ",")
        try await bench.http { caller in
            let answer = try await caller.call(
                .post, "/v1/me/locations", #"{"points":[\#(list)]}"#, as: .alice)
            #expect(answer.status == 422)
            #expect(answer.problem?.code == "location.invalid")
            #expect(answer.problem?.field == "points")
        }
    }

    @Test func availabilityIsSetByValetsOnly() async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let path = "/v1/me/availability"
            let available = #"{"status":"available"}"#
            let on = try await caller.call(.put, path, available, as: .victor)
            #expect(on.status == 200)
            #expect(try on.decoded(AvailabilityBody.self).status == .available)
            let off = try await caller.call(.put, path, #"{"status":"offline"}"#, as: .victor)
            #expect(try off.decoded(AvailabilityBody.self).status == .offline)
            for person in [TestPerson.alice, .olivia] {
                let refused = try await caller.call(.put, path, available, as: person)
                #expect(refused.status == 403)
                #expect(refused.problem?.code == "auth.role")
            }
            let busy = try await caller.call(.put, path, #"{"status":"busy"}"#, as: .victor)
            #expect(busy.status == 422)
            #expect(busy.problem?.code == "location.invalid")
            #expect(busy.problem?.field == "status")
            let unknown = try await caller.call(.put, path, #"{"status":"asleep"}"#, as: .victor)
            #expect(unknown.status == 400)
            #expect(unknown.problem?.field == "status")
        }
    }

    @Test func goingOfflineDuringAJobIsRefused() async throws {
        let bench = try await Bench()
        try await bench.receive(ValetAssigned.test(.victor))
        try await bench.http { caller in
            let path = "/v1/me/availability"
            let off = try await caller.call(.put, path, #"{"status":"offline"}"#, as: .victor)
            #expect(off.status == 409)
            #expect(off.problem?.code == "location.on_job")
            let on = try await caller.call(.put, path, #"{"status":"available"}"#, as: .victor)
            #expect(on.status == 200)
            #expect(try on.decoded(AvailabilityBody.self).status == .busy)
        }
    }

    @Test func aSuspendedValetStaysOffShift() async throws {
        let bench = try await Bench()
        let account = TestPerson.victor.account(createdAt: bench.clock.now)
        try await bench.receive(AccountChanged(account: account, suspended: true, version: 1))
        try await bench.http { caller in
            let answer = try await caller.call(
                .put, "/v1/me/availability", #"{"status":"available"}"#, as: .victor)
            #expect(answer.status == 403)
            #expect(answer.problem?.code == "location.suspended")
        }
    }

    @Test func nearbyAnswersWithoutIdentity() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        try await bench.http { caller in
            let answer = try await caller.call(
                .get, "/v1/valets/nearby?latitude=22.25&longitude=114.15", as: .alice)
            #expect(answer.status == 200)
            #expect(
                String(decoding: answer.data, as: UTF8.self)
                    == #"{"items":[{"etaSeconds":0,"latitude":22.25,"longitude":114.15}],"#
                    + #""next":null}"#)
        }
    }

    @Test(arguments: [
        ("longitude=114", "latitude"), ("latitude=22&longitude=x", "longitude"),
        ("latitude=91&longitude=0", "latitude"), ("latitude=nan&longitude=0", "latitude"),
        ("latitude=1&longitude=1&radiusMeters=0", "radiusMeters"),
        ("latitude=1&longitude=1&radiusMeters=6001", "radiusMeters"),
        ("latitude=1&longitude=1&radiusMeters=inf", "radiusMeters"),
        ("latitude=1&longitude=1&radiusMeters=", "radiusMeters"),
    ])
    func nearbyRefusesWhatIsNoPlace(_ query: String, _ field: String) async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            let answer = try await caller.call(.get, "/v1/valets/nearby?\(query)", as: .alice)
            #expect(answer.status == 422)
            #expect(answer.problem?.field == field)
        }
    }

    private static let publicRoutes: [(HTTPRequest.Method, String)] = [
        (.put, "/v1/me/location"), (.post, "/v1/me/locations"), (.put, "/v1/me/availability"),
        (.get, "/v1/valets/nearby?latitude=1&longitude=1"),
        (.get, "/v1/orders/\(OrderSnapshot.testID)/track"),
    ]

    private static let internalRoutes: [(HTTPRequest.Method, String)] = [
        (.post, "/internal/positions"), (.post, "/internal/candidates"),
        (.post, "/internal/whereabouts"),
    ]

    @Test func nothingIsAnsweredWithoutAToken() async throws {
        let bench = try await Bench()
        try await bench.http { caller in
            for (method, path) in Self.publicRoutes + Self.internalRoutes {
                let answer = try await caller.call(method, path, "{}", as: nil)
                #expect(answer.status == 401, "\(path)")
            }
            for (method, path) in Self.internalRoutes {
                let answer = try await caller.call(method, path, "{}", as: .olivia)
                #expect(answer.status == 401, "\(path)")
            }
        }
    }

    @Test func theGatewaysBatchIsAnsweredEntryByEntry() async throws {
        let bench = try await Bench()
        var wrong = bench.entry(.bob, Bench.inIsland)
        wrong.point.headingDegrees = 400
        let first = bench.entry(.victor, Bench.inIsland)
        let batch = PositionBatch(entries: [
            first, wrong, first, bench.entry(.alice, Bench.inKowloon),
        ])
        let body = String(decoding: try Wire.encode(batch), as: UTF8.self)
        try await bench.http { caller in
            let answer = try await caller.internally(.post, "/internal/positions", body)
            #expect(answer.status == 200)
            let outcomes = try answer.decoded(PositionBatchAnswer.self).outcomes
            #expect(outcomes.map(\.accepted) == [true, false, false, true])
            #expect(outcomes.map(\.invalidField) == [nil, "headingDegrees", nil, nil])
        }
    }

    @Test func batchesAndQuestionsHaveLimits() async throws {
        let bench = try await Bench()
        let entries = (0...PositionBatch.most).map { _ in bench.entry(.victor, Bench.inIsland) }
        let batch = String(
            decoding: try Wire.encode(PositionBatch(entries: entries)), as: UTF8.self)
        func query(_ latitude: Double, _ radius: Double, _ limit: Int, count: Int = 1) throws
            -> String
        {
            let point = CandidateQuery.Point(
                engagement: .new(), at: Coordinate(latitude: latitude, longitude: 0),
                radiusMeters: radius)
            let query = CandidateQuery(
                area: Bench.island, points: Array(repeating: point, count: count), limit: limit)
            return String(decoding: try Wire.encode(query), as: UTF8.self)
        }
        let questions = [
            (try query(91, 100, 1), "points[0].at.latitude"),
            (try query(1, 20_001, 1), "points[0].radiusMeters"), (try query(1, 100, 0), "limit"),
            (try query(1, 100, 101), "limit"), (try query(1, 100, 1, count: 201), "points"),
        ]
        try await bench.http { caller in
            let refused = try await caller.internally(.post, "/internal/positions", batch)
            #expect(refused.status == 422)
            #expect(refused.problem?.field == "entries")
            for (body, field) in questions {
                let answer = try await caller.internally(.post, "/internal/candidates", body)
                #expect(answer.status == 422)
                #expect(answer.problem?.field == field)
            }
            let many = WhereaboutsQuery(valets: (0...WhereaboutsQuery.most).map { _ in .new() })
            let body = String(decoding: try Wire.encode(many), as: UTF8.self)
            let crowd = try await caller.internally(.post, "/internal/whereabouts", body)
            #expect(crowd.status == 422)
            #expect(crowd.problem?.field == "valets")
        }
    }

    @Test func matchingAndTheGatewayAreAnswered() async throws {
        let bench = try await Bench()
        try await bench.makeAvailable(.victor, at: Bench.inIsland)
        let engagement = EngagementID.new()
        let query = CandidateQuery(
            area: Bench.island,
            points: [.init(engagement: engagement, at: Bench.inIsland, radiusMeters: 800)],
            limit: 10)
        let body = String(decoding: try Wire.encode(query), as: UTF8.self)
        try await bench.http { caller in
            let found = try await caller.internally(.post, "/internal/candidates", body)
                .decoded(CandidateAnswer.self).found
            #expect(found.first?.engagement == engagement)
            #expect(found.first?.candidates.map(\.valet) == [TestPerson.victor.valet])
            let valet = TestPerson.victor.valet
            let valets = try await caller.internally(
                .post, "/internal/whereabouts", #"{"valets":["\#(valet)"]}"#
            ).decoded(WhereaboutsAnswer.self)
            #expect(valets.items.map(\.valet) == [TestPerson.victor.valet])
            #expect(valets.items.first?.status.known == .available)
            #expect(valets.items.first?.position?.ageSeconds == 0)
        }
    }

    @Test func withoutRedisEveryRouteSaysWhenToComeBack() async throws {
        let bench = try await Bench(redis: .start())
        let batch = PositionBatch(entries: [bench.entry(.victor, Bench.inIsland)])
        let bodies: [String: String] = [
            "/v1/me/location": Self.place, "/v1/me/locations": #"{"points":[\#(Self.place)]}"#,
            "/v1/me/availability": #"{"status":"available"}"#,
            "/internal/positions": String(decoding: try Wire.encode(batch), as: UTF8.self),
            "/internal/candidates": #"{"area":"hk-island","points":[],"limit":1}"#,
            "/internal/whereabouts": #"{"valets":["\#(TestPerson.victor.id)"]}"#,
        ]
        await bench.redis.stop()
        try await bench.http { caller in
            for (method, path) in Self.publicRoutes {
                let near = path.replacing(
                    "latitude=1&longitude=1", with: "latitude=22.25&longitude=114.15")
                let answer = try await caller.call(method, near, bodies[path], as: .victor)
                #expect(answer.status == 503, "\(path)")
                #expect(answer.headers[.retryAfter] != nil)
            }
            for (method, path) in Self.internalRoutes {
                let answer = try await caller.internally(method, path, bodies[path])
                #expect(answer.status == 503, "\(path)")
            }
        }
    }

    @Test func beforeTheAreasAreReadNoPositionIsTaken() async throws {
        let bench = try await Bench(withAreas: false)
        try await bench.http { caller in
            let answer = try await caller.call(.put, "/v1/me/location", Self.place, as: .alice)
            #expect(answer.status == 503)
        }
        try await bench.location.areas.refresh()
        #expect(try await bench.record(.alice, at: Bench.inIsland) == .used)
    }
}
