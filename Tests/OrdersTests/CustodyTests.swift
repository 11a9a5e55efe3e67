import Contracts
import Crypto
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Orders

struct CustodyTests {
    static let digest = String(repeating: "ab", count: 32)

    static func photo(
        of order: OrderID, _ moment: PhotoMoment = .handOver, at time: Date
    ) -> PhotoTaken {
        PhotoTaken(
            photo: .new(), engagement: order.as(EngagementID.self), product: "valet",
            moment: moment, sha256: digest,
            place: Place(latitude: 22.2820, longitude: 114.1557, address: "somewhere"),
            by: TestPerson.victor.id, role: .valet, takenAt: time)
    }

    private func custody(
        _ caller: Caller, _ id: OrderID, as person: TestPerson = .alice, _ query: String = ""
    ) async throws -> Page<CustodyEntry> {
        try await caller.call(.get, "/v1/orders/\(id)/custody\(query)", as: person)
            .expect(200, Page<CustodyEntry>.self)
    }

    private func verification(
        _ caller: Caller, _ id: OrderID
    ) async throws -> CustodyVerification {
        try await caller.call(
            .get, "/v1/admin/orders/\(id)/custody/verification", as: .olivia
        ).expect(200, CustodyVerification.self)
    }

    @Test func aJourneyLeavesWhoHadTheVehicleWhenWhereAndByWhichProof() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            let entries = try await custody(caller, order.id).items
            #expect(entries.map(\.sequence) == [1, 2, 3, 4])
            #expect(entries.map(\.kind) == [.collected, .parked, .retrieved, .returned])
            #expect(entries.map(\.holder) == [.valet, .lot, .valet, .customer])
            #expect(
                entries.map(\.proof) == [.handoverCode, .valetWord, .valetWord, .handoverCode])
            let (victor, vera) = (TestPerson.victor.id, TestPerson.vera.id)
            #expect(entries.map(\.by) == [victor, victor, vera, vera])
            #expect(Set(entries.map(\.role.known)) == [.valet])
            #expect(
                entries.map(\.at) == [
                    order.collectedAt, order.parkedAt, order.retrievedAt, order.returnedAt,
                ])
            let garage = Place(latitude: 22.2800, longitude: 114.1600)
            let central = Place(latitude: 22.2819, longitude: 114.1556)
            #expect(entries.map(\.place) == [central, garage, garage, .mongKok])
            #expect(entries[1].location == "Star Ferry / 2 / A-17 / tag 31")
        }
    }

    @Test func eachEntryHashesItselfAndTheOneBefore() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            var previous = String(repeating: "0", count: 64)
            for entry in try await custody(caller, order.id).items {
                #expect(entry.previousHash == previous)
                let hash = HMAC<SHA256>.authenticationCode(
                    for: Data(entry.canonicalText.utf8),
                    using: SymmetricKey(data: Data("a key of tests".utf8)))
                #expect(entry.hash == hash.map { String(format: "%02x", $0) }.joined())
                #expect(entry.canonicalText.hasPrefix(previous))
                previous = entry.hash
            }
            let verified = try await verification(caller, order.id)
            #expect(verified.isIntact)
            #expect(verified.entries == 4)
            #expect(verified.brokenAt == nil)
            #expect(verified.lastHash == previous)
        }
    }

    @Test func theRecordOfAnOrderThatNobodyHasCollectedIsEmptyAndIntact() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.place()
            #expect(try await custody(caller, order.id).items.isEmpty)
            let verified = try await verification(caller, order.id)
            #expect(verified.isIntact)
            #expect(verified.entries == 0)
            #expect(verified.lastHash == nil)
        }
    }

    @Test(arguments: [
        "UPDATE custody SET body = replace(body, 'valetWord', 'handoverCode') WHERE sequence = 2",
        "UPDATE custody SET body = 'x' WHERE sequence = 2",
        "UPDATE custody SET hash = '\(String(repeating: "0", count: 64))' WHERE sequence = 2",
        "UPDATE custody SET sequence = 9 WHERE sequence = 2",
        "DELETE FROM custody WHERE sequence = 2",
        "DELETE FROM custody WHERE sequence = 1",
    ])
    func aRowThatSomebodyChangedBreaksTheChainThere(_ tampering: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            try await bench.database.write { _ = try $0.execute(tampering) }
            let verified = try await verification(caller, order.id)
            #expect(!verified.isIntact)
            #expect(verified.lastHash == nil)
            // Where a row is gone, the one that follows it no longer fits.
            let isMissing = tampering.contains("sequence = 9") || tampering.contains("sequence = 1")
            let expected = tampering.hasPrefix("DELETE") && !isMissing ? 3 : 2
            #expect(verified.brokenAt == (tampering.contains("sequence = 9") ? 3 : expected))
        }
    }

    /// The last line has none after it that would not fit.
    @Test func whoHasNotTheKeyForgesNoHash() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            var forged = try #require(try await custody(caller, order.id).items.last)
            forged.by = TestPerson.victor.id
            for key in ["", "another key"] {
                forged.hash = CustodyChain(key: key).hash(forged.canonicalText)
                let (hash, body) = (
                    forged.hash, String(decoding: try Wire.encode(forged), as: UTF8.self)
                )
                try await bench.database.write {
                    _ = try $0.execute(
                        "UPDATE custody SET hash = ?, body = ? WHERE sequence = 4", hash, body)
                }
                #expect(try await verification(caller, order.id).brokenAt == 4)
            }
        }
    }

    private func seals(_ bench: Bench) async throws -> [OperatorActed] {
        try await bench.published(OperatorActed.self)
            .filter { $0.action == "orders.seal-custody" }
    }

    @Test func eachDayGoesToTheAuditLogOnce() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await bench.parts.seals.seal()
            let order = try await caller.order(in: .parked)
            try await bench.parts.seals.seal()
            #expect(try await seals(bench).isEmpty, "the day is not over")
            bench.clock.advance(by: 2 * 86_400)
            for _ in 1...2 { try await bench.parts.seals.seal() }
            let first = try await seals(bench)
            #expect(first.map(\.subject) == ["2026-01-05", "2026-01-06"])
            #expect(first.map { $0.reason?.prefix(2) } == ["2 ", "0 "])
            #expect(Set(first.map(\.reason)).count == 2)
            #expect(first.allSatisfy { $0.by == PersonID.house.as(OperatorID.self) })
            try await bench.hear(Self.photo(of: order.id, at: bench.clock.now))
            bench.clock.advance(by: 86_400)
            try await bench.parts.seals.seal()
            #expect(try await seals(bench).last?.reason?.hasPrefix("1 ") == true)
        }
    }

    @Test func aSealIsOverEveryLineOfItsDay() async throws {
        func seal(_ tampering: String?) async throws -> String? {
            let id = try #require(ProducedFixtures.orderID)
            let names = OrderNames(
                newID: { _ in id }, newTicket: { _ in "K7-42" }, newCode: { "4821" })
            let bench = try await Bench(names: names)
            return try await bench.run { caller in
                _ = try await caller.order(in: .finished)
                if let tampering {
                    try await bench.database.write { _ = try $0.execute(tampering) }
                }
                bench.clock.advance(by: 86_400)
                try await bench.parts.seals.seal()
                return try await seals(bench).first?.reason
            }
        }
        let whole = try await seal(nil)
        #expect(try await seal(nil) == whole)
        #expect(try await seal("UPDATE custody SET hash = 'x' WHERE sequence = 3") != whole)
        #expect(try await seal("DELETE FROM custody WHERE sequence = 4") != whole)
    }

    @Test func whoForgesAnEntryWithItsHashIsFoundOutByTheNext() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            var forged = try await custody(caller, order.id).items[1]
            forged.by = TestPerson.vera.id
            forged.hash = Bench.chain.hash(forged.canonicalText)
            let (hash, body) = (
                forged.hash, String(decoding: try Wire.encode(forged), as: UTF8.self)
            )
            try await bench.database.write {
                _ = try $0.execute(
                    "UPDATE custody SET hash = ?, body = ? WHERE sequence = 2", hash, body)
            }
            #expect(try await verification(caller, order.id).brokenAt == 3)
        }
    }

    @Test func aPhotoGoesIntoTheRecordOnceWithItsHash() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            let (photo, id) = (
                Self.photo(of: order.id, at: bench.clock.now), EventID.new()
            )
            for _ in 1...2 { try await bench.hear(photo, id: id) }
            let entries = try await custody(caller, order.id).items
            #expect(entries.map(\.kind) == [.collected, .photo])
            let entry = try #require(entries.last)
            #expect(entry.holder == .valet)
            #expect(entry.proof == .photo)
            #expect(entry.digest == Self.digest)
            #expect(entry.by == TestPerson.victor.id)
            #expect(entry.place == Place(latitude: 22.2820, longitude: 114.1557))
            #expect(try await verification(caller, order.id).isIntact)
            try await bench.hear(Self.photo(of: .new(), at: bench.clock.now))
        }
    }

    @Test func anOverrideIsInTheRecordWhenTheVehicleChangesHands() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .requestingBack)
            func override(_ status: OrderStatus) async throws {
                _ = try await caller.call(
                    .post, "/v1/admin/orders/\(order.id)/override",
                    OverrideBody(status: status, reason: "by phone"), as: .olivia
                ).expect(200, OrderView.self)
            }
            try await override(.parked)
            #expect(try await custody(caller, order.id).items.count == 2)
            try await override(.waitingForPayment)
            let last = try #require(try await custody(caller, order.id).items.last)
            #expect(last.sequence == 3)
            #expect(last.kind == .overridden)
            #expect(last.holder == .customer)
            #expect(last.proof == .operatorWord)
            #expect(last.by == TestPerson.olivia.id)
            #expect(last.role == .operator)
            #expect(last.place == nil)
            try await override(.parked)
            let again = try #require(try await custody(caller, order.id).items.last)
            #expect(again.holder == .lot)
            #expect(again.place == ParkedAt.garage.place)
        }
    }

    @Test func aWrongCodeAndAWithdrawalLeaveNoTrace() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .droppingOff)
            let code = try await bench.stored(order.id).handoverCode
            try await caller.call(
                .post, "/v1/orders/\(order.id)/collect",
                CodeBody(code: code == "0000" ? "1111" : "0000"), as: .victor
            ).refused(422, "order.wrong_code", field: "code")
            try await caller.act("withdraw", order.id, as: .victor)
            #expect(try await custody(caller, order.id).items.isEmpty)
        }
    }

    @Test func onlyThePartiesAndOperatorsSeeIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parked)
            let path = "/v1/orders/\(order.id)/custody"
            for person in [TestPerson.alice, .victor, .olivia] {
                #expect(try await custody(caller, order.id, as: person).items.count == 2)
            }
            for person in [TestPerson.bob, .vera] {
                try await caller.call(.get, path, as: person).refused(404, "order.unknown")
            }
            try await caller.call(.get, path).refused(401, "auth.token_missing")
            try await caller.call(.get, "/v1/orders/\(OrderID.new())/custody", as: .olivia)
                .refused(404, "order.unknown")
            let verify = "/v1/admin/orders/\(order.id)/custody/verification"
            for person in [TestPerson.alice, .victor] {
                try await caller.call(.get, verify, as: person).refused(403, "auth.role")
            }
            try await caller.call(
                .get, "/v1/admin/orders/\(OrderID.new())/custody/verification", as: .olivia
            ).refused(404, "order.unknown")
        }
    }

    @Test func itIsGivenPageByPageOldestFirst() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .finished)
            let first = try await custody(caller, order.id, "?limit=3")
            #expect(first.items.map(\.sequence) == [1, 2, 3])
            let next = try #require(first.next)
            let second = try await custody(caller, order.id, "?limit=3&after=\(next)")
            #expect(second.items.map(\.sequence) == [4])
            #expect(second.next == nil)
            for cursor in ["x", "-1"] {
                try await caller.call(
                    .get, "/v1/orders/\(order.id)/custody?after=\(cursor)", as: .alice
                ).refused(422, "request.invalid", field: "after")
            }
        }
    }

    @Test func entriesAtOnceKeepTheirOrder() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let order = try await caller.order(in: .parking)
            let now = bench.clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...20 {
                    group.addTask { try await bench.hear(Self.photo(of: order.id, at: now)) }
                }
                try await group.waitForAll()
            }
            let verified = try await verification(caller, order.id)
            #expect(verified.isIntact)
            #expect(verified.entries == 21)
        }
    }
}
