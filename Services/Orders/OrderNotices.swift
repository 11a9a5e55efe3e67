import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// Who is told what of an order: its customer and operators always, and whom an event names besides.
struct OrderNotice {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    private let order: OrderSnapshot
    private let cause: any Event.Type
    private(set) var messages: [Notice.Message] = []
    /// What fills the names in braces, besides ticket and status.
    var values: [String: Catalogue.Value] = [:]

    init(_ order: OrderSnapshot, _ cause: any Event.Type) {
        (self.order, self.cause) = (order, cause)
    }

    /// Without a key there is nothing to tell, only state to refresh.
    mutating func tellCustomer(_ key: String? = nil, push: Notice.Push? = nil) {
        tell(.person(order.customer.as(PersonID.self)), key, push)
    }

    mutating func tell(_ valet: ValetID?, _ key: String? = nil, push: Notice.Push? = nil) {
        if let valet { tell(.person(valet.as(PersonID.self)), key, push) }
    }

    mutating func tellOperators(_ key: String? = nil, push: Notice.Push? = nil) {
        tell(.operators, key, push)
    }

    /// Nobody hears the same twice; what they were told first counts.
    private mutating func tell(_ recipient: Recipient, _ key: String?, _ push: Notice.Push?) {
        guard !messages.contains(where: { $0.to == recipient }) else { return }
        guard let key else { return messages.append(Notice.Message(to: recipient)) }
        var values = values
        values["ticket"] = .text(order.ticket)
        values["status"] = .words("status.\(order.status.rawValue)")
        messages.append(Self.words.message(to: recipient, key, values, push: push))
    }

    func notice() throws -> Notice {
        let brief = OrderBrief(
            id: order.id, ticket: order.ticket, status: order.status, version: order.version)
        let state = SubjectState(
            product: .valet, kind: .order, version: order.version, link: "/orders/\(order.id)",
            data: try JSONValue(of: brief), about: [order.customer.as(PersonID.self)])
        return Notice(subject: order.id.description, state: state, cause: cause, messages)
    }
}

extension Transaction {
    /// Tells people of an event, in the transaction that makes it true.
    func announce(_ event: any OrderEvent, at now: Date) throws {
        guard let event = event as? any AnnouncedEvent else { return }
        try publish(NoticeIssued(event.notice().notice()), at: now)
    }

    /// The customer hears that their valet is there.
    func announce(
        _ event: PartyArrived, at leg: OrderLeg, of order: Order, at now: Date
    ) throws {
        var notice = OrderNotice(order.snapshot, PartyArrived.self)
        switch leg {
        case .dropOff: notice.tellCustomer("valet-arrived", push: .now)
        case .return: notice.tellCustomer("valet-at-vehicle", push: .now)
        }
        try publish(NoticeIssued(notice.notice()), at: now)
    }

    /// Who deals with the order sees that there is a new picture.
    func announce(_ event: PhotoTaken, of order: Order, at now: Date) throws {
        var notice = OrderNotice(order.snapshot, PhotoTaken.self)
        notice.tellOperators()
        notice.tellCustomer()
        notice.tell(order.activeValet)
        try publish(NoticeIssued(notice.notice()), at: now)
    }
}

/// An event of an order that people are told about.
protocol AnnouncedEvent: OrderEvent {
    func notice() -> OrderNotice
}

extension OrderEvent {
    /// Customer first, then operators; who else hears of it is told in `others`.
    fileprivate func told(
        _ key: String? = nil, push: Notice.Push? = nil,
        with values: [String: Catalogue.Value] = [:],
        others: (inout OrderNotice) -> Void = { _ in }
    ) -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values = values
        notice.tellCustomer(key, push: push)
        notice.tellOperators()
        others(&notice)
        return notice
    }

    /// What is between the house and a valet who has not got the job: the customer hears nothing.
    fileprivate func toldOf(
        _ valet: ValetID, _ key: String? = nil, push: Notice.Push? = nil,
        with values: [String: Catalogue.Value] = [:]
    ) -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values = values
        notice.tellOperators()
        notice.tell(valet, key, push: push)
        return notice
    }
}

// MARK: The search for a valet

extension DropOffRequested: AnnouncedEvent {
    /// An order ahead is requested when its search begins.
    func notice() -> OrderNotice {
        order.scheduledFor == nil ? told() : told("search-begins", push: .now)
    }
}

extension OrderScheduled: AnnouncedEvent {
    func notice() -> OrderNotice { told("ordered-ahead") }
}

extension MatchRepeated: AnnouncedEvent {
    func notice() -> OrderNotice { told() }
}

extension ValetOffered: AnnouncedEvent {
    func notice() -> OrderNotice {
        let key =
            switch leg {
            case .dropOff: "offer-drop-off"
            case .return: "offer-return"
            }
        return toldOf(
            valet, key, push: .question, with: ["minutes": .minutes(ofSeconds: etaSeconds)])
    }
}

