import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit

/// A booking: the spaces it takes, where and when, its price, and its payments. Pure.
struct BookingRecord: Document, Hashable {
    /// One payment, and the part of it that is refunded or about to be, in minor units.
    struct Part: Codable, Sendable, Hashable {
        let bill: BillID
        let payment: PaymentID
        let paid: Int
        /// On top of `paid`; absent if prices include tax.
        private(set) var paidTax: Int?
        private(set) var returned = 0
        /// On top of `returned`; absent if prices include tax, and without refunds.
        private(set) var returnedTax: Int?

        init(_ payment: Payment) {
            (bill, self.payment) = (payment.bill, payment.id)
            (paid, paidTax) = (payment.forBill.amount, payment.tax?.amount)
        }

        /// The part that no refund has returned.
        var rest: Int { paid - returned }

        /// The tax that payments refunds with an amount.
        func tax(on amount: Int, in currency: String) -> Int {
            guard let paidTax else { return 0 }
            let back = Money(amount: amount, currency: currency).refund(of: paid, tax: paidTax)
            return min(back.amount - amount, paidTax - (returnedTax ?? 0))
        }

        /// Records a refund, or with a negative amount undoes one.
        mutating func take(_ amount: Int, tax: Int) {
            returned = max(0, min(paid, returned + amount))
            if let paidTax { returnedTax = max(0, min(paidTax, (returnedTax ?? 0) + tax)) }
        }
    }

    /// What is refunded of one bill, in minor units.
    struct Back: Sendable, Hashable {
        let bill: BillID
        let amount: Int
        /// On top of `amount`.
        let tax: Int
    }

    /// The part of a booking that a change can replace.
    struct Stay: Codable, Sendable, Hashable {
        var carPark: Booking.Place
        var product: Booking.Booked
        var start, end: Date
        var quantity, spaces: Int
        var kind: SpaceClass
        var vehicles: [Booking.BookedVehicle]
        /// In minor units.
        var price: Int
        var currency: String
        var cancellation: CancellationPolicy
        var overstayFee: Int
        /// When the car park first closes during the stay, and until when.
        var closesAt, opensAt: Date?
        /// The products that could be combined when it was booked, and what it pays for. Nil for a booking made by an
        /// earlier release, which pays for its product.
        var offers: [ParkingOffer]?
        var charges: [ParkingCharge]?
    }

    /// A change that is being paid. It already has its space and a bill of its own.
    struct Pending: Codable, Sendable, Hashable {
        let bill: BillID
        let stay: Stay
        let difference: Int
    }

    /// Every transition, and the name of its step.
    static let transitions: [(step: BookingStep, from: Set<BookingStatus>, to: BookingStatus?)] = [
        (.paid, [.held], .confirmed),
        (.expired, [.held], .expired),
        (.cancelled, [.held, .confirmed], .cancelled),
        (.changed, [.confirmed, .active], nil),
        (.entered, [.confirmed, .noShow, .completed], .active),
        (.left, [.active], .confirmed),
        (.left, [.active, .confirmed], .completed),
        (.missed, [.confirmed], .noShow),
    ]

    let id: BookingID
    let reference: String
    let person: PersonID
    let createdAt: Date
    /// Points that pay a part of the price, and their worth in minor units.
    let points, discount: Int
    private(set) var status = BookingStatus.held
    private(set) var stay: Stay
    private(set) var holdExpiresAt: Date?
    /// The end of its hold if it ended unpaid.
    private(set) var abandonedAt: Date?
    private(set) var parts: [Part] = []
    /// Refunds by operators of payments.
    private(set) var refunds: [RefundID] = []
    var pending: Pending?
    private(set) var enteredAt: Date?
    private(set) var leftAt: Date?
    var version = Version()

    init(
        _ id: BookingID, reference: String, _ person: PersonID, _ stay: Stay, points: Int = 0,
        discount: Int = 0, holdUntil: Date, at now: Date
    ) {
        (self.id, self.reference, self.person, self.stay) = (id, reference, person, stay)
        (holdExpiresAt, createdAt) = (holdUntil, now)
        (self.points, self.discount) = (points, discount)
    }

    var notPossible: Refusal {
        .bookingNotPossible.because("The booking is \(status.rawValue).")
    }

