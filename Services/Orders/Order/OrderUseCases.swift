import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The actions of people on orders: one function, one transaction each.
struct OrderUseCases: Sendable {
    let database: Database
    let clock: ServiceClock
    let limits: OrderLimits
    let chain: CustodyChain
    let areas: KnownAreas
    let owners: OrderOwners
    var names = OrderNames.random
    var addresses = OrderAddresses.none

    var answers: OrderAnswers {
        OrderAnswers(
            database: database, clock: clock, limits: limits, chain: chain, areas: areas,
            accounts: owners.accounts)
    }

    /// The stored answer to an idempotency key: never a code or a name.
    struct Outcome: Codable, Sendable {
        var order: OrderID
        var isCodeWrong = false
    }

    // MARK: Customer

    func place(_ body: PlaceOrderBody, by customer: CustomerID, once key: IdempotencyKey?)
        async throws -> OrderID
    {
        // A repeated request returns its order, even if the wanted time is too near by now.
        if let known = try await database.answer(once: key, as: Outcome.self) { return known.order }
        let dropOff = try Check.place(body.dropOff, "dropOff")
        let extras = body.extras ?? []
        guard Set(extras).count == extras.count else {
            throw Refusal.invalid("extras", "Choose each extra at most once.")
        }
        let schedule = try body.scheduledFor.map {
            try limits.dispatch.schedule(for: $0, at: clock.now)
        }
        if let vehicle = body.vehicleId { try await learn(of: vehicle, of: customer) }
        try await answers.learn(of: customer.as(PersonID.self))
        try await learnPayment(by: customer)
        try await learnArea(at: dropOff)
        let named = await addresses.named(dropOff)
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.people.requireStanding(of: customer.as(PersonID.self), as: .customer)
            if let due = try transaction.debts.due(of: customer) {
                throw Refusal.paymentDue.because {
                    ($0.engagementId, $0.amount) = (due.order.as(EngagementID.self), due.amount)
                }
            }
            if let unfinished = try transaction.orders.unfinished(of: customer) {
                throw Refusal.unfinishedOrderExists.because {
                    $0.engagementId = unfinished.id.as(EngagementID.self)
                }
            }
            let area = try areas.area(at: dropOff, field: "dropOff", in: transaction)
            let vehicle = try body.vehicleId.map { id in
                guard let vehicle = try transaction.vehicle(id, of: customer) else {
                    throw Refusal.orderVehicleUnknown
                }
                return OrderVehicle(vehicle)
            }
            let draft = OrderDraft(
                id: names.newID(now), ticket: try freeTicket(in: transaction),
                code: names.newCode(), customer: customer, serviceArea: area.id,
                areaName: area.feature.properties.name, tariff: area.tariff, dropOff: named,
                vehicle: vehicle, extras: extras)
            let (order, event): (Order, any OrderEvent)
            if let schedule {
                (order, event) = try Order.place(draft, ahead: schedule, at: now)
            } else {
                (order, event) = try Order.place(draft, at: now)
            }
            try transaction.orders.insert(order, limits)
            try transaction.orders.publish(event, chain, at: now)
            return Outcome(order: order.id)
        }.order
    }

    func cancel(_ id: OrderID, _ reason: String?, _ request: OrderRequest) async throws {
        let reason = try Self.checked(reason)
        let customer = request.identity.customer
        try await act(id, request, as: .customer) { order, now, _ in
            [try order.cancel(by: .customer(customer), reason: reason, at: now)]
        }
    }

    func recall(_ id: OrderID, to place: Place, _ request: OrderRequest) async throws {
        let place = try Check.place(place, "returnTo")
        try await learnArea(at: place)
        let named = await addresses.named(place)
        try await act(id, request, as: .customer) { order, now, transaction in
            _ = try areas.area(at: place, field: "returnTo", in: transaction)
            return [
                try order.recall(
                    to: named, code: names.newCode(), by: request.identity.customer, at: now)
            ]
        }
    }

    func cancelRecall(_ id: OrderID, _ reason: String?, _ request: OrderRequest) async throws {
        let reason = try Self.checked(reason)
        try await act(id, request, as: .customer) { order, now, _ in
            [try order.cancelRecall(by: request.identity.customer, reason: reason, at: now)]
        }
    }

    // MARK: Valet

    func withdraw(_ id: OrderID, _ reason: String?, _ request: OrderRequest) async throws {
        let reason = try Self.checked(reason)
        let identity = request.identity
        try await act(id, request, as: identity.isOperator ? .operator : .valet) {
            order, now, transaction in
            guard identity.isOperator else {
                return [try order.withdraw(by: .valet(identity.valet), reason: reason, at: now)]
            }
            let person = identity.operatorID
            let event = try order.withdraw(by: .operator(person), reason: reason, at: now)
            try OrderAudit.record("withdraw", id, reason, by: person, at: now, in: transaction)
            return [event]
        }
    }

    func reportAbsence(_ id: OrderID, _ reason: String?, _ request: OrderRequest) async throws {
        let reason = try Self.checked(reason)
        let valet = request.identity.valet
        try await act(id, request, as: .valet) { order, now, transaction in
            let arrivedAt = try transaction.arrivals.find(id, .dropOff, valet)
            return [
                try order.reportAbsence(
                    by: .valet(valet), arrivedAt: arrivedAt, reason: reason, at: now)
            ]
        }
    }

    func collect(_ id: OrderID, code: String, _ request: OrderRequest) async throws {
        let valet = request.identity.valet
        try await act(id, request, as: .valet) { order, now, _ in
            guard try order.accepts(code, for: .collect, by: .valet(valet), at: now) else {
                return nil
            }
            return [try order.collect(by: valet, at: now)]
        }
    }

    func park(_ id: OrderID, _ body: ParkBody, _ request: OrderRequest) async throws {
        var parking = try Self.checked(body)
        let (valet, recognition) = (request.identity.valet, body.recognitionId)
        if let recognition { try await learn(of: recognition, by: valet, for: id) }
        parking.space = try await takeSpace(for: body, of: id, by: valet)
        if let space = parking.space { parking.place = parking.place.within(space) }
        parking.place = await addresses.named(parking.place)
        try await act(id, request, as: .valet) { [parking] order, now, transaction in
            let event = try order.park(parking, by: valet, at: now)
            if let recognition,
                try !transaction.recognitions.contains(recognition, of: valet, for: id)
            {
                throw Refusal.orderRecognitionUnknown
            }
            // The order couldn't be parked a moment ago, so no space was taken.
            if body.carParkId != nil, parking.space == nil { throw Refusal.orderContended }
            return [event]
        }
    }

    func retrieve(_ id: OrderID, _ request: OrderRequest) async throws {
        try await act(id, request, as: .valet) { order, now, _ in
            [try order.retrieve(by: request.identity.valet, at: now)]
        }
    }

    func handBack(_ id: OrderID, code: String, _ request: OrderRequest) async throws {
        let valet = request.identity.valet
        try await act(id, request, as: .valet) { order, now, _ in
            guard try order.accepts(code, for: .handBack, by: .valet(valet), at: now) else {
                return nil
            }
            return [try order.handBack(by: valet, at: now)]
        }
    }

    // MARK: Operator

    func override(_ id: OrderID, _ body: OverrideBody, _ request: OrderRequest) async throws {
        let reason = try Check.text(body.reason, "reason", 1...OrderRules.longestReason)
        try await act(id, request, as: .operator) { order, now, transaction in
            let word = OperatorWord(
                by: request.identity.operatorID, reason: reason, newCode: names.newCode())
            let event = try order.override(to: body.status, word, at: now)
            if let valet = order.activeValet,
                let job = try transaction.orders.engaging(valet), job.id != id
            {
                throw Refusal.valetBusy
            }
            try OrderAudit.record(
                "override", id, reason, by: request.identity.operatorID, at: now,
                in: transaction)
            return [event]
        }
    }
}

