import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

/// Spaces that valets park in: taken when orders asks for one, confirmed by the event of the parked vehicle, and given
/// back by the one that says that it has left. Each function is one transaction.
///
/// What was taken and is never confirmed is given back after a while; what an event says counts also where nothing is
/// known of it any more. So no space is lost, and none is given twice, whichever of the two services dies in between.
struct ValetSpaces: Sendable {
    /// The work by which an unconfirmed space is given back, and one that is in use is kept.
    static let look = "valet-space"
    /// How long a space waits for its confirmation, in seconds.
    static let patience: TimeInterval = 300
    /// For how long it is taken at a time, in seconds: nobody knows when the vehicle is fetched.
    static let span: TimeInterval = 86_400
    /// How often that is made longer, in seconds.
    static let renewal: TimeInterval = 3_600
    /// How long one that was given back is known, in seconds: news of it may be late, those of gates too.
    static let kept = GateUseCases.kept
    /// How long before they say so a valet may have come in by a gate, in seconds.
    static let arrival: TimeInterval = 1_800

    let database: Database
    let clock: ServiceClock

    /// Takes a space of class general; the same again has it already.
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
                // It is being parked: whatever was there before has ended.
                (space.orderVersion, space.isConfirmed) = (body.orderVersion, false)
            }
            if !space.isConfirmed {
                // A repeat begins the wait anew.
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

    /// What an order says of where its vehicle is; what is older than what is known says nothing.
    func follow(_ order: OrderSnapshot, _ delivery: Delivery) async throws {
        let now = clock.now
        let status = try order.status.required("order.status")
        let isThere = status == .parked || status == .requestingBack
        let place = isThere ? order.parked?.carParkId : nil
        try await database.apply(delivery) { transaction in
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

    /// Gives back what was not confirmed in time, and goes on keeping what is in use.
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
        guard isOpen(at: now) else {
            throw .carParkClosed.because("It opens by these hours: \(body.openingHours ?? "").")
        }
        guard body.currency == currency else {
            throw .carParkInOtherCurrency.because("It is paid in \(body.currency).")
        }
    }
}

extension CarParkStore {
    /// What a valet's order pays for standing there: the cheapest started hour, also where a drive-up would pay less by
    /// the day, and nothing where none is offered.
    func rate(of kind: SpaceClass, in carPark: CarParkRecord) throws -> ParkingRate {
        ParkingRate(hourly: try hourlyPrice(of: kind, in: carPark) ?? .zero(carPark.body.currency))
    }

    /// Of the cheapest started hour; nil where none is offered.
    func hourlyPrice(of kind: SpaceClass, in carPark: CarParkRecord) throws -> Money? {
        try products(of: [carPark.id])[carPark.id, default: []]
            .filter { $0.isOffered && $0.kind == .hourly && $0.classes.contains(kind) }
            .map(\.price).min().map { Money(amount: $0, currency: carPark.body.currency) }
    }
}

extension ValetSpaceStore {
    /// A vehicle that has come in by a gate has its space already.
    fileprivate func requireFree(
        _ space: ValetSpace, in carPark: CarParkRecord, at now: Date
    ) throws {
        guard try transaction.sessions.inside(carPark.id, plate: space.plate) == nil else { return }
        let live = try transaction.carParks.liveSpaces(of: [carPark], at: now)[carPark.id] ?? []
        if live.first(where: { $0.kind == .general })?.free == 0 { throw Refusal.bookingFull }
    }

    /// The vehicle stands there, also where the space was given back before its confirmation came.
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

    /// Takes it for another while. Where all is booked by then the vehicle is there all the same, as one that
    /// overstays: it is tried again.
    fileprivate func renew(
        _ space: ValetSpace, in carPark: CarParkRecord, at now: Date
    ) throws {
        do {
            try transaction.inventory.allocate(space.allocation(at: now), of: carPark.general)
        } catch Refusal.bookingFull {}
        try transaction.schedule(
            ValetSpaces.look, space.order, at: now.addingTimeInterval(ValetSpaces.renewal))
    }

    /// Assigns a stay to a valet's order, which pays for it. The gate may have recorded it as the vehicle
    /// owner's, since it did not know of the order.
    fileprivate func hand(_ stay: inout SessionRecord, to order: OrderID, at now: Date) throws {
        try transaction.sessions.dropBill(of: &stay, at: now)
        (stay.order, stay.person, stay.session.due) = (order, nil, nil)
        try transaction.sessions.keep(&stay, at: now)
    }

    /// The space is free.
    fileprivate func giveBack(_ space: inout ValetSpace, at now: Date) throws {
        if space.isTaken {
            try transaction.inventory.release(space.order)
            try transaction.unschedule(ValetSpaces.look, space.order)
        }
        (space.isTaken, space.isConfirmed, space.since) = (false, false, now)
    }
}
