import Contracts
import EventBus
import Foundation
import Support
import Testing

@testable import Matching

/// Valets who are asked first: held like those who are assigned, and freed by their answer.
@Suite struct OfferTests {
    private func offered(
        _ order: OrderSnapshot, _ valet: ValetID, version: Int = 2, attempt: Int = 1
    ) -> ValetOffered {
        ValetOffered(
            order: order.then(.requested, version: version), leg: .dropOff, attempt: attempt,
            valet: valet, meetingPoint: order.dropOff, etaSeconds: 20, answerSeconds: 20)
    }

    private func ended(
        _ order: OrderSnapshot, _ valet: ValetID, _ outcome: OfferEnded.Outcome,
        version: Int = 3, match: MatchRequest?
    ) -> OfferEnded {
        OfferEnded(
            order: order.then(match == nil ? .cancelled : .requested, version: version),
            leg: .dropOff, valet: valet, outcome: outcome, match: match)
    }

    @Test func whoIsAskedIsHeldAndTheRequestIsOver() async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                try await bench.receive(offered(order, valet.id))
                #expect(try await bench.parts.store.stored(in: Bench.area).isEmpty)
                #expect(
                    try await bench.parts.store.held([valet.id], area: Bench.area) == [valet.id])
                // Somebody else's order is not given to them meanwhile.
                try await bench.ask()
                bench.clock.advance(by: 20)
                try await until { !bench.said.nobody.isEmpty }
                #expect(bench.said.matched.count == 1)
            }
        }
    }

    @Test(arguments: [OfferEnded.Outcome.declined, .expired, .undelivered])
    func aNoGoesOnToTheNextAndFreesTheValetForOthers(_ outcome: OfferEnded.Outcome) async throws {
        try await Bench.with { bench in
            let (near, far) = (Bench.valet(100), Bench.valet(300))
            bench.location.set(near, far)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                #expect(bench.said.matched.first?.valet == near.id)
                try await bench.receive(offered(order, near.id))
                let event = ended(
                    order, near.id, outcome,
                    match: Bench.match(attempt: 2, excluded: [near.id]))
                try await bench.receive(event)
                try await until { bench.said.matched.count == 2 }
                #expect(bench.said.matched.last?.valet == far.id)
                #expect(bench.said.matched.last?.attempt == 2)
                // Twice, and the offer once more behind it: nothing new.
                try await bench.receive(event)
                try await bench.receive(offered(order, near.id))
                try await bench.ask()
                try await until { bench.said.matched.count == 3 }
                #expect(bench.said.matched.last?.valet == near.id)
            }
        }
    }

    @Test(arguments: [true, false])
    func aWithdrawnOfferFreesTheValetInAnyOrder(_ isCancelledFirst: Bool) async throws {
        try await Bench.with { bench in
            let valet = Bench.valet(100)
            bench.location.set(valet)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                try await bench.receive(offered(order, valet.id))
                let next = try await bench.ask()
                let cancelled = OrderCancelled(
                    order: order.then(.cancelled, version: 3), cause: .customer, valet: nil,
                    fee: .zero("HKD"))
                let withdrawn = ended(order, valet.id, .withdrawn, match: nil)
                if isCancelledFirst {
                    try await bench.receive(cancelled)
                    try await bench.receive(withdrawn)
                } else {
                    try await bench.receive(withdrawn)
                    try await bench.receive(cancelled)
                }
                try await until { bench.said.matched.count == 2 }
                #expect(bench.said.matched.last?.order == next.id)
            }
        }
    }

    @Test func anOfferThatComesBehindItsEndChangesNothing() async throws {
        try await Bench.with { bench in
            let (near, far) = (Bench.valet(100), Bench.valet(300))
            bench.location.set(near, far)
            try await bench.run {
                let order = try await bench.ask()
                try await until { bench.said.matched.count == 1 }
                try await bench.receive(
                    ended(
                        order, near.id, .declined,
                        match: Bench.match(attempt: 2, excluded: [near.id])))
                try await bench.receive(offered(order, near.id))
                try await until { bench.said.matched.count == 2 }
                #expect(bench.said.matched.last?.valet == far.id)
            }
        }
    }
}
