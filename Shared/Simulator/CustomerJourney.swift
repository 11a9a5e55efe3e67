import Client
import Contracts
import Foundation

/// One order from the customer's side.
final class CustomerJourney {
    /// Longest time between two looks at the order, in real time.
    private static let look: Duration = .seconds(15)
    /// Time between two looks of a customer without the live stream.
    private static let poll: Duration = .seconds(4)
    /// Longest time between two positions of a customer whose valet is on the way.
    private static let positionInterval: Duration = .seconds(8)
    /// The customer gives up after this time without progress, in real time.
    private static let patience: Duration = .seconds(600)
    /// The same while the city is closing.
    private static let lastPatience: Duration = .seconds(90)
    private static let pauseBetweenRecalls: Duration = .seconds(10)
    /// Seconds over which the last recalls are spread when the time is over.
    private static let lastRecallSpread = 30.0
    /// Tries to get a bill that has not arrived or is being paid, one per second.
    private static let mostLooksForBill = 60
    /// Tries to rate an order that ratings does not know yet, one per second.
    private static let mostTriesToRate = 5

    private let customer: SimulatedCustomer
    private let visit: Visit
    private var world: Simulation { customer.world }
    private var person: SimulatedPerson { customer.person }

    /// When the order entered its current state.
    private var since = ContinuousClock.now
    private var status: OrderStatus?
    private var wasCancelled = false
    private var hasChangedMind = false
    private var hasLookedAtQuote = false
    private var hasLookedAtTrack = false
    private var hasRecalled = false
    private var lastPosition: ContinuousClock.Instant?
    private var lastPaid: ContinuousClock.Instant?

    init(_ customer: SimulatedCustomer, _ visit: Visit) {
        self.customer = customer
        self.visit = visit
    }

    /// Returns after the order has ended and is paid and rated.
    func follow(_ placed: OrderView) async throws {
        var order = placed
        defer { world.spokenCodes.forget(placed.id) }
        var nextLook = ContinuousClock.now
        while true {
            note(order)
            if order.status.isEnd { return try await finish(order) }
            let hasActed = try await act(order)
            let interval = customer.persona.streams ? Self.look : Self.poll
            nextLook = hasActed ? .now : .now + interval
            var rung = false
            while !rung, ContinuousClock.now < nextLook {
                let limit = min(nextLook - .now, ownNext(order), Self.positionInterval)
                rung = try await customer.wake.wait(upTo: max(limit, .milliseconds(50)))
                try await standIfMet(order)
                if ownNext(order) <= .zero { break }
            }
            order = try await person.ask(OrderEndpoints.order(order.id))
        }
    }

    private func note(_ order: OrderView) {
        world.tally.see(order)
        guard order.status != status else { return }
        (status, since, hasLookedAtTrack) = (order.status, .now, false)
    }

    private var inState: Duration { ContinuousClock.now - since }

    private var isClosing: Bool { world.phase > .open }

    /// Time until the customer's next own action.
    private func ownNext(_ order: OrderView) -> Duration {
        let wish: Duration? =
            switch order.status {
            case .requested, .droppingOff: cancelsAfter(order)
            case .parked: recallsAfter
            case .requestingBack:
                changesMind && !isWithStranger(order) ? world.real(20) : giveUpAfter(order)
            case .waitingForPayment: lastPaid == nil ? .zero : nil
            case .parking, .returningBack, .finished, .cancelled, .unfulfilled: nil
            }
        return wish.map { $0 - inState } ?? Self.look
    }

