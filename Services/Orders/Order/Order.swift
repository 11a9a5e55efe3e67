import Contracts
import EventBus
import Foundation
import ProductKit

/// A valet order from request to receipt: a value whose transitions return their event or throw.
struct Order: Codable, Equatable, Sendable {
    /// Consecutive wrong codes that lock the code.
    static let mostWrongCodes = 5
    static let codeLockSeconds = 60.0
    /// Wrong codes per order, after which an operator has to look.
    static let mostWrongCodesInAll = 10
    /// The most valets excluded from a leg. After that, the first one may be asked again.
    static let mostExcluded = 100
    /// How often a request to matching is repeated before it counts as failed.
    static let mostRepeats = 20

    /// The search for a valet for one leg.
    struct Search: Codable, Equatable, Sendable {
        var attempt = 0
        /// Repeats since the customer's request.
        var repeats = 0
        var excluded: [ValetID] = []
        var askedAt: Date?
    }

    let id: OrderID
    let ticket: String
    let customer: CustomerID
    let serviceArea: ServiceAreaID
    /// Nil in orders of earlier releases.
    let areaName: String?
    /// The tariff that applied at placing.
    let tariff: Tariff
    private(set) var dropOff: Place
    let extras: [Extra]
    let createdAt: Date
    /// The vehicle that the customer announced; `vehicle` is the one that the valet found.
    private(set) var chosenVehicle: OrderVehicle?
    /// Set for orders ahead; nil if the customer wants a valet as soon as possible.
    let schedule: Schedule?

    private(set) var status: OrderStatus
    private(set) var statusSince: Date
    private(set) var version: Version
    private(set) var vehicle: OrderVehicle?
    private(set) var dropOffValet: ValetID?
    private(set) var returnValet: ValetID?
    private(set) var dropOffSearch = Search()
    private(set) var returnSearch = Search()
    /// When to ask matching again after it found no valet for an order ahead.
    private(set) var searchAgainAt: Date?
    private(set) var offers = Offers()
    private(set) var work = Tasks()
    private(set) var parkedPlace: ParkedAt?
    private(set) var carParks = CarParkStays()
    /// The recognition that the valet confirmed or corrected when parking.
    private(set) var recognition: RecognitionID?
    private(set) var returnTo: Place?
    private(set) var etaSeconds: Int?
    private(set) var handoverCode: String
    private(set) var wrongCodes = 0
    private(set) var wrongCodesInAll = 0
    private(set) var codeLockedUntil: Date?
    private(set) var bill: Quote?
    private(set) var reason: String?
    /// Whether operators were notified that the order has been in this state for too long.
    private(set) var isOverdueTold = false
    private(set) var assignedAt: Date?
    private(set) var collectedAt: Date?
    private(set) var parkedAt: Date?
    private(set) var recalledAt: Date?
    private(set) var retrievedAt: Date?
    private(set) var returnedAt: Date?
    private(set) var endedAt: Date?
}

// MARK: - Placing

/// A customer's checked request, and the data that a new order gets.
struct OrderDraft: Sendable {
    var id: OrderID
    var ticket: String
    var code: String
    var customer: CustomerID
    var serviceArea: ServiceAreaID
    var areaName: String?
    var tariff: Tariff
    var dropOff: Place
    var vehicle: OrderVehicle?
    var extras: [Extra]
}

extension Order {
    static func place(
        _ draft: OrderDraft, at now: Date
    ) throws(Refusal) -> (Order, DropOffRequested) {
        var order = try Order(draft, nil, at: now)
        let match = order.ask(.dropOff, at: now)
        return (order, DropOffRequested(order: order.snapshot, match: match))
    }

    /// An order ahead is sent to matching only when its lead time begins.
    static func place(
        _ draft: OrderDraft, ahead schedule: Schedule, at now: Date
    ) throws(Refusal) -> (Order, OrderScheduled) {
        let order = try Order(draft, schedule, at: now)
        return (order, OrderScheduled(order: order.snapshot, scheduledFor: schedule.wantedAt))
    }

