import Answers
import Contracts
import Foundation
import HTTPTypes
import NIOCore
import ServiceKit
import Support
import Synchronization
import Testing

@testable import CarParks

/// Car parks as other systems read them.
@Suite struct ExportTests {
    private static let paths = [
        "/v1/exports/car-parks", "/v1/exports/apds", "/v1/exports/parking-status",
    ]

    private func fields(_ value: JSONValue?) throws -> [String: JSONValue] {
        try #require(value).decoded()
    }

    private func read(_ path: String, _ bench: Bench) async throws -> [String: JSONValue] {
        try fields(try await bench.call(.get, path, as: nil).expect(200, JSONValue.self))
    }

    private func first(_ value: JSONValue?) throws -> [String: JSONValue] {
        let all: [JSONValue] = try #require(value).decoded()
        return try fields(all.first)
    }

    @Test(arguments: ["2.1", "about 2 m"])
    func geoJSONComesBackAsTheSameCarParks(height: String) async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark { $0.maxHeightText = height }
            let document = try await read(Self.paths[0], bench)
            let feature = try first(document["features"])
            #expect(feature["id"] == .text("\(carPark.id)"))
            let tags = try fields(feature["properties"])
            #expect(tags["name"] == "City Gate")
            #expect((tags["capacity"], tags["capacity:disabled"]) == ("52", "2"))
            #expect(tags["maxheight"] == .text(height))
            let again = try await bench.call(
                .post, "/v1/admin/car-parks/imports", JSONValue.object(document), as: .olivia
            ).expect(200, CarParkImportAnswer.self)
            #expect((again.added, again.changed, again.unchanged) == (0, 0, 1))
            #expect(again.refused.isEmpty)
            let seen = try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                .expect(200, CarPark.self)
            #expect(seen == carPark)
        }
    }

    @Test func placesHaveTheirRates() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let document = try await read(Self.paths[1], bench)
            let place = try first(document["places"])
            #expect(place["id"] == .text("\(offer.carPark.id)"))
            #expect(place["occupancy"] == nil, "nobody has counted")
            #expect(try fields(place["supply"])["supplyQuantity"] == 52)
            let rates = try first(try first(document["rateTables"])["rateLineCollections"])
            #expect(rates["applicableCurrency"] == ["EUR"])
            let line = try first(rates["rateLines"])
            #expect((line["value"], line["incrementPeriod"]) == (250, "PT1H"))
        }
    }

    @Test func aTariffIsARateTableOfItsOwn() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            var rates = ParkingRates(bands: [
                TariffBand(
                    "Day", from: "08:00", until: "20:00", price: 150, unitMinutes: 30, maximum: 900),
                TariffBand(
                    days: [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday],
                    from: "20:00", until: "08:00", price: 400),
            ])
            rates.first = [TariffStep(minutes: 15, price: 0), TariffStep(minutes: 60, price: 200)]
            rates.dailyMaximum = 1_200
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/tariff", ParkingTariffBody(rates: [rates]),
                as: .olivia
            ).expect(200, ParkingTariff.self)
            let document = try await read(Self.paths[1], bench)
            let id = JSONValue.text("\(carPark.id)/tariff")
            #expect(try first(document["places"])["rateTables"] == .list([id]))
            let table = try first(document["rateTables"])
            #expect(table["id"] == id)
            let collection = try first(table["rateLineCollections"])
            #expect(collection["maxValue"] == 1_200)
            guard case .list(let lines)? = collection["rateLines"] else {
                Issue.record("no lines")
                return
            }
            #expect(lines.count == 4)
            let second = try fields(lines[1])
            #expect((second["durationStart"], second["durationEnd"]) == ("PT15M", "PT75M"))
            let day = try fields(lines[2])
            #expect((day["incrementPeriod"], day["maxValue"]) == ("PT30M", 900))
            #expect(try fields(lines[3])["rateLineType"] == "flatRate")
        }
    }

    @Test func statusSaysWhatIsKnownAlone() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let unknown = try first(try await read(Self.paths[2], bench)["parkingRecordStatus"])
            #expect(unknown["parkingSiteOpeningStatus"] == "open")
            #expect(unknown["parkingOccupancy"] == nil)
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/occupancy",
                OccupancyBody(free: SpaceCounts([.general: 12])), as: .olivia
            ).expect(200, [LiveSpaces].self)
            bench.clock.advance(by: CarParkExports.seconds + 1)
            let known = try first(try await read(Self.paths[2], bench)["parkingRecordStatus"])
            let occupancy = try fields(known["parkingOccupancy"])
            #expect(occupancy["parkingNumberOfVacantSpaces"] == 12)
            #expect(occupancy["parkingNumberOfOccupiedSpaces"] == 38)
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/status", CarParkStatusBody(.closed),
                as: .olivia
            ).expect(200, CarPark.self)
            bench.clock.advance(by: CarParkExports.seconds + 1)
            let closed = try first(try await read(Self.paths[2], bench)["parkingRecordStatus"])
            #expect(closed["parkingSiteOpeningStatus"] == "closed")
        }
    }

    @Test(arguments: paths) func whatIsTheSameIsNotSentAgain(path: String) async throws {
        try await Bench.run { bench in
            try await bench.carPark()
            let answer = try await bench.call(.get, path, as: nil)
            let tag = try #require(answer.headers[.eTag])
            #expect(answer.headers[.cacheControl] == "public, max-age=30")
            let again = try await bench.call(.get, path, as: nil, headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)
            let other = try await bench.call(.get, path, as: nil, headers: [.ifNoneMatch: "\"x\""])
            #expect(other.status == 200)
        }
    }

    @Test(arguments: paths) func theTimeOfItsMakingIsNoChange(path: String) async throws {
        try await Bench.run { bench in
            let (carPark, gated) = (try await bench.carPark(), try await bench.carPark())
            let gate = try await bench.gate(of: gated)
            let tag = try #require(try await bench.call(.get, path, as: nil).headers[.eTag])
            bench.clock.advance(by: CarParkExports.seconds + 1)
            let same = try await bench.call(.get, path, as: nil, headers: [.ifNoneMatch: tag])
            #expect(same.status == 304)
            guard path != Self.paths[0] else { return }
            // What is free is one, by a gate as by a count.
            #expect(try await bench.pass(gate, .in, "XYZ 9").open)
            bench.clock.advance(by: CarParkExports.seconds + 1)
            let entered = try await bench.call(.get, path, as: nil, headers: [.ifNoneMatch: tag])
            #expect(entered.status == 200)
            let second = try #require(entered.headers[.eTag])
            try await bench.call(
                .put, "/v1/admin/car-parks/\(carPark.id)/occupancy",
                OccupancyBody(free: SpaceCounts([.general: 12])), as: .olivia
            ).expect(200, [LiveSpaces].self)
            bench.clock.advance(by: CarParkExports.seconds + 1)
            let counted = try await bench.call(.get, path, as: nil, headers: [.ifNoneMatch: second])
            #expect(counted.status == 200)
        }
    }

    @Test func whoeverAsksMeanwhileIsGivenWhatIsBeingMade() async throws {
        try await Bench.run { bench in
            try await bench.carPark()
            // Each look at this clock is a little later: what is made twice differs.
            let looks = Mutex(0.0)
            let begin = bench.clock.now
            let clock = ServiceClock {
                looks.withLock { seconds in
                    seconds += 0.001
                    return begin.addingTimeInterval(seconds)
                }
            }
            let exports = CarParkExports(database: bench.database, clock: clock)
            let made = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
                for _ in 1...20 { group.addTask { try await exports.document(.datex).body } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(made.count == 1)
        }
    }

    @Test(.withoutDatabase) func aTurnIsForOneAndPassesOnWhenItFails() async throws {
        struct Failure: Error {}
        let (gate, room) = (SerialGate(), Room())
        let failed = await withTaskGroup(of: Int.self) { group in
            for number in 1...20 {
                group.addTask {
                    do {
                        try await gate.take {
                            await room.enter()
                            await room.leave()
                            if number.isMultiple(of: 2) { throw Failure() }
                        }
                        return 0
                    } catch { return 1 }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failed == 10)
        #expect(await room.most == 1)
    }
}

/// Counts who is inside at once.
private actor Room {
    private var inside = 0
    private(set) var most = 0

    func enter() {
        inside += 1
        most = max(most, inside)
    }

    func leave() { inside -= 1 }
}
