import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

// The actions of buyers, and the sellers' answers. The money is held between two transactions: one stores the amount
// to hold, payments holds it, and the next makes the request count. Payments also publishes an event, so that a crash
// in between loses nothing.

/// The payment method of a buyer's request.
struct WayToPay: Sendable {
    let method: PaymentMethodID?
    let token: String?

    var isPossible: Bool { method != nil || token != nil }
}

extension SpotUseCases {
    /// Requests a spot at its price.
    func request(
        _ id: SpotID, _ body: SpotRequestBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> (SpotRequestRecord, Payment?) {
        let pay = WayToPay(method: body.paymentMethodId, token: body.token)
        return try await want(id, body.vehicleId, pay, by: person, once: key) { spot in
            guard spot.auction == nil else { throw Refusal.soldByAuction }
            if let expected = body.price, expected != spot.price.amount {
                throw Refusal.spotPriceChanged.because(
                    "It now costs \(spot.price.text(in: .english)).")
            }
            return spot.price.amount
        }
    }

    /// Bids for a spot, up to a maximum amount that is held.
    func bid(
        _ id: SpotID, _ body: SpotBidBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> (SpotRequestRecord, Payment?) {
        let maximum = try Check.int(body.maximum, "maximum", in: 1...Money.largestAmount)
        let (pay, now) = (WayToPay(method: body.paymentMethodId, token: body.token), clock.now)
        return try await want(id, body.vehicleId, pay, by: person, once: key) { spot in
            guard let auction = spot.auction else { throw Refusal.soldAtPrice }
            guard maximum <= spot.policy.priceCap else {
                throw spot.policy.priceTooHigh(in: spot.currency)
            }
            try auction.require(
                Auction.Bid(request: .new(at: now), bidder: person, maximum: maximum),
                spot.policy, spot.currency, at: now)
            return maximum
        }
    }

    private func want(
        _ id: SpotID, _ vehicle: VehicleID?, _ pay: WayToPay, by person: PersonID,
        once key: IdempotencyKey?,
        _ amount: @escaping @Sendable (SpotRecord) throws -> Int
    ) async throws -> (SpotRequestRecord, Payment?) {
        let known = try await database.answer(once: key, as: SpotRequestID.self)
        if known == nil {
            try await accounts.learn(of: vehicle, of: person, in: database)
            try await accounts.learn(of: person, in: database, at: clock.now)
        }
        let spot = try await spot(id)
        let way = known == nil ? await whereabouts.way(of: person, to: spot.shownPosition) : nil
        let now = clock.now
        let new = SpotRequestID.new(at: now)
        let request = try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            let spot = try transaction.spots.require(id)
            let amount = try amount(spot)
            // A repeated request means that the payer has taken the card's further step.
            if let known = try transaction.requests.open(of: person).first(where: {
                $0.status == .authorising && $0.spot == id && $0.amount == amount
            }) {
                return known.id
            }
            try transaction.requests.check(person, mayWant: spot, at: now)
            guard amount == 0 || pay.isPossible else { throw Refusal.spotPaymentRequired }
            let request = SpotRequestRecord(
                new, for: id, by: person, amount: amount, isBid: spot.auction != nil,
                vehicle: try transaction.vehicle(
                    vehicle, orOnlyOneOf: person),
                distanceMeters: way?.meters, drivingSeconds: way?.seconds, at: now)
            try requestTable.insert(request, in: transaction)
            if amount > 0 {
                let area = try areas.area(spot.area, in: transaction)
                try transaction.publish(request.bill(for: spot, in: area), at: now)
                try transaction.schedule(
                    SpotWork.authorising, request.id,
                    at: now.addingTimeInterval(SpotLimits.authorising))
            } else {
                try transaction.requests.count(request.id, limits, at: now)
            }
            return request.id
        }
        let payment = try await hold(request, pay, by: person, isRepeat: request != new)
        return (try await database.read { try $0.requests.require(request) }, payment)
    }

    /// Holds the amount of a request by payments; a repeat continues the first payment.
    private func hold(
        _ id: SpotRequestID, _ pay: WayToPay, by person: PersonID, isRepeat: Bool
    ) async throws -> Payment? {
        let request = try await database.read { try $0.requests.require(id) }
        guard request.status == .authorising else { return nil }
        let outcome: Cashier.Outcome
        do {
            outcome = try await cashier.pay(
                request.bill, by: person, method: pay.method, token: pay.token)
        } catch Refusal.paymentMethodUnknown where isRepeat,
            Refusal.paymentTokenUnknown where isRepeat
        {
            // The card may have been deleted since, or its token used: the first payment may still succeed.
            return nil
        } catch let refusal as Refusal {
            let isOpen = refusal.code == "payment.in_progress" || Refusal.unavailable ~= refusal
            if !isOpen { try await giveUp(id, as: .declined) }
            throw refusal
        }
        switch outcome {
        case .payment(let payment):
            if payment.status == .held { try await settleHold(of: id) }
            return payment
        case .settledBefore:
            try await settleHold(of: id)
            return nil
        case .notDue:
            // The bill was withdrawn meanwhile: another buyer was faster, or the seller withdrew the spot.
            let wanted = try await spot(request.spot)
            guard wanted.status == .offered else { throw wanted.notPossible }
            return nil
        }
    }

    /// Makes a request count once its amount is held.
    func settleHold(of id: SpotRequestID, _ delivery: Delivery? = nil) async throws {
        let (now, limits) = (clock.now, limits)
        guard let delivery else {
            return try await database.write { try $0.requests.count(id, limits, at: now) }
        }
        try await database.apply(delivery) { try $0.requests.count(id, limits, at: now) }
    }

    /// Ends a request whose card was declined, or whose payment did not finish in time.
    func giveUp(_ id: SpotRequestID, as end: SpotRequestStatus) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var request = try transaction.requests.find(id), request.status == .authorising,
                let spot = try transaction.spots.find(request.spot)
            else { return }
            try transaction.requests.end(&request, of: spot, as: end, at: now)
            if end != .declined {
                try SpotNotices.tell(request, of: spot, at: now, in: transaction)
            }
        }
    }

    // MARK: The seller's answer

    func approve(_ id: SpotRequestID, by person: PersonID) async throws -> SpotID {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let request = try transaction.requests.require(id)
            let spot = try transaction.spots.require(request.spot)
            guard spot.seller == person else { throw Refusal.spotRequestUnknown }
            // A repeat gets the same answer.
            if spot.reservation?.request == id, spot.status == .reserved { return spot.id }
            guard !request.isBid else { throw Refusal.soldByAuction }
            try transaction.spots.reserve(
                spot, for: request, price: spot.price.amount, by: .seller, at: now)
            return spot.id
        }
    }

    func deny(_ id: SpotRequestID, by person: PersonID) async throws -> SpotID {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var request = try transaction.requests.require(id)
            var spot = try transaction.spots.require(request.spot)
            guard spot.seller == person else { throw Refusal.spotRequestUnknown }
            // A repeat gets the same answer.
            if request.status == .denied { return spot.id }
            guard !request.isBid else { throw Refusal.soldByAuction }
            try spot.deny(request, at: now)
            try transaction.requests.end(&request, of: spot, as: .denied, at: now)
            try spotTable.update(&spot, in: transaction)
            try SpotNotices.announce(spot, .denied, by: .seller, at: now, in: transaction)
            try SpotNotices.tell(request, of: spot, at: now, in: transaction)
            return spot.id
        }
    }

    /// Ends a request that the seller did not answer in time.
    func expire(_ id: SpotRequestID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let request = try transaction.requests.find(id), request.status == .pending,
                let end = request.expiresAt, end <= now
            else { return }
            try transaction.requests.lose(request, as: .expired, by: .system, at: now)
        }
    }

    /// Ends the auction and gives the spot to the leader.
    func close(_ id: SpotID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard var spot = try transaction.spots.find(id), spot.status == .offered,
                let auction = spot.auction
            else { return }
            guard auction.closesAt <= now else {
                return try transaction.schedule(SpotWork.close, id, at: auction.closesAt)
            }
            if let leader = auction.leader,
                let request = try transaction.requests.find(leader.request),
                request.status == .pending
            {
                return try transaction.spots.reserve(
                    spot, for: request, price: auction.current, by: .system, at: now)
            }
            try spot.expire()
            try transaction.requests.endAll(of: spot, at: now)
            try transaction.spots.close(&spot, .expired, by: .system, at: now)
        }
    }

    // MARK: The buyer's steps

    func cancel(_ id: SpotRequestID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var request = try transaction.requests.require(id, of: person)
            guard request.status != .cancelled else { return }
            guard request.status == .approved else {
                guard !request.isBid || request.status == .authorising else {
                    throw request.notPossible
                }
                return try transaction.requests.lose(request, as: .cancelled, by: .buyer, at: now)
            }
            var spot = try transaction.spots.require(request.spot)
            try spot.cancel(by: .buyer)
            let isLate = now > spot.freeUntil
            if isLate {
                try transaction.strikes.record(.lateCancel, of: person, in: spot.id, at: now)
            }
            try transaction.requests.end(
                &request, of: spot, as: .cancelled, owing: isLate ? spot.noShowFee.amount : 0,
                for: "lateCancel", at: now)
            try transaction.spots.close(&spot, .cancelled, by: .buyer, at: now)
        }
    }

    /// Confirms that the buyer or the seller is at the spot.
    func here(_ id: SpotRequestID, by person: PersonID) async throws -> SpotID {
        let spot = try await reserved(id, for: person)
        let isSeller = spot.seller == person
        try await confirm(
            spot.id, isSeller ? \.sellerIsHere : \.buyerIsHere, by: isSeller ? .seller : .buyer
        ) { try $0.requireReserved(orHandedOverFor: id) }
        return spot.id
    }

    func parked(_ id: SpotRequestID, by person: PersonID) async throws -> SpotID {
        let spot = try await reserved(id, for: person)
        guard spot.reservation?.buyer == person else { throw Refusal.spotRequestUnknown }
        try await confirm(spot.id, \.buyerIsDone, by: .buyer) { spot in
            try spot.requireReserved(orHandedOverFor: id)
            guard spot.status == .handedOver || spot.reservation?.arrivedAt != nil else {
                throw Refusal.buyerNotArrived
            }
        }
        return spot.id
    }

    /// Reports the spot as taken, with a picture; the buyer has to be nearby.
    func spotGone(_ id: SpotRequestID, _ body: SpotGoneBody, by person: PersonID) async throws
        -> SpotID
    {
        let note = try Check.optionalText(body.note, "note", most: Self.longestNote)
        // A repeat gets the same answer.
        if let known = try await reported(id, with: body.photoId, by: person) { return known }
        let spot = try await reserved(id, for: person)
        guard spot.reservation?.buyer == person else { throw Refusal.spotRequestUnknown }
        if spot.reservation?.arrivedAt == nil {
            try await whereabouts.requirePresence(
                of: person, at: spot.offer.position, within: SpotLimits.sightMeters)
        }
        let now = clock.now
        try await database.write { transaction in
            try transaction.requireStanding(of: person)
            var spot = try transaction.spots.require(spot.id)
            try spot.requireReserved(for: id)
            try transaction.photos.claim(body.photoId, of: person, for: spot.id)
            try spot.report(
                SpotRecord.Dispute(photo: body.photoId, note: note, openedAt: now))
            try transaction.strikes.record(.spotGone, of: spot.seller, in: spot.id, at: now)
            try transaction.requests.endAll(of: spot, approvedAs: .failed, at: now)
            try transaction.spots.close(&spot, .spotGone, by: .buyer, at: now)
        }
        return spot.id
    }

    /// The spot that a buyer has reported as taken with this picture.
    private func reported(
        _ id: SpotRequestID, with photo: PictureID, by person: PersonID
    ) async throws -> SpotID? {
        try await database.read { transaction in
            guard let request = try transaction.requests.find(id), request.buyer == person,
                let spot = try transaction.spots.find(request.spot),
                spot.reservation?.request == id, spot.dispute?.photo == photo
            else { return nil }
            return spot.id
        }
    }

    /// The spot reserved by a request or handed over, for its buyer or seller.
    private func reserved(_ id: SpotRequestID, for person: PersonID) async throws -> SpotRecord {
        try await database.read { transaction in
            try transaction.requireStanding(of: person)
            let request = try transaction.requests.require(id)
            let spot = try transaction.spots.require(request.spot)
            guard request.buyer == person || spot.seller == person else {
                throw Refusal.spotRequestUnknown
            }
            guard [.approved, .handedOver].contains(request.status) else {
                throw request.notPossible
            }
            return spot
        }
    }

    // MARK: Money

    /// Records that a request's bill is paid.
    func settle(_ payment: Payment, _ delivery: Delivery) async throws {
        let id = payment.bill.as(SpotRequestID.self)
        try await database.apply(delivery) { transaction in
            guard var request = try transaction.requests.find(id) else { return }
            if request.pay() { try requestTable.update(&request, in: transaction) }
        }
    }

    /// The capture of the hold failed: the buyer has to pay by other means.
    func decline(_ payment: Payment, _ delivery: Delivery) async throws {
        let (id, now) = (payment.bill.as(SpotRequestID.self), clock.now)
        try await database.apply(delivery) { transaction in
            guard let request = try transaction.requests.find(id), request.isOwed,
                let spot = try transaction.spots.find(request.spot)
            else { return }
            try SpotNotices.tellOwed(request, of: spot, at: now, in: transaction)
        }
    }

    /// Ends a request whose money is no longer held.
    func release(_ payment: Payment, _ delivery: Delivery) async throws {
        let (id, now) = (payment.bill.as(SpotRequestID.self), clock.now)
        try await database.apply(delivery) { transaction in
            guard let request = try transaction.requests.find(id), request.status == .pending else {
                return
            }
            // A leading bid without money must not lead.
            try transaction.requests.lose(request, as: .expired, by: .system, at: now)
        }
    }
}

