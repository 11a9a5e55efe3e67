import Contracts
import Foundation
import Geo
import ProductKit
import ServiceKit
import Store

/// The reader of a spot.
enum SpotReader: Sendable, Hashable {
    case person(PersonID)
    case `operator`
}

/// Spots and requests as a reader may see them.
struct SpotViews: Sendable {
    let addresses: SignedAddresses
    let clock: ServiceClock

    static func path(_ picture: PictureID) -> String { "/v1/pictures/spots/\(picture)" }

    func address(_ picture: PictureID, at now: Date) -> String {
        addresses.sign(Self.path(picture), at: now)
    }

    /// With the requests that the reader may see, read in the same transaction.
    func view(
        _ spot: SpotRecord, for reader: SpotReader, in transaction: Transaction
    ) throws -> Spot {
        let isMine = reader == .person(spot.seller)
        let requests =
            isMine || reader == .operator ? try transaction.requests.shown(of: spot) : nil
        let own: SpotRequestRecord? =
            if case .person(let person) = reader {
                try transaction.requests.open(of: person).last { $0.spot == spot.id }
            } else { nil }
        var ids = [spot.seller] + (requests ?? []).map(\.buyer)
        if let buyer = spot.reservation?.buyer { ids.append(buyer) }
        let people = try PeopleShown(ids, in: transaction)
        let approved = try spot.reservation.flatMap { try transaction.requests.find($0.request) }
        return view(spot, for: reader, people, requests, approved, own: own)
    }

    /// Offered spots as a search shows them, without their requests.
    func found(
        _ spots: [SpotRecord], for person: PersonID, in transaction: Transaction
    ) throws -> [Spot] {
        let people = try PeopleShown(spots.map(\.seller), in: transaction)
        let own = try transaction.requests.open(of: person)
        return spots.map { spot in
            view(
                spot, for: .person(person), people, nil, nil,
                own: own.last { $0.spot == spot.id })
        }
    }

    private func view(
        _ spot: SpotRecord, for reader: SpotReader, _ people: PeopleShown,
        _ requests: [SpotRequestRecord]?, _ approved: SpotRequestRecord?, own: SpotRequestRecord?
    ) -> Spot {
        let (now, offer) = (clock.now, spot.offer)
        let isMine = reader == .person(spot.seller)
        let isBuyer = spot.reservation.map { reader == .person($0.buyer) } ?? false
        let isParty = isMine || isBuyer || reader == .operator
        var view = Spot(
            id: spot.id, status: spot.status, area: spot.area,
            seller: SpotParty(
                id: isParty ? spot.seller : nil, firstName: people.firstName(spot.seller),
                rating: people.rating(spot.seller)),
            position: isParty ? offer.position : spot.shownPosition, isExact: isParty,
            price: spot.price, sale: offer.sale, leavesAt: offer.leavesAt, isMine: isMine,
            createdAt: spot.createdAt, version: spot.version.number)
        (view.sizeMeters, view.meterPaidUntil) = (offer.sizeMeters, offer.meterPaidUntil)
        view.meterSecondsLeft = offer.meterPaidUntil.map {
            max(0, Int($0.timeIntervalSince(now)))
        }
        (view.permit, view.restrictions, view.note) = (offer.permit, offer.restrictions, offer.note)
        view.auction = spot.auction.map { auction in
            SpotAuction(
                closesAt: auction.closesAt,
                current: Money(amount: auction.current, currency: spot.currency),
                next: Money(amount: auction.next(spot.policy), currency: spot.currency),
                bids: auction.bids,
                leading: auction.leader != nil && auction.leader?.request == own?.id)
        }
        guard isParty else { return view }
        view.photoURL = offer.photo.map { address($0, at: now) }
        view.requests = requests?.map { self.view($0, of: spot, for: reader, people) }
        view.dispute = spot.dispute.map { dispute($0, at: now) }
        view.reservation = spot.reservation.map { reservation in
            self.view(reservation, of: spot, for: reader, people, buyersVehicle: approved?.vehicle)
        }
        return view
    }

    private func view(
        _ reservation: SpotRecord.Reservation, of spot: SpotRecord, for reader: SpotReader,
        _ people: PeopleShown, buyersVehicle: OrderVehicle?
    ) -> SpotReservation {
        let isMine = reader == .person(spot.seller)
        let other = isMine ? reservation.buyer : spot.seller
        // Phone numbers are shown only while the spot is reserved.
        let contact = SpotContact(
            id: other, firstName: people.firstName(other),
            phone: spot.status == .reserved ? people.phone(other) : "",
            rating: people.rating(other),
            vehicle: isMine ? buyersVehicle : spot.offer.vehicle)
        return SpotReservation(
            requestId: reservation.request, approvedAt: reservation.approvedAt,
            freeUntil: spot.freeUntil, dueAt: reservation.dueAt,
            absentAfter: spot.absentAfter(reservation), arrivedAt: reservation.arrivedAt,
            sellerIsHere: reservation.sellerIsHere, buyerIsHere: reservation.buyerIsHere,
            sellerIsDone: reservation.sellerIsDone, buyerIsDone: reservation.buyerIsDone,
            price: spot.price, noShowFee: spot.noShowFee,
            other: reader == .operator ? nil : contact)
    }

