import Answers
import Contracts
import Foundation
import Store
import Support
import Testing

@testable import CarParks

/// At no instant more is taken than may be booked.
@Suite struct InventoryTests {
    /// Minute by minute: what the sweep has to find.
    private func peak(of taken: [Inventory.Taken], _ from: Int, _ until: Int) -> Int {
        (from..<until).map { minute in
            let now = Date(timeIntervalSince1970: Double(minute))
            return taken.filter { $0.from <= now && now < $0.until }.reduce(0) { $0 + $1.spaces }
        }.max() ?? 0
    }

    @Test(.withoutDatabase) func theSweepFindsWhatCountingEachMomentFinds() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let taken = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                let start = Int.random(in: 0...40, using: &random)
                let end = start + Int.random(in: 1...15, using: &random)
                return Inventory.Taken(
                    from: Date(timeIntervalSince1970: Double(start)),
                    until: Date(timeIntervalSince1970: Double(end)),
                    spaces: Int.random(in: 1...3, using: &random))
            }
            let from = Int.random(in: 0...40, using: &random)
            let until = from + Int.random(in: 1...20, using: &random)
            #expect(
                Inventory.peak(
                    of: taken, from: Date(timeIntervalSince1970: Double(from)),
                    until: Date(timeIntervalSince1970: Double(until)))
                    == peak(of: taken, from, until))
        }
    }

    /// Random people book, change, extend, cancel, pay or let expire, several at once.
    @Test func randomBookingsNeverTakeMoreThanThereIs() async throws {
        let bookable = 3
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: bookable)
            let people = (0..<6).map { TestPerson.another(.customer, 30 + $0) }
            let base = bench.clock.now.addingTimeInterval(3 * 86_400)
            for _ in 0..<8 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for person in people {
                        group.addTask { try await act(person, offer, base, bench) }
                    }
                    try await group.waitForAll()
                }
                bench.clock.advance(by: 120)
                await bench.work()
                try await checkInventory(bench, offer, base, bookable)
            }
        }
    }

    /// Whatever somebody is answered is a refusal that people meet, or done.
    private func act(
        _ person: TestPerson, _ offer: Bench.Offer, _ base: Date, _ bench: Bench
    ) async throws {
        let hours = Double(Int.random(in: 0...10))
        let page = try await bench.call(.get, "/v1/bookings?state=current", as: person)
            .expect(200, Page<Booking>.self)
        let own = page.items.randomElement()
        let answer: Answer
        switch (Int.random(in: 0..<6), own) {
        case (0, let own?):
            answer = try await bench.call(.post, "/v1/bookings/\(own.id)/cancel", as: person)
        case (1, let own?):
            var change = BookingChange()
            change.start = base.addingTimeInterval(hours * 3_600)
            change.quantity = Int.random(in: 1...4)
            change.token = "pm_card_visa"
            answer = try await bench.call(.patch, "/v1/bookings/\(own.id)", change, as: person)
        case (2, let own?):
            let body = ExtendBody(until: own.end.addingTimeInterval(3_600), token: "pm_card_visa")
            answer = try await bench.call(.post, "/v1/bookings/\(own.id)/extend", body, as: person)
        case (3...4, let own?):
            answer = try await bench.pay(own.id, as: person)
        default:
            let plate = "\(person.id)".suffix(6)
            let vehicle = try await bench.vehicle(of: person, plate: String(plate))
            var body = bench.body(offer, [vehicle], quantity: Int.random(in: 1...4))
            body.start = base.addingTimeInterval(hours * 3_600)
            answer = try await bench.book(body, as: person)
        }
        // 429: earlier holds were not paid.
        let legal = [200, 201, 404, 409, 422, 429]
        #expect(legal.contains(answer.status), "\(answer.text)")
    }

    private func checkInventory(
        _ bench: Bench, _ offer: Bench.Offer, _ base: Date, _ bookable: Int
    ) async throws {
        let current = try await bench.database.read { transaction in
            try transaction.bookings.list(
                BookingFilter(isCurrent: true), .init(limit: 200)
            ).items
        }
        let taken = current.map {
            Inventory.Taken(from: $0.stay.start, until: $0.stay.end, spaces: $0.stay.spaces)
        }
        let most = Inventory.peak(
            of: taken, from: base, until: base.addingTimeInterval(30 * 3_600))
        #expect(most <= bookable)
        // What is free is what the bookings leave, no more and no less.
        let kept = try await bench.database.read { transaction in
            try transaction.rows("SELECT booking, starts_at, ends_at FROM allocations").map { row in
                "\(try row.get("booking", as: BookingID.self)) \(try row.get("starts_at", as: Date.self))"
            }
        }
        #expect(Set(kept) == Set(current.map { "\($0.id) \($0.stay.start)" }))
    }

    @Test func ofFiftyForTheLastSpaceOneGetsIt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let start = bench.clock.now.addingTimeInterval(86_400)
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let person = TestPerson.another(.customer, 30 + number)
                        let vehicle = try await bench.vehicle(of: person, plate: "CAR \(number)")
                        var body = bench.body(offer, [vehicle])
                        body.start = start
                        return try await bench.book(body, as: person)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let won = answers.filter { $0.status == 201 }
            #expect(won.count == 1)
            for answer in answers where answer.status != 201 {
                try answer.refused(409, "booking.full")
            }
        }
    }

    @Test func oneThatEndsAsAnotherBeginsTakesNothingFromIt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(bookable: 1)
            let alices = try await bench.vehicle()
            let bobs = try await bench.vehicle(of: .bob, plate: "BOB 1")
            try await bench.book(bench.body(offer, [alices], startsIn: 86_400, quantity: 2))
                .expect(201, Booking.self)
            try await bench.book(
                bench.body(offer, [bobs], startsIn: 86_400 + 3_600, quantity: 2), as: .bob
            ).refused(409, "booking.full")
            try await bench.book(
                bench.body(offer, [bobs], startsIn: 86_400 + 7_200, quantity: 2), as: .bob
            ).expect(201, Booking.self)
        }
    }
}
