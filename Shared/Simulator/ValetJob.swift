import Client
import Threads
import Contracts
import Foundation
import Geo

/// One leg of an order from the valet's side: one step at a time, based on the order's current state.
final class ValetJob {
    private static let look: Duration = .seconds(10)
    private static let parkingSeconds = 60.0
    private static let returnSeconds = 30.0
    /// Metres from the gate of a car park to the bay.
    private static let bayMeters = 40.0
    /// The same if there is a map: near the street.
    private static let bayMetersOnMap = 8.0

    private let valet: SimulatedValet
    private let mind: JobMind
    private let leg: OrderLeg
    private(set) var order: OrderView
    private var hasThoughtOfWithdrawing = false
    private var hasMistyped = false
    private var hasLostSignal = false
    /// A code that turned out to be wrong, so that another one is needed.
    private var wrongCode: String?
    private var nextTry = ContinuousClock.now

    private var world: Simulation { valet.world }
    private var person: SimulatedPerson { valet.person }
    /// Strangers get the best service: no delays on purpose, and all photos are taken.
    private var isForStranger: Bool { world.isStranger(order.customer) }

    init(_ valet: SimulatedValet, _ order: OrderView, number: Int) {
        self.valet = valet
        self.order = order
        leg = Self.leg(order)
        mind = JobMind(valet.world.generator(.valet, valet.persona.index, "job", number))
    }

    private static func leg(_ order: OrderView) -> OrderLeg {
        [.requestingBack, .returningBack].contains(order.status) ? .return : .dropOff
    }

    func isAbout(_ other: OrderView) -> Bool { other.id == order.id && Self.leg(other) == leg }

    /// Does the next step. False if there is nothing to do but wait.
    func goOn(_ now: OrderView) async throws -> Bool {
        order = now
        if mind.losesSignal, !hasLostSignal, !isForStranger {
            hasLostSignal = true
            valet.whereabouts.loseSignal(for: mind.silence)
        }
        switch now.status {
        case .droppingOff: return try await collect()
        case .parking: try await park()
        case .requestingBack: return try await retrieve()
        case .returningBack: return try await handBack()
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled:
            return false
        }
        return true
    }

    /// Whether the order is still at this step with this valet.
    private func isStillWanted() async throws -> Bool {
        let now = try await person.ask(OrderEndpoints.currentOrder(asks: CurrentOrderQuery()))
        return now?.id == order.id && now?.status == order.status
    }

    private func travel(to goal: Coordinate, _ pace: TravelSpeed) async throws -> Bool {
        try await travel(along: valet.way(to: goal, of: order.id), pace)
    }

    private func travel(along way: [Coordinate], _ pace: TravelSpeed) async throws -> Bool {
        let isHere = try await valet.travel(along: way, pace) { try await self.isStillWanted() }
        guard isHere else { return false }
        try await valet.standStill()
        return true
    }

    // MARK: Steps

    private func collect() async throws -> Bool {
        if try await withdraws() { return true }
        guard try await travel(to: order.dropOff.coordinate, .riding) else { return true }
        guard let code = try await meet() else { return true }
        try await mistype(code)
        if mind.takesPhoto || isForStranger { await photograph(.handOver) }
        try await use(code) { [order] client, key in
            _ = try await client(
                OrderEndpoints.collect(order.id, body: CodeBody(code: code), key: key))
        }
        return true
    }

    private func park() async throws {
        let here = valet.whereabouts.fix.point
        guard let (garage, way) = lot(near: here) else { return }
        guard try await travel(along: way, .driving) else { return }
        try await Task.sleep(for: world.real(Self.parkingSeconds))
        let car = described
        let recognition = mind.recognises || isForStranger ? try await recognise(car) : nil
        let isOnMap = world.town.hasStreets
        let body = ParkBody(
            at: mind.bay(of: garage, around: isOnMap ? Self.bayMetersOnMap : Self.bayMeters),
            vehicle: car,
            recognitionId: recognition)
        _ = try await person.ask { [order] client, key in
            try await client(OrderEndpoints.park(order.id, body: body, key: key))
        }
    }

