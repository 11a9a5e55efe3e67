import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

/// Spaces in which valets park. A space is taken when orders asks for one, confirmed by the event that the vehicle is
/// parked, and given back by the event that it has left. Each function is one transaction.
///
/// An unconfirmed space is given back after a while, and an event counts even if its space is no longer known here. So
/// no space is lost, and none is given twice, whichever of the two services crashes in between.
struct ValetSpaces: Sendable {
    /// Work: gives back an unconfirmed space, and extends one that is in use.
    static let look = "valet-space"
    /// How long a space waits for its confirmation, in seconds.
    static let patience: TimeInterval = 300
    /// How long a space is taken at a time, in seconds, since nobody knows when the vehicle will be collected.
    static let span: TimeInterval = 86_400
    /// How often a space in use is extended, in seconds.
    static let renewal: TimeInterval = 3_600
    /// How long a space is remembered after it is given back, in seconds, since events and reports of gates may be
    /// late.
    static let kept = GateUseCases.kept
    /// How long before reporting it a valet may have passed the gate, in seconds.
    static let arrival: TimeInterval = 1_800

    let database: Database
    let clock: ServiceClock

    /// Takes a space of class general; a repeat gets the same space.
    func take(_ body: SpaceBody) async throws -> TakenSpace {
        let now = clock.now
        return try await database.write { transaction in
            let carPark = try transaction.carParks.require(body.carParkId)
            var space =
                try transaction.valetSpaces.find(body.order)
                ?? ValetSpace(order: body.order, carPark: carPark.id)
            if !space.isTaken || space.carPark != carPark.id {
                try carPark.require(openAt: now, for: body.currency)
                try transaction.valetSpaces.giveBack(&space, at: now)
                space.carPark = carPark.id
                space.plate = body.plate.plateCharacters
                space.rate = try transaction.carParks.rate(of: .general, in: carPark)
                try transaction.valetSpaces.requireFree(space, in: carPark, at: now)
                try transaction.inventory.allocate(space.allocation(at: now), of: carPark.general)
                (space.isTaken, space.takenAt) = (true, now)
            }
            if body.orderVersion > space.orderVersion {
                // The vehicle is being parked, so any earlier parking has ended.
                (space.orderVersion, space.isConfirmed) = (body.orderVersion, false)
            }
            if !space.isConfirmed {
                // A repeat restarts the wait.
                space.since = now
                try transaction.schedule(
                    Self.look, space.order, at: now.addingTimeInterval(Self.patience))
            }
            try transaction.valetSpaces.keep(space)
            return TakenSpace(
                carParkId: carPark.id, name: carPark.body.name,
                position: carPark.entrance(nearest: body.position, by: .car), rate: space.rate)
        }
    }

    /// Follows an order's events about its vehicle. An event that is older than the known version is ignored.
    /// A vehicle that the valet recognised when parking proves its plate.
    func follow(
        _ order: OrderSnapshot, isRecognised: Bool = false, _ delivery: Delivery
    ) async throws {
        let now = clock.now
        let status = try order.status.required("order.status")
        let isThere = status == .parked || status == .requestingBack
        let place = isThere ? order.parked?.carParkId : nil
        try await database.apply(delivery) { transaction in
            if isRecognised { try transaction.plates.recognise(order, at: now) }
            let known = try transaction.valetSpaces.find(order.id)
            guard order.version > known?.orderVersion ?? 0 else { return }
            if let place, let carPark = try transaction.carParks.find(place) {
                var space = known ?? ValetSpace(order: order.id, carPark: place)
                space.orderVersion = order.version
                space.plate = order.vehicle?.plate.plateCharacters ?? space.plate
                try transaction.valetSpaces.confirm(&space, in: carPark, at: now)
            } else if var space = known {
                space.orderVersion = order.version
                try transaction.valetSpaces.giveBack(&space, at: now)
                try transaction.valetSpaces.keep(space)
            }
        }
    }

    /// Gives back a space that was not confirmed in time, and extends one that is in use.
    func look(at order: OrderID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var space = try transaction.valetSpaces.find(order), space.isTaken else { return }
            guard space.isConfirmed else {
                guard now >= space.since.addingTimeInterval(Self.patience) else { return }
                try transaction.valetSpaces.giveBack(&space, at: now)
                return try transaction.valetSpaces.keep(space)
            }
            guard let carPark = try transaction.carParks.find(space.carPark) else { return }
            try transaction.valetSpaces.renew(space, in: carPark, at: now)
        }
    }

    func sweep() async throws {
        let limit = clock.now.addingTimeInterval(-Self.kept)
        try await database.sweep { transaction, most in
            try transaction.execute(
                """
                DELETE FROM valet_spaces WHERE order_id IN (
                    SELECT order_id FROM valet_spaces WHERE is_taken = 0 AND since < ? LIMIT ?)
                """, limit, most)
        }
    }
}

