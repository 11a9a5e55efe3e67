import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// Reactions to other services' events.
func orderReactions(_ answers: OrderAnswers) -> Reactions {
    let database = answers.database
    return Reactions {
        when(ValetMatched.self) { event, delivery in
            try await answers.learn(of: event.valet.as(PersonID.self))
            try await answers.assign(event, delivery)
        }
        when(NoValetFound.self) { event, delivery in try await answers.giveUp(event, delivery) }
        when(PaymentSucceeded.self, of: .valet) { event, delivery in
            try await answers.finish(event, delivery)
        }
        when(AccountChanged.self) { event, delivery in
            try await answers.apply(event, delivery)
        }
        when(VehicleChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.people.keep(event) }
        }
        when(ServiceAreaChanged.self) { event, delivery in
            let now = answers.clock.now
            try await database.apply(delivery) { try $0.keepArea(event, at: now) }
        }
        when(RatingGiven.self) { event, delivery in
            let now = answers.clock.now
            try await database.apply(delivery) { try $0.people.keep(event, at: now) }
        }
        when(PartyArrived.self, of: .valet) { event, delivery in
            try await answers.apply(event, delivery)
        }
        when(AvailabilityChanged.self) { event, delivery in
            try await database.apply(delivery) { try $0.shifts.keep(event) }
        }
        when(RecognitionMade.self) { event, delivery in
            try await database.apply(delivery) { try $0.recognitions.keep(event) }
        }
        when(PhotoTaken.self, of: .valet) { event, delivery in
            try await answers.apply(event, delivery)
        }
        whenDeleted(in: database) { event, delivery in
            try await answers.forget(event, delivery)
        }
    }
}

/// Changes to orders by matching, payments and the clock.
///
/// Repeated or late answers change nothing.
struct OrderAnswers: Sendable {
    let database: Database
    let clock: ServiceClock
    let limits: OrderLimits
    let chain: CustodyChain
    let areas: KnownAreas
    /// Answers for people who are unknown here.
    let accounts: Owners

    /// Gives the job to the valet, or asks again if they can't take it.
    func assign(_ event: ValetMatched, _ delivery: Delivery) async throws {
        let leg = try event.leg.required("leg")
        try await change(event.order, delivery) { order, now, transaction in
            guard order.awaits(leg, attempt: event.attempt) else { return nil }
            let isExcluded =
                order.search(leg).excluded.contains(event.valet)
                // Customers can't be their own valets.
                || event.valet.as(PersonID.self) == order.customer.as(PersonID.self)
            if try isExcluded || transaction.people.isSuspended(event.valet) {
                return try order.repeatSearch(without: event.valet, at: now)
            }
            if try transaction.orders.engaging(event.valet) != nil {
                return try order.repeatSearch(at: now)
            }
            if let seconds = try areas.area(order.serviceArea, in: transaction)?.offerSeconds {
                let terms = OfferTerms(
                    deliverySeconds: limits.dispatch.offerDeliverySeconds, answerSeconds: seconds)
                return try order.offer(
                    to: event.valet, etaSeconds: event.etaSeconds, terms, at: now)
            }
            return try order.assign(event.valet, etaSeconds: event.etaSeconds, at: now)
        }
    }

    func giveUp(_ event: NoValetFound, _ delivery: Delivery) async throws {
        let leg = try event.leg.required("leg")
        try await change(event.order, delivery) { order, now, _ in
            guard order.awaits(leg, attempt: event.attempt) else { return nil }
            guard order.isSearchUrgedOn(at: now) else { return try order.giveUpSearch(at: now) }
            order.pauseSearch(at: now)
            return nil
        }
    }

    func finish(_ event: PaymentSucceeded, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { try finish(event, in: $0) }
    }

    func finish(_ event: PaymentSucceeded, in transaction: Transaction) throws {
        try apply(event.payment.bill.as(OrderID.self), in: transaction) { order, now, transaction in
            if try transaction.debts.clear(event) {
                order.settleFee()
                try transaction.orders.publishEngagement(of: order.snapshot, at: now)
            }
            guard order.status == .waitingForPayment else { return nil }
            // The order ends at the time of payment, even if the event is late.
            return try order.finish(at: min(now, max(order.statusSince, event.paidAt ?? now)))
        }
    }

    /// Hands a suspended valet's job over to an operator, and reopens the tasks that they had taken.
    func apply(_ event: AccountChanged, _ delivery: Delivery) async throws {
        try await database.apply(delivery) { try apply(event, in: $0) }
    }