    private init(
        _ draft: OrderDraft, _ schedule: Schedule?, at now: Date
    ) throws(Refusal) {
        if let extra = draft.extras.first(where: { draft.tariff.extras[$0.rawValue] == nil }) {
            throw .extraUnavailable.because(extra.rawValue)
        }
        self.schedule = schedule
        id = draft.id
        ticket = draft.ticket
        customer = draft.customer
        serviceArea = draft.serviceArea
        areaName = draft.areaName
        tariff = draft.tariff
        dropOff = draft.dropOff
        extras = draft.extras
        createdAt = now
        chosenVehicle = draft.vehicle
        vehicle = draft.vehicle
        status = .requested
        statusSince = now
        version = Version()
        handoverCode = draft.code
    }
}

// MARK: - Rules for every transition

extension Order {
    /// Throws if the table has no such action for this state and actor.
    func allow(_ action: OrderAction, by actor: OrderActor) throws(Refusal) {
        guard let row = OrderTransition.row(action, from: status) else {
            throw notPossible(action)
        }
        guard row.actors.contains(actor.kind) else { throw .orderNotAssigned }
        switch actor {
        case .customer(let id):
            guard id == customer else { throw .orderUnknown }
        case .valet(let id):
            guard id == activeValet else { throw .orderNotAssigned }
        case .offeredValet(let id):
            guard id == offer?.valet else { throw .offerEnded }
        case .anyValet, .operator, .system, .payments:
            break
        }
    }

    func notPossible(_ action: OrderAction) -> Refusal {
        .orderNotPossible.because("\(action.rawValue) while \(status.rawValue)")
    }

    /// Moves to a state that the action's row allows.
    mutating func go(
        _ action: OrderAction, to next: OrderStatus, at now: Date
    ) throws(Refusal) {
        guard let row = OrderTransition.row(action, from: status), row.to.contains(next) else {
            throw notPossible(action)
        }
        version.advance()
        guard next != status else { return }
        if next.holder != .lot { carParks.end(at: now) }
        if status == .parked { work.drop() }
        if next == .parked { work.open(extras) }
        status = next
        statusSince = now
        isOverdueTold = false
        searchAgainAt = nil
        if next.isEnd { endedAt = now }
    }

    /// Counts the request and returns it for matching.
    mutating func ask(_ leg: OrderLeg, at now: Date) -> MatchRequest {
        change(leg) { search in
            search.attempt += 1
            search.askedAt = now
        }
        let search = search(leg)
        return MatchRequest(
            leg: leg, attempt: search.attempt, meetingPoint: meetingPoint(leg),
            excluded: search.excluded)
    }

    private mutating func change(_ leg: OrderLeg, _ change: (inout Search) -> Void) {
        switch leg {
        case .dropOff: change(&dropOffSearch)
        case .return: change(&returnSearch)
        }
    }

    private mutating func exclude(_ valet: ValetID, from leg: OrderLeg) {
        change(leg) { search in
            guard !search.excluded.contains(valet) else { return }
            search.excluded = (search.excluded + [valet]).suffix(Self.mostExcluded)
        }
    }

    private mutating func clearDropOffValet() {
        (dropOffValet, assignedAt, etaSeconds) = (nil, nil, nil)
    }

    private mutating func clearReturn() {
        (returnValet, returnTo, recalledAt, retrievedAt, etaSeconds) = (nil, nil, nil, nil, nil)
    }

    private mutating func renewCode(_ code: String) {
        (handoverCode, wrongCodes, codeLockedUntil) = (code, 0, nil)
    }
}

// MARK: - Matching

extension Order {
    /// False for an answer to an outdated request.
    func awaits(_ leg: OrderLeg, attempt: Int) -> Bool {
        soughtLeg == leg && search(leg).attempt == attempt && searchAgainAt == nil
    }

    mutating func assign(
        _ valet: ValetID, etaSeconds eta: Int, at now: Date
    ) throws(Refusal) -> ValetAssigned {
        guard let leg = soughtLeg else { throw notPossible(.match) }
        return try give(leg, to: valet, etaSeconds: eta, by: .match, at: now)
    }

