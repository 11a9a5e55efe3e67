import Client
import Contracts
import Foundation

/// A past order, its payment, and its customer's rating.
package struct PastVisit: Codable, Sendable {
    package let order: PastOrder
    let token: String
    let tipPercent: Int
    let paidAt: Date
    let stars: Int?
    let comment: String?

    package func payment(of bill: Bill) -> PastPayment {
        let tip = bill.total.amount * tipPercent / 100
        return PastPayment(
            payer: order.customer.as(PersonID.self), token: token, tip: tip > 0 ? tip : nil,
            paidAt: paidAt)
    }
}

/// The day before a simulated city opens, and its people. They are no longer on shift and place no more orders.
///
/// Their details and actions follow from the seed; only the ids do not.
package struct PastDay: Sendable {
    static let seed = 1
    /// After the customers of a simulation with this seed, so that no person is in both.
    static let customers = Persona.mostCustomers - 12..<Persona.mostCustomers
    static let valets = Persona.mostValets - 6..<Persona.mostValets
    static let visitsEach = 4
    /// Hours of a slot, in which a customer comes once.
    private static let slotHours = 4.5
    /// Hours over which the customers' first slots begin.
    private static let startHours = 6.0
    static let hours = slotHours * Double(visitsEach) + startHours

    /// Seconds of each step of a visit; together they fit into a slot. A valet is found, arrives and parks; the
    /// vehicle is parked; a valet is found, arrives and returns it; the bill is paid.
    private static let steps = [
        20.0...150, 120...480, 150...480, 1_200...9_000, 20...150, 120...480, 180...540, 10...90,
    ]

    struct Member: Sendable {
        let persona: Persona
        let id: PersonID
        let person: SimulatedPerson
    }

    let town: SimulatedTown
    let customers, valets: [Member]
}

// MARK: - The people

extension PastDay {
    /// Signs all people up, or in again, at the running system.
    package static func open(
        _ url: URL, operatorPhone: String, operatorPassword: String
    ) async throws -> PastDay {
        let tally = Tally()
        func person(_ phone: String, _ password: String) -> SimulatedPerson {
            SimulatedPerson(
                client: OpenValetClient(url), tally: tally, phone: phone, password: password,
                desk: Desk())
        }
        let boss = person(operatorPhone, operatorPassword)
        try await boss.signIn()
        var (customers, valets): ([Member], [Member]) = ([], [])
        for index in Self.valets {
            let persona = Persona(.valet, index, seed: seed)
            let person = person(persona.phone, persona.password)
            let id = try await person.enter {
                try await boss.ask(AccountEndpoints.addValet(body: NewValetBody(persona))).id.as(
                    PersonID.self)
            }
            valets.append(Member(persona: persona, id: id, person: person))
        }
        for index in Self.customers {
            let persona = Persona(.customer, index, seed: seed)
            let person = person(persona.phone, persona.password)
            let id = try await person.enter {
                try await person.ask { client, key in
                    try await client.signUp(SignUpBody(persona), key: key)
                }.customer.id
            }
            customers.append(Member(persona: persona, id: id, person: person))
        }
        let areas = try await boss.ask(AreaEndpoints.serviceAreas()).features
        let maps = try await boss.ask { try await $0.maps().maps }
        let town = try await SimulatedTown(
            SimulatedTown.area(nil, of: areas, on: maps), seed: seed
        ).onStreets { point in
            // Later requests as an operator are the simulation's.
            try await customers[0].person.tryTo(
                PlaceEndpoints.placesAround(asks: PointQuery(point)))
        }
        return PastDay(town: town, customers: customers, valets: valets)
    }

    /// Submits the customer's rating, if there is one.
    package func rate(_ visit: PastVisit) async throws {
        let customer = customers.first { $0.id == visit.order.customer.as(PersonID.self) }
        guard let stars = visit.stars, let customer else { return }
        let body = RatingBody(stars: stars, comment: visit.comment)
        try await customer.person.ask(RatingEndpoints.rate(visit.order.id, body: body))
    }
}

