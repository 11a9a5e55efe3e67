import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

// Steps that cost money. Payments answers the call and repeats the result as an event, so a crash in between loses
// nothing.

extension BookingUseCases {
    /// Pays a booking, which confirms it. A repeat after that gets the same answer.
    func pay(
        _ id: BookingID, _ body: PayBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> (BookingRecord, Payment?) {
        let payment = try await pay(once: key) { try await pay(id, body, by: person) }
        return (try await booking(id, for: person), payment)
    }

    /// The payment; nil if there is nothing to pay.
    private func pay(
        _ id: BookingID, _ body: PayBody, by person: PersonID
    ) async throws -> Payment? {
        let now = clock.now
        let booking = try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var booking = try transaction.bookings.require(id, of: person)
            guard booking.status == .held else { return booking }
            guard let end = booking.holdExpiresAt, now < end else {
                throw Refusal.bookingHoldExpired
            }
            if booking.stay.price == 0 {
                try transaction.bookings.confirm(&booking, at: now) { try $0.confirm() }
            } else {
                try transaction.schedule(
                    BookingWork.expiry, id,
                    at: max(end, now.addingTimeInterval(BookingLimits.paying)))
            }
            return booking
        }
        switch booking.status {
        case .expired: throw Refusal.bookingHoldExpired
        case .cancelled, .noShow: throw booking.notPossible
        case .confirmed where booking.parts.isEmpty: return nil
        case .held, .confirmed, .active, .completed: break
        }
        let payment = try await pay(id.as(BillID.self), body, by: person) {
            let now = try await self.booking(id, for: person)
            throw now.status == .expired ? Refusal.bookingHoldExpired : now.notPossible
        }
        guard payment.status == .succeeded else { return payment }
        try await settle(payment)
        guard try await self.booking(id, for: person).status != .expired else {
            throw Refusal.bookingHoldExpired
        }
        return payment
    }

    /// Pays, unless the key has already done so: a repeat gets the same payment, whatever has happened to the booking,
    /// stay or fine since.
    func pay(
        once key: IdempotencyKey?, _ pay: () async throws -> Payment?
    ) async throws -> Payment? {
        if let paid: Paid = try await database.answer(once: key) { return paid.payment }
        let payment = try await pay()
        // A payment that waits for a further step continues when it is repeated.
        if let payment, payment.status != .succeeded { return payment }
        return try await database.write(once: key) { _ in Paid(payment: payment) }.payment
    }

    /// Charges a bill, and returns the payment; for a bill that is paid already, the one that paid it.
    ///
    /// The bill may be withdrawn in the meantime, for example if the booking is cancelled during the payment. Then
    /// `whenWithdrawn` throws the error to report, or pays the new bill.
    func pay(
        _ bill: BillID, _ body: PayBody, by person: PersonID, isOffSession: Bool = false,
        whenWithdrawn: () async throws -> Payment
    ) async throws -> Payment {
        let outcome = try await cashier.pay(
            bill, by: person, method: body.paymentMethodId, token: body.token,
            isOffSession: isOffSession)
        switch outcome {
        case .payment(let payment): return payment
        case .settledBefore: return try await cashier.payment(of: bill)
        case .notDue: return try await whenWithdrawn()
        }
    }

    /// The payment of a person's open bill that waits for them to confirm it; nil for none.
    func waitingPayment(of bill: BillID?, by person: PersonID) async throws -> Payment? {
        guard let bill, let known = try await database.read({ try $0.bills.find(bill)?.bill }),
            known.payer == person, known.state == .open,
            let payment = try await cashier.attempt(of: bill), payment.status == .requiresAction
        else { return nil }
        return payment
    }

    /// Records that a bill is paid. A payment that is no longer needed is refunded.
    func settle(_ payment: Payment, _ delivery: Delivery? = nil) async throws {
        let now = clock.now
        guard let delivery else {
            return try await database.write { try $0.bills.settle(payment, at: now) }
        }
        try await database.apply(delivery) { try $0.bills.settle(payment, at: now) }
    }

    // MARK: Changes

    /// The price of a change.
    func quoteChange(
        _ id: BookingID, _ change: BookingChange, by person: PersonID
    ) async throws -> BookingChangeQuote {
        try await learn(of: change.vehicleIds ?? [], of: person)
        let now = clock.now
        let (booking, stay) = try await database.read { transaction in
            let booking = try transaction.bookings.require(id, of: person)
            return (
                booking,
                try transaction.bookings.stay(of: booking, changedBy: change, at: now, limits)
            )
        }
        return try await quote(of: stay, for: booking, at: now)
    }