    /// Gives the job to the valet.
    private mutating func give(
        _ leg: OrderLeg, to valet: ValetID, etaSeconds eta: Int, by action: OrderAction,
        at now: Date
    ) throws(Refusal) -> ValetAssigned {
        switch leg {
        case .dropOff:
            try go(action, to: .droppingOff, at: now)
            (dropOffValet, assignedAt) = (valet, now)
        case .return:
            try go(action, to: .requestingBack, at: now)
            returnValet = valet
        }
        etaSeconds = max(0, eta)
        setAnswered(leg)
        return ValetAssigned(
            order: snapshot, leg: leg, valet: valet, meetingPoint: meetingPoint(leg))
    }

    /// Records that matching has answered for this leg.
    private mutating func setAnswered(_ leg: OrderLeg) {
        change(leg) { $0.askedAt = nil }
    }

    /// Ends the search because no valet was available.
    mutating func giveUpSearch(at now: Date) throws(Refusal) -> any OrderEvent {
        guard let leg = soughtLeg else { throw notPossible(.noValet) }
        switch leg {
        case .dropOff:
            try go(.noValet, to: .unfulfilled, at: now)
            reason = "noValetAvailable"
            return OrderUnfulfilled(order: snapshot)
        case .return:
            try go(.noValet, to: .parked, at: now)
            clearReturn()
            reason = "noValetAvailable"
            return ReturnUnfulfilled(order: snapshot)
        }
    }

    /// Asks matching again, excluding the valet it named; gives up after too many repeats.
    mutating func repeatSearch(
        without valet: ValetID? = nil, at now: Date
    ) throws(Refusal) -> any OrderEvent {
        guard let leg = soughtLeg else { throw notPossible(.match) }
        if !isSearchUrgedOn(at: now) {
            guard search(leg).repeats < Self.mostRepeats else { return try giveUpSearch(at: now) }
            change(leg) { $0.repeats += 1 }
        }
        if let valet { exclude(valet, from: leg) }
        version.advance()
        let match = ask(leg, at: now)
        return MatchRepeated(order: snapshot, match: match)
    }

    mutating func withdraw(
        by actor: OrderActor, reason: String?, at now: Date
    ) throws(Refusal) -> ValetWithdrawn {
        guard OrderTransition.row(.withdraw, from: status) != nil else {
            throw notPossible(.withdraw)
        }
        guard let valet = activeValet else { throw .noValetAssigned }
        try allow(.withdraw, by: actor)
        let leg: OrderLeg
        if status == .droppingOff {
            leg = .dropOff
            try go(.withdraw, to: .requested, at: now)
            clearDropOffValet()
        } else {
            leg = .return
            try go(.withdraw, to: .requestingBack, at: now)
            (returnValet, etaSeconds) = (nil, nil)
        }
        if let reason { self.reason = reason }
        exclude(valet, from: leg)
        let match = ask(leg, at: now)
        return ValetWithdrawn(order: snapshot, leg: leg, valet: valet, match: match)
    }
}

// MARK: - Offers

extension Order {
    mutating func offer(
        to valet: ValetID, etaSeconds eta: Int, _ terms: OfferTerms, at now: Date
    ) throws(Refusal) -> ValetOffered {
        guard let leg = soughtLeg else { throw notPossible(.offer) }
        try go(.offer, to: status, at: now)
        setAnswered(leg)
        let made = MadeOffer(
            valet: valet, leg: leg, etaSeconds: max(0, eta), offeredAt: now,
            deliverySeconds: terms.deliverySeconds, answerSeconds: terms.answerSeconds)
        offers.make(made)
        return ValetOffered(
            order: snapshot, leg: leg, attempt: search(leg).attempt, valet: valet,
            meetingPoint: meetingPoint(leg), etaSeconds: made.etaSeconds,
            answerSeconds: made.answerSeconds)
    }

    /// Starts the valet's time to answer once the phone has the offer. False if it had started before.
    mutating func confirmDelivery(to valet: ValetID, at now: Date) throws(Refusal) -> Bool {
        let made = try openOffer(of: valet, .offerDelivered, at: now)
        guard made.deliveredAt == nil else { return false }
        try go(.offerDelivered, to: status, at: now)
        offers.confirmDelivery(at: now)
        return true
    }

