import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The notifications of an order's event: always to its customer and to operators, and to others that the event names.
struct OrderNotice {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    private let order: OrderSnapshot
    private let cause: any Event.Type
    private(set) var messages: [Notice.Message] = []
    /// Values for the placeholders in braces, besides ticket and status.
    var values: [String: Catalogue.Value] = [:]

    init(_ order: OrderSnapshot, _ cause: any Event.Type) {
        (self.order, self.cause) = (order, cause)
    }

    /// Without a key, the client only refreshes its state.
    mutating func notifyCustomer(_ key: String? = nil, push: Notice.Push? = nil) {
        notify(.person(order.customer.as(PersonID.self)), as: .customer, key, push)
    }

    mutating func notify(_ valet: ValetID?, _ key: String? = nil, push: Notice.Push? = nil) {
        if let valet { notify(.person(valet.as(PersonID.self)), as: .valet, key, push) }
    }

    mutating func notifyOperators(_ key: String? = nil, push: Notice.Push? = nil) {
        notify(.operators, as: nil, key, push)
    }

    /// Notifies each person once; the first text counts.
    private mutating func notify(
        _ recipient: Recipient, as role: Role?, _ key: String?, _ push: Notice.Push?
    ) {
        guard !messages.contains(where: { $0.to == recipient }) else { return }
        guard let key else { return messages.append(Notice.Message(to: recipient, as: role)) }
        var values = values
        values["ticket"] = .text(order.ticket)
        values["status"] = .words("status.\(order.status.rawValue)")
        var message = Self.words.message(to: recipient, key, values, push: push)
        message.role = role.map(Open.known)
        messages.append(message)
    }

    func notice() throws -> Notice {
        let brief = OrderBrief(
            id: order.id, ticket: order.ticket, status: order.status, version: order.version)
        let state = SubjectState(
            product: .valet, kind: .order, version: order.version, link: "/orders/\(order.id)",
            data: try JSONValue(of: brief), about: [order.customer.as(PersonID.self)])
        return Notice(subject: order.id.description, state: state, cause: cause, messages)
    }

    /// Notifies people in the transaction of the event.
    static func announce(
        _ event: any OrderEvent, at now: Date, in transaction: Transaction
    ) throws {
        guard let event = event as? any AnnouncedEvent else { return }
        let notice = try event.notice().notice()
        guard notice.messages.contains(where: \.namesCharge),
            let order = try transaction.orders.find(event.order.id)
        else { return try transaction.publish(NoticeIssued(notice), at: now) }
        try transaction.publish(notice, of: order.currentBill(), at: now)
    }

    /// Notifies the customer that their valet has arrived.
    static func announce(
        _ event: PartyArrived, at leg: OrderLeg, of order: Order, at now: Date,
        in transaction: Transaction
    ) throws {
        var notice = OrderNotice(order.snapshot, PartyArrived.self)
        switch leg {
        case .dropOff: notice.notifyCustomer("valet-arrived", push: .now)
        case .return: notice.notifyCustomer("valet-at-vehicle", push: .now)
        }
        try transaction.publish(NoticeIssued(notice.notice()), at: now)
    }

    /// Refreshes the order for operators, the customer and the active valet when there is a new profile picture.
    static func announce(
        _ event: PhotoTaken, of order: Order, at now: Date, in transaction: Transaction
    ) throws {
        var notice = OrderNotice(order.snapshot, PhotoTaken.self)
        notice.notifyOperators()
        notice.notifyCustomer()
        notice.notify(order.activeValet)
        try transaction.publish(NoticeIssued(notice.notice()), at: now)
    }
}

/// An order event that people are notified of.
protocol AnnouncedEvent: OrderEvent {
    func notice() -> OrderNotice
}

extension OrderEvent {
    /// Notifies the customer and operators; `others` has further recipients.
    fileprivate func notifying(
        _ key: String? = nil, push: Notice.Push? = nil,
        with values: [String: Catalogue.Value] = [:],
        others: (inout OrderNotice) -> Void = { _ in }
    ) -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values = values
        notice.notifyCustomer(key, push: push)
        notice.notifyOperators()
        others(&notice)
        return notice
    }

    /// For events that don't concern the customer, because the valet doesn't have the job.
    fileprivate func notifying(
        of valet: ValetID, _ key: String? = nil, push: Notice.Push? = nil,
        with values: [String: Catalogue.Value] = [:]
    ) -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values = values
        notice.notifyOperators()
        notice.notify(valet, key, push: push)
        return notice
    }
}

// MARK: The search for a valet

extension DropOffRequested: AnnouncedEvent {
    /// Sent for an order ahead when its search begins.
    func notice() -> OrderNotice {
        order.scheduledFor == nil ? notifying() : notifying("search-begins", push: .now)
    }
}

extension OrderScheduled: AnnouncedEvent {
    func notice() -> OrderNotice { notifying("ordered-ahead") }
}

extension MatchRepeated: AnnouncedEvent {
    func notice() -> OrderNotice { notifying() }
}

extension ValetOffered: AnnouncedEvent {
    func notice() -> OrderNotice {
        let key =
            switch leg.known {
            case .dropOff: "offer-drop-off"
            case .return, nil: "offer-return"
            }
        return notifying(
            of: valet, key, push: .question, with: ["minutes": .minutes(ofSeconds: etaSeconds)])
    }
}

