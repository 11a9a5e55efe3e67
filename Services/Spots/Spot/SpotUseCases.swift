import Contracts
import EventBus
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

/// The actions of sellers, and scheduled changes of spots; each function is one transaction.
struct SpotUseCases: Sendable {
    static let longestNote = 300
    static let longestSign = 60

    let database: Database
    let clock: ServiceClock
    let limits: SpotLimits
    let whereabouts: Whereabouts
    let areas: KnownAreas
    /// Answers for data that is unknown here.
    let accounts: Owners
    let cashier: Cashier

    // MARK: Offers

    /// Offers the spot where the seller stands.
    func offer(
        _ body: SpotBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> SpotID {
        // A seller who repeats an offer may have moved on, and its times may be over.
        if let known = try await database.answer(once: key, as: SpotID.self) { return known }
        let now = clock.now
        let draft = try body.offer(at: now)
        let closesAt = try body.close(of: draft, at: now)
        try await accounts.learn(of: body.vehicleId, of: person, in: database)
        try await accounts.learn(of: person, in: database, at: now)
        try await whereabouts.requirePresence(
            of: person, at: draft.position, within: SpotLimits.presenceMeters)
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            try transaction.strikes.requireGoodRecord(of: person, .selling, at: now)
            guard let area = try areas.area(at: draft.position, in: transaction) else {
                throw Refusal.spotOutsideServiceArea
            }
            let policy = try spotPolicies.value(of: area.id, in: transaction)
            let currency = area.feature.properties.currency
            try policy.require(draft.price, draft.sale, currency)
            _ = try Check.price(draft.price, "price", in: currency)
            if try transaction.spots.open(of: person) != nil {
                throw Refusal.openSpotExists
            }
            var offer = draft
            offer.vehicle = try transaction.vehicle(
                body.vehicleId, orOnlyOneOf: person)
            let spot = SpotRecord(
                .new(at: now), offer, of: person, in: area.id, currency, policy,
                closesAt: closesAt, at: now)
            if let photo = offer.photo {
                try transaction.photos.claim(photo, of: person, for: spot.id)
            }
            try spotTable.insert(spot, in: transaction)
            try transaction.schedule(SpotWork.expiry, spot.id, at: spot.expiresAt)
            if let closesAt { try transaction.schedule(SpotWork.close, spot.id, at: closesAt) }
            if try transaction.alerts.exist(around: spot.shownPosition) {
                try transaction.schedule(SpotWork.alerts, spot.id, at: now)
            }
            try SpotNotices.announce(spot, .offered, at: now, in: transaction)
            return spot.id
        }
    }

    func spot(_ id: SpotID) async throws -> SpotRecord {
        try await database.read { try $0.spots.require(id) }
    }

    // MARK: The seller's steps