    /// Nil if this valet has accepted before and still has the job.
    mutating func acceptOffer(
        by valet: ValetID, at now: Date
    ) throws(Refusal) -> ValetAssigned? {
        if activeValet == valet, let last = offers.last(to: valet), last.outcome == nil {
            return nil
        }
        let made = try openOffer(of: valet, .acceptOffer, at: now)
        offers.end(nil)
        return try give(
            made.leg, to: valet, etaSeconds: made.etaSeconds, by: .acceptOffer, at: now)
    }

    /// Nil if this valet has declined before.
    mutating func declineOffer(by valet: ValetID, at now: Date) throws(Refusal) -> OfferEnded? {
        if offer?.valet != valet, offers.last(to: valet)?.outcome == .declined { return nil }
        let made = try openOffer(of: valet, .declineOffer, at: now)
        try go(.declineOffer, to: status, at: now)
        return moveOn(from: made, .declined, at: now)
    }

    /// Ends an offer that the phone didn't confirm, or that the valet didn't answer.
    mutating func expireOffer(at now: Date) throws(Refusal) -> OfferEnded {
        guard let made = offer else { throw notPossible(.offerExpired) }
        try go(.offerExpired, to: status, at: now)
        return moveOn(from: made, made.deliveredAt == nil ? .undelivered : .expired, at: now)
    }

    /// Looks for the next valet, excluding this one.
    private mutating func moveOn(
        from made: MadeOffer, _ outcome: OfferEnded.Outcome, at now: Date
    ) -> OfferEnded {
        offers.end(outcome)
        exclude(made.valet, from: made.leg)
        let match = ask(made.leg, at: now)
        return OfferEnded(
            order: snapshot, leg: made.leg, valet: made.valet, outcome: outcome, match: match)
    }
}

// MARK: - Wash and refuel

extension Order {
    /// Nil if this valet has it already.
    mutating func takeTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(Refusal) -> TaskChanged? {
        try allow(.takeTask, by: .anyValet(valet))
        guard let task = try work.take(kind, by: valet) else { return nil }
        try go(.takeTask, to: .parked, at: now)
        return TaskChanged(order: snapshot, task: task, by: valet)
    }

    mutating func releaseTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(Refusal) -> TaskChanged {
        try allow(.releaseTask, by: .anyValet(valet))
        let task = try work.release(kind, by: valet)
        try go(.releaseTask, to: .parked, at: now)
        return TaskChanged(order: snapshot, task: task, by: valet)
    }

    /// Nil if this valet has completed it before.
    mutating func completeTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(Refusal) -> TaskChanged? {
        try allow(.completeTask, by: .anyValet(valet))
        guard let task = try work.complete(kind, by: valet, at: now) else { return nil }
        try go(.completeTask, to: .parked, at: now)
        return TaskChanged(order: snapshot, task: task, by: valet)
    }
}

// MARK: - Ordering ahead

extension Order {
    /// Placed for later, and not sent to matching yet.
    var isAhead: Bool { status == .requested && schedule != nil && dropOffSearch.attempt == 0 }

    /// The search for an order ahead goes on until some time after the wanted time, even if no valet is available.
    func isSearchUrgedOn(at now: Date) -> Bool {
        guard status == .requested, offer == nil, let schedule else { return false }
        return now < schedule.searchUntil
    }

    /// Starts the search when the lead time begins, as if the order had just been placed.
    mutating func beginSearch(at now: Date) throws(Refusal) -> DropOffRequested {
        guard isAhead else { throw notPossible(.beginSearch) }
        try go(.beginSearch, to: .requested, at: now)
        (statusSince, isOverdueTold) = (now, false)
        let match = ask(.dropOff, at: now)
        return DropOffRequested(order: snapshot, match: match)
    }

    /// No valet was available, but there is time left: matching is asked again shortly.
    mutating func pauseSearch(at now: Date) {
        version.advance()
        setAnswered(.dropOff)
        searchAgainAt = now.addingTimeInterval(Schedule.pauseSeconds)
    }

