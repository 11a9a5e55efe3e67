import Contracts
import Foundation
import Hummingbird
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Gateway

private func entry(_ latitude: Double = 22.28) -> PositionBatch.Entry {
    PositionBatch.Entry(
        person: .new(), role: .valet, point: PositionBody(latitude: latitude, longitude: 114.15),
        receivedAt: Date(timeIntervalSince1970: 1_767_600_000))
}

/// Runs a gatherer while `body` runs.
private func withGatherer(
    mostWaiting: Int = PositionGatherer.mostWaiting, _ send: @escaping PositionGatherer.Send,
    _ body: @escaping @Sendable (PositionGatherer) async throws -> Void
) async throws {
    let gatherer = PositionGatherer(mostWaiting: mostWaiting, send: send)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await gatherer.run() }
        defer { group.cancelAll() }
        try await body(gatherer)
    }
}

private func allAccepted(_ batch: PositionBatch) -> PositionBatchAnswer {
    PositionBatchAnswer(outcomes: batch.entries.map { _ in .init(accepted: true) })
}

@Suite struct PositionGathererTests {
    @Test func everySenderGetsTheirOwnOutcome() async throws {
        try await withGatherer { batch in
            PositionBatchAnswer(
                outcomes: batch.entries.map {
                    .init(
                        accepted: $0.point.latitude < 90,
                        invalidField: $0.point.latitude > 90 ? "latitude" : nil)
                })
        } _: { gatherer in
            try await withThrowingTaskGroup(of: Void.self) { senders in
                for latitude in 80..<100 {
                    senders.addTask {
                        let outcome = try await gatherer.record(entry(Double(latitude)))
                        #expect(outcome.accepted == (latitude < 90))
                        #expect((outcome.invalidField != nil) == (latitude > 90))
                    }
                }
                try await senders.waitForAll()
            }
        }
    }

    @Test func manyPositionsTravelInFewCallsOfLimitedSize() async throws {
        let sizes = Mutex<[Int]>([])
        let count = PositionGatherer.mostEntries * 5
        let gatherer = PositionGatherer(mostWaiting: count) { batch in
            sizes.withLock { $0.append(batch.entries.count) }
            return allAccepted(batch)
        }
        await withTaskGroup(of: Bool.self) { senders in
            for _ in 0...count {
                senders.addTask { (try? await gatherer.record(entry())) != nil }
            }
            // One is refused when all the others wait; now they are served.
            #expect(await senders.next() == false)
            senders.addTask {
                await gatherer.run()
                return true
            }
            for _ in 0..<count { #expect(await senders.next() == true) }
            senders.cancelAll()
        }
        #expect(sizes.withLock { $0 } == Array(repeating: PositionGatherer.mostEntries, count: 5))
    }

    @Test func aPositionAloneGoesAtOnceAndOthersGatherMeanwhile() async throws {
        let sizes = Mutex<[Int]>([])
        let most = PositionGatherer.mostCalls
        let gates = (0..<most).map { _ in AsyncStream.makeStream(of: Void.self) }
        let gatherer = PositionGatherer(mostWaiting: 10) { batch in
            let before = sizes.withLock { sizes in
                defer { sizes.append(batch.entries.count) }
                return sizes.count
            }
            if before < most { for await _ in gates[before].stream {} }
            return allAccepted(batch)
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await gatherer.run()
                return true
            }
            for call in 1...most {
                group.addTask { (try? await gatherer.record(entry())) != nil }
                let isSent = try await eventually { sizes.withLock { $0.count } == call }
                #expect(isSent)
            }
            for _ in 0...10 {
                group.addTask { (try? await gatherer.record(entry())) != nil }
            }
            #expect(try await group.next() == false)
            for gate in gates { gate.continuation.finish() }
            for _ in 0..<(most + 10) { #expect(try await group.next() == true) }
            group.cancelAll()
        }
        #expect(sizes.withLock { $0 } == Array(repeating: 1, count: most) + [10])
    }

    @Test func whenLocationFailsEverySenderHearsIt() async throws {
        try await withGatherer { _ in
            throw Peer.Failure.unavailable("location")
        } _: { gatherer in
            await #expect { try await gatherer.record(entry()) } throws: {
                Refusal.unavailable ~= $0
            }
            await #expect { try await gatherer.record(entry()) } throws: {
                Refusal.unavailable ~= $0
            }
        }
    }

    @Test func anAnswerOfAnotherLengthIsNoAnswer() async throws {
        try await withGatherer { _ in
            PositionBatchAnswer(outcomes: [])
        } _: { gatherer in
            await #expect { try await gatherer.record(entry()) } throws: {
                Refusal.unavailable ~= $0
            }
        }
    }

    @Test func aFullQueueRefusesAndTheRestIsServed() async throws {
        let gatherer = PositionGatherer(mostWaiting: 3) { batch in allAccepted(batch) }
        await withTaskGroup(of: Bool.self) { senders in
            for _ in 0..<5 {
                senders.addTask { (try? await gatherer.record(entry())) != nil }
            }
            // Nobody serves the queue yet, so two are refused at once.
            #expect(await senders.next() == false)
            #expect(await senders.next() == false)
            senders.addTask {
                await gatherer.run()
                return true
            }
            for _ in 0..<3 { #expect(await senders.next() == true) }
            senders.cancelAll()
        }
    }

    @Test func afterTheStopNobodyWaits() async throws {
        let gatherer = PositionGatherer { batch in allAccepted(batch) }
        let run = await withTaskGroup(of: Void.self) { group in
            group.addTask { await gatherer.run() }
            group.cancelAll()
            await group.waitForAll()
            return true
        }
        #expect(run)
        await #expect { try await gatherer.record(entry()) } throws: { Refusal.unavailable ~= $0 }
    }
}

