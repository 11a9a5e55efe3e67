import Contracts

/// The answer of a gate, decided from facts alone.
///
/// If an entrance opens, a stay begins; if an exit opens, the stay ends. A passage is decided in two steps: by its
/// `PassageFacts`, and then by its `EntryFacts` or `ExitFacts`. The bookings and free spaces at an entrance are known
/// only after an earlier stay has ended, and the amount due at an exit only after the next booking has taken over the
/// stay.
struct GateDecision: Sendable, Hashable {
    let open: Bool
    /// `paymentDue`: the amount is stored with the stay. `billed`: a bill is sent if the driver is known.
    let reason: PassageAnswer.Reason
    /// The booking used to enter, or one that begins later.
    var booking: BookingID?
    /// The valet's order that pays for the stay that begins.
    var order: OrderID?

    init(
        open: Bool, _ reason: PassageAnswer.Reason, booking: BookingID? = nil,
        order: OrderID? = nil
    ) {
        (self.open, self.reason, self.booking, self.order) = (open, reason, booking, order)
    }
}

/// The facts about a vehicle at a gate before bookings, spaces and prices are read.
struct PassageFacts: Sendable, Hashable {
    /// The stay of the vehicle at the time of the passage.
    enum Stay: String, Sendable, CaseIterable {
        case none
        /// Its entry is so recent that another entry is a repeat.
        case justBegun
        case underWay
        /// A gate has reported its exit. Only a late passage finds one.
        case left
    }

    let direction: PassageDirection
    /// The passage has happened.
    let isLate: Bool
    /// True also without a ticket.
    let isTicketGood: Bool
    let stay: Stay

    /// The reason to refuse the vehicle, whatever the other facts are. If there is none at an entrance, a stay that is
    /// under way ends: its exit was not seen.
    var refusal: PassageAnswer.Reason? {
        switch (direction, stay) {
        case (.in, .justBegun), (.in, .left): .alreadyInside
        case (.out, .none), (.out, .left): .unknown
        case (.in, .none), (.in, .underWay), (.out, .justBegun), (.out, .underWay):
            isLate || isTicketGood ? nil : .unknown
        }
    }
}

/// The facts for the answer at an entrance, except those that cost a query.
struct EntryFacts: Sendable, Hashable {
    enum Booked: Sendable, Hashable {
        /// Its time has come, and one of its spaces is free.
        case now(BookingID)
        /// It begins within `GateUseCases.soon`.
        case soon(BookingID)
        case later(BookingID)
        case nothing
    }

    let isLate: Bool
    let booked: Booked
    let hasTicket: Bool
    /// By its operator, or by its opening hours; false while they leave it unknown.
    let isClosed: Bool

    /// Asks for the valet's order of the vehicle, and for a free space, only if the answer depends on it.
    func decision(
        order: () throws -> OrderID?, hasFreeSpace: () throws -> Bool
    ) rethrows -> GateDecision {
        let next: BookingID?
        switch booked {
        case .now(let id): return GateDecision(open: true, .booked, booking: id)
        case _ where isLate:
            let order = try order()
            return GateDecision(open: true, order == nil ? .driveUp : .booked, order: order)
        case .later(let id) where hasTicket:
            return GateDecision(open: false, .tooEarly, booking: id)
        case .soon(let id): next = id
        case .later, .nothing: next = nil
        }
        func refuse(_ reason: PassageAnswer.Reason) -> GateDecision {
            GateDecision(open: false, next == nil ? reason : .tooEarly, booking: next)
        }
        guard !isClosed else { return refuse(.closed) }
        if let order = try order() { return GateDecision(open: true, .booked, order: order) }
        guard try hasFreeSpace() else { return refuse(.full) }
        return GateDecision(open: true, .driveUp, booking: next)
    }
}

/// The facts for the answer at an exit.
struct ExitFacts: Sendable, Hashable {
    /// The vehicle has left.
    let isLate: Bool
    /// Something is still to be paid for the stay.
    let isOwing: Bool
    let hasBooking, hasOrder, hasPaid: Bool

    /// A driver with a booking is let out and billed for the rest, and so is a vehicle that has left.
    var decision: GateDecision {
        if isOwing {
            let isBilled = hasBooking || isLate
            return GateDecision(open: isBilled, isBilled ? .billed : .paymentDue)
        }
        if hasPaid { return GateDecision(open: true, .paid) }
        return GateDecision(open: true, hasBooking || hasOrder ? .booked : .free)
    }
}
