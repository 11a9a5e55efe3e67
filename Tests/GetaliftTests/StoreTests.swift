import Client
import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Getalift

struct NumberTests {
    @Test func integersAreDenseStableAndOfEachKindTheirOwn() async throws {
        try await Bench.run { bench in
            let numbers = bench.parts.numbers
            let first = try await numbers.numbers(of: ["b", "a", "b"], as: .route)
            #expect(first == ["b": 1, "a": 2])
            #expect(try await numbers.numbers(of: ["c", "a"], as: .route) == ["c": 3, "a": 2])
            #expect(try await numbers.number(of: "c", as: .ride) == 1)
            #expect(try await numbers.id(of: 3, as: .route) == "c")
            #expect(try await numbers.id(of: 4, as: .route) == nil)
            #expect(try await numbers.id(of: 0, as: .route) == nil)
            #expect(try await numbers.known("z", as: .route) == nil)
            #expect(try await numbers.numbers(of: [], as: .route) == [:])
        }
    }

    @Test func manyAtOnceGetDifferentOnesWithoutGaps() async throws {
        try await Bench.run { bench in
            let numbers = bench.parts.numbers
            let given = try await withThrowingTaskGroup(of: [String: Int].self) { group in
                for task in 0..<10 {
                    group.addTask {
                        try await numbers.numbers(
                            of: (0..<10).map { String(($0 + task) % 20) }, as: .user)
                    }
                }
                return try await group.reduce(into: [String: Int]()) { all, some in
                    for (id, number) in some {
                        #expect(all[id] ?? number == number)
                        all[id] = number
                    }
                }
            }
            #expect(Set(given.values) == Set(1...given.count))
        }
    }

    @Test func pointsOfAnotherWayHaveOtherIntegers() async throws {
        try await Bench.run { bench in
            let (numbers, one, other) = (bench.parts.numbers, TripID.new(), TripID.new())
            var found: [Int] = []
            for (trip, way, size) in [
                (one, "a", 10), (other, "a", 5), (one, "a", 10), (one, "b", 2), (one, "a", 10),
            ] {
                found.append(try await numbers.firstPoint(of: trip, way: way, size: size))
            }
            #expect(found == [1, 11, 1, 16, 18])
        }
    }
}

struct NameTests {
    @Test func aNameIsOnesAlone() async throws {
        try await Bench.run { bench in
            let (names, ada) = (bench.parts.names, PersonID.new())
            #expect(try await names.reserve("Ada"))
            #expect(try await !names.reserve("aDA"))
            try await names.release("ADA")
            #expect(try await names.reserve("ada"))
            try await names.give("Ada", to: ada, .init(email: "ada@example.com", phone: ""))
            #expect(try await names.contact(of: "ADA")?.email == "ada@example.com")
            #expect(try await names.contact(of: "ADA")?.phone == nil)
            // Theirs is not released, nor is it free later.
            try await names.release("ada")
            bench.clock.advance(by: KnownNames.reservation + 1)
            #expect(try await !names.reserve("ada"))
            // In other letters it stays theirs, and is written so once it is given.
            #expect(try await names.isFree("ADA", for: ada, named: "Ada"))
            #expect(try await names.username(of: ada) == "Ada")
            try await names.give("ADA", to: ada, .init(email: "ada@example.com", phone: nil))
            #expect(try await names.username(of: ada) == "ADA")
            #expect(try await names.isFree("Ada L", for: ada, named: "ADA"))
            try await names.give("Ada L", to: ada, .init(email: "ada@example.com", phone: nil))
            #expect(try await names.username(of: ada) == "Ada L")
            #expect(try await names.contact(of: "ada") == nil)
        }
    }

    @Test func aSignUpThatNeverEndedHoldsItsNameForAWhile() async throws {
        try await Bench.run { (bench) async throws -> Void in
            #expect(try await bench.parts.names.reserve("bob"))
            bench.clock.advance(by: KnownNames.reservation + 1)
            #expect(try await bench.parts.names.reserve("bob"))
        }
    }