/// The caller and their idempotency key.
struct OrderRequest: Sendable {
    var identity: Identity
    var key: IdempotencyKey?
}

extension OrderUseCases {
    /// Loads, changes, stores and publishes in one transaction.
    ///
    /// `change` returns the events, or nil for a wrong code, whose count is stored all the same.
    func act(
        _ id: OrderID, _ request: OrderRequest, as role: Role,
        seenBy isVisible: @escaping @Sendable (Order, Identity, Transaction) throws -> Bool = {
            order, reader, _ in order.isVisible(to: reader)
        },
        _ change: @escaping @Sendable (inout Order, Date, Transaction) throws -> [any OrderEvent]?
    ) async throws {
        let now = clock.now
        let outcome = try await database.write(once: request.key) { transaction in
            try transaction.people.requireStanding(of: request.identity.person, as: role)
            guard var order = try transaction.orders.find(id),
                try isVisible(order, request.identity, transaction)
            else { throw Refusal.orderUnknown }
            let before = order
            let events = try change(&order, now, transaction)
            try transaction.orders.update(order, limits)
            for event in (events ?? []) + order.sideEvents(since: before) {
                try transaction.orders.publish(event, chain, at: now)
            }
            return Outcome(order: id, isCodeWrong: events == nil)
        }
        if outcome.isCodeWrong { throw Refusal.wrongOrderCode }
    }

    /// A short ticket; a longer one if many orders are unfinished.
    func freeTicket(in transaction: Transaction) throws -> String {
        for digits in OrderNames.ticketDigits {
            for _ in 0..<OrderNames.ticketTries {
                let ticket = names.newTicket(digits)
                if try !transaction.orders.isTicketInUse(ticket) { return ticket }
            }
        }
        throw Refusal.orderContended
    }
}

/// Limits of free text, in characters.
enum OrderRules {
    static let longestReason = 500
    static let longestLabel = 40
    static let longestMake = 40
}

extension OrderUseCases {
    fileprivate static func checked(_ reason: String?) throws -> String? {
        try Check.optionalText(reason, "reason", most: OrderRules.longestReason)
    }

    fileprivate static func checked(_ body: ParkBody) throws -> Parking {
        let at = try Check.coordinate(latitude: body.latitude, longitude: body.longitude, "")
        let label = OrderRules.longestLabel
        let place = ParkedAt(
            latitude: at.latitude, longitude: at.longitude,
            lot: try Check.optionalText(body.lot, "lot", most: label),
            level: try Check.optionalText(body.level, "level", most: label),
            bay: try Check.optionalText(body.bay, "bay", most: label),
            keyTag: try Check.optionalText(body.keyTag, "keyTag", most: label))
        let make = 1...OrderRules.longestMake
        let vehicle = VehicleDescription(
            plate: try Check.text(
                body.vehicle.plate, "vehicle.plate", 1...Vehicle.longestPlate),
            make: try Check.text(body.vehicle.make, "vehicle.make", make),
            model: try Check.text(body.vehicle.model, "vehicle.model", make),
            colour: try Check.text(body.vehicle.colour, "vehicle.colour", make))
        return Parking(place: place, vehicle: vehicle, recognition: body.recognitionId)
    }
}