    /// Where to park, and the route there: a known one, or a straight line if there are no streets.
    ///
    /// The server has none, since the valet chooses. The route back is then known.
    private func lot(
        near here: Coordinate
    ) -> (garage: SimulatedTown.Garage, way: [Coordinate])? {
        let garages = world.town.garages
        guard let liked = mind.garage(of: garages, near: here) else { return nil }
        guard world.town.hasStreets, !world.roads.isEmpty else { return (liked, [liked.point]) }
        let others = garages.sorted {
            Geo.distanceMeters(here, $0.point) < Geo.distanceMeters(here, $1.point)
        }
        for garage in [liked] + others {
            if let way = world.roads.way(from: here, to: garage.point) { return (garage, way) }
        }
        // At the kerb.
        return (SimulatedTown.Garage(name: "Kerb", point: here), [])
    }

    private func retrieve() async throws -> Bool {
        if try await withdraws() { return true }
        guard let parked = order.parked else { return false }
        let point = Coordinate(latitude: parked.latitude, longitude: parked.longitude)
        guard try await travel(to: point, .riding) else { return true }
        _ = try await person.ask { [order] client, key in
            try await client(OrderEndpoints.retrieve(order.id, key: key))
        }
        return true
    }

    private func handBack() async throws -> Bool {
        guard let goal = order.returnTo else { return false }
        guard try await travel(to: goal.coordinate, .driving) else { return true }
        guard let code = try await meet() else { return true }
        try await mistype(code)
        if mind.takesPhoto || isForStranger { await photograph(.handBack) }
        let isTaken = try await use(code) { [order] client, key in
            _ = try await client(
                OrderEndpoints.handBack(order.id, body: CodeBody(code: code), key: key))
        }
        guard isTaken else { return true }
        try await Task.sleep(for: world.real(Self.returnSeconds))
        return true
    }

    private func withdraws() async throws -> Bool {
        guard mind.withdraws, !hasThoughtOfWithdrawing, !isForStranger, world.phase == .open else {
            return false
        }
        hasThoughtOfWithdrawing = true
        try await valet.wake.wait(upTo: world.real(30))
        _ = try await person.ask { [order] client, key in
            try await client(
                OrderEndpoints.withdraw(
                    order.id, body: ReasonBody(reason: "A flat tyre."), key: key))
        }
        return true
    }
}

// MARK: - Meeting the customer

extension ValetJob {
    /// The customer's code; nil if the order continued differently.
    private func meet() async throws -> String? {
        let begun = ContinuousClock.now
        nextTry = begun + .seconds((world.town.tariff?.waitingSeconds ?? 0) + 1)
        var nextLook = begun + Self.look
        while world.phase < .over {
            if let code = try await spokenCode() { return code }
            if isForStranger {
                if ContinuousClock.now - begun > world.patienceWithStrangers {
                    // Not as absent, which would cost them a fee.
                    let status = leg == .dropOff ? OrderStatus.cancelled : .waitingForPayment
                    try await world.callOperator(order, status, "The customer did not come.")
                    return nil
                }
            } else if leg == .dropOff, ContinuousClock.now >= nextTry, try await reportAbsence() {
                return nil
            }
            try await valet.wake.wait(upTo: .seconds(1))
            guard ContinuousClock.now >= nextLook else { continue }
            nextLook = .now + Self.look
            guard try await isStillWanted() else { return nil }
        }
        return nil
    }

    /// The code that the customer, or a stranger on a demo's street, has told. Nil until then.
    private func spokenCode() async throws -> String? {
        guard isForStranger else { return world.spokenCodes.code(order.id, leg) }
        guard world.isDemo else { return nil }
        let code = try await person.tryTo { [order, leg] client, _ in
            try await client(WebEndpoints.hear(order.id, asks: HearQuery(leg)))?.code
        }
        return code.flatMap { $0 == wrongCode ? nil : $0 }
    }

    /// False if the code was wrong.
    @discardableResult
    private func use(
        _ code: String, _ step: (OpenValetClient, RequestKey) async throws -> Void
    ) async throws -> Bool {
        do {
            try await person.ask(step)
            return true
        } catch let error as ClientError where error.code == "order.wrong_code" {
            wrongCode = code
            return false
        }
    }