    /// Moves to the next status, or throws if the table has no such transition.
    private mutating func move(
        _ step: BookingStep, to end: BookingStatus? = nil
    ) throws(Refusal) {
        let row = Self.transitions.first { $0.step == step && (end == nil || $0.to == end) }
        guard let row, row.from.contains(status) else { throw notPossible }
        status = row.to ?? status
        version.advance()
    }

    // MARK: Steps

    mutating func pay(_ payment: Payment) throws(Refusal) {
        try move(.paid)
        holdExpiresAt = nil
        parts.append(Part(payment))
    }

    /// Confirms a booking that costs nothing.
    mutating func confirm() throws(Refusal) {
        try move(.paid)
        holdExpiresAt = nil
    }

    mutating func expire(at now: Date) throws(Refusal) {
        try move(.expired)
        abandonHold(at: now)
    }

    /// Cancels. Returns the amount that the policy refunds, without tax on top, in minor units.
    mutating func cancel(at now: Date) throws(Refusal) -> Int {
        let refund = status == .confirmed ? self.refund(at: now) : 0
        try move(.cancelled)
        abandonHold(at: now)
        return refund
    }

    /// Ends the hold, if there is one: now, or when it expired if that is earlier.
    private mutating func abandonHold(at now: Date) {
        abandonedAt = holdExpiresAt.map { min(now, $0) }
        holdExpiresAt = nil
    }

    mutating func change(to new: Stay) throws(Refusal) {
        try move(.changed)
        stay = new
    }

    /// Applies a change whose difference was paid.
    mutating func change(paidBy payment: Payment) throws(Refusal) {
        guard let pending else { throw notPossible }
        try change(to: pending.stay)
        parts.append(Part(payment))
        self.pending = nil
    }

    mutating func enter(at time: Date) throws(Refusal) {
        guard status == .confirmed || mayHaveEntered(at: time) else {
            throw notPossible
        }
        try move(.entered)
        enteredAt = time
    }

    /// A booking by the hour is over when the vehicle leaves after the start. Any other booking lets it come back until
    /// the end.
    mutating func leave(at time: Date) throws(Refusal) {
        let isOver = time >= stay.end || stay.isByTheHour && time >= stay.start
        try move(.left, to: isOver ? .completed : .confirmed)
        leftAt = time
    }

    /// Ends a booking whose time is over and whose vehicles are all outside. Without a gate nobody knows who came.
    mutating func end(hasGate: Bool) throws(Refusal) {
        if leftAt == nil, hasGate { try move(.missed) } else { try move(.left, to: .completed) }
    }

    /// Removes the vehicles, since they show who was where.
    mutating func forgetVehicles() { stay.vehicles = [] }

    // MARK: Money

    /// The price of a stay after the discount for redeemed points.
    func total(of stay: Stay) -> Money {
        Money(amount: stay.price - deduction(from: stay), currency: stay.currency)
    }

    func lines(of stay: Stay) -> [BookingLine] { stay.lines(discount: deduction(from: stay)) }

    /// What points pay of a stay: also a rest that is too small for a card.
    private func deduction(from stay: Stay) -> Int {
        let rest = Money(amount: max(0, stay.price - discount), currency: stay.currency)
        return stay.price - (discount > 0 ? rest.withoutSmall.amount : rest.amount)
    }

    /// The extra price of another stay; negative if it is cheaper, and zero if it is too small for a card.
    func difference(to new: Stay) -> Int {
        let extra = total(of: new).amount - total(of: stay).amount
        return Money(amount: extra, currency: new.currency).withoutSmall.amount
    }

    /// Points that are returned on cancelling, by the policy's percentage, even if they paid for the whole booking.
    func pointsReturned(at now: Date) -> Int {
        status == .held ? points : points * returnedPercent(at: now) / 100
    }

    func wasPaid(by bill: BillID) -> Bool { parts.contains { $0.bill == bill } }

    /// Less refunds, without tax on top.
    var paid: Int { parts.reduce(0) { $0 + $1.rest } }

    /// All refunds together, without tax on top.
    var returned: Int { parts.reduce(0) { $0 + $1.returned } }

    /// Whether tax was paid on top of the price.
    var hasTaxOnTop: Bool { parts.contains { $0.paidTax != nil } }