    /// Does what the customer does in this state. False if there is nothing to do yet.
    private func act(_ order: OrderView) async throws -> Bool {
        switch order.status {
        case .requested, .droppingOff: return try await waitForValet(order)
        case .parked: return try await wait(order)
        case .requestingBack:
            guard ownNext(order) <= .zero else { return false }
            hasChangedMind = true
            try await orNotPossible(OrderEndpoints.cancelRecall(order.id, body: ReasonBody()))
            since = .now
            return true
        case .returningBack:
            try await meet(order, .return)
            return try await misses(order, .waitingForPayment)
        case .waitingForPayment:
            // Orders learns of a payment a moment later; after a longer time, look again.
            if let lastPaid, .now - lastPaid < Self.look { return false }
            try await pay(order.id, amount: order.charge)
            lastPaid = .now
            return false
        case .parking: return try await misses(order, .cancelled)
        case .finished, .cancelled, .unfulfilled: return false
        }
    }

    /// Whether a stranger's job had to be given up: a person who has closed the app, or another simulation that has
    /// ended.
    private func misses(_ order: OrderView, _ status: OrderStatus) async throws -> Bool {
        guard isWithStranger(order), inState > world.patienceWithStrangers else { return false }
        try await world.callOperator(order, status, "The valet does not go on.")
        return true
    }

    /// Whether the valet of the current leg is a stranger.
    private func isWithStranger(_ order: OrderView) -> Bool {
        let valet =
            switch order.status {
            case .requestingBack, .returningBack: order.returnValet
            default: order.dropOffValet
            }
        return valet.map(world.isStranger) ?? false
    }

    /// If somebody else was faster, the next look at the order shows its state.
    private func orNotPossible(_ call: EndpointCall<OrderView>) async throws {
        do {
            try await person.ask(call)
        } catch let error as ClientError where error.status == 409 {
            try await customer.wake.wait(upTo: .seconds(1))
        }
    }
}

// MARK: - Waiting for the valet

extension CustomerJourney {
    private func cancelsAfter(_ order: OrderView) -> Duration? {
        guard !wasCancelled else { return nil }
        if order.status == .requested {
            if isClosing { return order.scheduledFor == nil ? Self.lastPatience : .zero }
            if case .whileWaiting(let seconds) = visit.cancelling, order.scheduledFor == nil {
                return world.real(seconds)
            }
            return nil
        }
        switch visit.cancelling {
        case _ where isWithStranger(order): return giveUpAfter(order)
        case .withValet(let seconds): return world.real(seconds)
        case .afterGrace where !isClosing:
            return .seconds((world.town.tariff?.cancellationGraceSeconds ?? 0) + 3)
        case .afterGrace, .never, .whileWaiting: return giveUpAfter(order)
        }
    }

    private func giveUpAfter(_ order: OrderView) -> Duration {
        if isWithStranger(order) { return world.patienceWithStrangers }
        return isClosing ? Self.patience / 3 : Self.patience
    }

    private func waitForValet(_ order: OrderView) async throws -> Bool {
        if let limit = cancelsAfter(order), inState >= limit {
            wasCancelled = true
            try await orNotPossible(
                OrderEndpoints.cancel(order.id, body: ReasonBody(reason: "Changed my mind.")))
            return true
        }
        if order.status == .droppingOff, comes(to: order) { try await meet(order, .dropOff) }
        return false
    }

    /// Whether the customer comes to the meeting point. Customers who meant to stay away come anyway while the city
    /// is closing, and if the valet is a stranger.
    private func comes(to order: OrderView) -> Bool {
        if isClosing || isWithStranger(order) { return true }
        return !visit.isAbsent && visit.cancelling != .afterGrace
    }

    /// Comes to the meeting point and tells the valet the code; looks at the map while waiting.
    private func meet(_ order: OrderView, _ leg: OrderLeg) async throws {
        let place = leg == .dropOff ? order.dropOff : order.returnTo
        if let place, status != nil, lastPosition == nil || leg == .return {
            customer.whereabouts.appear(at: place.coordinate)
        }
        try await standIfMet(order)
        if let code = order.handoverCode {
            if isWithStranger(order), world.isDemo {
                try await person.tryTo(
                    WebEndpoints.readOut(order.id, body: SpokenCode(leg: leg, code: code)))
            } else {
                world.spokenCodes.tell(code, order.id, leg)
            }
        }
        guard !hasLookedAtTrack else { return }
        hasLookedAtTrack = true
        try await person.tryTo(LocationEndpoints.track(order.id))
        try await person.tryTo(LocationEndpoints.route(order.id))
    }