    @Test func anAddressOrANumberIsANameByItself() async throws {
        try await Bench.run { (bench) async throws -> Void in
            let names = bench.parts.names
            #expect(try await names.contact(of: "eve@example.com")?.email == "eve@example.com")
            #expect(try await names.contact(of: "+35679000000")?.phone == "+35679000000")
            #expect(try await names.contact(of: "eve") == nil)
        }
    }

    @Test(.withoutDatabase) func namesArePlainText() {
        #expect(KnownNames.checked("  dodo ") == "dodo")
        for wrong in [nil, "", "  ", "a\u{0}b", String(repeating: "x", count: 65)] {
            #expect(KnownNames.checked(wrong) == nil)
        }
    }
}

struct MemoryTests {
    @Test func whatIsOldIsForgotten() async throws {
        try await Bench.run { bench in
            let (parts, person, driver) = (bench.parts, PersonID.new(), PersonID.new())
            let point = Coordinate(latitude: 35.9, longitude: 14.5)
            try await parts.store.keep(
                [
                    GetaliftStore.Found(
                        trip: .new(), driver: driver, date: "2026-12-01",
                        pickUpAt: bench.clock.now, pickUp: point, dropOff: point)
                ], of: person)
            try await parts.store.answer(.new(), by: driver)
            _ = try await bench.session(of: person)
            for (days, found, answers, sessions) in [
                (1.0, 1, 1, 1), (30, 0, 1, 1), (60, 0, 1, 0), (400, 0, 0, 0),
            ] {
                bench.clock.advance(by: days * 86_400)
                try await parts.store.sweep()
                try await parts.sessions.sweep()
                let hasMet = try await parts.store.hasMet(driver, person)
                #expect(try await parts.store.found(by: person).count == found)
                #expect(hasMet == (found > 0))
                #expect(try await parts.store.answered(by: driver).count == answers)
                #expect(try await parts.held(on: person).sessions == sessions)
            }
        }
    }
}

struct SessionTests {
    /// An API that renews, and counts how often.
    private final class Renewals: Sendable {
        let keys = Mutex<[String]>([])