    mutating func resumeSearch(at now: Date) -> MatchRepeated {
        version.advance()
        searchAgainAt = nil
        let match = ask(.dropOff, at: now)
        return MatchRepeated(order: snapshot, match: match)
    }
}

// MARK: - Ending before the drop-off

extension Order {
    /// Free of charge until the grace time after assignment; then the tariff's fee applies.
    mutating func cancel(
        by actor: OrderActor, reason: String?, at now: Date
    ) throws(Refusal) -> OrderCancelled {
        try allow(.cancel, by: actor)
        let grace = Double(tariff.cancellationGraceSeconds)
        let isFree = assignedAt.map { now.timeIntervalSince($0) <= grace } ?? true
        let valet = activeValet
        offers.end(.withdrawn)
        try go(.cancel, to: .cancelled, at: now)
        return endCancelled(
            .customer, valet, tariff.fee(.cancellation, isFree ? 0 : tariff.cancellationFee),
            reason)
    }

    /// Possible only after arrival plus the tariff's waiting time; the customer owes the no-show fee.
    mutating func reportAbsence(
        by actor: OrderActor, arrivedAt: Date?, reason: String?, at now: Date
    ) throws(Refusal) -> OrderCancelled {
        try allow(.customerAbsent, by: actor)
        guard let arrivedAt else { throw .valetNotArrived }
        // The arrival of an earlier assignment must not shorten this wait.
        let waitedFrom = max(arrivedAt, assignedAt ?? arrivedAt)
        let left = Double(tariff.waitingSeconds) - now.timeIntervalSince(waitedFrom)
        guard left <= 0 else {
            let seconds = Int(left.rounded(.up))
            throw .customerHasTime.because("Try again in \(seconds) s.").retrying(after: seconds)
        }
        let valet = activeValet
        try go(.customerAbsent, to: .cancelled, at: now)
        return endCancelled(
            .customerAbsent, valet, tariff.fee(.noShow, tariff.noShowFee), reason)
    }

    private mutating func endCancelled(
        _ cause: OrderCancelled.Cause, _ valet: ValetID?, _ fee: Quote, _ reason: String?
    ) -> OrderCancelled {
        bill = fee
        etaSeconds = nil
        self.reason = reason ?? (cause == .customerAbsent ? "customerAbsent" : nil)
        return OrderCancelled(order: snapshot, cause: cause, valet: valet, fee: fee.charge)
    }
}

// MARK: - The two legs

extension Order {
    /// True for the customer's code. The count of wrong codes must be stored although the action is refused.
    mutating func accepts(
        _ code: String, for action: OrderAction, by actor: OrderActor, at now: Date
    ) throws(Refusal) -> Bool {
        try allow(action, by: actor)
        guard !areCodesUsedUp else { throw .orderCodesUsedUp }
        if let until = codeLockedUntil, now < until {
            throw .orderCodeLocked.retrying(
                after: Int(until.timeIntervalSince(now).rounded(.up)))
        }
        codeLockedUntil = nil
        if code == handoverCode {
            wrongCodes = 0
            return true
        }
        version.advance()
        (wrongCodes, wrongCodesInAll) = (wrongCodes + 1, wrongCodesInAll + 1)
        if wrongCodes >= Self.mostWrongCodes {
            wrongCodes = 0
            codeLockedUntil = now.addingTimeInterval(Self.codeLockSeconds)
        }
        return false
    }

    /// No code is accepted any more until an operator sets the order's state.
    var areCodesUsedUp: Bool { wrongCodesInAll >= Self.mostWrongCodesInAll }

    /// Call after `accepts`.
    mutating func collect(by valet: ValetID, at now: Date) throws(Refusal) -> VehicleCollected {
        try allow(.collect, by: .valet(valet))
        try go(.collect, to: .parking, at: now)
        (collectedAt, etaSeconds) = (now, nil)
        return VehicleCollected(order: snapshot, valet: valet)
    }

