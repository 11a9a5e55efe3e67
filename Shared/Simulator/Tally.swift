import Client
import Contracts
import Foundation
import Synchronization

/// A kind of answer that is a fault.
struct Fault: Sendable, Hashable {
    let kind: RequestKind
    /// Nil if no answer came in any try.
    let status: Int?
    let code: String?
}

/// Counts of drivers' actions and gates' answers.
struct ParkingCounts: Sendable {
    /// All bookings, oldest first.
    var bookings: [BookingID] = []
    var changed = 0
    var cancelled = 0
    /// Searches without a free space.
    var withoutOffer = 0
    /// Stays that began, and those without a booking.
    var stays = 0
    var driveUps = 0
    /// Left after the booking's end, for an extra charge.
    var overstayed = 0
    /// Stays that have not ended.
    var inside: Set<ParkingSessionID> = []
    /// Minor units by currency.
    var paid: [String: Int] = [:]
    var givenBack: [String: Int] = [:]
}

struct SpotCounts: Sendable {
    var offered: [SpotID] = []
    var ended: [SpotStatus: Int] = [:]
    /// Minor units by currency.
    var sold: [String: Int] = [:]
}

struct LiftCounts: Sendable {
    var published: [TripID] = []
    var withoutOffer = 0
    var requested = 0
    var rides = 0
    /// Passengers with a confirmed ride.
    var rode = 0
}

/// The counts of the simulation so far.
struct Counts: Sendable {
    var latencies: [RequestKind: Histogram] = [:]
    var refusals: [String: Int] = [:]
    var faults: [Fault: Int] = [:]
    /// Tries without an answer; each was retried.
    var unanswered = 0
    var peopleHere = 0
    /// Orders that have not ended.
    var running: [OrderID: OrderStatus] = [:]
    /// Every order that was placed or continued, oldest first.
    var orders: [OrderID] = []
    var placed = 0
    var takenUp = 0
    var ended: [OrderStatus: Int] = [:]
    /// Minor units by currency; tips are part of it.
    var paid: [String: Int] = [:]
    var tips: [String: Int] = [:]
    var tipped = 0
    /// Number of ratings by stars.
    var stars: [Int: Int] = [:]
    var parking = ParkingCounts()
    var spots = SpotCounts()
    var lifts = LiftCounts()

    var requests: Int { latencies.values.reduce(0) { $0 + $1.count } }
    var faultCount: Int { faults.values.reduce(0, +) }

    func running(_ statuses: OrderStatus...) -> Int {
        running.values.count { statuses.contains($0) }
    }
}

/// Counts everything while all people run concurrently.
final class Tally: Sendable {
    /// Maximum number of orders that are checked at the end; an endless simulation drops the oldest.
    static let mostOrders = 100_000

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    /// Records each try of each call.
    func observe(_ exchange: Exchange) {
        let kind = RequestKind(exchange.method, exchange.path)
        let seconds = exchange.duration.inSeconds
        state.withLock { counts in
            guard let status = exchange.status else {
                counts.unanswered += 1
                return
            }
            counts.latencies[kind, default: Histogram()].add(seconds)
            guard status >= 400 else { return }
            if Lifelike.contains(kind, status, exchange.code) {
                counts.refusals[exchange.code ?? "", default: 0] += 1
            } else {
                let fault = Fault(kind: kind, status: status, code: exchange.code)
                counts.faults[fault, default: 0] += 1
            }
        }
    }

    /// Records a call without an answer in all tries, or with an unreadable one.
    func lost(_ error: ClientError) {
        let text: String
        switch error {
        case .unreachable(let what): text = what
        case .malformedAnswer(let what): text = "malformed answer, \(what)"
        case .problem, .unexpectedStatus, .signedOut: return
        }
        let words = text.prefix { $0 != ":" }.split(separator: " ", maxSplits: 1).map(String.init)
        let kind = RequestKind(words.first ?? "", words.count > 1 ? words[1] : "")
        state.withLock { counts in
            counts.faults[Fault(kind: kind, status: nil, code: nil), default: 0] += 1
        }
    }

    func arrive() { state.withLock { $0.peopleHere += 1 } }

    func begin(_ order: OrderView, isNew: Bool) {
        state.withLock { counts in
            guard counts.running[order.id] == nil else { return }
            if isNew { counts.placed += 1 } else { counts.takenUp += 1 }
            if counts.orders.count >= Self.mostOrders {
                counts.orders.removeFirst(Self.mostOrders / 2)
            }
            counts.orders.append(order.id)
            counts.running[order.id] = order.status
        }
    }

    func see(_ order: OrderView) {
        state.withLock { counts in
            guard counts.running[order.id] != nil else { return }
            if order.status.isEnd {
                counts.running[order.id] = nil
                counts.ended[order.status, default: 0] += 1
            } else {
                counts.running[order.id] = order.status
            }
        }
    }

    func paid(_ payment: Payment) {
        guard payment.status == .succeeded else { return }
        state.withLock { counts in
            counts.paid[payment.amount.currency, default: 0] += payment.amount.amount
            guard let tip = payment.tip, tip.amount > 0 else { return }
            counts.tips[tip.currency, default: 0] += tip.amount
            counts.tipped += 1
        }
    }

    // MARK: Car parks

    func park(_ change: (inout ParkingCounts) -> Void) {
        state.withLock { counts in
            change(&counts.parking)
            if counts.parking.bookings.count >= Self.mostOrders {
                counts.parking.bookings.removeFirst(Self.mostOrders / 2)
            }
        }
    }

    func spots(_ change: (inout SpotCounts) -> Void) {
        state.withLock { change(&$0.spots) }
    }

    func lifts(_ change: (inout LiftCounts) -> Void) {
        state.withLock { change(&$0.lifts) }
    }

    /// Records that something expected is missing.
    func missing(_ code: String) {
        let fault = Fault(kind: RequestKind("GET", "/v1/me/balance"), status: 200, code: code)
        state.withLock { $0.faults[fault, default: 0] += 1 }
    }

    func entered(_ answer: PassageAnswer) {
        park { counts in
            counts.stays += 1
            if answer.booking == nil { counts.driveUps += 1 }
            if let stay = answer.session { counts.inside.insert(stay) }
        }
    }

    func left(_ answer: PassageAnswer) {
        park { counts in
            if answer.reason == .billed { counts.overstayed += 1 }
            if let stay = answer.session { counts.inside.remove(stay) }
        }
    }

    /// Records a gate that stays shut: closed and full are normal, anything else is a fault.
    func turnedAway(_ answer: PassageAnswer) {
        let code = "gate.\(answer.reason.rawValue)"
        state.withLock { counts in
            switch answer.reason {
            case .closed, .full: counts.refusals[code, default: 0] += 1
            case .booked, .driveUp, .paid, .free, .billed, .opened, .unreadable, .unknown,
                .alreadyInside,
                .tooEarly, .paymentDue:
                let fault = Fault(
                    kind: RequestKind("POST", "/v1/gates/{id}/passages"), status: 200, code: code)
                counts.faults[fault, default: 0] += 1
            }
        }
    }

    func rated(_ stars: Int) { state.withLock { $0.stars[stars, default: 0] += 1 } }
}
