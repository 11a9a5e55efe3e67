import Answers
import Contracts
import EventBus
import Foundation
import ServiceKit
import Store
import Support
import Testing

@testable import Payments
@testable import Spots

/// Random markets, in which anything may come twice, late or not at all.
@Suite struct MarketTests {
    /// More of them: `SPOTS_MARKETS=2000`.
    private static let markets =
        ProcessInfo.processInfo.environment["SPOTS_MARKETS"].flatMap(Int.init) ?? 40
    private static let steps = 20

    /// One buyer at most a spot; every hold ends captured or released once; what sellers are owed is what buyers paid
    /// less the commission; the ledger sums to zero.
    @Test func moneyIsConservedWhateverPeopleDo() async throws {
        for _ in 0..<Self.markets {
            try await Bench.run { bench in
                bench.faults.happen(inPercent: 10)
                let people = (0..<6).map { TestPerson.another(.customer, 200 + $0) }
                for _ in 0..<Self.steps {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for person in people.shuffled().prefix(3) {
                            group.addTask { try await act(person, bench) }
                        }
                        try await group.waitForAll()
                    }
                    // The bus and the clock are late as they like.
                    if Bool.random() { try await bench.carryEvents() }
                    bench.clock.advance(by: Double(Int.random(in: 0...40)))
                    if Bool.random() { await bench.work() }
                    try await check(bench)
                }
                bench.faults.happen(inPercent: 0)
                // An auction that closes is reserved first.
                for _ in 0..<4 {
                    bench.clock.advance(by: 86_400)
                    await bench.work()
                    try await bench.carryEvents()
                }
                try await checkMoney(bench)
            }
        }
    }

    private func act(_ person: TestPerson, _ bench: Bench) async throws {
        bench.seen.put(person, at: .valletta, bench.clock.now)
        let open = try await bench.found(as: person)
        let mine = try await bench.call(.get, "/v1/me/spots?limit=1", as: person)
            .expect(200, Page<Spot>.self).items.first
        let wanted = try await bench.call(.get, "/v1/me/spot-requests?limit=1", as: person)
            .expect(200, Page<SpotRequest>.self).items.first
        let answer: Answer?
        switch Int.random(in: 0..<13) {
        case 0, 1:
            answer = try await bench.offer(
                as: person, price: Int.random(in: 0...9) * 100,
                auctionMinutes: Bool.random() ? Double(Int.random(in: 1...4)) : nil)
        case 2, 3, 4:
            answer = try await open.filter { !$0.isMine }.randomElement().flatMapAsync { spot in
                let token =
                    Int.random(in: 0..<6) == 0 ? "pm_card_visa_chargeDeclined" : "pm_card_visa"
                return spot.sale == .auction
                    ? try await bench.bid(spot.id, Int.random(in: 1...20) * 90, as: person, token)
                    : try await bench.request(spot.id, as: person, token)
            }
        case 5, 6, 7:
            answer = try await mine?.requests?.randomElement().flatMapAsync {
                try await bench.request(
                    Int.random(in: 0..<4) == 0 ? "deny" : "approve", $0.id, as: person)
            }
        case 8:
            answer = try await mine.flatMapAsync {
                try await bench.spot(
                    ["cancel", "leaving", "buyer-absent", "handed-over"].randomElement()
                        ?? "leaving",
                    $0.id, as: person)
            }
        case 9:
            answer = try await wanted.flatMapAsync {
                try await bench.request(
                    ["cancel", "here", "parked"].randomElement() ?? "here", $0.id, as: person)
            }
        case 10:
            answer = try await wanted.flatMapAsync {
                try await bench.spot("handed-over", $0.spotId, as: person)
            }
        case 11:
            if let wanted { try await bench.arrive(wanted.spotId) }
            if let mine, Bool.random() { try await bench.leave(mine.id) }
            answer = nil
        default:
            answer = try await wanted.flatMapAsync { request in
                // Refused once there are too many that no request has named.
                let posted = try await bench.postPhoto(of: person)
                guard posted.status == 201 else { return posted }
                let photo = try posted.expect(201, SpotPhoto.self)
                return try await bench.call(
                    .post, "/v1/spot-requests/\(request.id)/spot-gone",
                    SpotGoneBody(photoId: photo.id), as: person)
            }
        }
        if let answer {
            #expect(
                [200, 201, 402, 403, 404, 409, 422, 503].contains(answer.status), "\(answer.text)")
        }
    }

    /// Between any two steps.
    private func check(_ bench: Bench) async throws {
        let (spots, requests) = try await stored(bench)
        for spot in spots {
            let own = requests.filter { $0.spot == spot.id }
            let approved = own.filter { $0.status == .approved }
            #expect(approved.count == (spot.status == .reserved ? 1 : 0))
            #expect(own.count { $0.status == .handedOver } == (spot.status == .handedOver ? 1 : 0))
            if !spot.isOpen { #expect(own.allSatisfy { !$0.isOpen }) }
            for request in own where !request.isOpen && request.amount > 0 {
                #expect(request.money == .captured || request.money == .released)
            }
        }
        #expect(Set(spots.filter(\.isOpen).map(\.seller)).count == spots.count(where: \.isOpen))
    }

    private func stored(_ bench: Bench) async throws -> ([SpotRecord], [SpotRequestRecord]) {
        try await bench.database.read { transaction in
            (
                try transaction.rows("SELECT body FROM spots").map { try $0.json() },
                try transaction.rows("SELECT body FROM spot_requests").map { try $0.json() }
            )
        }
    }

    /// When all is over.
    private func checkMoney(_ bench: Bench) async throws {
        let (spots, requests) = try await stored(bench)
        #expect(spots.allSatisfy { !$0.isOpen })
        var owed: [PersonID: Int] = [:]
        for request in requests {
            let status = try await bench.money(of: request.id)
            switch request.money {
            case .captured:
                #expect(status == .succeeded)
                let spot = try #require(spots.first { $0.id == request.spot })
                let paid = try #require(request.captured)
                owed[spot.seller, default: 0] += paid - paid * 10 / 100
            case .released: #expect(status == .released || status == .declined || status == nil)
            case .none: #expect(status == nil)
            case .held: Issue.record("something is held for ever")
            }
        }
        for seller in Set(spots.map(\.seller)) {
            let balance = try await bench.payments.balance(of: seller, in: "EUR")
            #expect(balance.available.amount == owed[seller] ?? 0)
        }
        let books = try await bench.payments.trialBalance(in: .english)
        #expect(books.lines.reduce(0) { $0 + $1.balance } == 0)
    }
}

extension Optional {
    fileprivate func flatMapAsync<Value>(
        _ body: (Wrapped) async throws -> Value?
    ) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