extension OfferEnded: AnnouncedEvent {
    func notice() -> OrderNotice {
        switch outcome.known {
        case .declined, nil: notifying(of: valet)
        case .expired, .undelivered: notifying(of: valet, "offer-missed")
        case .withdrawn: notifying(of: valet, "offer-withdrawn", push: .question)
        }
    }
}

extension ValetAssigned: AnnouncedEvent {
    func notice() -> OrderNotice {
        let values = ["minutes": Catalogue.Value.minutes(ofSeconds: order.etaSeconds ?? 0)]
        return switch leg.known {
        case .dropOff:
            notifying("valet-on-the-way", push: .now, with: values) {
                $0.notify(valet, "job-drop-off", push: .now)
            }
        case .return, nil:
            notifying("return-valet-found", push: .now, with: values) {
                $0.notify(valet, "job-return", push: .now)
            }
        }
    }
}

extension OrderUnfulfilled: AnnouncedEvent {
    func notice() -> OrderNotice { notifying("no-valet", push: .now) }
}

extension ReturnUnfulfilled: AnnouncedEvent {
    func notice() -> OrderNotice { notifying("no-return-valet", push: .now) }
}

extension ValetWithdrawn: AnnouncedEvent {
    func notice() -> OrderNotice {
        notifying("valet-withdrew", push: .now) { $0.notify(valet, "job-taken", push: .now) }
    }
}

// MARK: The vehicle's trip

extension VehicleCollected: AnnouncedEvent {
    func notice() -> OrderNotice {
        notifying("vehicle-collected", push: .soon) { $0.notify(valet) }
    }
}

extension VehicleParked: AnnouncedEvent {
    func notice() -> OrderNotice { notifying("vehicle-parked", push: .soon) { $0.notify(valet) } }
}

extension ReturnRequested: AnnouncedEvent {
    func notice() -> OrderNotice { notifying() }
}

extension RecallCancelled: AnnouncedEvent {
    func notice() -> OrderNotice { notifying { $0.notify(valet, "job-cancelled", push: .now) } }
}

extension VehicleRetrieved: AnnouncedEvent {
    func notice() -> OrderNotice { notifying("vehicle-retrieved", push: .now) { $0.notify(valet) } }
}

extension VehicleReturned: AnnouncedEvent {
    func notice() -> OrderNotice {
        guard bill.charge.amount > 0 else {
            return notifying("vehicle-returned-free", push: .receipt) { $0.notify(valet) }
        }
        return notifying("vehicle-returned", push: .soon, with: ["amount": .charge]) {
            $0.notify(valet)
        }
    }
}

extension TaskChanged: AnnouncedEvent {
    func notice() -> OrderNotice {
        switch (task.status.known, task.kind.known) {
        case (.done, .wash): notifying("washed") { $0.notify(by) }
        case (.done, .refuel): notifying("refuelled") { $0.notify(by) }
        case (.open, _), (.taken, _), (.done, nil), (nil, _):
            notifying { notice in
                if order.status == .parked {
                    notice.notify(by)
                } else {
                    notice.notify(by, "task-dropped", push: .now)
                }
            }
        }
    }
}

// MARK: The end

extension OrderCancelled: AnnouncedEvent {
    func notice() -> OrderNotice {
        let values = ["amount": Catalogue.Value.charge]
        switch cause.known {
        case .customerAbsent:
            return notifying("customer-absent", push: .receipt, with: values) { $0.notify(valet) }
        case .customer, nil:
            let key = fee.amount > 0 ? "cancelled-with-fee" : "cancelled"
            return notifying(key, with: values) { $0.notify(valet, "job-cancelled", push: .now) }
        }
    }
}

extension OrderFinished: AnnouncedEvent {
    /// Both valets are notified too, because they can rate now.
    func notice() -> OrderNotice {
        notifying("finished") { notice in
            notice.notify(order.dropOffValet)
            notice.notify(order.returnValet)
        }
    }
}

// MARK: Operators

extension OrderOverridden: AnnouncedEvent {
    func notice() -> OrderNotice {
        notifying("overridden", push: .soon) { notice in
            notice.notify(released, "job-taken", push: .now)
            notice.notify(order.activeValet, "job-changed", push: .now)
        }
    }
}

extension OrderOverdue: AnnouncedEvent {
    func notice() -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values["time"] = .span(ofSeconds: limitSeconds)
        notice.notifyCustomer()
        notice.notifyOperators("overdue", push: .soon)
        notice.notify(order.activeValet)
        return notice
    }
}

extension OrderNeedsOperator: AnnouncedEvent {
    func notice() -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        switch cause.known {
        case .wrongCodes:
            notice.notifyCustomer("codes-used-up", push: .now)
            notice.notifyOperators("wrong-codes", push: .now)
        case .valetSuspended, .overdue, nil:
            notice.notifyCustomer()
            notice.notifyOperators("valet-suspended", push: .now)
        }
        notice.notify(order.activeValet)
        return notice
    }
}

extension OrderSnapshot {
    /// The valet who has the job.
    var activeValet: ValetID? {
        switch status.known {
        case .droppingOff, .parking: dropOffValet
        case .requestingBack, .returningBack: returnValet
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled, nil:
            nil
        }
    }
}