    func cancel(_ id: SpotID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var spot = try transaction.spots.require(id, of: person)
            // A repeat gets the same answer.
            if spot.status == .cancelled { return }
            let wasReserved = spot.status == .reserved
            try spot.cancel(by: .seller)
            try transaction.requests.endAll(of: spot, approvedAs: .cancelled, at: now)
            if wasReserved {
                try transaction.strikes.record(
                    .sellerCancelled, of: spot.seller, in: spot.id, at: now)
            }
            try transaction.spots.close(&spot, .cancelled, by: .seller, at: now)
        }
    }

    /// The seller leaves, or confirms the hand-over.
    func sellerIsDone(_ id: SpotID, by person: PersonID) async throws {
        try await confirm(id, \.sellerIsDone, by: .seller) { spot in
            guard spot.seller == person else { throw Refusal.spotUnknown }
        }
    }

    /// The seller reports that the buyer has not come: the fee is due.
    func buyerIsAbsent(_ id: SpotID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var spot = try transaction.spots.require(id, of: person)
            let buyer = spot.reservation?.buyer
            // A repeat gets the same answer.
            if let buyer, try transaction.strikes.have(.noShow, of: buyer, in: id) { return }
            try spot.buyerIsAbsent(at: now)
            if let buyer {
                try transaction.strikes.record(.noShow, of: buyer, in: id, at: now)
            }
            try transaction.requests.endAll(
                of: spot, approvedAs: .failed, owing: spot.noShowFee.amount, for: "noShow", at: now)
            try transaction.spots.close(&spot, .buyerAbsent, by: .seller, at: now)
        }
    }

    func handedOver(_ id: SpotID, by person: PersonID) async throws {
        let spot = try await spot(id)
        guard spot.seller != person else { return try await sellerIsDone(id, by: person) }
        try await confirm(id, \.buyerIsDone, by: .buyer) { spot in
            guard spot.reservation?.buyer == person else { throw Refusal.spotUnknown }
        }
    }

    /// Records a confirmation for a reserved spot; the hand-over is complete once both have confirmed.
    func confirm(
        _ id: SpotID, _ path: any WritableKeyPath<SpotRecord.Reservation, Bool> & Sendable,
        by actor: SpotActor, _ delivery: Delivery? = nil,
        require: @escaping @Sendable (SpotRecord) throws -> Void
    ) async throws {
        let now = clock.now
        let change: @Sendable (Transaction) throws -> Void = { transaction in
            var spot = try transaction.spots.require(id)
            try require(spot)
            // Late events change nothing.
            if delivery != nil, spot.status != .reserved { return }
            let isHandedOver = try spot.confirm(path, by: actor, at: now)
            guard spot.version.isChanged else { return }
            if isHandedOver {
                try transaction.spots.handOver(&spot, by: actor, at: now)
            } else {
                try spotTable.update(&spot, in: transaction)
                try SpotWork.presumeLater(spot, at: now, in: transaction)
                try SpotNotices.announce(spot, .confirmed, by: actor, at: now, in: transaction)
            }
        }
        if let delivery {
            try await database.apply(delivery, change)
        } else {
            try await database.write(change)
        }
    }

    func arrive(_ id: SpotID, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            guard var spot = try transaction.spots.find(id), spot.status == .reserved
            else { return }
            try spot.arrive(at: now)
            guard spot.version.isChanged else { return }
            try spotTable.update(&spot, in: transaction)
            try SpotWork.presumeLater(spot, at: now, in: transaction)
            try SpotNotices.announce(spot, .arrived, by: .system, at: now, in: transaction)
        }
    }

    // MARK: The clock

    func expire(_ id: SpotID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var spot = try transaction.spots.find(id), spot.status == .offered,
                spot.expiresAt <= now
            else { return }
            try spot.expire()
            try transaction.requests.endAll(of: spot, at: now)
            try transaction.spots.close(&spot, .expired, by: .system, at: now)
        }
    }

    /// Completes the hand-over to a buyer who has arrived without confirming, after the seller has left.
    func presume(_ id: SpotID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var spot = try transaction.spots.find(id), spot.isPresumed else { return }
            try spot.presume()
            try transaction.spots.handOver(&spot, by: .system, at: now)
        }
    }

    /// Ends a reservation without confirmations.
    func lapse(_ id: SpotID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var spot = try transaction.spots.find(id), spot.status == .reserved,
                let reservation = spot.reservation, spot.lapsesAt(reservation) <= now
            else { return }
            try spot.lapse()
            try transaction.requests.endAll(of: spot, approvedAs: .failed, at: now)
            try transaction.spots.close(&spot, .lapsed, by: .system, at: now)
        }
    }

    // MARK: Disputes

    func answer(_ id: SpotID, _ body: SpotAnswerBody, by person: PersonID) async throws {
        let text = try Check.text(body.text, "text", 1...Self.longestNote)
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var spot = try transaction.spots.require(id, of: person)
            // A repeat gets the same answer.
            if spot.dispute?.answer == text { return }
            try spot.answer(text)
            try spotTable.update(&spot, in: transaction)
            try SpotNotices.announce(spot, .confirmed, by: .seller, at: now, in: transaction)
        }
    }

    func decide(_ id: SpotID, _ body: SpotDecisionBody, by person: PersonID) async throws {
        let text = try Check.text(body.text, "text", 1...Self.longestNote)
        let now = clock.now
        try await database.write { transaction in
            var spot = try transaction.spots.require(id)
            // A repeat gets the same answer.
            if spot.dispute?.outcome == body.outcome, spot.dispute?.decision == text { return }
            try spot.decide(body.outcome, text)
            if body.outcome == .dismissed {
                try transaction.strikes.forgive(.spotGone, of: spot.seller, in: id)
            }
            try transaction.record("spots.decide-dispute", id, by: person, at: now)
            try spotTable.update(&spot, in: transaction)
            try SpotNotices.announceDecision(spot, at: now, in: transaction)
        }
    }
}