extension OfferEnded: AnnouncedEvent {
    func notice() -> OrderNotice {
        switch outcome {
        case .declined: toldOf(valet)
        case .expired, .undelivered: toldOf(valet, "offer-missed")
        case .withdrawn: toldOf(valet, "offer-withdrawn", push: .question)
        }
    }
}

extension ValetAssigned: AnnouncedEvent {
    func notice() -> OrderNotice {
        let values = ["minutes": Catalogue.Value.minutes(ofSeconds: order.etaSeconds ?? 0)]
        return switch leg {
        case .dropOff:
            told("valet-on-the-way", push: .now, with: values) {
                $0.tell(valet, "job-drop-off", push: .now)
            }
        case .return:
            told("return-valet-found", push: .now, with: values) {
                $0.tell(valet, "job-return", push: .now)
            }
        }
    }
}

extension OrderUnfulfilled: AnnouncedEvent {
    func notice() -> OrderNotice { told("no-valet", push: .now) }
}

extension ReturnUnfulfilled: AnnouncedEvent {
    func notice() -> OrderNotice { told("no-return-valet", push: .now) }
}

extension ValetWithdrawn: AnnouncedEvent {
    func notice() -> OrderNotice {
        told("valet-withdrew", push: .now) { $0.tell(valet, "job-taken", push: .now) }
    }
}

// MARK: The vehicle's way

extension VehicleCollected: AnnouncedEvent {
    func notice() -> OrderNotice { told("vehicle-collected", push: .soon) { $0.tell(valet) } }
}

extension VehicleParked: AnnouncedEvent {
    func notice() -> OrderNotice { told("vehicle-parked", push: .soon) { $0.tell(valet) } }
}

extension ReturnRequested: AnnouncedEvent {
    func notice() -> OrderNotice { told() }
}

extension RecallCancelled: AnnouncedEvent {
    func notice() -> OrderNotice { told { $0.tell(valet, "job-cancelled", push: .now) } }
}

extension VehicleRetrieved: AnnouncedEvent {
    func notice() -> OrderNotice { told("vehicle-retrieved", push: .now) { $0.tell(valet) } }
}

extension VehicleReturned: AnnouncedEvent {
    func notice() -> OrderNotice {
        guard bill.charge.amount > 0 else {
            return told("vehicle-returned-free", push: .receipt) { $0.tell(valet) }
        }
        return told("vehicle-returned", push: .soon, with: ["amount": .money(bill.charge)]) {
            $0.tell(valet)
        }
    }
}

extension TaskChanged: AnnouncedEvent {
    func notice() -> OrderNotice {
        switch (task.status, task.kind) {
        case (.done, .wash): told("washed") { $0.tell(by) }
        case (.done, .refuel): told("refuelled") { $0.tell(by) }
        case (.open, _), (.taken, _):
            told { notice in
                if order.status == .parked {
                    notice.tell(by)
                } else {
                    notice.tell(by, "task-dropped", push: .now)
                }
            }
        }
    }
}

// MARK: The end

extension OrderCancelled: AnnouncedEvent {
    func notice() -> OrderNotice {
        let values = ["amount": Catalogue.Value.money(fee)]
        switch cause {
        case .customerAbsent:
            return told("customer-absent", push: .receipt, with: values) { $0.tell(valet) }
        case .customer:
            let key = fee.amount > 0 ? "cancelled-with-fee" : "cancelled"
            return told(key, with: values) { $0.tell(valet, "job-cancelled", push: .now) }
        }
    }
}

extension OrderFinished: AnnouncedEvent {
    /// Both valets hear of the end too: from now on they can rate.
    func notice() -> OrderNotice {
        told("finished") { notice in
            notice.tell(order.dropOffValet)
            notice.tell(order.returnValet)
        }
    }
}

// MARK: Operators

extension OrderOverridden: AnnouncedEvent {
    func notice() -> OrderNotice {
        told("overridden", push: .soon) { notice in
            notice.tell(released, "job-taken", push: .now)
            notice.tell(order.activeValet, "job-changed", push: .now)
        }
    }
}

extension OrderOverdue: AnnouncedEvent {
    func notice() -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        notice.values["time"] = .span(ofSeconds: limitSeconds)
        notice.tellCustomer()
        notice.tellOperators("overdue", push: .soon)
        notice.tell(order.activeValet)
        return notice
    }
}

extension OrderNeedsOperator: AnnouncedEvent {
    func notice() -> OrderNotice {
        var notice = OrderNotice(order, Self.self)
        switch cause {
        case .wrongCodes:
            notice.tellCustomer("codes-used-up", push: .now)
            notice.tellOperators("wrong-codes", push: .now)
        case .valetSuspended, .overdue:
            notice.tellCustomer()
            notice.tellOperators("valet-suspended", push: .now)
        }
        notice.tell(order.activeValet)
        return notice
    }
}

extension OrderSnapshot {
    /// Who has the job at present.
    var activeValet: ValetID? {
        switch status {
        case .droppingOff, .parking: dropOffValet
        case .requestingBack, .returningBack: returnValet
        case .requested, .parked, .waitingForPayment, .finished, .cancelled, .unfulfilled: nil
        }
    }
}