extension SpotRecord {
    var freeUntil: Date {
        (reservation?.approvedAt ?? createdAt).addingTimeInterval(SpotLimits.free)
    }

    /// Throws if the request no longer has the spot.
    fileprivate func requireReserved(for request: SpotRequestID) throws(Refusal) {
        guard status == .reserved, reservation?.request == request else {
            throw .spotRequestNotPossible.because("The spot is \(status.rawValue).")
        }
    }

    /// A confirmation after the hand-over is late, and no mistake.
    fileprivate func requireReserved(orHandedOverFor request: SpotRequestID) throws(Refusal) {
        guard status != .handedOver || reservation?.request != request else { return }
        try requireReserved(for: request)
    }
}

extension RequestStore {
    /// Throws if the person may not request the spot, for example because it is their own, because the seller has
    /// declined them, or because they have another request.
    fileprivate func check(
        _ person: PersonID, mayWant spot: SpotRecord, at now: Date
    ) throws {
        guard spot.seller != person else { throw Refusal.ownSpot }
        if try transaction.areBlocked(person, spot.seller) { throw Refusal.spotUnknown }
        try transaction.strikes.requireGoodRecord(of: person, .buying, at: now)
        guard spot.status == .offered, spot.offer.leavesAt > now else {
            throw spot.notPossible
        }
        if try isDenied(person, of: spot.id) { throw Refusal.spotRequestDenied }
        if try owed(of: person) != nil { throw Refusal.spotUnpaid }
        // The leader of an auction may raise their own bid.
        let own = try open(of: person)
        let raises =
            own.count == 1 && own.first?.spot == spot.id && own.first?.isBid == true
            && own.first?.status == .pending
        guard own.isEmpty || raises else { throw Refusal.spotRequestExists }
        guard try open(of: spot.id).count < SpotLimits.mostRequests else {
            throw Refusal.tooManySpotRequests.because("The limit is \(SpotLimits.mostRequests).")
        }
    }