    /// The price of a longer booking.
    func quoteExtension(
        _ id: BookingID, until: Date, by person: PersonID
    ) async throws -> BookingChangeQuote {
        let now = clock.now
        let (booking, stay) = try await database.read { transaction in
            let booking = try transaction.bookings.require(id, of: person)
            return (
                booking,
                try transaction.bookings.stay(of: booking, extendedUntil: until, at: now, limits)
            )
        }
        return try await quote(of: stay, for: booking, at: now)
    }

    private func quote(
        of stay: BookingRecord.Stay, for booking: BookingRecord, at now: Date
    ) async throws -> BookingChangeQuote {
        let change = BookingRecord.Pending(
            bill: .new(at: now), stay: stay, difference: booking.difference(to: stay))
        return booking.quote(of: stay, tax: try await addedTax(on: booking.bill(of: change)))
    }

    /// Tax on top of a bill that need not be published; nil if its prices include it, and if there is nothing to pay.
    func addedTax(on bill: Bill) async throws -> Money? {
        bill.total.amount > 0 ? try await cashier.charge(of: bill).tax : nil
    }

    /// Changes a booking that has not begun.
    func change(
        _ id: BookingID, _ change: BookingChange, by person: PersonID, ifVersion: VersionCondition
    ) async throws -> BookingRecord {
        try await learn(of: change.vehicleIds ?? [], of: person)
        let now = clock.now
        return try await move(
            id, by: person,
            paying: PayBody(paymentMethodId: change.paymentMethodId, token: change.token)
        ) { booking, transaction in
            try ifVersion.require(booking.version.number)
            let stay = try transaction.bookings.stay(
                of: booking, changedBy: change, at: now, limits)
            try stay.require(booking.difference(to: stay), expected: change.difference)
            return stay
        }
    }

    /// Extends a booking, also while its vehicle is inside.
    func extend(
        _ id: BookingID, _ body: ExtendBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> BookingRecord {
        let now = clock.now
        return try await move(
            id, by: person,
            paying: PayBody(paymentMethodId: body.paymentMethodId, token: body.token), once: key
        ) { booking, transaction in
            let stay = try transaction.bookings.stay(
                of: booking, extendedUntil: body.until, at: now, limits)
            try stay.require(booking.difference(to: stay), expected: body.difference)
            return stay
        }
    }

    /// Moves a booking to another stay. A cheaper one takes effect at once; a dearer one takes its space, and takes
    /// effect when it is paid.
    private func move(
        _ id: BookingID, by person: PersonID, paying body: PayBody, once key: IdempotencyKey? = nil,
        to target: @escaping @Sendable (BookingRecord, Transaction) throws -> BookingRecord.Stay
    ) async throws -> BookingRecord {
        let now = clock.now
        let change = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            var booking = try transaction.bookings.require(id, of: person)
            guard booking.pending == nil else { throw Refusal.bookingChangePending }
            let stay = try target(booking, transaction)
            try transaction.bookings.move(&booking, to: stay, isPayable: body.isPossible, at: now)
            return booking.pending
        }
        guard let pending = change else { return try await booking(id, for: person) }
        let payment: Payment
        do {
            payment = try await pay(pending.bill, body, by: person) {
                throw try await booking(id, for: person).notPossible
            }
            guard payment.status == .succeeded else {
                throw Refusal.paymentDeclined.because(
                    "This card needs your confirmation. Use another one.")
            }
        } catch let refusal as Refusal {
            // A change that can be retried keeps its space and its bill until the repeat, which needs a key.
            if refusal.problem.retryAfterSeconds == nil || key == nil {
                try await giveUp(pending.bill, of: id)
            }
            // A lost answer may have been a successful payment, whose event has made the change by now.
            let booking = try await booking(id, for: person)
            guard booking.wasPaid(by: pending.bill) else { throw refusal }
            return booking
        }
        try await settle(payment)
        let moved = try await booking(id, for: person)
        guard moved.wasPaid(by: pending.bill) else {
            // The payment came too late and is refunded.
            try await database.read {
                try $0.bookings.requireNoOverlap(pending.stay, of: person, besides: id)
            }
            throw moved.notPossible
        }
        return moved
    }

    /// Drops a change whose difference was not paid. The booking stays as it was.
    func giveUp(_ bill: BillID, of id: BookingID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var booking = try transaction.bookings.find(id), booking.pending?.bill == bill
            else { return }
            try transaction.withdraw(bill, at: now)
            try transaction.bookings.drop(bill, of: &booking)
        }
    }

    /// Drops a change when its time to pay has passed.
    func giveUp(_ bill: BillID) async throws {
        guard let known = try await database.read({ try $0.bills.find(bill) }),
            let id = known.booking
        else { return }
        try await giveUp(bill, of: id)
    }
}

/// The payment that a key made; nil if there was nothing to pay.
private struct Paid: Codable, Sendable {
    let payment: Payment?
}

