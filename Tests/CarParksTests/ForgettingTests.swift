import Contracts
import Foundation
import Store
import Support
import Testing

@testable import CarParks

@Suite struct ForgettingTests {
    @Test func allStaysOfWhoIsGoneLoseTheirPlates() async throws {
        try await Bench.run { bench in
            let (carPark, now) = (try await bench.carPark(), bench.clock.now)
            try await bench.database.write { transaction in
                for _ in 1...250 {
                    var session = ParkingSession(
                        id: .new(at: now), carPark: carPark.id, plate: "ABC123", enteredAt: now,
                        booking: nil, entryGate: .new(at: now))
                    session.leftAt = now
                    var record = SessionRecord(
                        session: session, kind: .general, currency: "EUR")
                    record.person = TestPerson.alice.id
                    try transaction.sessions.keep(&record, at: now)
                }
            }
            try await bench.deleteAlice()
            let left = try await bench.database.read {
                try $0.rows("SELECT id FROM sessions WHERE plate <> '' OR person IS NOT NULL").count
            }
            #expect(left == 0)
            #expect(try await bench.bonds().isEmpty)
        }
    }
}