    /// Makes a request count once its money is held, or none is needed, if the spot is still available.
    fileprivate func count(_ id: SpotRequestID, _ limits: SpotLimits, at now: Date) throws {
        guard var request = try find(id), request.status == .authorising,
            var spot = try transaction.spots.find(request.spot)
        else { return }
        guard spot.status == .offered else {
            try end(&request, of: spot, as: .notChosen, at: now)
            return try SpotNotices.tell(request, of: spot, at: now, in: transaction)
        }
        if request.isBid { return try countBid(&request, of: &spot, at: now) }
        let until = now.addingTimeInterval(limits.answer)
        try request.count(at: now, until: until)
        try spot.take(request, at: now)
        try requestTable.update(&request, in: transaction)
        try transaction.unschedule(SpotWork.authorising, id)
        try transaction.schedule(SpotWork.answer, id, at: until)
        try spotTable.update(&spot, in: transaction)
        try SpotNotices.announce(
            spot, .requested, by: .buyer, of: request, at: now, in: transaction)
    }

    private func countBid(
        _ request: inout SpotRequestRecord, of spot: inout SpotRecord, at now: Date
    ) throws {
        // Earlier releases let a bidder lead whose money was no longer held.
        if let leader = spot.auction?.leader, try find(leader.request)?.isOpen != true {
            try spot.lose(leader.request, by: .system, at: now)
        }
        let bid = Auction.Bid(
            request: request.id, bidder: request.buyer, maximum: request.amount)
        let change: Auction.Change
        do {
            change = try spot.take(bid, at: now)
        } catch {
            guard error == .auctionClosed else { throw error }
            try end(&request, of: spot, as: .notChosen, at: now)
            return try SpotNotices.tell(request, of: spot, at: now, in: transaction)
        }
        switch change {
        case .outbid:
            try end(&request, of: spot, as: .outbid, at: now)
        case .leads(let old):
            try request.count(at: now, until: nil)
            try requestTable.update(&request, in: transaction)
            try transaction.unschedule(SpotWork.authorising, request.id)
            if let old, var loser = try find(old) {
                try end(&loser, of: spot, as: .outbid, at: now)
                if loser.buyer != request.buyer {
                    try SpotNotices.tell(loser, of: spot, at: now, in: transaction)
                }
            }
        }
        try scheduleClose(of: spot)
        try spotTable.update(&spot, in: transaction)
        try SpotNotices.announce(spot, .bid, by: .buyer, of: request, at: now, in: transaction)
    }