extension SimulatedPerson {
    /// The person's id: of a new account, or of one from an earlier run.
    fileprivate func enter(_ make: () async throws -> PersonID) async throws -> PersonID {
        do {
            return try await make()
        } catch let error as ClientError
            where ["account.phone_taken", "account.too_many_attempts"].contains(error.code)
        {
            return try await signIn().id
        }
    }
}

// MARK: - What happened

extension PastDay {
    /// The orders of the hours before `end`, by customer. No valet has two jobs at once, and no customer two orders.
    package func visits(until end: Date) -> [PastVisit] {
        var busy: [PersonID: [ClosedRange<Date>]] = [:]
        var visits: [PastVisit] = []
        for (place, customer) in customers.enumerated() {
            var generator = SeededGenerator(
                UInt64(Self.seed), "past", customer.persona.index)
            let part = Double(place) / Double(customers.count)
            let first = end.addingTimeInterval((part * Self.startHours - Self.hours) * 3_600)
            for number in 0..<Self.visitsEach {
                let slot = first.addingTimeInterval(Double(number) * Self.slotHours * 3_600)
                let visit = visit(of: customer, after: slot, &busy, &generator)
                if let visit { visits.append(visit) }
            }
        }
        return visits
    }

    /// Nil if all valets were busy.
    private func visit(
        of customer: Member, after slot: Date, _ busy: inout [PersonID: [ClosedRange<Date>]],
        _ generator: inout SeededGenerator
    ) -> PastVisit? {
        let wish = Visit(&generator, in: town, vehicles: 0)
        let seconds = Self.steps.map { generator.within($0) }
        let left = Self.slotHours * 3_600 - seconds.reduce(0, +)
        let placed = slot.addingTimeInterval(generator.within(0...left))
        var moments = [placed]
        for step in seconds { moments.append(moments[moments.count - 1].addingTimeInterval(step)) }
        let times = PastOrder.Times(
            placed: placed, assigned: moments[1], collected: moments[2], parked: moments[3],
            recalled: moments[4], returnAssigned: moments[5], retrieved: moments[6],
            returned: moments[7])
        func free(_ from: Date, _ to: Date) -> PersonID? {
            let free = valets.map(\.id).filter { valet in
                busy[valet, default: []].allSatisfy { !$0.overlaps(from...to) }
            }
            let valet = generator.pick(free)
            if let valet { busy[valet, default: []].append(from...to) }
            return valet
        }
        guard let vehicle = generator.pick(customer.persona.vehicles),
            let dropOffValet = free(times.assigned, times.parked),
            let returnValet = free(times.returnAssigned, times.returned),
            let garage = generator.pick(town.garages)
        else { return nil }
        let order = PastOrder(
            id: .new(at: placed), customer: customer.id.as(CustomerID.self),
            dropOff: wish.dropOff, dropOffValet: dropOffValet.as(ValetID.self),
            vehicle: vehicle,
            parkedAt: ParkedAt(
                latitude: garage.point.latitude, longitude: garage.point.longitude,
                lot: garage.name, bay: String(Int(generator.within(1...120)))),
            returnTo: wish.returnTo, returnValet: returnValet.as(ValetID.self), times: times)
        return PastVisit(
            order: order, token: TestCard.good(customer.persona.index),
            tipPercent: wish.tipPercent, paidAt: moments[8], stars: wish.stars,
            comment: wish.comment)
    }
}

extension NewValetBody {
    init(_ persona: Persona) {
        self.init(
            firstName: persona.firstName, lastName: persona.lastName, phone: persona.phone,
            password: persona.password, language: persona.language)
    }
}

extension SignUpBody {
    init(_ persona: Persona) {
        self.init(
            firstName: persona.firstName, lastName: persona.lastName, phone: persona.phone,
            password: persona.password, language: persona.language)
    }
}