extension CarParkRecord {
    fileprivate var general: Int { body.capacity[.general] }

    fileprivate func require(openAt now: Date, for currency: String) throws(Refusal) {
        guard isOpen else { throw .carParkClosed.because(statusReason) }
        guard openingState(at: now) != .closed else {
            throw .carParkClosed.because("Its opening hours: \(body.openingHours ?? "").")
        }
        guard body.currency == currency else {
            throw .carParkInOtherCurrency.because("The car park's currency is \(body.currency).")
        }
    }
}

extension CarParkStore {
    /// The rate that a valet's order pays for parking: the cheapest started hour, even if a drive-up would pay less by
    /// the day; nothing if no product is offered.
    func rate(of kind: SpaceClass, in carPark: CarParkRecord) throws -> ParkingRate {
        ParkingRate(hourly: try hourlyPrice(of: kind, in: carPark) ?? .zero(carPark.body.currency))
    }

    /// The price of the cheapest started hour; nil if none is offered.
    func hourlyPrice(of kind: SpaceClass, in carPark: CarParkRecord) throws -> Money? {
        try products(of: [carPark.id])[carPark.id, default: []]
            .filter { $0.isOffered && $0.kind == .hourly && $0.classes.contains(kind) }
            .map(\.price).min().map { Money(amount: $0, currency: carPark.body.currency) }
    }
}

extension ValetSpaceStore {
    /// A vehicle that has entered through a gate already has its space.
    fileprivate func requireFree(
        _ space: ValetSpace, in carPark: CarParkRecord, at now: Date
    ) throws {
        guard try transaction.sessions.inside(carPark.id, plate: space.plate) == nil else { return }
        let live = try transaction.carParks.liveSpaces(of: [carPark], at: now)[carPark.id] ?? []
        if live.first(where: { $0.kind == .general })?.free == 0 { throw Refusal.bookingFull }
    }

    /// Confirms that the vehicle is parked, even if the space was given back in the meantime.
    fileprivate func confirm(
        _ space: inout ValetSpace, in carPark: CarParkRecord, at now: Date
    ) throws {
        if space.carPark != carPark.id || !space.isTaken {
            let takenAt = space.carPark == carPark.id ? space.takenAt : nil
            try giveBack(&space, at: now)
            (space.carPark, space.isTaken, space.takenAt) = (carPark.id, true, takenAt ?? now)
        }
        space.isConfirmed = true
        try keep(space)
        try renew(space, in: carPark, at: now)
        if var stay = try transaction.sessions.inside(carPark.id, plate: space.plate),
            stay.session.booking == nil
        {
            try hand(&stay, to: space.order, at: now)
        }
    }

    /// Extends the space. If everything is booked by then, the vehicle is still there and overstays; the extension is
    /// tried again later.
    fileprivate func renew(
        _ space: ValetSpace, in carPark: CarParkRecord, at now: Date
    ) throws {
        do {
            try transaction.inventory.allocate(space.allocation(at: now), of: carPark.general)
        } catch Refusal.bookingFull {}
        try transaction.schedule(
            ValetSpaces.look, space.order, at: now.addingTimeInterval(ValetSpaces.renewal))
    }

    /// Assigns a stay to a valet's order, which pays for it. The gate may have assigned it to the vehicle's owner,
    /// since the order was not known there.
    fileprivate func hand(_ stay: inout SessionRecord, to order: OrderID, at now: Date) throws {
        try transaction.sessions.dropBill(of: &stay, at: now)
        (stay.order, stay.person, stay.session.due) = (order, nil, nil)
        try transaction.sessions.keep(&stay, at: now)
    }

    /// Frees the space.
    fileprivate func giveBack(_ space: inout ValetSpace, at now: Date) throws {
        if space.isTaken {
            try transaction.inventory.release(space.order)
            try transaction.unschedule(ValetSpaces.look, space.order)
        }
        (space.isTaken, space.isConfirmed, space.since) = (false, false, now)
    }
}