    /// On top of `paid`.
    var paidTax: Int { parts.reduce(0) { $0 + ($1.paidTax ?? 0) } - returnedTax }

    /// On top of `returned`.
    var returnedTax: Int { parts.reduce(0) { $0 + ($1.returnedTax ?? 0) } }

    /// The amount that the policy refunds on cancelling, in minor units.
    func refund(at now: Date) -> Int { paid * returnedPercent(at: now) / 100 }

    private func returnedPercent(at now: Date) -> Int {
        let free = stay.start.addingTimeInterval(-3_600 * Double(stay.cancellation.freeUntilHours))
        if now <= free { return 100 }
        return now < stay.start ? stay.cancellation.lateRefundPercent : 0
    }

    /// Refunds an amount, without tax on top, from the latest payments first. Returns what is refunded of each bill.
    mutating func giveBack(_ amount: Int) -> [Back] {
        var (left, returned) = (amount, [Back]())
        for index in parts.indices.reversed() where left > 0 {
            let part = min(left, parts[index].rest)
            guard part > 0 else { continue }
            let tax = parts[index].tax(on: part, in: stay.currency)
            parts[index].take(part, tax: tax)
            left -= part
            returned.append(Back(bill: parts[index].bill, amount: part, tax: tax))
        }
        return returned
    }

    /// Records a partial refund by an operator of payments. Returns false if it is already known, or belongs to another
    /// booking.
    mutating func take(_ refund: Refund) -> Bool {
        guard !refunds.contains(refund.id),
            let index = parts.firstIndex(where: { $0.bill == refund.bill })
        else { return false }
        refunds.append(refund.id)
        parts[index].take(refund.forBill.amount, tax: refund.tax?.amount ?? 0)
        version.advance()
        return true
    }

    /// Undoes a refund that has failed; false if it was not recorded.
    mutating func takeBack(_ refund: Refund) -> Bool {
        guard let known = refunds.firstIndex(of: refund.id),
            let index = parts.firstIndex(where: { $0.bill == refund.bill })
        else { return false }
        refunds.remove(at: known)
        parts[index].take(-refund.forBill.amount, tax: -(refund.tax?.amount ?? 0))
        version.advance()
        return true
    }

    // MARK: Times

    /// A booking can be changed until the start of its first day in the car park's time zone.
    func isEditable(at now: Date) -> Bool { now < editableUntil }

    var editableUntil: Date {
        let days = LocalDays(TimeZone(identifier: stay.carPark.timeZone) ?? .gmt)
        return days.start(of: days.day(of: stay.start))
    }

    /// Whether an entry that a gate reports late may belong to this booking, which is over by now but was not then.
    func mayHaveEntered(at time: Date) -> Bool {
        guard time < stay.end else { return false }
        switch status {
        case .noShow: return true
        case .completed: return !stay.isByTheHour && (leftAt ?? time) <= time
        case .held, .confirmed, .active, .expired, .cancelled: return false
        }
    }

    /// The time from which the booking opens the gate.
    var opensAt: Date { stay.start.addingTimeInterval(-BookingLimits.early) }

    /// It has a space, and its time is not over.
    var isCurrent: Bool { status == .held || isPaid }

    /// It is confirmed, and its time is not over.
    var isPaid: Bool { [.confirmed, .active].contains(status) }
}

extension BookingRecord.Stay {
    func allocation(of holder: some CustomStringConvertible, _ booking: BookingID) -> Allocation {
        Allocation(
            holder: holder.description, booking: booking, carPark: carPark.id, kind: kind,
            from: start, until: end, spaces: spaces)
    }
}

/// Short names that people can read out: no letters or digits that look alike.
enum BookingReference {
    private static let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    static let tries = 20

    /// A reference as a person may type it, such as `b7k 42q`, in its usual form.
    static func typed(_ text: String) -> String {
        let characters = text.plateCharacters
        return "\(characters.prefix(3))-\(characters.dropFirst(3))"
    }

    /// As in `B7K-42Q`.
    static func random() -> String {
        func three() -> String { String((0..<3).map { _ in characters.randomElement() ?? "A" }) }
        return "\(three())-\(three())"
    }
}