    func apply(_ event: AccountChanged, in transaction: Transaction) throws {
        let (valet, now) = (event.account.id.as(ValetID.self), clock.now)
        let wasSuspended = try transaction.people.isSuspended(valet)
        guard try transaction.people.keep(event, at: now), event.suspended, !wasSuspended else {
            return
        }
        try releaseTasks(of: valet, in: transaction, at: now)
        guard let job = try transaction.orders.activeJob(of: valet) else { return }
        try transaction.orders.publish(
            OrderNeedsOperator(order: job.snapshot, cause: .valetSuspended), chain, at: now)
    }

    private func releaseTasks(
        of valet: ValetID, in transaction: Transaction, at now: Date
    ) throws {
        let taken = TaskFilter(status: .taken, valet: valet)
        for listing in try transaction.tasks.all(taken, limit: Self.batch) {
            guard let kind = listing.task.kind.known,
                var order = try transaction.orders.find(listing.order)
            else { continue }
            let event = try order.releaseTask(kind, by: valet, at: now)
            try transaction.orders.update(order, limits)
            try transaction.orders.publish(event, chain, at: now)
        }
    }

    /// Notifies the customer once per leg.
    func apply(_ event: PartyArrived, _ delivery: Delivery) async throws {
        guard let leg = OrderLeg(rawValue: event.meeting) else { return }
        let now = clock.now
        try await database.apply(delivery) { transaction in
            guard try transaction.arrivals.keep(event, at: leg),
                let order = try transaction.orders.find(event.engagement.as(OrderID.self))
            else { return }
            try OrderNotice.announce(event, at: leg, of: order, at: now, in: transaction)
        }
    }

    func apply(_ event: PhotoTaken, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            guard let order = try transaction.orders.find(event.engagement.as(OrderID.self))
            else { return }
            try transaction.custody.append(event, to: order, chain, at: now)
            try OrderNotice.announce(event, of: order, at: now, in: transaction)
        }
    }

    private typealias Change =
        @Sendable (inout Order, Date, Transaction) throws -> (
            any OrderEvent
        )?

    private func change(
        _ id: OrderID, _ delivery: Delivery, _ change: @escaping Change
    ) async throws {
        try await database.apply(delivery) { try apply(id, in: $0, change) }
    }

    /// Ignores unknown orders: they belong to another installation on the same Kafka.
    private func apply(_ id: OrderID, in transaction: Transaction, _ change: Change) throws {
        guard var order = try transaction.orders.find(id) else { return }
        let now = clock.now
        let event = try change(&order, now, transaction)
        guard order.version.isChanged else { return }
        try transaction.orders.update(order, limits)
        guard let event else { return }
        try transaction.orders.publish(event, chain, at: now)
    }
}

extension OrderAnswers {
    /// The most orders that one round handles.
    static let batch = 100

    /// Alerts operators to orders that have been in one state for too long; returns their number.
    @discardableResult
    func announceOverdue() async throws -> Int {
        let now = clock.now
        let ids = try await database.read { try $0.orders.overdue(at: now, limit: Self.batch) }
        return try await forEach(ids) { order, now, _ in
            guard let limit = limits.stateSeconds[order.status],
                now >= order.statusSince.addingTimeInterval(Double(limit))
            else { return nil }
            return order.announceOverdue(limitSeconds: limit)
        }
    }

    /// Asks matching again if its answer is overdue; returns the number of orders.
    @discardableResult
    func repeatUnanswered() async throws -> Int {
        let now = clock.now
        let ids = try await database.read { try $0.orders.unanswered(at: now, limit: Self.batch) }
        return try await forEach(ids) { order, now, _ in
            let limit = Double(limits.matchAnswerSeconds)
            guard let askedAt = order.askedAt, now >= askedAt.addingTimeInterval(limit) else {
                return nil
            }
            return try order.repeatSearch(at: now)
        }
    }

    /// Ends expired offers, starts the searches of orders ahead and continues them; returns the number of orders.
    @discardableResult
    func wakeDue() async throws -> Int {
        let now = clock.now
        let ids = try await database.read { try $0.orders.toWake(at: now, limit: Self.batch) }
        return try await forEach(ids) { order, now, _ in try order.wake(at: now) }
    }

    /// How long an order that failed is left alone, in seconds, so that a hundred of them don't block those
    /// behind them.
    static let postponement: TimeInterval = 60

    /// Continues with the others if one fails.
    private func forEach(_ ids: [OrderID], _ change: @escaping Change) async throws -> Int {
        var failure: (any Error)?
        for id in ids {
            do {
                try await database.write { try apply(id, in: $0, change) }
            } catch {
                failure = error
                let now = clock.now
                try await database.write {
                    try $0.orders.postpone(
                        id, until: now.addingTimeInterval(Self.postponement), at: now)
                }
            }
        }
        if let failure { throw failure }
        return ids.count
    }
}