extension SpotBody {
    fileprivate func offer(at now: Date) throws -> SpotRecord.Offer {
        let position = try Check.coordinate(
            latitude: position.latitude, longitude: position.longitude, "position")
        guard accuracyMeters >= 0, accuracyMeters <= 100 else {
            throw Refusal.invalid(
                "accuracyMeters", "Wait until your position is accurate to 100 metres.")
        }
        guard leavesAt > now, leavesAt <= now.addingTimeInterval(SpotLimits.ahead) else {
            throw Refusal.invalid(
                "leavesAt", "Use a time within the next \(Int(SpotLimits.ahead / 3_600)) hours.")
        }
        if let sizeMeters, !(1...30).contains(sizeMeters) {
            throw Refusal.invalid("sizeMeters", "Use 1 to 30 metres.")
        }
        if let meterPaidUntil, meterPaidUntil > now.addingTimeInterval(7 * 86_400) {
            throw Refusal.invalid("meterPaidUntil", "Use a time within a week.")
        }
        let longest = SpotUseCases.longestSign
        return SpotRecord.Offer(
            position: position, accuracyMeters: accuracyMeters,
            price: try Check.int(price, "price", in: 0...Money.largestAmount), leavesAt: leavesAt,
            sale: sale ?? .fixed, sizeMeters: sizeMeters, meterPaidUntil: meterPaidUntil,
            permit: try Check.optionalText(permit, "permit", most: longest),
            restrictions: try Check.optionalText(restrictions, "restrictions", most: longest),
            note: try Check.optionalText(note, "note", most: SpotUseCases.longestNote),
            photo: photoId, vehicle: nil)
    }

    fileprivate func close(of offer: SpotRecord.Offer, at now: Date) throws -> Date? {
        guard offer.sale == .auction else {
            guard closesAt == nil else {
                throw Refusal.invalid("closesAt", "Send it only for an auction.")
            }
            return nil
        }
        guard let closesAt, closesAt > now, closesAt <= offer.leavesAt else {
            throw Refusal.invalid("closesAt", "Use a time from now until `leavesAt`.")
        }
        return closesAt
    }
}

extension SpotPolicy {
    fileprivate func require(
        _ price: Int, _ sale: SpotSale, _ currency: String
    ) throws(Refusal) {
        guard self.sale == .allowed || price == 0 && sale == .fixed else { throw .saleNotAllowed }
        guard price <= priceCap else {
            throw priceTooHigh(in: currency)
        }
    }

    func priceTooHigh(in currency: String) -> Refusal {
        let cap = Money(amount: priceCap, currency: currency)
        return .spotPriceTooHigh.because("The maximum is \(cap.text(in: .english)).")
    }
}

extension RequestStore {
    /// Ends all open requests of a spot: the approved one as given, with the amount due, and all others as not chosen.
    func endAll(
        of spot: SpotRecord, approvedAs end: SpotRequestStatus = .failed, owing: Int = 0,
        for kind: String = "spot", at now: Date
    ) throws {
        for var request in try open(of: spot.id) {
            if request.status == .approved {
                try self.end(&request, of: spot, as: end, owing: owing, for: kind, at: now)
            } else {
                try self.end(&request, of: spot, as: .notChosen, at: now)
                try SpotNotices.tell(request, of: spot, at: now, in: transaction)
            }
        }
    }
}

extension SpotStore {
    /// Stores a spot that has ended.
    func close(
        _ spot: inout SpotRecord, _ step: SpotStep, by actor: SpotActor,
        at now: Date
    ) throws {
        try spotTable.update(&spot, in: transaction)
        try SpotWork.unscheduleAll(of: spot.id, in: transaction)
        try SpotNotices.announce(spot, step, by: actor, at: now, in: transaction)
    }

    func handOver(
        _ spot: inout SpotRecord, by actor: SpotActor, at now: Date
    ) throws {
        try transaction.requests.endAll(
            of: spot, approvedAs: .handedOver, owing: spot.reservation?.price ?? 0, at: now)
        try close(&spot, .handedOver, by: actor, at: now)
    }
}