extension PayBody {
    var isPossible: Bool { paymentMethodId != nil || token != nil }
}

extension BookingStore {
    fileprivate func confirm(
        _ booking: inout BookingRecord, at now: Date,
        _ step: (inout BookingRecord) throws -> Void
    ) throws {
        try step(&booking)
        try update(&booking)
        try transaction.unschedule(BookingWork.expiry, booking.id)
        try scheduleReminders(of: booking, at: now)
        try CarParkNotices.announce(booking, .paid, at: now, in: transaction)
    }

    /// Whether a bill belongs to a change that can still be made. The booking may have ended while the change was paid,
    /// or another change may have been made elsewhere.
    fileprivate func isWanted(_ bill: BillID, of booking: BookingRecord) throws -> Bool {
        guard let pending = booking.pending, pending.bill == bill, booking.isPaid else {
            return false
        }
        do {
            try requireNoOverlap(pending.stay, of: booking.person, besides: booking.id)
            return true
        } catch Refusal.bookingOverlaps { return false }
    }

    /// Drops a change and frees its space.
    fileprivate func drop(_ bill: BillID, of booking: inout BookingRecord) throws {
        guard booking.pending?.bill == bill else { return }
        booking.pending = nil
        try transaction.inventory.release(bill)
        try update(&booking)
        try transaction.unschedule(BookingWork.change, bill)
    }

    fileprivate func move(
        _ booking: inout BookingRecord, to stay: BookingRecord.Stay, isPayable: Bool, at now: Date
    ) throws {
        let id = booking.id
        try requireNoOverlap(stay, of: booking.person, besides: id)
        let carPark = try transaction.carParks.require(stay.carPark.id)
        let difference = booking.difference(to: stay)
        guard difference > 0 else {
            try transaction.inventory.release(id)
            try transaction.inventory.allocate(
                stay.allocation(of: id, id), of: carPark.bookable[stay.kind])
            try booking.change(to: stay)
            let back = try giveBack(
                min(-difference, booking.paid), of: &booking, "changed", at: now)
            try update(&booking)
            try scheduleReminders(of: booking, at: now)
            return try CarParkNotices.announce(
                booking, .changed, refund: back, at: now, in: transaction)
        }
        guard isPayable else { throw Refusal.bookingPaymentRequired }
        let bill = BillID.new(at: now)
        try transaction.inventory.allocate(
            stay.allocation(of: bill, id), of: carPark.bookable[stay.kind])
        let pending = BookingRecord.Pending(bill: bill, stay: stay, difference: difference)
        booking.pending = pending
        try transaction.bills.publish(booking.bill(of: pending), booking: id, at: now)
        try update(&booking)
        try transaction.schedule(
            BookingWork.change, bill, at: now.addingTimeInterval(BookingLimits.paying))
    }

    /// The stay after a change. Throws if it can't be changed any more.
    fileprivate func stay(
        of booking: BookingRecord, changedBy change: BookingChange, at now: Date,
        _ limits: BookingLimits
    ) throws -> BookingRecord.Stay {
        guard booking.status == .confirmed else {
            throw booking.notPossible
        }
        guard booking.isEditable(at: now) else { throw Refusal.bookingTooLate }
        let old = booking.stay
        let carPark = try transaction.carParks.require(change.carParkId ?? old.carPark.id)
        if change.carParkId != nil || change.termsVersion != nil {
            try carPark.require(terms: change.termsVersion ?? 0)
        }
        var stay = try stay(
            StayRequest(
                carPark: carPark.id,
                product: change.productId ?? (change.end == nil ? old.product.id : nil),
                start: change.start ?? old.start, quantity: change.quantity ?? old.quantity,
                end: change.end, spaces: change.spaces ?? old.spaces,
                kind: change.kind ?? old.kind),
            at: now, limits, booked: old)
        stay.vehicles = old.vehicles
        if let ids = change.vehicleIds {
            stay.vehicles = try vehicles(ids, of: booking.person, spaces: stay.spaces)
        }
        guard stay.vehicles.count >= stay.spaces else { throw Refusal.bookingVehicleRequired }
        guard stay.currency == old.currency else {
            throw Refusal.parkingProductInvalid.because(
                "It has another currency. Make a new booking instead.")
        }
        return stay
    }

