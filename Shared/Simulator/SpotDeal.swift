import Client
import Contracts
import Foundation
import Geo
import Threads

/// A hand-over of a parking spot: a driver sells theirs, or gets somebody else's.
///
/// The server's clocks are not accelerated, so nobody waits longer for the other than real people would.
struct SpotDeal: Sendable, Equatable {
    /// The driver's role in the deal.
    enum Role: Sendable, Equatable {
        case sells(auction: Bool)
        case buys
    }

    enum Conduct: Sendable, Equatable {
        case honest
        /// Reports that the spot is taken; as a seller, withdraws it from a buyer on the way.
        case spoils
        case givesUp
    }

    let role: Role
    let conduct: Conduct
    let place: Coordinate
    let price: Int
    let usesBadCard: Bool

    private static let patience: Duration = .seconds(45)
    private static let pause: Duration = .milliseconds(400)
    private static let auction: TimeInterval = 4
    private static let radiusMeters = 10_000.0
    private static let prices = [0, 400, 500, 700, 900]

    init(_ generator: inout SeededGenerator, in town: SimulatedTown) {
        let drawn = generator.within(0...100)
        role = generator.chance(50) ? .sells(auction: generator.chance(30)) : .buys
        // Three reports in a month end a person's selling, so few are dishonest.
        conduct = drawn < 88 ? .honest : drawn < 92 ? .spoils : .givesUp
        place = town.place(&generator).coordinate
        price = generator.pick(Self.prices) ?? 400
        usesBadCard = generator.chance(10)
    }

    func go(_ driver: SimulatedDriver) async throws {
        switch role {
        case .sells(let auction): try await sell(driver, auction: auction)
        case .buys: try await buy(driver)
        }
    }

    private func stand(_ person: SimulatedPerson, at point: Coordinate) async throws {
        try await person.ask(
            LocationEndpoints.recordPosition(
                body: PositionBody(
                    latitude: point.latitude, longitude: point.longitude, accuracyMeters: 5)))
    }

    /// Looks until something has happened, or nobody waits any more.
    private func watch(
        _ driver: SimulatedDriver, _ look: () async throws -> Bool
    ) async throws -> Bool {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end, driver.world.phase < .over {
            if try await look() { return true }
            try await Task.sleep(for: Self.pause)
        }
        return false
    }

    // MARK: Selling

    private func sell(_ driver: SimulatedDriver, auction: Bool) async throws {
        let person = driver.person
        try await stand(person, at: place)
        let isAuction = auction && price > 0
        let spot = try await person.tryTo { client, key in
            var body = SpotBody(
                position: place, accuracyMeters: 5, price: price,
                leavesAt: Date(timeIntervalSinceNow: 600))
            if isAuction {
                (body.sale, body.closesAt) = (
                    .auction, Date(timeIntervalSinceNow: Self.auction)
                )
            }
            return try await client(SpotEndpoints.offerSpot(body: body, key: key))
        }
        guard let spot else { return }
        driver.world.tally.spots { $0.offered.append(spot.id) }
        let isOver = try await watch(driver) {
            let now = try await person.ask(SpotEndpoints.spot(spot.id))
            switch now.status {
            case .offered:
                guard !isAuction, let request = now.requests?.first else { return false }
                _ = try await person.tryTo { client, _ in
                    conduct == .givesUp
                        ? try await client(SpotRequestEndpoints.denyRequest(request.id))
                        : try await client(SpotRequestEndpoints.approveRequest(request.id))
                }
                return false
            case .reserved:
                if conduct == .spoils {
                    return try await person.tryTo(SpotEndpoints.cancelSpot(spot.id)) != nil
                }
                guard now.reservation?.arrivedAt != nil || now.reservation?.buyerIsDone == true
                else {
                    try await stand(person, at: place)
                    return false
                }
                try await person.tryTo(SpotEndpoints.leaveSpot(spot.id))
                return false
            case .handedOver, .failed, .cancelled, .expired: return true
            }
        }
        if !isOver {
            try await person.tryTo(SpotEndpoints.cancelSpot(spot.id))
        }
        let end = try await person.ask(SpotEndpoints.spot(spot.id))
        driver.world.tally.spots { $0.ended[end.status, default: 0] += 1 }
        guard end.status == .handedOver else { return }
        let policy = try await person.ask(SpotEndpoints.spotTerms(asks: PointQuery(place))).policy
        let amount = end.price.amount
        driver.earned(
            Money(
                amount: amount - amount * policy.commissionPercent / 100,
                currency: end.price.currency))
        driver.world.tally.spots { $0.sold[end.price.currency, default: 0] += amount }
    }