        func router() -> Router<BasicRequestContext> {
            let router = Router()
            router.post("/v1/sessions/refresh") { request, _ in
                let key = request.headers[.init("Idempotency-Key")!] ?? ""
                let number = self.keys.withLock { keys in
                    if !keys.contains(key) { keys.append(key) }
                    return keys.count
                }
                let tokens = Tokens(
                    accessToken: "access \(number)", refreshToken: "refresh \(number)",
                    expiresInSeconds: 900)
                return Response(
                    status: .created, headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: .init(bytes: try Wire.encode(tokens))))
            }
            return router
        }
    }

    private func access(_ bench: Bench, _ token: String, at url: URL) async throws -> String? {
        let (_, client) = try await bench.parts.sessions.rider(token) {
            OpenValetClient(url, tokens: $0)
        }
        return await client.session.tokens?.accessToken
    }

    @Test func whatEndsIsRenewedBehindTheTokenOnce() async throws {
        let renewals = Renewals()
        try await withServer(renewals.router()) { port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            try await Bench.run { bench in
                let token = try await bench.session()
                #expect(try await access(bench, token, at: url) == "access")
                bench.clock.advance(by: 900)
                // All at once ask under the same key: it is one renewal.
                let found = try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<8 { group.addTask { try await access(bench, token, at: url) } }
                    return try await group.reduce(into: [String?]()) { $0.append($1) }
                }
                #expect(Set(found) == ["access 1"])
                #expect(renewals.keys.withLock { $0.count } == 1)
                bench.clock.advance(by: 900)
                #expect(try await access(bench, token, at: url) == "access 2")
                // The client of a call has nothing to renew with.
                let (_, client) = try await bench.parts.sessions.rider(token) {
                    OpenValetClient(url, tokens: $0)
                }
                #expect(await client.session.tokens?.refreshToken == "")
            }
        }
    }

    @Test func aSessionThatHasEndedIsNone() async throws {
        let router = Router()
        router.post("/v1/sessions/refresh") { _, _ in
            var problem = Problem(title: "Over", status: 401, code: "account.session_ended")
            problem.detail = nil
            return Response(
                status: .unauthorized, headers: [.contentType: "application/problem+json"],
                body: .init(byteBuffer: .init(bytes: try Wire.encode(problem))))
        }
        try await withServer(router) { port in
            try await Bench.run(gateway: "http://127.0.0.1:\(port)") { bench in
                let token = try await bench.session(seconds: 0)
                let wrong = LegacyJSON.failure("Failed to auth token.")
                for _ in 0..<2 {
                    let answer = try await bench.call(.get, "/api/users", "", .token(token))
                    #expect(try answer.expect(200, JSONValue.self) == wrong)
                }
                let left = try await bench.parts.database.read {
                    try $0.rows("SELECT token FROM getalift_sessions").count
                }
                #expect(left == 0)
            }
        }
    }

    @Test func neitherTokensNorContactsStandInTheDatabase() async throws {
        try await Bench.run { bench in
            let token = try await bench.session()
            #expect(try await bench.parts.names.reserve("ada"))
            try await bench.parts.names.give(
                "ada", to: .new(), .init(email: "ada@example.com", phone: "+35679000000"))
            let rows = try await bench.parts.database.read { transaction in
                try transaction.rows("SELECT token, body FROM getalift_sessions").map {
                    try $0.get("token", as: String.self) + $0.get("body", as: String.self)
                }
                    + transaction.rows("SELECT contact FROM getalift_names").map {
                        try $0.get("contact", as: String.self)
                    }
            }
            for row in rows {
                for secret in [token, "access", "refresh", "ada@", "356790"] {
                    #expect(!row.contains(secret))
                }
            }
            #expect(rows.count == 2)
        }
    }

    @Test func whoIsDeletedIsForgotten() async throws {
        try await Bench.run { bench in
            let (parts, person, other) = (bench.parts, PersonID.new(), PersonID.new())
            let token = try await bench.session(of: person)
            #expect(try await parts.names.reserve("ada"))
            try await parts.names.give("ada", to: person, .init(email: "a@example.com", phone: nil))
            try await parts.names.see([TripPerson(id: person, firstName: "Ada", rating: nil)])
            let number = try await parts.numbers.number(of: person, as: .user)
            let trip = TripID.new()
            let point = Coordinate(latitude: 35.9, longitude: 14.5)
            try await parts.store.keep(
                [
                    GetaliftStore.Found(
                        trip: trip, driver: person, date: "2026-12-01", pickUpAt: bench.clock.now,
                        pickUp: point, dropOff: point)
                ], of: other)
            try await parts.store.keep(
                GetaliftStore.Given(ride: .new(), stars: 5, comment: "x", at: bench.clock.now),
                of: trip,
                by: person, to: other)
            let held = try await parts.held(on: person)
            #expect(held.username == "ada" && held.sessions == 1 && held.ratings.count == 1)

            let event = AccountDeleted(
                account: person, role: .customer, version: 2, deletedAt: bench.clock.now)
            try await getaliftReactions(parts.database).receive(
                event, .of(event, at: bench.clock.now))
            let after = try await parts.held(on: person)
            #expect(after.username == nil && after.sessions == 0 && after.ratings.isEmpty)
            #expect(try await parts.store.found(by: other).isEmpty)
            #expect(try await parts.numbers.person(number) == nil)
            #expect(try await parts.numbers.number(of: other, as: .user) == number + 1)
            #expect(try await parts.names.shown([person]).isEmpty)
            let answer = try await bench.call(.get, "/api/users", "", .token(token))
            let said = try answer.expect(200, JSONValue.self)
            #expect(said == LegacyJSON.failure("Failed to auth token."))
        }
    }
}
