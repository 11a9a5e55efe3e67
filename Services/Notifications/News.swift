import Contracts
import Foundation

/// Who can hear of an event.
enum Audience: Sendable, Hashable, CaseIterable {
    case customer
    /// Who has the job, or has just done a step of it.
    case valet
    /// Who had the job, and lost it by somebody else's doing.
    case released
    /// The one whom an event is about that belongs to no order.
    case person
    /// All operators, who share one feed.
    case operators
}

/// A row of the table of what is told to whom. Who is not named gets the order's new state, without
/// words.
struct Notice: Sendable {
    let event: String
    let variant: String?
    let messages: [Audience: Message]

    init(
        _ event: any Event.Type, when variant: String? = nil, _ messages: [Audience: Message]
    ) {
        self.event = event.type
        self.variant = variant
        self.messages = messages
    }

    static let table: [Notice] = [
        Notice(DropOffRequested.self, [:]),
        Notice(DropOffRequested.self, when: "ahead", [.customer: .searchBegins]),
        Notice(OrderScheduled.self, [.customer: .orderedAhead]),
        Notice(MatchRepeated.self, [:]),
        Notice(ValetOffered.self, when: "dropOff", [.valet: .offerDropOff]),
        Notice(ValetOffered.self, when: "return", [.valet: .offerReturn]),
        Notice(OfferEnded.self, when: "declined", [:]),
        Notice(OfferEnded.self, when: "expired", [.released: .offerMissed]),
        Notice(OfferEnded.self, when: "undelivered", [.released: .offerMissed]),
        Notice(OfferEnded.self, when: "withdrawn", [.released: .offerWithdrawn]),
        Notice(
            ValetAssigned.self, when: "dropOff", [.customer: .valetOnTheWay, .valet: .jobDropOff]),
        Notice(
            ValetAssigned.self, when: "return", [.customer: .returnValetFound, .valet: .jobReturn]),
        Notice(OrderUnfulfilled.self, [.customer: .noValet]),
        Notice(
            OrderCancelled.self, when: "free", [.customer: .cancelled, .released: .jobCancelled]),
        Notice(
            OrderCancelled.self, when: "fee",
            [.customer: .cancelledWithFee, .released: .jobCancelled]),
        Notice(OrderCancelled.self, when: "customerAbsent", [.customer: .customerAbsent]),
        Notice(ValetWithdrawn.self, [.customer: .valetWithdrew, .released: .jobTaken]),
        Notice(VehicleCollected.self, [.customer: .vehicleCollected]),
        Notice(VehicleParked.self, [.customer: .vehicleParked]),
        Notice(TaskChanged.self, [:]),
        Notice(TaskChanged.self, when: "wash", [.customer: .washed]),
        Notice(TaskChanged.self, when: "refuel", [.customer: .refuelled]),
        Notice(TaskChanged.self, when: "dropped", [.released: .taskDropped]),
        Notice(ReturnRequested.self, [:]),
        Notice(ReturnUnfulfilled.self, [.customer: .noReturnValet]),
        Notice(RecallCancelled.self, [.released: .jobCancelled]),
        Notice(VehicleRetrieved.self, [.customer: .vehicleRetrieved]),
        Notice(VehicleReturned.self, when: "due", [.customer: .vehicleReturned]),
        Notice(VehicleReturned.self, when: "free", [.customer: .vehicleReturnedFree]),
        Notice(OrderFinished.self, [.customer: .finished]),
        Notice(
            OrderOverridden.self,
            [.customer: .overridden, .valet: .jobChanged, .released: .jobTaken]),
        Notice(OrderOverdue.self, [.operators: .overdue]),
        Notice(ValetArrived.self, when: "dropOff", [.customer: .valetArrived]),
        Notice(ValetArrived.self, when: "return", [.customer: .valetAtVehicle]),
        Notice(PaymentSucceeded.self, [.customer: .paymentSucceeded]),
        Notice(PaymentDeclined.self, [.customer: .paymentDeclined]),
        Notice(PaymentRefunded.self, [.customer: .paymentRefunded]),
        Notice(TipGiven.self, [.valet: .tipGiven]),
        Notice(RatingGiven.self, [.person: .rated]),
        Notice(AccountChanged.self, when: "suspended", [.person: .suspended]),
        Notice(AccountChanged.self, when: "unsuspended", [.person: .unsuspended]),
        Notice(PhotoTaken.self, [:]),
    ]

    /// Events of which nobody hears anything: what they mean for people is told by another one, or
    /// is for nobody's ears.
    static let silent: [any Event.Type] = [
        AccountDeleted.self, VehicleChanged.self, CodeRequested.self, SessionsEnded.self,
        ServiceAreaChanged.self, AvailabilityChanged.self, PositionRecorded.self,
        ValetMatched.self, NoValetFound.self, RecognitionMade.self, OperatorActed.self,
        NotificationCreated.self,
    ]

    static func messages(for event: String, _ variant: String?) -> [Audience: Message] {
        table.first { $0.event == event && $0.variant == variant }?.messages ?? [:]
    }
}

/// An event, as far as people are concerned.
struct News: Sendable {
    struct Listener: Sendable, Hashable {
        let audience: Audience
        let recipient: Recipient
    }

    let event: String
    var variant: String?
    /// The order as it is after the event; nil when the event does not carry it.
    var snapshot: OrderSnapshot?
    var order: OrderID?
    private(set) var listeners: [Listener] = []
    /// The order's customer and valet are concerned, whom the event does not name.
    var concernsParties = false
    var values: [String: Phrase.Value] = [:]

    init(_ event: any Event.Type, _ variant: String? = nil) {
        self.event = event.type
        self.variant = variant
    }

    /// News of an order reaches its customer, the valet who has the job, and operators.
    init(_ event: some OrderEvent, _ variant: String? = nil) {
        self.init(type(of: event), variant)
        snapshot = event.order
        // Who is asked is between them and the house.
        snapshot?.offeredTo = nil
        order = event.order.id
        values["status"] = .status(event.order.status)
        add(.customer, event.order.customer.as(PersonID.self))
        add(.operators)
    }

    mutating func add(_ audience: Audience, _ person: PersonID) {
        add(Listener(audience: audience, recipient: .person(person)))
    }

    mutating func add(_ audience: Audience, _ valet: ValetID?) {
        if let valet { add(audience, valet.as(PersonID.self)) }
    }

    mutating func add(_ audience: Audience) {
        add(Listener(audience: audience, recipient: .operators))
    }

    /// Nobody hears the same news twice; what they were first named as counts.
    private mutating func add(_ listener: Listener) {
        guard !listeners.contains(where: { $0.recipient == listener.recipient }) else { return }
        listeners.append(listener)
    }

    /// With `change` applied: keeps the events' own definitions to one expression.
    func with(_ change: (inout News) -> Void) -> News {
        var copy = self
        change(&copy)
        return copy
    }

    /// Everybody concerned, as far as is known.
    func listeners(knowing order: OrderSnapshot?) -> [Listener] {
        guard concernsParties, let order else { return listeners }
        return with { news in
            news.add(.customer, order.customer.as(PersonID.self))
            news.add(.valet, order.activeValet)
        }.listeners
    }

    /// What this audience is told; nil when there is only state to refresh.
    func phrase(for audience: Audience, ticket: String?) -> Phrase? {
        Notice.messages(for: event, variant)[audience].map { message in
            var values = values
            values["ticket"] = .ticket(ticket)
            return Phrase(message: message, values: values)
        }
    }
}

/// An event that people are told about.
protocol Newsworthy: Event {
    var news: News { get }
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