    private func scheduleClose(of spot: SpotRecord) throws {
        guard let closesAt = spot.auction?.closesAt else { return }
        try transaction.schedule(SpotWork.close, spot.id, at: closesAt)
    }

    /// Ends a request; the spot stays on offer.
    func lose(
        _ known: SpotRequestRecord, as end: SpotRequestStatus, by actor: SpotActor, at now: Date
    ) throws {
        var request = known
        guard var spot = try transaction.spots.find(request.spot) else { throw Refusal.spotUnknown }
        let counted = request.status == .pending
        try self.end(&request, of: spot, as: end, at: now)
        if actor == .system { try SpotNotices.tell(request, of: spot, at: now, in: transaction) }
        guard counted, spot.status == .offered else { return }
        try spot.lose(request.id, by: actor, at: now)
        try scheduleClose(of: spot)
        try spotTable.update(&spot, in: transaction)
        try SpotNotices.announce(spot, .requestEnded, by: actor, at: now, in: transaction)
    }
}

extension SpotStore {
    /// Reserves the spot for one buyer; the money of all others is released.
    fileprivate func reserve(
        _ known: SpotRecord, for chosen: SpotRequestRecord, price: Int, by actor: SpotActor,
        at now: Date
    ) throws {
        var (spot, request) = (known, chosen)
        guard spot.status == .offered else { throw spot.notPossible }
        try request.approve(at: now)
        try spot.reserve(for: request, price: price, by: actor, at: now)
        for var other in try transaction.requests.open(of: spot.id) where other.id != request.id {
            try transaction.requests.end(&other, of: spot, as: .notChosen, at: now)
            try SpotNotices.tell(other, of: spot, at: now, in: transaction)
        }
        try requestTable.update(&request, in: transaction)
        try transaction.unschedule(SpotWork.answer, request.id)
        try spotTable.update(&spot, in: transaction)
        try SpotWork.unscheduleAll(of: spot.id, in: transaction)
        if let reservation = spot.reservation {
            try transaction.schedule(SpotWork.lapse, spot.id, at: spot.lapsesAt(reservation))
        }
        try SpotNotices.announce(spot, .approved, by: actor, at: now, in: transaction)
    }
}
