import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import Store
import Support
import Synchronization
import Testing

@testable import ServiceKit

/// Owners that tell what they own, and services that fill their copies.
@Suite struct StateTests {
    private static func area(_ number: Int, version: Int = 1, name: String = "x") throws
        -> ServiceAreaChanged
    {
        let id = try #require(ServiceAreaID("area-\(1_000 + number)"))
        let ring = [[0.0, 0], [1, 0], [1, 1], [0, 0]]
        return ServiceAreaChanged(
            area: id,
            feature: ServiceAreaFeature(
                id: id,
                properties: .init(
                    id: id, name: name, servicePoint: Place(latitude: 0.5, longitude: 0.7),
                    currency: "EUR"), geometry: .polygon([ring])), version: version)
    }

    private static func source(
        _ events: [ServiceAreaChanged], in database: Database
    ) -> StateSource {
        StateSource(kind: .areas, database: database) { _, after, limit in
            events.filter { $0.area.description > after }.prefix(limit).map { .init($0.area, $0) }
        }
    }

    private func database() throws -> Database {
        try ServiceEnvironment.test("places").database([])
    }

    /// With a server of the service that owns the areas.
    private func withOwner(
        of events: [ServiceAreaChanged], _ body: (URL) async throws -> Void
    ) async throws {
        let environment = try ServiceEnvironment.test("areas")
        let router = environment.router()
        StateRoutes(
            sources: [Self.source(events, in: try environment.database([]))],
            copies: [], clock: environment.clock
        ).add(to: router)
        try await withServer(router) { port in
            try await body(try #require(URL(string: "http://127.0.0.1:\(port)")))
        }
    }

    // MARK: Telling

    @Test func everyPageTogetherIsEverything() async throws {
        let events = try (0..<250).map { try Self.area($0) }
        let source = Self.source(events, in: try database())
        var (told, after, pages) = ([ToldEvent](), String?.none, 0)
        repeat {
            let page = try await source.page(after: after)
            told += page.items
            (after, pages) = (page.next, pages + 1)
        } while after != nil
        let expected = try events.map { try ToldEvent($0) }
        #expect(told == expected)
        #expect(pages == 3)
    }

    @Test func aPageEndsBeforeItIsTooLarge() async throws {
        let name = String(repeating: "x", count: StateSource.largestPage * 2 / 5)
        let source = Self.source(
            try (0..<3).map { try Self.area($0, name: name) }, in: try database())
        let first = try await source.page(after: nil)
        #expect(first.items.count == 2)
        let second = try await source.page(after: first.next)
        #expect(second.items.count == 1)
        #expect(second.next == nil)
    }

    @Test func aReplayPublishesWhatEveryReaderUnderstandsAsThePresentState() async throws {
        let database = try database()
        let source = Self.source(try (0..<150).map { try Self.area($0) }, in: database)
        let shifts = StateSource(kind: .shifts, database: database, read: source.read)
        #expect(try await shifts.publish(at: Date()) == 0)
        #expect(try await source.publish(at: Date()) == 150)
        let published = try await outboxEvents(of: ServiceAreaChanged.self, in: database)
        let expected = try (0..<150).map { try Self.area($0) }
        #expect(published == expected)
    }

    // MARK: Comparing

    @Test func aDigestDependsOnIDsAndVersionsAndNotOnTheirOrder() throws {
        let marks = try (0..<3).flatMap { try Self.area($0, version: $0).marks }
        func digest(_ marks: [StateMark]) -> StateDigest {
            marks.reduce(into: StateDigest()) { $0.add($1) }
        }
        #expect(digest(marks) == digest(marks.reversed()))
        #expect(digest(marks) != digest(Array(marks.dropLast())))
        let other = try Self.area(2, version: 9).marks
        #expect(digest(marks) != digest(marks.dropLast() + other))
        var joined = digest(Array(marks.prefix(1)))
        joined.add(digest(Array(marks.suffix(2))).count(of: .areas))
        #expect(joined == digest(marks))
    }

    @Test func copiesInATableAreCountedAsTheirOwnerCountsThem() async throws {
        let copies = Replica<ServiceAreaFeature>("areas")
        let database = try ServiceEnvironment.test("places").database([copies.migration])
        let events = try (0..<1_200).map { try Self.area($0, version: $0 + 1) }
        try await database.write { transaction in
            for event in events {
                try copies.keep(
                    event.feature, of: event.area, version: event.version, at: Date(),
                    in: transaction)
            }
        }
        let owned = try await Self.source(events, in: database).counts()[.areas]?.count(of: .areas)
        let copied = try await copies.copies(of: .areas).count(in: database)
        #expect(copied == owned)
        #expect(copied.count == 1_200)
    }

    @Test func whatIsOverIsCountedAndNotTold() async throws {
        let bill = Bill(
            id: .new(), product: .parking, version: 4, payer: .new(), currency: "EUR",
            facts: .init(title: LocalizedText { _ in "Box" }, reference: "B-7"))
        let (database, marks) = (try database(), BillChanged(bill: bill).marks)
        let source = StateSource(kind: .bills, database: database) { _, _, _ in
            [.init(bill.id, nil, marks: marks)]
        }
        #expect(try await source.page(after: nil).items.isEmpty)
        #expect(try await source.publish(at: Date()) == 0)
        #expect(try await source.counts() == [.bills: StateDigest(marks)])
        #expect(StateDigest(marks).count(of: .bills).count == 1)
    }

    // MARK: Filling

    /// The events that a service has handled.
    private final class Handled: Sendable {
        private let events = Mutex<[ServiceAreaID: Int]>([:])
        var versions: [ServiceAreaID: Int] { events.withLock { $0 } }
        func add(_ event: ServiceAreaChanged) {
            events.withLock { $0[event.area] = event.version }
        }
    }

    private func filler(
        from owner: URL, in database: Database, _ handled: Handled, leads: Bool = true
    ) throws -> CopyFiller {
        let environment = try ServiceEnvironment.test("places")
        return CopyFiller(
            kinds: [.areas], owners: [ServiceAddress(service: "areas", url: owner)],
            peer: { environment.peer($0.url, audience: $0.service, within: patience) },
            reactions: Reactions {
                when(ServiceAreaChanged.self) { event, delivery in
                    try await database.apply(delivery) { _ in handled.add(event) }
                }
            }, marks: CopyMarksInSQL(database: database), leads: { leads },
            clock: environment.clock, logger: environment.logger)
    }

    private func running(
        _ filler: CopyFiller, _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await filler.run() }
            try await body()
            group.cancelAll()
        }
    }

    private func isWhole(_ filler: CopyFiller) -> Bool {
        (try? filler.status.requireWhole()) != nil
    }

    @Test func aServiceThatStartsWithNothingIsReadyOnceItsCopiesAreWhole() async throws {
        let events = try (0..<250).map { try Self.area($0, version: 7) }
        let (database, handled) = (try database(), Handled())
        try await withOwner(of: events) { url in
            let filler = try filler(from: url, in: database, handled)
            #expect(!isWhole(filler))
            try await running(filler) {
                let becomesWhole = try await eventually { isWhole(filler) }
                #expect(becomesWhole)
            }
        }
        #expect(handled.versions.count == 250)
        #expect(Set(handled.versions.values) == [7])
        #expect(try await CopyMarksInSQL(database: database).gaps(in: [.areas]).isEmpty)
    }

    /// The leader is of an earlier release, and has copied nothing.
    @Test func aProcessFillsIfTheOneThatLeadsDoesNot() async throws {
        let (database, handled) = (try database(), Handled())
        try await withOwner(of: [try Self.area(1)]) { url in
            var filler = try filler(from: url, in: database, handled, leads: false)
            filler.leaderTime = .milliseconds(10)
            let waiting = filler
            try await running(waiting) {
                let becomesWhole = try await eventually { isWhole(waiting) }
                #expect(becomesWhole)
            }
        }
        #expect(handled.versions.count == 1)
    }

    @Test func aServiceIsToldOnlyWhatItCopies() async throws {
        try await withOwner(of: [try Self.area(1)]) { url in
            func told(_ service: String) async throws -> [ToldEvent] {
                let peer = try ServiceEnvironment.test(service)
                    .peer(url, audience: "areas", within: patience)
                return try await peer(InternalEndpoints.state(asks: StateQuery(.areas))).items
            }
            let items = try await told("places")
            #expect(items.count == 1)
            await #expect(throws: Peer.Failure.self) { try await told("payments") }
        }
    }

    @Test func anOwnerThatIsAwayIsAskedUntilItAnswers() async throws {
        let (owner, database, handled) = (PretendServer(.failing(503)), try database(), Handled())
        try await owner.serve { url in
            let filler = try filler(from: url, in: database, handled)
            try await running(filler) {
                let isAsked = try await eventually { owner.asked.count > 3 }
                #expect(isAsked)
                #expect(!isWhole(filler))
                owner.set(try .having(Page(items: [ToldEvent(try Self.area(1))])))
                let becomesWhole = try await eventually { isWhole(filler) }
                #expect(becomesWhole)
            }
        }
        #expect(handled.versions.count == 1)
    }

    @Test func nobodyWaitsForAnOwnerOfAnEarlierRelease() async throws {
        let owner = PretendServer(.refusing(404, "request.not_found"))
        let (database, handled) = (try database(), Handled())
        try await owner.serve { url in
            let filler = try filler(from: url, in: database, handled)
            try await running(filler) {
                let becomesWhole = try await eventually { isWhole(filler) }
                #expect(becomesWhole)
            }
        }
        // The next start asks again.
        #expect(try await !CopyMarksInSQL(database: database).gaps(in: [.areas]).isEmpty)
    }

    @Test func noReplicaWaitsForAnOwnerOfAnEarlierReleaseUntilItIsUpgraded() async throws {
        let owner = PretendServer(.refusing(404, "request.not_found"))
        let (database, handled) = (try database(), Handled())
        try await owner.serve { url in
            let leader = try filler(from: url, in: database, handled)
            let other = try filler(from: url, in: database, handled, leads: false)
            try await running(other) {
                let hasLooked = try await eventually {
                    try await database.read { try $0.row("SELECT kind FROM state_copies") != nil }
                }
                #expect(hasLooked)
                #expect(!isWhole(other))
                try await running(leader) {
                    let becomeWhole = try await eventually { isWhole(leader) && isWhole(other) }
                    #expect(becomeWhole)
                }
            }
        }
        // An old copy of the database says nothing of the owner's release now.
        let week = Date().addingTimeInterval(-7 * 86_400 - 60)
        try await database.write { transaction in
            try transaction.execute("UPDATE state_copies SET untold_at = ?", week)
        }
        let gaps = try await CopyMarksInSQL(database: database).gaps(in: [.areas])
        #expect(gaps == [CopyGap(.areas, isUrgent: true)])
    }

    /// For example with another service secret: nothing is known of the owner's release.
    @Test func anOwnerThatRefusesTheCallerIsAskedAgain() async throws {
        let owner = PretendServer(.refusing(401, "auth.token_invalid"))
        let (database, handled) = (try database(), Handled())
        try await owner.serve { url in
            let filler = try filler(from: url, in: database, handled)
            try await running(filler) {
                let isAsked = try await eventually { owner.asked.count > 2 }
                #expect(isAsked)
                #expect(!isWhole(filler))
            }
        }
    }

    @Test func anOwnerTellsOnlyWhatItOwns() async throws {
        let foreign = ToldEvent(type: BillChanged.type, key: "x", body: "{}")
        let owner = PretendServer(
            try .having(Page(items: [foreign, ToldEvent(try Self.area(1))])))
        let (database, handled) = (try database(), Handled())
        try await owner.serve { url in
            let filler = try filler(from: url, in: database, handled)
            try await running(filler) {
                let becomesWhole = try await eventually { isWhole(filler) }
                #expect(becomesWhole)
            }
        }
        #expect(handled.versions.count == 1)
    }

    @Test func aFillingThatWasInterruptedBeginsAgain() async throws {
        let database = try database()
        let marks = CopyMarksInSQL(database: database)
        let gaps = try await marks.gaps(in: [.areas])
        #expect(gaps == [CopyGap(.areas, isUrgent: true)])
        try await marks.begin(gaps)
        // It has handled some events already.
        let event = try Self.area(1)
        try await database.apply(.of(event, at: Date())) { _ in }
        #expect(try await marks.gaps(in: [.areas]) == gaps)
        try await marks.finish([.areas])
        #expect(try await marks.gaps(in: [.areas]) == [])
        // A new reader in a service that runs: the rest of it works.
        #expect(try await marks.gaps(in: [.people]) == [CopyGap(.people, isUrgent: false)])
    }

    @Test func anEventBeforeAProcessLeadsDoesNotMakeTheCopiesWhole() async throws {
        let (owner, database, handled) = (PretendServer(.failing(503)), try database(), Handled())
        try await owner.serve { url in
            let filler = try filler(from: url, in: database, handled, leads: false)
            try await running(filler) {
                let hasBegun = try await eventually {
                    try await database.read { try $0.row("SELECT kind FROM state_copies") != nil }
                }
                #expect(hasBegun)
            }
        }
        try await database.apply(.of(try Self.area(1), at: Date())) { _ in }
        let gaps = try await CopyMarksInSQL(database: database).gaps(in: [.areas])
        #expect(gaps == [CopyGap(.areas, isUrgent: true)])
    }

    @Test func aProcessThatSawAGapDoesNotUndoTheFillingOfAnother() async throws {
        let marks = CopyMarksInSQL(database: try database())
        let gaps = try await marks.gaps(in: [.areas])
        try await marks.finish([.areas])
        try await marks.begin(gaps)
        #expect(try await marks.gaps(in: [.areas]).isEmpty)
    }

    @Test func aCopyThatHasHeardNothingForAWeekIsFilledAgain() async throws {
        let database = try database()
        let marks = CopyMarksInSQL(database: database)
        try await database.apply(.of(try Self.area(1), at: Date())) { _ in }
        try await marks.finish([.areas])
        let week = Date().addingTimeInterval(-7 * 86_400 - 60)
        try await database.write { transaction in
            try transaction.execute("UPDATE state_copies SET filled_at = ?", week)
        }
        #expect(try await marks.gaps(in: [.areas]).isEmpty, "it has heard something since")
        try await database.write { transaction in
            try transaction.execute("UPDATE inbox SET applied_at = ?", week)
        }
        #expect(try await marks.gaps(in: [.areas]) == [CopyGap(.areas, isUrgent: true)])
    }
}