@Suite struct PositionRouteTests {
    private static func location() -> StubServices {
        StubServices { call in
            let batch = try Wire.decode(PositionBatch.self, from: call.body)
            return try StubServices.json(
                PositionBatchAnswer(
                    outcomes: batch.entries.map { entry in
                        entry.point.latitude > 90
                            ? .init(accepted: false, invalidField: "latitude", detail: "too far")
                            : .init(accepted: true)
                    }))
        }
    }

    @Test func aPositionReachesLocationWithItsSender() async throws {
        try await TestGateway.run(Self.location()) { test in
            let body = #"{"latitude":22.28,"longitude":114.15,"accuracyMeters":5,"unknown":1}"#
            let response = try await test.send(.put, "/v1/me/location", as: .victor, body: body)
            #expect(response.status == .noContent)
            let call = try #require(test.stubs.calls.first)
            #expect(call.address == "/location/internal/positions")
            #expect(call.headers[.authorization]?.hasPrefix("Bearer ") == true)
            let entry = try #require(
                try Wire.decode(PositionBatch.self, from: call.body).entries.first)
            #expect(entry.person == TestPerson.victor.id)
            #expect(entry.role == .valet)
            #expect(entry.point.accuracyMeters == 5)
            #expect(entry.receivedAt == test.clock.now)
        }
    }

    @Test func aPositionThatCanNotBeIsRefusedByName() async throws {
        try await TestGateway.run(Self.location()) { test in
            let response = try await test.send(
                .put, "/v1/me/location", as: .victor, body: #"{"latitude":91,"longitude":0}"#)
            #expect(response.status == .unprocessableContent)
            #expect(response.problem?.code == "location.invalid")
            #expect(response.problem?.field == "latitude")
        }
    }

    @Test(arguments: [
        (#"{"latitude":22.28}"#, 400, "longitude"),
        (#"{"latitude":"x","longitude":1}"#, 400, "latitude"),
        (#"{"latitude":NaN,"longitude":1}"#, 400, "latitude"), ("", 400, nil), ("[]", 400, nil),
    ])
    func aBodyThatIsNoPositionIsRefused(body: String, status: Int, field: String?) async throws {
        try await TestGateway.run(Self.location()) { test in
            let response = try await test.send(.put, "/v1/me/location", as: .victor, body: body)
            #expect(response.status.code == status)
            #expect(response.problem?.code == "request.malformed")
            #expect(response.problem?.field == field)
            #expect(test.stubs.calls.isEmpty)
        }
    }

    @Test func aPositionThatIsTooLongIsRefused() async throws {
        try await TestGateway.run(Self.location()) { test in
            let body = #"{"x":"\#(String(repeating: "x", count: BodyLimit.position))"}"#
            let response = try await test.send(.put, "/v1/me/location", as: .victor, body: body)
            #expect(response.status == .contentTooLarge)
        }
    }

    @Test func anOperatorIsNowhere() async throws {
        try await TestGateway.run { test in
            let response = try await test.send(
                .put, "/v1/me/location", as: .olivia, body: #"{"latitude":1,"longitude":1}"#)
            #expect(response.status == .forbidden)
        }
    }

    @Test func whileLocationIsAwayPositionsAreRefused() async throws {
        let stubs = StubServices { _ in Response(status: .internalServerError) }
        try await TestGateway.run(stubs) { test in
            let response = try await test.send(
                .put, "/v1/me/location", as: .victor, body: #"{"latitude":1,"longitude":1}"#)
            #expect(response.status == .serviceUnavailable)
            #expect(response.headers[.retryAfter] != nil)
        }
    }

    @Test func locationMayTakeAsLongAsAnyService() async throws {
        let stubs = StubServices { call in
            // Longer than services give each other.
            try await Task.sleep(for: .milliseconds(3_200))
            let batch = try Wire.decode(PositionBatch.self, from: call.body)
            return try StubServices.json(allAccepted(batch))
        }
        try await TestGateway.run(stubs, settings: ["FORWARD_SECONDS": "60"]) { test in
            let response = try await test.send(
                .put, "/v1/me/location", as: .victor, body: #"{"latitude":1,"longitude":1}"#)
            #expect(response.status == .noContent)
        }
    }

    @Test func tooManyPositionsOfOnePersonAreRefused() async throws {
        try await TestGateway.run(
            Self.location(), settings: ["POSITIONS_PER_SECOND": "1"]
        ) { test in
            var statuses: [Int] = []
            // More than five, when more than a second passes between two.
            let isRefused = try await eventually {
                let response = try await test.send(
                    .put, "/v1/me/location", as: .victor, body: #"{"latitude":1,"longitude":1}"#)
                statuses.append(response.status.code)
                return response.status == .tooManyRequests
            }
            #expect(isRefused)
            #expect(statuses.prefix(2) == [204, 204])
        }
    }
}