    private func standIfMet(_ order: OrderView) async throws {
        guard [.requested, .droppingOff, .returningBack].contains(order.status),
            order.scheduledFor == nil || order.status != .requested
        else { return }
        if let lastPosition, .now - lastPosition < Self.positionInterval { return }
        lastPosition = .now
        try await customer.stand()
    }
}

// MARK: - The parked vehicle

extension CustomerJourney {
    private var changesMind: Bool { visit.changesMindAboutReturn && !hasChangedMind && !isClosing }

    private var recallsAfter: Duration {
        // No valet was found for the last recall, or it was cancelled: wait a moment and try again.
        if hasRecalled { return Self.pauseBetweenRecalls }
        guard isClosing else { return world.real(visit.parkedSeconds) }
        let share = Double(customer.persona.index % 20) / 20
        return min(world.real(visit.parkedSeconds), .seconds(share * Self.lastRecallSpread))
    }

    private func wait(_ order: OrderView) async throws -> Bool {
        if visit.looksAtQuote, !hasLookedAtQuote {
            hasLookedAtQuote = true
            try await person.tryTo(OrderEndpoints.quote(order.id))
        }
        guard inState >= recallsAfter else { return false }
        hasRecalled = true
        try await orNotPossible(
            OrderEndpoints.recall(order.id, body: RecallBody(returnTo: visit.returnTo)))
        return true
    }
}

// MARK: - Paying, and after

extension CustomerJourney {
    /// Pays a bill or a fee; with another card if the first is declined.
    func pay(_ order: OrderID, amount: Money?) async throws {
        let tip = (amount?.amount ?? 0) * visit.tipPercent / 100
        var cards: [PayBody] = [
            PayBody(token: TestCard.good(customer.persona.index + 1), tip: tip > 0 ? tip : nil)
        ]
        let saved = try await person.ask(PaymentEndpoints.paymentMethods()).items.first
        if let saved { cards.insert(PayBody(paymentMethodId: saved.id, tip: cards[0].tip), at: 0) }
        for _ in 0..<Self.mostLooksForBill {
            do {
                let payment = try await person.ask(
                    PaymentEndpoints.pay(order, body: InCurrency(cards[0]))
                ).payment
                if payment.status == .succeeded { return world.tally.paid(payment) }
                try await customer.wake.wait(upTo: .seconds(1))
            } catch let error as ClientError {
                switch error.code {
                case "payment.declined" where cards.count > 1: cards.removeFirst()
                case "payment.nobody_to_tip": for index in cards.indices { cards[index].tip = nil }
                case "payment.already_paid": return
                case "payment.not_due", "payment.bill_pending", "payment.in_progress",
                    "payment.bill_changed":
                    try await customer.wake.wait(upTo: .seconds(1))
                default: throw error
                }
            }
        }
    }

    private func finish(_ order: OrderView) async throws {
        if order.status == .cancelled, let fee = order.charge, fee.amount > 0 {
            try await pay(order.id, amount: nil)
        }
        guard order.status == .finished else { return }
        if visit.looksAtReceipt {
            try await person.tryTo(PaymentEndpoints.receipt(order.id, asks: LanguageQuery()))
        }
        guard let stars = visit.stars else { return }
        let rating = RatingBody(stars: stars, comment: visit.comment)
        // Ratings may learn a moment later that the order has finished.
        for _ in 0..<Self.mostTriesToRate {
            do {
                try await person.ask(RatingEndpoints.rate(order.id, body: rating))
                return world.tally.rated(stars)
            } catch let error as ClientError where error.code?.hasPrefix("rating.") == true {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