    private func dispute(_ dispute: SpotRecord.Dispute, at now: Date) -> SpotDispute {
        SpotDispute(
            openedAt: dispute.openedAt, note: dispute.note,
            photoURL: address(dispute.photo, at: now), answer: dispute.answer,
            outcome: dispute.outcome, decision: dispute.decision)
    }

    func view(
        _ request: SpotRequestRecord, of spot: SpotRecord, for reader: SpotReader,
        _ people: PeopleShown
    ) -> SpotRequest {
        let isBuyer = reader == .person(request.buyer)
        func money(_ amount: Int) -> Money { Money(amount: amount, currency: spot.currency) }
        let leads = request.isBid && request.status == .pending
        let price =
            request.captured ?? (leads ? spot.auction?.current : nil)
            ?? (request.isBid && !isBuyer && reader != .operator
                ? spot.price.amount : request.amount)
        var view = SpotRequest(
            id: request.id, spotId: request.spot, status: request.status,
            expiresAt: request.expiresAt, price: money(price), createdAt: request.createdAt,
            version: request.version.number)
        if request.isBid, isBuyer || reader == .operator { view.maximum = money(request.amount) }
        if !isBuyer {
            view.buyer = SpotBuyer(
                id: request.buyer, firstName: people.firstName(request.buyer),
                rating: people.rating(request.buyer), distanceMeters: request.distanceMeters,
                drivingSeconds: request.drivingSeconds)
        }
        return view
    }
}

extension RequestStore {
    /// Requests that count, and the one that had the spot.
    fileprivate func shown(of spot: SpotRecord) throws -> [SpotRequestRecord] {
        let wanted = try open(of: spot.id).filter { $0.status != .authorising }
        guard let id = spot.reservation?.request, !wanted.contains(where: { $0.id == id }),
            let approved = try find(id)
        else { return wanted }
        return [approved] + wanted
    }
}

extension SpotUseCases {
    /// A spot for this reader; once it is no longer offered, only its two sides and operators see it.
    func view(_ id: SpotID, for reader: SpotReader, _ views: SpotViews) async throws -> Spot {
        try await database.read { transaction in
            let spot = try transaction.spots.require(id)
            if case .person(let person) = reader, spot.seller != person {
                let wanted = try transaction.requests.hasWanted(person, spot.id)
                guard spot.status == .offered || wanted,
                    try !transaction.areBlocked(person, spot.seller) || spot.status == .reserved
                else { throw Refusal.spotUnknown }
            }
            return try views.view(spot, for: reader, in: transaction)
        }
    }

    /// A spot for the person who has just changed it, even if one of the two sides has blocked the other.
    func changed(_ id: SpotID, by person: PersonID, _ views: SpotViews) async throws -> Spot {
        try await database.read { transaction in
            try views.view(transaction.spots.require(id), for: .person(person), in: transaction)
        }
    }

    func list(
        _ filter: SpotFilter, _ page: PageRequest, for reader: SpotReader, _ views: SpotViews
    ) async throws -> Page<Spot> {
        try await database.read { transaction in
            let found = try transaction.spots.list(filter, page)
            return Page(
                items: try found.items.map { try views.view($0, for: reader, in: transaction) },
                next: found.next)
        }
    }

    func view(
        _ id: SpotRequestID, for buyer: PersonID, _ payment: Payment? = nil, _ views: SpotViews
    ) async throws -> SpotRequest {
        try await database.read { transaction in
            let request = try transaction.requests.require(id, of: buyer)
            let spot = try transaction.spots.require(request.spot)
            var view = views.view(
                request, of: spot, for: .person(buyer), try PeopleShown([], in: transaction))
            view.payment = payment
            return view
        }
    }

    func requests(
        of buyer: PersonID, _ page: PageRequest, _ views: SpotViews
    ) async throws -> Page<SpotRequest> {
        try await database.read { transaction in
            let found = try transaction.requests.list(of: buyer, page)
            let nobody = try PeopleShown([], in: transaction)
            return Page(
                items: try found.items.map { request in
                    views.view(
                        request, of: try transaction.spots.require(request.spot),
                        for: .person(buyer), nobody)
                }, next: found.next)
        }
    }
}