    /// False if it is too early to report it.
    private func reportAbsence() async throws -> Bool {
        do {
            _ = try await person.ask { [order] client, key in
                try await client(
                    OrderEndpoints.customerAbsent(
                        order.id, body: ReasonBody(reason: "Nobody came."), key: key))
            }
            return true
        } catch let error as ClientError where error.code == "order.waiting" {
            nextTry = .now + .seconds(error.problem?.retryAfterSeconds ?? 5)
        } catch let error as ClientError where error.code == "order.not_arrived" {
            try await valet.standStill()
            nextTry = .now + Self.look
        }
        return false
    }

    /// Now and then enters a wrong code first.
    private func mistype(_ code: String) async throws {
        guard mind.mistypes, !hasMistyped, !isForStranger else { return }
        hasMistyped = true
        let wrong =
            String(code.reversed()) == code ? "0\(code.dropFirst())" : String(code.reversed())
        guard wrong != code else { return }
        let isReturn = leg == .return
        _ = try await person.tryTo { [order] client, key in
            isReturn
                ? try await client(
                    OrderEndpoints.handBack(order.id, body: CodeBody(code: wrong), key: key))
                : try await client(
                    OrderEndpoints.collect(order.id, body: CodeBody(code: wrong), key: key))
        }
    }
}

// MARK: - The vehicle

extension ValetJob {
    /// As the customer described it, or as the valet sees it.
    private var described: VehicleDescription {
        if let known = order.vehicle {
            return VehicleDescription(
                plate: known.plate, make: known.make, model: known.model, colour: known.colour)
        }
        return mind.strange
    }

    private func photograph(_ moment: PhotoMoment) async {
        let picture = TinyPicture.png(shade: mind.shade, comment: "simulated")
        let place = Place(valet.whereabouts.fix.point)
        _ = try? await person.tryTo { [order] client, key in
            try await client(
                PlateEndpoints.takePhoto(
                    order.id, asks: VehiclePhotoQuery(moment, at: place.coordinate), bytes: picture,
                    key: key))
        }
    }

    private func recognise(_ car: VehicleDescription) async throws -> RecognitionID? {
        let plate = car.plate.filter { !$0.isWhitespace }
        let picture = TinyPicture.png(shade: mind.shade, comment: "plate=\(plate)")
        return try await person.tryTo { [order] client, key in
            try await client(
                PlateEndpoints.recognisePlate(
                    asks: RecognitionQuery(of: order.id.as(EngagementID.self)), bytes: picture,
                    key: key)
            ).id
        }
    }
}

/// A valet's plan for a job, drawn beforehand.
struct JobMind: Sendable, Equatable {
    let withdraws: Bool
    let mistypes: Bool
    let takesPhoto: Bool
    let recognises: Bool
    let losesSignal: Bool
    /// Real time: a server notices after sixty seconds.
    let silence: Duration
    let shade: UInt8
    /// The vehicle that the valet sees if the customer described none.
    let strange: VehicleDescription
    private static let garagesToTry = 3
    private let pick: Int
    private let level: Int
    private let bearing: Double

    init(_ generator: SeededGenerator) {
        var generator = generator
        withdraws = generator.chance(2)
        mistypes = generator.chance(6)
        takesPhoto = generator.chance(25)
        recognises = generator.chance(30)
        losesSignal = generator.chance(2)
        silence = .seconds(generator.within(65...90))
        shade = UInt8(generator.within(20...235))
        let number = Int(generator.within(100...9_999))
        strange = VehicleDescription(
            plate: "ZZ \(number)", make: "Toyota", model: "Prius", colour: "grey")
        pick = Int(generator.within(0...1_000))
        level = Int(generator.within(1...4))
        bearing = generator.within(0...360)
    }

    /// One of the nearest, since the nearest may be full.
    func garage(
        of garages: [SimulatedTown.Garage], near point: Coordinate
    ) -> SimulatedTown.Garage? {
        let near = garages.sorted {
            Geo.distanceMeters(point, $0.point) < Geo.distanceMeters(point, $1.point)
        }.prefix(Self.garagesToTry)
        return near.isEmpty ? nil : near[pick % near.count]
    }

    func bay(of garage: SimulatedTown.Garage, around meters: Double) -> ParkedAt {
        let point = Geo.destination(
            from: garage.point, bearingDegrees: bearing, distanceMeters: meters)
        return ParkedAt(
            latitude: point.latitude, longitude: point.longitude, lot: garage.name,
            level: "B\(level)", bay: String(pick % 200 + 1), keyTag: "K-\(pick)")
    }
}