    fileprivate func stay(
        of booking: BookingRecord, extendedUntil until: Date, at now: Date,
        _ limits: BookingLimits
    ) throws -> BookingRecord.Stay {
        guard booking.isPaid else { throw booking.notPossible }
        let old = booking.stay
        let days = try transaction.carParks.require(old.carPark.id).days
        guard now <= old.end.addingTimeInterval(BookingLimits.grace) else {
            throw Refusal.bookingDateInvalid.because(
                "The booking has ended. Extra time is paid when the vehicle leaves.")
        }
        guard until > max(old.end, now) else {
            throw Refusal.bookingDateInvalid.because(
                "`until` must be after the end, and in the future.")
        }
        var stay = try stay(
            StayRequest(
                carPark: old.carPark.id, product: old.product.id, start: old.start,
                end: until, spaces: old.spaces, kind: old.kind),
            at: now, limits, extending: booking, booked: old)
        let latest = old.product.kind.end(
            of: now.addingTimeInterval(limits.ahead), quantity: 1, days)
        guard stay.end <= latest else {
            throw Refusal.bookingDateInvalid.because(
                "You can book up to \(Int(limits.ahead / 86_400)) days ahead.")
        }
        stay.vehicles = old.vehicles
        return stay
    }
}

extension BillStore {
    /// Applies a payment to the booking, stay or fine of its bill, and counts it as spent unless it is refunded.
    fileprivate func settle(_ payment: Payment, at now: Date) throws {
        guard let known = try find(payment.bill) else { return }
        try transaction.spending.add(payment, of: known, at: now)
        try settle(payment, of: known, at: now)
        if known.fine == nil { try transaction.loyalty.earn(with: payment, at: now) }
        try transaction.spending.alertIfOver(with: payment, of: known, at: now)
    }

    private func settle(_ payment: Payment, of known: KnownBill, at now: Date) throws {
        if let session = known.session {
            return try transaction.sessions.settle(payment, of: session, at: now)
        }
        if let fine = known.fine {
            return try transaction.fines.settle(
                payment, of: fine, returns: known.bill.returns, at: now)
        }
        guard let id = known.booking, var booking = try transaction.bookings.find(id),
            !booking.wasPaid(by: payment.bill)
        else { return }
        if known.bill.id == id.as(BillID.self), booking.status == .held {
            try transaction.bookings.confirm(&booking, at: now) { try $0.pay(payment) }
        } else if try transaction.bookings.isWanted(payment.bill, of: booking) {
            try booking.change(paidBy: payment)
            try transaction.inventory.handOver(payment.bill, to: id)
            try transaction.bookings.update(&booking)
            try transaction.unschedule(BookingWork.change, payment.bill)
            try transaction.bookings.scheduleReminders(of: booking, at: now)
            try CarParkNotices.announce(booking, .changed, at: now, in: transaction)
        } else if known.bill.returns == nil {
            // The payment is no longer needed.
            try transaction.bookings.drop(payment.bill, of: &booking)
            try giveBack(
                payment.forBill.amount, of: payment.bill, "not needed any more",
                isAnnounced: true, at: now)
            try CarParkNotices.announceReturn(
                of: booking, payment.amount, at: now, in: transaction)
        }
    }

    /// Records a refund by payments. If their operator made it, the booking, stay or fine records it as well, so that
    /// only the rest can be refunded later.
    func take(_ refund: Refund, at now: Date) throws {
        try goesBack(refund.forBill.amount, refund.id, of: refund.bill, at: now)
        guard let known = try find(refund.bill),
            known.bill.returns?.contains(where: { $0.id == refund.id }) != true
        else { return }
        if let id = known.session, var stay = try transaction.sessions.find(id) {
            if stay.take(refund) { try transaction.sessions.keep(&stay, at: now) }
        } else if let id = known.fine, var fine = try transaction.fines.find(id) {
            if fine.take(refund) { try fineTable.update(&fine, in: transaction) }
        } else if let id = known.booking, var booking = try transaction.bookings.find(id) {
            if booking.take(refund) { try transaction.bookings.update(&booking) }
        }
    }

    /// A refund by an operator of payments has failed after it was recorded: the money can be refunded again. What the
    /// platform refunds by itself stays owed to the payer; payments tells its operators.
    func takeBack(_ refund: Refund, at now: Date) throws {
        guard let known = try find(refund.bill) else { return }
        if let id = known.session, var stay = try transaction.sessions.find(id) {
            if stay.takeBack(refund) { try transaction.sessions.keep(&stay, at: now) }
        } else if let id = known.fine, var fine = try transaction.fines.find(id) {
            if fine.takeBack(refund) { try fineTable.update(&fine, in: transaction) }
        } else if let id = known.booking, var booking = try transaction.bookings.find(id) {
            if booking.takeBack(refund) { try transaction.bookings.update(&booking) }
        }
    }
}

extension BookingRecord.Stay {
    /// A booking keeps the price of its product and the cancellation terms it was made with.
    mutating func keepPrice(of old: Self) {
        product = old.product
        (cancellation, overstayFee) = (old.cancellation, old.overstayFee)
    }
}
