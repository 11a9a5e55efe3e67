import Answers
import Contracts
import EventBus
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Areas

struct AreaTests {
    static let square = AreaGeometry.polygon([
        [[103.80, 1.28], [103.86, 1.28], [103.86, 1.32], [103.80, 1.32], [103.80, 1.28]]
    ])
    static let inside = Place(latitude: 1.30, longitude: 103.83)

    static func feature(
        _ geometry: AreaGeometry = square, at point: Place = inside, currency: String = "SGD"
    ) throws -> ServiceAreaFeature {
        let id = try #require(ServiceAreaID("orchard"))
        var feature = ServiceAreaFeature(
            id: id,
            properties: .init(
                id: id, name: " Orchard ", servicePoint: point, currency: currency),
            geometry: geometry)
        feature.id = nil
        feature.properties.id = nil
        return feature
    }

    static let path = "/v1/admin/service-areas/orchard"

    @Test func theFirstStartSeedsAreasAndTellsOfThem() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let answer = try await caller.call(.get, "/v1/service-areas")
                .expect(200, ServiceAreaCollection.self)
            #expect(answer.type == "FeatureCollection")
            let ids = answer.features.compactMap(\.id?.description)
            #expect(ids == ["helsinki", "hk-island", "kowloon", "valletta"])
            #expect(answer.features.map(\.properties.id) == answer.features.map(\.id))
            let tariffs = answer.features.map(\.properties.tariff)
            #expect(tariffs[1] == Tariff.usual && tariffs[2] == Tariff.usual)
            // Its own: what is a good price in one currency is none in another.
            #expect(tariffs[0]?.currency == "EUR" && tariffs[3]?.currency == "EUR")
            #expect(tariffs[0]?.version == 1)
            let events = try await bench.published(ServiceAreaChanged.self)
            #expect(events.map(\.area.description) == ids)
            #expect(events.map(\.version) == [1, 1, 1, 1])
            #expect(events.map(\.feature) == answer.features)
        }
    }

    @Test func whoHasNotHeardOfAnAreaIsToldOfThoseAroundAPoint() async throws {
        let bench = try await Bench()
        let told = try await bench.published(ServiceAreaChanged.self)
        let token = try await bench.environment.serviceTokens.token(for: "areas")
        try await bench.run { caller in
            func around(_ point: Place, _ bearer: String?) async throws -> Answer {
                let query = "latitude=\(point.latitude)&longitude=\(point.longitude)"
                return try await caller.call(
                    .get, "/internal/service-areas?\(query)",
                    headers: bearer.map { [.authorization: "Bearer \($0)"] } ?? [:])
            }
            for event in told {
                let point = event.feature.properties.servicePoint
                let answer = try await around(point, token).expect(200, [ServiceAreaChanged].self)
                #expect(answer == [event])
            }
            #expect(try await around(Self.inside, token).text == "[]")
            try await around(Self.inside, nil).refused(401, "auth.token_missing")
        }
    }

    @Test func theNextStartSeedsNothing() async throws {
        let folder = try TestFolder("areas")
        let first = try await Bench(folder: folder.path)
        try await first.database.close()
        let second = try await Bench(folder: folder.path)
        #expect(try await second.published(ServiceAreaChanged.self).count == 4)
        try await second.database.close()
    }

    @Test(
        .withoutDatabase,
        arguments: [("EUR", 8_000, 48_000), ("JPY", 80, 480), ("KWD", 80_000, 480_000)])
    func theUsualTariffIsInWholeUnitsOfItsCurrency(_ currency: String, _ base: Int, _ cap: Int) {
        let tariff = Tariff.standard(currency: currency)
        #expect((tariff.baseFee, tariff.dailyCap) == (base, cap))
    }

    @Test func anOperatorMakesAnAreaAndEditsIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let made = try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
            let area = try made.expect(201, ServiceAreaFeature.self)
            #expect(made.headers[.eTag] == "\"1\"")
            #expect(area.id?.description == "orchard")
            #expect(area.properties.name == "Orchard")
            #expect(area.properties.tariff == Tariff.standard(currency: "SGD"))

            var edited = try Self.feature(at: Place(latitude: 1.31, longitude: 103.81))
            edited.properties.name = "Orchard Road"
            edited.properties.tariff = .free
            let answer = try await caller.call(.put, Self.path, edited, as: .olivia)
            let after = try answer.expect(200, ServiceAreaFeature.self)
            #expect(answer.headers[.eTag] == "\"2\"")
            #expect(after.properties.name == "Orchard Road")
            #expect(after.properties.tariff == Tariff.standard(currency: "SGD"))
            let events = try await bench.published(ServiceAreaChanged.self)
                .filter { $0.area.description == "orchard" }
            #expect(events.map(\.version) == [1, 2])
        }
    }

    @Test func aNewAreaMayBringItsTariff() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var feature = try Self.feature(currency: "HKD")
            feature.properties.tariff = .free
            let area = try await caller.call(.put, Self.path, feature, as: .olivia)
                .expect(201, ServiceAreaFeature.self)
            #expect(area.properties.tariff == Tariff.free)
        }
    }

    @Test func aTariffGetsTheNextVersionAndBringsItsCurrency() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var tariff = Tariff.usual
            tariff.version = 77
            tariff.baseFee = 9_000
            tariff.currency = "CNY"
            let path = "/v1/admin/service-areas/kowloon/tariff"
            let answer = try await caller.call(.put, path, tariff, as: .olivia)
            let area = try answer.expect(200, ServiceAreaFeature.self)
            #expect(area.properties.tariff?.version == 2)
            #expect(area.properties.tariff?.baseFee == 9_000)
            #expect(area.properties.currency == "CNY")
            #expect(answer.headers[.eTag] == "\"2\"")
            let event = try #require(try await bench.published(ServiceAreaChanged.self).last)
            #expect(event.version == 2)
            #expect(event.feature == area)
            let rows = try await bench.database.read {
                try $0.rows("SELECT version FROM tariffs WHERE area = ?", "kowloon").count
            }
            #expect(rows == 2)
        }
    }

    @Test func anAreaSaysHowJobsAreGiven() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            var feature = try Self.feature()
            for seconds in [4, 301] {
                feature.properties.dispatch = Dispatch(mode: .offer, offerSeconds: seconds)
                try await caller.call(.put, Self.path, feature, as: .olivia)
                    .refused(422, "request.invalid", field: "properties.dispatch.offerSeconds")
            }
            feature.properties.dispatch = Dispatch(mode: .offer, offerSeconds: 5)
            feature.properties.dispatch?.mode = .unknown("auction")
            try await caller.call(.put, Self.path, feature, as: .olivia)
                .refused(422, "request.invalid", field: "properties.dispatch.mode")
            feature.properties.dispatch?.mode = .known(.offer)
            let saved = try await caller.call(.put, Self.path, feature, as: .olivia)
                .expect(201, ServiceAreaFeature.self)
            #expect(saved.properties.dispatch == Dispatch(mode: .offer, offerSeconds: 5))
            // A new tariff leaves it as it is.
            let priced = try await caller.call(
                .put, "\(Self.path)/tariff", Tariff.usual, as: .olivia
            ).expect(200, ServiceAreaFeature.self)
            #expect(priced.properties.dispatch?.mode.known == .offer)
        }
    }

    @Test func whoIsGoneEditsNothing() async throws {
        let bench = try await Bench()
        let deleted = AccountDeleted(
            account: TestPerson.olivia.id, role: .operator, version: 2, deletedAt: bench.clock.now)
        let delivery = Delivery.of(deleted, at: bench.clock.now)
        try await areaReactions(bench.database).receive(deleted, delivery)
        try await bench.run { caller in
            try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
                .refused(401, "auth.token_invalid")
            try await caller.call(.get, Self.path, as: .olivia).refused(404, "service_area.unknown")
        }
    }

    @Test func aChangeIsAsItsFixture() async throws {
        let bench = try await Bench()
        let events = try await bench.published(ServiceAreaChanged.self)
        let event = try #require(events.first { $0.area.description == "kowloon" })
        #expect(try EventFixtures.read(ServiceAreaChanged.self) == event)
        try EventFixtures.expect(event)
    }

    @Test func whoEditedIsRecorded() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
            _ = try await caller.call(
                .put, "\(Self.path)/tariff", Tariff.usual, as: .olivia)
            // A refused change is none.
            _ = try await caller.call(
                .put, Self.path, Self.feature(), as: .olivia, headers: [.ifMatch: "\"9\""])
            let acts = try await bench.published(OperatorActed.self)
            #expect(acts.map(\.action) == ["orders.save-service-area", "orders.set-tariff"])
            #expect(acts.map(\.subject) == ["orchard", "orchard"])
            #expect(acts.map(\.by) == Array(repeating: TestPerson.olivia.operatorID, count: 2))
        }
    }

    @Test func anEditOfWhatSomebodyChangedMeanwhileIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for tag in ["\"1\"", "*"] {
                try await caller.call(
                    .put, Self.path, Self.feature(), as: .olivia, headers: [.ifMatch: tag]
                ).refused(412, "request.precondition_failed")
            }
            _ = try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
            let matching = try await caller.call(
                .put, Self.path, Self.feature(), as: .olivia, headers: [.ifMatch: "\"1\""])
            #expect(matching.status == 200)
            try await caller.call(
                .put, "\(Self.path)/tariff", Tariff.usual, as: .olivia,
                headers: [.ifMatch: "\"1\""]
            ).refused(412, "request.precondition_failed")
        }
    }

    @Test func whoWantsToEditReadsTheAreaWithItsVersion() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let made = try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
                .expect(201, ServiceAreaFeature.self)
            let before = try await caller.call(.get, Self.path, as: .olivia)
            let read = try before.expect(200, ServiceAreaFeature.self)
            #expect(read == made)
            #expect(before.headers[.eTag] == "\"1\"")
            _ = try await caller.call(.put, "\(Self.path)/tariff", Tariff.usual, as: .olivia)
            let after = try await caller.call(.get, Self.path, as: .olivia)
            #expect(after.headers[.eTag] == "\"2\"")
            try await caller.call(.get, "/v1/admin/service-areas/nowhere", as: .olivia)
                .refused(404, "service_area.unknown")
        }
    }

    @Test func onlyOperatorsEdit() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, Self.path, as: person).refused(403, "auth.role")
                try await caller.call(.put, Self.path, Self.feature(), as: person)
                    .refused(403, "auth.role")
                try await caller.call(.put, "\(Self.path)/tariff", Tariff.usual, as: person)
                    .refused(403, "auth.role")
            }
            try await caller.call(.put, Self.path, Self.feature())
                .refused(401, "auth.token_missing")
            try await caller.call(.put, "\(Self.path)/tariff", Tariff.usual, as: .olivia)
                .refused(404, "service_area.unknown")
            try await caller.call(
                .put, "/v1/admin/service-areas/Orchard%20Road", Self.feature(), as: .olivia
            ).refused(422, "request.invalid", field: "id")
        }
    }

    @Test func theCurrencyChangesOnlyWithTheTariff() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            _ = try await caller.call(.put, Self.path, Self.feature(), as: .olivia)
            try await caller.call(
                .put, Self.path, Self.feature(currency: "HKD"), as: .olivia
            ).refused(422, "service_area.currency", field: "properties.currency")
        }
    }

    static func ring(points: Int) -> [[Double]] {
        let circle = (0..<(points - 1)).map { number in
            let angle = Double(number) / Double(points - 1) * 2 * Double.pi
            return [103.83 + 0.01 * cos(angle), 1.30 + 0.01 * sin(angle)]
        }
        return circle + [circle[0]]
    }

    static let badGeometries: [AreaGeometry] = [
        .polygon([]),
        .polygon([[]]),
        .multiPolygon([]),
        .polygon([[[103.80, 1.28], [103.86, 1.28], [103.80, 1.28]]]),
        .polygon([[[103.80, 1.28], [103.86, 1.28], [103.86, 1.32], [103.80, 1.32]]]),
        .polygon([[[103.80, 1.28], [103.86, 1.28], [103.86, 91], [103.80, 1.28]]]),
        .polygon([[[103.80, 1.28], [181, 1.28], [103.86, 1.32], [103.80, 1.28]]]),
        .polygon([[[103.80, 1.28], [103.86], [103.86, 1.32], [103.80, 1.28]]]),
        .polygon([[[103.80, 1.28], [103.86, 1.28], [103.82, 1.28], [103.80, 1.28]]]),
        .polygon([ring(points: AreaRules.mostPoints + 1)]),
        .multiPolygon(
            Array(repeating: [ring(points: 4)], count: AreaRules.mostPolygons + 1)),
    ]

    @Test func aBadGeometryIsRefused() async throws {
        for geometry in Self.badGeometries {
            #expect {
                _ = try AreaRules.checked(
                    Self.feature(geometry), id: #require(ServiceAreaID("orchard")))
            } throws: { Refusal.invalid ~= $0 }
        }
        let most = try Self.feature(.polygon([Self.ring(points: AreaRules.mostPoints)]))
        _ = try AreaRules.checked(most, id: #require(ServiceAreaID("orchard")))
        let bench = try await Bench()
        try await bench.run { caller in
            for geometry in Self.badGeometries.prefix(9) {
                try await caller.call(.put, Self.path, Self.feature(geometry), as: .olivia)
                    .refused(422, "request.invalid", field: "geometry.coordinates")
            }
            try await caller.call(
                .put, Self.path,
                raw: #"{"type":"Feature","properties":{},"geometry":{"type":"Point"}}"#,
                as: .olivia
            ).refused(400, "request.malformed", field: "properties.name")
        }
    }

    @Test func aBadPropertyIsRefusedWithItsField() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let changes: [(String, @Sendable (inout ServiceAreaFeature) -> Void)] = [
                ("type", { $0.type = "FeatureCollection" }),
                ("id", { $0.id = ServiceAreaID("kowloon") }),
                ("properties.id", { $0.properties.id = ServiceAreaID("kowloon") }),
                ("properties.name", { $0.properties.name = " " }),
                ("properties.name", { $0.properties.name = String(repeating: "x", count: 81) }),
                ("properties.currency", { $0.properties.currency = "sgd" }),
                ("properties.currency", { $0.properties.currency = "SGDD" }),
                (
                    "properties.servicePoint",
                    { $0.properties.servicePoint = Place(latitude: 22.2819, longitude: 114.1582) }
                ),
                (
                    "properties.servicePoint.latitude",
                    { $0.properties.servicePoint.latitude = 100 }
                ),
                ("properties.tariff.baseFee", { $0.properties.tariff = .free(baseFee: -1) }),
            ]
            for (field, change) in changes {
                var feature = try Self.feature()
                change(&feature)
                try await caller.call(.put, Self.path, feature, as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
            #expect(try await bench.published(ServiceAreaChanged.self).count == 4)
        }
    }

    @Test func aBadTariffIsRefusedWithItsField() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let most = Money.largestAmount
            let changes: [(String, @Sendable (inout Tariff) -> Void)] = [
                ("currency", { $0.currency = "HK$" }),
                ("baseFee", { $0.baseFee = -1 }),
                ("baseFee", { $0.baseFee = most + 1 }),
                ("baseFee", { $0.baseFee = 20 }),
                ("incrementPrice", { ($0.baseFee, $0.incrementPrice) = (0, 20) }),
                ("extras.wash", { $0.extras = ["wash": 20] }),
                ("cancellationFee", { $0.cancellationFee = 20 }),
                ("noShowFee", { $0.noShowFee = 20 }),
                ("freeMinutes", { $0.freeMinutes = -1 }),
                ("incrementPrice", { $0.incrementPrice = most + 1 }),
                (
                    "incrementPrice",
                    { ($0.currency, $0.baseFee, $0.incrementPrice) = ("KWD", 500, 5) }
                ),
                ("incrementMinutes", { $0.incrementMinutes = 0 }),
                ("dailyCap", { $0.dailyCap = -1 }),
                ("extras", { $0.extras = ["polish": 1] }),
                ("extras.wash", { $0.extras = ["wash": -1] }),
                ("cancellationFee", { $0.cancellationFee = -1 }),
                ("cancellationGraceSeconds", { $0.cancellationGraceSeconds = 86_401 }),
                ("noShowFee", { $0.noShowFee = most + 1 }),
                ("waitingSeconds", { $0.waitingSeconds = -1 }),
            ]
            for (field, change) in changes {
                var tariff = Tariff.usual
                change(&tariff)
                try await caller.call(
                    .put, "/v1/admin/service-areas/kowloon/tariff", tariff, as: .olivia
                ).refused(422, "request.invalid", field: field)
            }
            #expect(try await bench.published(ServiceAreaChanged.self).count == 4)
        }
    }
}

extension Tariff {
    fileprivate static func free(baseFee: Int) -> Tariff {
        var tariff = Tariff.free
        tariff.baseFee = baseFee
        return tariff
    }
}