    mutating func park(
        _ parking: Parking, by valet: ValetID, at now: Date
    ) throws(Refusal) -> VehicleParked {
        try allow(.park, by: .valet(valet))
        try go(.park, to: .parked, at: now)
        let found = parking.vehicle
        (parkedPlace, parkedAt, recognition) = (parking.place, now, parking.recognition)
        if let space = parking.space { carParks.begin(in: space, at: now) }
        vehicle = OrderVehicle(
            id: isChosen(found) ? chosenVehicle?.id : nil, plate: found.plate, make: found.make,
            model: found.model, colour: found.colour)
        return VehicleParked(order: snapshot, valet: valet, recognition: recognition)
    }

    /// Compares plates without spacing and case.
    private func isChosen(_ found: VehicleDescription) -> Bool {
        chosenVehicle?.plate.plateCharacters == found.plate.plateCharacters
    }

    mutating func recall(
        to place: Place, code: String, by customer: CustomerID, at now: Date
    ) throws(Refusal) -> ReturnRequested {
        try allow(.recall, by: .customer(customer))
        try go(.recall, to: .requestingBack, at: now)
        (returnTo, recalledAt, returnValet, reason) = (place, now, nil, nil)
        let attempt = returnSearch.attempt
        returnSearch = Search(attempt: attempt)
        renewCode(code)
        let match = ask(.return, at: now)
        return ReturnRequested(order: snapshot, match: match)
    }

    mutating func cancelRecall(
        by customer: CustomerID, reason: String?, at now: Date
    ) throws(Refusal) -> RecallCancelled {
        try allow(.cancelRecall, by: .customer(customer))
        let valet = activeValet
        offers.end(.withdrawn)
        try go(.cancelRecall, to: .parked, at: now)
        clearReturn()
        if let reason { self.reason = reason }
        return RecallCancelled(order: snapshot, valet: valet)
    }

    mutating func retrieve(by valet: ValetID, at now: Date) throws(Refusal) -> VehicleRetrieved {
        try allow(.retrieve, by: .valet(valet))
        try go(.retrieve, to: .returningBack, at: now)
        (retrievedAt, etaSeconds) = (now, nil)
        return VehicleRetrieved(order: snapshot, valet: valet)
    }

    /// Call after `accepts`. The order is finished at once if nothing is due.
    mutating func handBack(by valet: ValetID, at now: Date) throws(Refusal) -> VehicleReturned {
        try allow(.handBack, by: .valet(valet))
        let bill = billSoFar(at: now)
        try go(
            .handBack, to: bill.charge.amount > 0 ? .waitingForPayment : .finished, at: now)
        (self.bill, returnedAt) = (bill, now)
        return VehicleReturned(order: snapshot, valet: valet, bill: bill)
    }

    mutating func finish(at now: Date) throws(Refusal) -> OrderFinished {
        try allow(.paymentSucceeded, by: .payments)
        try go(.paymentSucceeded, to: .finished, at: now)
        return OrderFinished(order: snapshot)
    }

    /// The cancellation fee is paid and no longer binds the customer.
    mutating func settleFee() { version.advance() }

    /// Nil if operators were notified before.
    mutating func announceOverdue(limitSeconds: Int) -> OrderOverdue? {
        guard !isOverdueTold, !isEnded else { return nil }
        isOverdueTold = true
        version.advance()
        return OrderOverdue(order: snapshot, limitSeconds: limitSeconds)
    }
}

// MARK: - Deletion of personal data

extension Order {
    /// Reasons set by the platform; all others are free text.
    static let ownReasons: Set<String> = ["noValetAvailable", "customerAbsent"]

    /// Removes the customer's personal data; false if there was none left.
    mutating func forgetCustomer() -> Bool {
        let before = self
        dropOff.address = nil
        returnTo?.address = nil
        (chosenVehicle, vehicle) = (nil, nil)
        if let reason, !Self.ownReasons.contains(reason) { self.reason = nil }
        guard self != before else { return false }
        version.advance()
        return true
    }
}

// MARK: - Override