    // MARK: Buying

    private func buy(_ driver: SimulatedDriver) async throws {
        let person = driver.person
        try await stand(person, at: place)
        let found = try await person.ask(
            SpotEndpoints.findSpots(
                asks: FindSpotsQuery(near: place).with(\.radiusMeters, Self.radiusMeters))
        ).items
        guard let spot = found.first(where: { !$0.isMine }) else { return }
        let card = usesBadCard ? TestCard.declined : TestCard.good(driver.persona.index)
        let asked = try await person.tryTo { client, key in
            guard let auction = spot.auction else {
                return try await client(
                    SpotRequestEndpoints.requestSpot(
                        spot.id, body: SpotRequestBody(token: card, price: spot.price.amount),
                        key: key))
            }
            return try await client(
                SpotRequestEndpoints.bid(
                    spot.id, body: SpotBidBody(maximum: auction.next.amount + 200, token: card),
                    key: key)
            ).request
        }
        guard let asked else { return }
        var isMine = false
        _ = try await watch(driver) {
            let status = try await status(of: asked, person)
            isMine = status == .approved
            return isMine || ![.authorising, .pending].contains(status)
        }
        guard isMine else {
            try await person.tryTo(SpotRequestEndpoints.cancelRequest(asked.id))
            return
        }
        try await take(spot.id, asked.id, driver)
    }

    private func status(
        of request: SpotRequest, _ person: SimulatedPerson
    ) async throws -> SpotRequestStatus {
        let known = try await person.ask(SpotRequestEndpoints.mySpotRequests(limit: 5)).items
        return known.first { $0.id == request.id }?.status ?? .failed
    }

    /// Drives there and takes the spot over.
    private func take(
        _ spot: SpotID, _ request: SpotRequestID, _ driver: SimulatedDriver
    ) async throws {
        let person = driver.person
        if conduct == .givesUp {
            try await person.tryTo(SpotRequestEndpoints.cancelRequest(request))
            return
        }
        let exact = try await person.ask(SpotEndpoints.spot(spot))
        try await stand(person, at: exact.position)
        if conduct == .spoils {
            _ = try await person.tryTo { client, _ in
                let picture = TinyPicture.png(shade: 90, comment: "spot")
                let photo = try await client(SpotEndpoints.addSpotPhoto(bytes: picture))
                return try await client(
                    SpotRequestEndpoints.spotGone(request, body: SpotGoneBody(photoId: photo.id)))
            }
            return
        }
        let isOver = try await watch(driver) {
            let now = try await person.ask(SpotEndpoints.spot(spot))
            guard now.status == .reserved else { return true }
            try await stand(person, at: exact.position)
            if now.reservation?.arrivedAt != nil, now.reservation?.buyerIsDone == false {
                try await person.tryTo(SpotRequestEndpoints.parked(request))
            }
            return false
        }
        if !isOver {
            try await person.tryTo(SpotRequestEndpoints.cancelRequest(request))
        }
    }
}

/// Compares a driver's earnings from spots with their balance.
extension SimulatedDriver {
    func earned(_ money: Money) {
        earnings.withLock { $0[money.currency, default: 0] += money.amount }
    }

    /// The balances, in minor units by currency.
    func balances() async throws -> [String: Int] {
        let balance = try await person.ask(PaymentEndpoints.balance(asks: BalanceQuery()))
        return Dictionary(
            uniqueKeysWithValues: balance.currencies.map {
                ($0.available.currency, $0.available.amount)
            })
    }

    /// Records a fault unless the balance is the earlier one plus the earnings; the ledger takes a moment.
    func checkEarnings(since before: [String: Int]) async throws {
        let wanted = earnings.withLock { $0 }.filter { $0.value != 0 }
        for _ in 0..<Self.mostLooks {
            let now = try await balances()
            let isRight = wanted.allSatisfy { currency, amount in
                now[currency, default: 0] == before[currency, default: 0] + amount
            }
            if isRight { return }
            try await Task.sleep(for: .milliseconds(500))
        }
        world.tally.missing("spots.money")
    }

    private static var mostLooks: Int { 40 }
}
