import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit

/// A booking: what is taken where and when, what it costs and what was paid. Pure.
struct BookingRecord: Document, Hashable {
    /// One payment, and what of it was given back or is about to be.
    struct Part: Codable, Sendable, Hashable {
        let bill: BillID
        let payment: PaymentID
        let paid: Int
        var returned = 0
    }

    /// What of a booking can be another.
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
    }

    /// A change that is being paid: it has its space, and a bill of its own.
    struct Pending: Codable, Sendable, Hashable {
        let bill: BillID
        let stay: Stay
        let difference: Int
    }

    /// What may follow what, and what it is called: every transition there is.
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
    /// That pay a part of it, and what they are worth in minor units.
    let points, discount: Int
    private(set) var status = BookingStatus.held
    private(set) var stay: Stay
    private(set) var holdExpiresAt: Date?
    private(set) var parts: [Part] = []
    /// What operators of payments gave back.
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

    /// Goes on, or refuses by the table.
    private mutating func move(
        _ step: BookingStep, to end: BookingStatus? = nil
    ) throws(Refusal) {
        let row = Self.transitions.first { $0.step == step && (end == nil || $0.to == end) }
        guard let row, row.from.contains(status) else { throw notPossible }
        status = row.to ?? status
        version.advance()
    }

    // MARK: Steps

    mutating func pay(_ payment: PaymentID, _ bill: BillID, amount: Int) throws(Refusal) {
        try move(.paid)
        holdExpiresAt = nil
        parts.append(Part(bill: bill, payment: payment, paid: amount))
    }

    /// Costs nothing.
    mutating func confirm() throws(Refusal) {
        try move(.paid)
        holdExpiresAt = nil
    }

    mutating func expire() throws(Refusal) {
        try move(.expired)
        holdExpiresAt = nil
    }

    /// What the policy gives back, in minor units.
    mutating func cancel(at now: Date) throws(Refusal) -> Int {
        let refund = status == .confirmed ? self.refund(at: now) : 0
        try move(.cancelled)
        holdExpiresAt = nil
        return refund
    }

    mutating func change(to new: Stay) throws(Refusal) {
        try move(.changed)
        stay = new
    }

    /// The difference of a change was paid.
    mutating func change(paidBy payment: PaymentID, amount: Int) throws(Refusal) {
        guard let pending else { throw notPossible }
        try change(to: pending.stay)
        parts.append(Part(bill: pending.bill, payment: payment, paid: amount))
        self.pending = nil
    }

    mutating func enter(at time: Date) throws(Refusal) {
        guard status == .confirmed || mayHaveEntered(at: time) else {
            throw notPossible
        }
        try move(.entered)
        enteredAt = time
    }

    /// What is booked by the hour is over then, if it has begun; whoever has longer may come back until the end.
    mutating func leave(at time: Date) throws(Refusal) {
        let isOver = time >= stay.end || stay.product.kind == .hourly && time >= stay.start
        try move(.left, to: isOver ? .completed : .confirmed)
        leftAt = time
    }

    /// Its time is over, and nobody is inside. Without a gate nobody knows who came.
    mutating func end(hasGate: Bool) throws(Refusal) {
        if leftAt == nil, hasGate { try move(.missed) } else { try move(.left, to: .completed) }
    }

    /// Drops what tells who was where.
    mutating func forgetVehicles() { stay.vehicles = [] }

    // MARK: Money

    /// What a stay costs with the points that are redeemed.
    func total(of stay: Stay) -> Money {
        Money(amount: max(0, stay.price - discount), currency: stay.currency)
    }

    func lines(of stay: Stay) -> [BookingLine] {
        stay.lines(discount: min(discount, stay.price))
    }

    /// What another stay costs beside; negative for what is less.
    func difference(to new: Stay) -> Int { total(of: new).amount - total(of: stay).amount }

    /// Points that come back when it is given up: the share of the policy, also where they have paid for all of it.
    func pointsReturned(at now: Date) -> Int {
        status == .held ? points : points * returnedPercent(at: now) / 100
    }

    func wasPaid(by bill: BillID) -> Bool { parts.contains { $0.bill == bill } }

    var paid: Int { parts.reduce(0) { $0 + $1.paid - $1.returned } }

    /// Of what was paid, by the policy.
    func refund(at now: Date) -> Int { paid * returnedPercent(at: now) / 100 }

    private func returnedPercent(at now: Date) -> Int {
        let free = stay.start.addingTimeInterval(-3_600 * Double(stay.cancellation.freeUntilHours))
        if now <= free { return 100 }
        return now < stay.start ? stay.cancellation.lateRefundPercent : 0
    }

    /// Takes an amount from what was paid, the latest payment first; what of which bill goes back.
    mutating func giveBack(_ amount: Int) -> [(bill: BillID, amount: Int)] {
        var (left, returned) = (amount, [(bill: BillID, amount: Int)]())
        for index in parts.indices.reversed() where left > 0 {
            let part = min(left, parts[index].paid - parts[index].returned)
            guard part > 0 else { continue }
            parts[index].returned += part
            left -= part
            returned.append((parts[index].bill, part))
        }
        return returned
    }

    /// An operator of payments has given back a part of it; false for what is known, or not of this booking.
    mutating func take(_ refund: Refund) -> Bool {
        guard !refunds.contains(refund.id),
            let index = parts.firstIndex(where: { $0.bill == refund.bill })
        else { return false }
        refunds.append(refund.id)
        parts[index].returned = min(
            parts[index].paid, parts[index].returned + refund.amount.amount)
        version.advance()
        return true
    }

    // MARK: Times

    /// Until the start of its first day there.
    func isEditable(at now: Date) -> Bool { now < editableUntil }

    var editableUntil: Date {
        let days = LocalDays(TimeZone(identifier: stay.carPark.timeZone) ?? .gmt)
        return days.start(of: days.day(of: stay.start))
    }

    /// It is over by now, and was not at that time: a gate tells it late.
    func mayHaveEntered(at time: Date) -> Bool {
        guard time < stay.end else { return false }
        switch status {
        case .noShow: return true
        case .completed: return stay.product.kind != .hourly && (leftAt ?? time) <= time
        case .held, .confirmed, .active, .expired, .cancelled: return false
        }
    }

    /// From when on it opens the gate.
    var opensAt: Date { stay.start.addingTimeInterval(-BookingLimits.early) }

    /// Its space is taken, and its time is not over.
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

/// Names that people can read out: no letters or digits that look alike.
enum BookingReference {
    private static let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    static let tries = 20

    /// As in `B7K-42Q`.
    static func random() -> String {
        func three() -> String { String((0..<3).map { _ in characters.randomElement() ?? "A" }) }
        return "\(three())-\(three())"
    }
}