extension Order {
    /// Sets another state by hand; throws if the order lacks facts that the state needs.
    mutating func override(
        to next: OrderStatus, _ word: OperatorWord, at now: Date
    ) throws(Refusal) -> OrderOverridden {
        try allow(.override, by: .operator(word.by))
        guard next != status else {
            throw overrideNotPossible(next, "the order is in this state already")
        }
        try requireFacts(for: next, at: now)
        let (from, before) = (status, activeValet)
        offers.end(.withdrawn)
        try go(.override, to: next, at: now)
        reason = word.reason
        (etaSeconds, wrongCodesInAll) = (nil, 0)
        let match = settle(next, code: word.newCode, at: now)
        return OrderOverridden(
            order: snapshot, from: from, by: word.by, reason: word.reason,
            released: before == activeValet ? nil : before, match: match,
            bill: next == .waitingForPayment ? bill : nil)
    }

    /// The refusal for a state that lacks a fact, such as a valet.
    private func overrideNotPossible(_ next: OrderStatus, _ reason: String) -> Refusal {
        .orderNotPossible.because("\(next.rawValue): \(reason)").about("status")
    }

    private func requireFacts(
        for next: OrderStatus, at now: Date
    ) throws(Refusal) {
        switch next {
        case .requested, .finished, .cancelled:
            break
        case .droppingOff, .parking, .parked, .requestingBack:
            guard dropOffValet != nil else {
                throw overrideNotPossible(next, "no valet took this vehicle")
            }
        case .returningBack:
            guard returnValet != nil else {
                throw overrideNotPossible(next, "no valet brings this vehicle back")
            }
        case .waitingForPayment:
            guard collectedAt != nil, billSoFar(at: now).charge.amount > 0 else {
                throw overrideNotPossible(next, "nothing is due")
            }
        case .unfulfilled:
            guard collectedAt == nil else {
                throw overrideNotPossible(next, "the vehicle is with us")
            }
        }
    }

    /// Makes times, valets and code agree with the new state.
    private mutating func settle(_ next: OrderStatus, code: String, at now: Date) -> MatchRequest? {
        if !next.isEnd, next != .waitingForPayment { (bill, returnedAt) = (nil, nil) }
        switch next {
        case .requested:
            clearDropOffValet()
            clearReturn()
            (collectedAt, parkedAt, parkedPlace, recognition) = (nil, nil, nil, nil)
            (vehicle, work, carParks) = (chosenVehicle, Tasks(), CarParkStays())
            renewCode(code)
            dropOffSearch.repeats = 0
            return ask(.dropOff, at: now)
        case .droppingOff:
            clearReturn()
            (collectedAt, parkedAt, parkedPlace, recognition) = (nil, nil, nil, nil)
            (work, carParks) = (Tasks(), CarParkStays())
            renewCode(code)
        case .parking:
            clearReturn()
            (parkedAt, parkedPlace, recognition) = (nil, nil, nil)
            collectedAt = collectedAt ?? now
        case .parked:
            clearReturn()
            collectedAt = collectedAt ?? now
            parkedAt = parkedAt ?? now
            carParks.resume(in: parkedPlace?.carParkId)
        case .requestingBack:
            (returnValet, retrievedAt) = (nil, nil)
            carParks.resume(in: parkedPlace?.carParkId)
            collectedAt = collectedAt ?? now
            parkedAt = parkedAt ?? now
            recalledAt = recalledAt ?? now
            returnTo = returnTo ?? dropOff
            renewCode(code)
            returnSearch = Search(attempt: returnSearch.attempt)
            return ask(.return, at: now)
        case .returningBack:
            retrievedAt = retrievedAt ?? now
        case .waitingForPayment:
            bill = billSoFar(at: now)
            returnedAt = returnedAt ?? now
        case .finished:
            bill = bill ?? tariff.fee(.base, 0)
        case .cancelled, .unfulfilled:
            bill = tariff.fee(.base, 0)
        }
        return nil
    }
}

/// The valet's report of where they parked.
struct Parking: Sendable {
    var place: ParkedAt
    var vehicle: VehicleDescription
    var recognition: RecognitionID?
    /// Set if it is in one of our car parks.
    var space: TakenSpace?
}

/// An operator's input for an override.
struct OperatorWord: Sendable {
    var by: OperatorID
    var reason: String
    /// Used in states that lead to another hand-over.
    var newCode: String
}
