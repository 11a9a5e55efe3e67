import Client
import Contracts
import Foundation
import Testing

@testable import Simulator

/// What a demo tells of the day before it.
struct PastDayTests {
    private let end = Date(timeIntervalSince1970: 1_767_600_000)

    private func day() throws -> PastDay {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let ids = (0..<30).map { _ in PersonID.new() }
        func members(_ part: Persona.Part, _ range: Range<Int>, _ ids: [PersonID]) -> [PastDay
            .Member]
        {
            zip(range, ids).map { index, id in
                let persona = Persona(part, index, seed: PastDay.seed)
                return PastDay.Member(
                    persona: persona, id: id,
                    person: SimulatedPerson(
                        client: OpenValetClient(url), tally: Tally(), phone: persona.phone,
                        password: persona.password, desk: Desk()))
            }
        }
        return PastDay(
            town: try SimulatedTown(area(), seed: PastDay.seed),
            customers: members(.customer, PastDay.customers, ids),
            valets: members(.valet, PastDay.valets, Array(ids.dropFirst(20))))
    }

    @Test func aDayHasItsOrdersAndAllOfThemAreOver() throws {
        let visits = try day().visits(until: end)
        #expect((40...48).contains(visits.count))
        let begin = end.addingTimeInterval(-86_400)
        for visit in visits {
            let times = visit.order.times
            let steps = [
                begin, times.placed, times.assigned, times.collected, times.parked,
                times.recalled, times.returnAssigned, times.retrieved, times.returned,
                visit.paidAt, end,
            ]
            #expect(zip(steps, steps.dropFirst()).allSatisfy(<))
            #expect((1...5).contains(visit.stars ?? 1))
        }
        #expect(visits.contains { $0.stars != nil } && visits.contains { $0.tipPercent > 0 })
        // Spread over the day.
        let hours = Set(visits.map { Int($0.order.times.placed.timeIntervalSince(begin) / 3_600) })
        #expect(hours.count > 16)
    }

    @Test func nobodyIsAtTwoPlacesAtOnce() throws {
        let visits = try day().visits(until: end)
        var stays: [String: [ClosedRange<Date>]] = [:]
        for visit in visits {
            let times = visit.order.times
            stays[visit.order.customer.description, default: []]
                .append(times.placed...visit.paidAt)
            stays[visit.order.dropOffValet.description, default: []]
                .append(times.assigned...times.parked)
            stays[visit.order.returnValet.description, default: []]
                .append(times.returnAssigned...times.returned)
        }
        for spans in stays.values {
            let sorted = spans.sorted { $0.lowerBound < $1.lowerBound }
            #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test func itFollowsFromTheSeedButForTheIds() throws {
        let (one, other) = (try day().visits(until: end), try day().visits(until: end))
        #expect(one.map(\.order.times) == other.map(\.order.times))
        #expect(one.map(\.order.dropOff) == other.map(\.order.dropOff))
        #expect(one.map(\.order.vehicle) == other.map(\.order.vehicle))
        #expect(one.map(\.stars) == other.map(\.stars))
        #expect(Set(one.map(\.order.id)).isDisjoint(with: other.map(\.order.id)))
        // Lists are sorted by their ids.
        let sorted = one.sorted { $0.order.times.placed < $1.order.times.placed }
        #expect(sorted.map(\.order.id) == sorted.map(\.order.id).sorted())
        // What was written down is what is made.
        let read = try Wire.decode([PastVisit].self, from: Wire.encode(one))
        #expect(read.map(\.order.id) == one.map(\.order.id))
        #expect(read.map(\.stars) == one.map(\.stars))
    }

    /// A demo's simulation signs in people of the same seed.
    @Test func noneOfThemIsInTheDemosCast() {
        #expect(PastDay.customers.lowerBound > 40 && PastDay.valets.lowerBound > 16)
        #expect(PastDay.hours == 24)
    }
}
