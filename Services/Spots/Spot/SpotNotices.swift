import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// The notifications about spots.
enum SpotNotices {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    /// The people to notify of a step, and the text for each. The person who takes the step gets no text,
    /// only the new state.
    private static func texts(
        _ step: SpotStep, by actor: SpotActor, of spot: SpotRecord
    ) -> [(to: PersonID, key: String?, urgent: Bool)] {
        let (seller, buyer) = (spot.seller, spot.reservation?.buyer)
        func both(_ forSeller: String?, _ forBuyer: String?, urgent: Bool = true) -> [(
            to: PersonID, key: String?, urgent: Bool
        )] {
            [(seller, actor == .seller ? nil : forSeller, urgent)]
                + (buyer.map { [($0, actor == .buyer ? nil : forBuyer, urgent)] } ?? [])
        }
        return switch step {
        case .offered, .denied, .requestEnded: both(nil, nil)
        case .requested: both("requested", nil)
        case .bid: both("bid", nil, urgent: false)
        case .approved:
            actor == .system ? both("sold", "won") : both(nil, "approved")
        case .arrived: both("arrived", "arrived-buyer")
        case .confirmed: both(nil, nil)
        case .handedOver: both("handed-over", "handed-over-buyer", urgent: false)
        case .spotGone: both("spot-gone", nil)
        case .buyerAbsent: both(nil, "absent")
        case .lapsed: both("lapsed", "lapsed", urgent: false)
        case .cancelled: both("buyer-cancelled", "seller-cancelled")
        case .expired: both("expired", nil, urgent: false)
        }
    }

    fileprivate static func notice(
        _ spot: SpotRecord, _ messages: [Notice.Message], about people: [PersonID]
    ) -> Notice {
        let state = SubjectState(
            product: .spots, kind: "spot", version: spot.version.number, link: "/spots/\(spot.id)",
            data: .object([
                "id": .text(spot.id.description), "status": .text(spot.status.rawValue),
            ]), about: people)
        return Notice(
            subject: spot.id.description, state: state, cause: SpotChanged.self, messages)
    }

    fileprivate static func values(_ spot: SpotRecord) -> [String: Catalogue.Value] {
        ["reference": .text(spot.reference), "price": .money(spot.price)]
    }

    fileprivate static func messages(
        _ step: SpotStep, by actor: SpotActor, of spot: SpotRecord
    ) -> [Notice.Message] {
        texts(step, by: actor, of: spot).map { to, key, urgent in
            key.map {
                words.message(
                    to: .person(to), "spot-\($0)", values(spot), push: urgent ? .now : .soon)
            } ?? Notice.Message(to: .person(to))
        }
    }

    /// Notifies people of a step, in the transaction that stores it.
    static func announce(
        _ spot: SpotRecord, _ step: SpotStep, by actor: SpotActor = .seller,
        of request: SpotRequestRecord? = nil, at now: Date, in transaction: Transaction
    ) throws {
        try transaction.publish(
            SpotChanged(
                spot: spot.id, step: step, status: spot.status, area: spot.area,
                seller: spot.seller, buyer: spot.reservation?.buyer, price: spot.price,
                version: spot.version.number), at: now)
        if let engagement = spot.engagement {
            try transaction.publish(EngagementChanged(engagement), at: now)
        }
        var messages = Self.messages(step, by: actor, of: spot)
        // A buyer who requests or bids sees it on their other devices.
        if let request, !messages.contains(where: { $0.to == .person(request.buyer) }) {
            messages.append(Notice.Message(to: .person(request.buyer)))
        }
        try transaction.publish(
            NoticeIssued(notice(spot, messages, about: messages.people)), at: now)
    }

    /// Notifies a buyer that their request has ended.
    static func tell(
        _ request: SpotRequestRecord, of spot: SpotRecord, at now: Date, in transaction: Transaction
    ) throws {
        let key: String? =
            switch request.status {
            case .denied: "denied"
            case .notChosen: spot.status == .cancelled ? "taken-back" : "not-chosen"
            case .outbid: "outbid"
            case .expired: request.countsSince == nil ? "not-held" : "unanswered"
            case .authorising, .pending, .approved, .handedOver, .declined, .cancelled, .failed: nil
            }
        try tell(request.buyer, key, of: spot, at: now, in: transaction)
    }

    /// Notifies a buyer of an unpaid amount after their card failed.
    static func tellOwed(
        _ request: SpotRequestRecord, of spot: SpotRecord, at now: Date, in transaction: Transaction
    ) throws {
        try tell(request.buyer, "owed", of: spot, at: now, in: transaction)
    }

    /// Notifies people whose alerts match.
    static func tell(
        _ people: [PersonID], ofOffer spot: SpotRecord, at now: Date, in transaction: Transaction
    ) throws {
        try tell(people, "spot-alert", values(spot), at: now, in: transaction) {
            notice(spot, $0, about: $0.people)
        }
    }

    static func tell(
        _ people: [PersonID], of freed: ParkingFreed, at now: Date, in transaction: Transaction
    ) throws {
        try tell(people, "parking-alert", ["name": .text(freed.name)], at: now, in: transaction) {
            Notice(subject: freed.subject, state: freed.state, cause: ParkingFreed.self, $0)
        }
    }

    /// Publishes several notices, each with a part of the people.
    private static func tell(
        _ people: [PersonID], _ key: String, _ values: [String: Catalogue.Value], at now: Date,
        in transaction: Transaction, _ notice: ([Notice.Message]) -> Notice
    ) throws {
        for part in people.chunks(of: Notice.mostMessages) {
            let messages = part.map {
                words.message(to: .person($0), key, values, push: .now)
            }
            try transaction.publish(NoticeIssued(notice(messages)), at: now)
        }
    }

    static func announceDecision(_ spot: SpotRecord, at now: Date, in transaction: Transaction)
        throws
    {
        guard let outcome = spot.dispute?.outcome else { return }
        let people = [spot.seller, spot.reservation?.buyer].compactMap(\.self)
        let messages = people.map {
            words.message(
                to: .person($0), "spot-dispute-\(outcome.rawValue)", values(spot), push: .soon)
        }
        try transaction.publish(NoticeIssued(notice(spot, messages, about: people)), at: now)
    }

    private static func tell(
        _ person: PersonID, _ key: String?, of spot: SpotRecord, at now: Date,
        in transaction: Transaction
    ) throws {
        let message =
            key.map {
                words.message(to: .person(person), "spot-\($0)", values(spot), push: .now)
            } ?? Notice.Message(to: .person(person))
        try transaction.publish(NoticeIssued(notice(spot, [message], about: [person])), at: now)
    }
}

extension [Notice.Message] {
    fileprivate var people: [PersonID] {
        compactMap { if case .person(let person) = $0.to { person } else { nil } }
    }
}
