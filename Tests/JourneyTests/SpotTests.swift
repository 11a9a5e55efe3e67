import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// Spots through the gateway: offered, asked for, reached and handed over, with the services dying in between.
@Suite(.serialized) struct SpotTests {
    /// A seller who stands in a town of their own, and what others need to get there.
    private struct Market: Sendable {
        let town: Town
        let seller: Someone
        let buyer: Someone

        static func held(in town: Town) async throws -> Market {
            Market(
                town: town, seller: try await town.customer("Sara"),
                buyer: try await town.customer("Bea"))
        }

        var place: Coordinate { town.center.coordinate }

        func offer(
            price: Int = 500, leavesIn seconds: Double = 1_800, auctionSeconds: Double? = nil,
            by other: Someone? = nil
        ) async throws -> Spot {
            let seller = other ?? seller
            return try await insisting(past: ["spot.outside_service_area"]) {
                try await seller.stand(at: town.center)
                var body = SpotBody(
                    position: place, accuracyMeters: 5, price: price,
                    leavesAt: town.world.door.now.addingTimeInterval(seconds))
                if let auctionSeconds {
                    body.sale = .auction
                    body.closesAt = town.world.door.now.addingTimeInterval(auctionSeconds)
                }
                return try await seller.client(SpotEndpoints.offerSpot(body: body))
            }
        }

        func request(_ spot: Spot, by other: Someone? = nil) async throws -> SpotRequest {
            try await (other ?? buyer).client(
                SpotRequestEndpoints.requestSpot(
                    spot.id, body: SpotRequestBody(token: "pm_card_visa")))
        }

        func setPolicy(_ change: (inout SpotPolicy) -> Void) async throws {
            // What a card can be charged at least.
            var policy = SpotPolicy(noShowFee: 400)
            change(&policy)
            try await insisting(past: ["service_area.unknown"]) {
                try await town.world.boss(
                    SpotOperatorEndpoints.putSpotPolicy(town.id, body: policy))
            }
        }

        func balance(_ person: Someone) async throws -> Int {
            try await person.client(PaymentEndpoints.balance(asks: BalanceQuery(in: "HKD")))
                .available.amount
        }

        /// Until the ledger has heard of it.
        func isOwed(_ amount: Int, to person: Someone) async throws -> Bool {
            try await eventually { try await balance(person) == amount }
        }
    }

    private func isReleased(_ request: SpotRequest, of buyer: Someone) async throws -> Bool {
        try await eventually {
            try await buyer.client(
                PaymentEndpoints.payments(
                    asks: PaymentsQuery().with(\.bill, request.id.as(BillID.self)))
            ).items
                .compactMap(\.payment).allSatisfy { $0.status == .released }
        }
    }

    @Test func aSpotIsSoldReachedHandedOverRatedAndPaidOut() async throws {
        let market = try await Market.held(in: try await Town.found())
        let (seller, buyer) = (market.seller, market.buyer)
        let spot = try await market.offer(price: 1_500)
        try await buyer.stand(at: market.town.east(400))
        let found = try await buyer.client(
            SpotEndpoints.findSpots(asks: FindSpotsQuery(near: market.place))
        ).items
        #expect(found.first?.id == spot.id)
        let request = try await market.request(spot)
        #expect(request.status == .pending)
        _ = try await seller.feed(has: SpotChanged.type)
        let isShown = try await eventually {
            let shown = try await seller.client(SpotEndpoints.spot(spot.id)).requests?.first?.buyer
            return shown?.firstName == "Bea" && shown?.drivingSeconds != nil
        }
        #expect(isShown)
        let reserved = try await seller.client(SpotRequestEndpoints.approveRequest(request.id))
        #expect(reserved.reservation?.other?.phone == buyer.account.phone)

        // Both see each other on the way, and nobody else does.
        let isSeen = try await eventually {
            try await buyer.stand(at: market.town.east(200))
            try await seller.stand(at: market.town.center)
            let track = try? await seller.client(SpotEndpoints.spotTrack(spot.id))
            return track?.positions["buyer"] != nil && track?.positions["buyer"] != .some(nil)
        }
        #expect(isSeen)
        #expect(try await seller.client(SpotEndpoints.spotRoute(spot.id)).distanceMeters > 100)
        let stranger = try await market.town.customer("Stan")
        try await refused("engagement.unknown") {
            _ = try await stranger.client(SpotEndpoints.spotTrack(spot.id))
        }
        try await refused("spot.unknown") {
            _ = try await stranger.client(SpotEndpoints.spot(spot.id))
        }

        let hasArrived = try await eventually {
            try await buyer.stand(at: market.town.east(2))
            return try await buyer.client(SpotEndpoints.spot(spot.id)).reservation?.arrivedAt != nil
        }
        #expect(hasArrived)
        try await buyer.client(SpotRequestEndpoints.parked(request.id))
        let isHandedOver = try await eventually {
            try await seller.stand(at: market.town.east(90))
            return try await seller.client(SpotEndpoints.spot(spot.id)).status == .handedOver
        }
        #expect(isHandedOver)
        #expect(try await market.isOwed(1_350, to: seller))
        try await payOut(seller)
        for (one, stars) in [(seller, 4), (buyer, 5)] {
            let rating = try await insisting(
                past: ["rating.not_finished", "rating.engagement_unknown"]) {
                    try await one.client(
                        SpotEndpoints.rateSpot(spot.id, body: RatingBody(stars: stars)))
                }
            #expect(rating.stars == stars)
        }
        #expect(
            try await market.town.world.boss(PaymentEndpoints.trialBalance()).lines.reduce(0) {
                $0 + $1.balance
            } == 0
        )
    }

    /// The seller starts the onboarding, leaves, comes back later, proves who they are and is paid out.
    private func payOut(_ seller: Someone) async throws {
        let wish = try PaymentEndpoints.payOut(body: PayoutBody(currency: "HKD"))
        try await refused("payout.account_missing") { _ = try await seller.client(wish) }
        let page = try await seller.client(
            PayoutEndpoints.payoutOnboarding(body: PayoutOnboardingBody(app: .customer)))
        #expect(page.url == "#/payouts/test")
        try await refused("payout.account_restricted") { _ = try await seller.client(wish) }
        for (isIdentified, status) in [(false, PayoutAccount.Status.restricted), (true, .enabled)] {
            let account = try await seller.client(
                PayoutEndpoints.testPayoutAccount(
                    body: TestPayoutAccountBody(
                        bankAccount: "000123456789", isIdentified: isIdentified)))
            #expect(account.status == status)
        }
        _ = try await seller.feed(has: PayoutAccountChanged.type)
        let payout = try await seller.client(wish)
        #expect(payout.amount == Money(amount: 1_350, currency: "HKD"))
        #expect(payout.status == .paid && payout.last4 == "6789")
        #expect(try await seller.client(PaymentEndpoints.payouts()).items == [payout])
    }

    @Test func ofTwoBuyersOneIsApprovedAndTheOtherReleased() async throws {
        let market = try await Market.held(in: try await Town.found())
        let other = try await market.town.customer("Otto")
        let spot = try await market.offer()
        let (one, two) = (
            try await market.request(spot), try await market.request(spot, by: other)
        )
        try await market.seller.client(SpotRequestEndpoints.approveRequest(one.id))
        try await refused("spot.not_possible") {
            try await market.seller.client(SpotRequestEndpoints.approveRequest(two.id))
        }
        #expect(try await isReleased(two, of: other))
        try await market.buyer.client(SpotRequestEndpoints.cancelRequest(one.id))
        #expect(try await isReleased(one, of: market.buyer))
        let again = try await market.offer()
        let third = try await market.request(again, by: other)
        try await market.seller.client(SpotRequestEndpoints.denyRequest(third.id))
        #expect(try await isReleased(third, of: other))
    }

    @Test func ofTwentyBuyersWhoAskAtOnceOneGetsIt() async throws {
        let market = try await Market.held(in: try await Town.found())
        let spot = try await market.offer()
        var buyers: [Someone] = []
        for index in 0..<20 { buyers.append(try await market.town.customer("Buyer\(index)")) }
        let requests = try await withThrowingTaskGroup(of: (Int, SpotRequest).self) { group in
            for (index, buyer) in buyers.enumerated() {
                group.addTask { (index, try await market.request(spot, by: buyer)) }
            }
            return try await group.reduce(into: [Int: SpotRequest]()) { $0[$1.0] = $1.1 }
        }
        #expect(requests.values.allSatisfy { $0.status == .pending })
        try await refused("spot.too_many_requests") { _ = try await market.request(spot) }
        // The seller taps on several at once.
        let seller = market.seller.client
        let approved = await withTaskGroup(of: SpotRequestID?.self) { group in
            for index in 5..<10 {
                guard let request = requests[index] else { continue }
                group.addTask {
                    (try? await seller(SpotRequestEndpoints.approveRequest(request.id))).map { _ in
                        request.id
                    }
                }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
        let chosen = try #require(approved.first)
        #expect(approved.count == 1)
        for (index, buyer) in buyers.enumerated() {
            let request = try #require(requests[index])
            let status = try await buyer.client(SpotRequestEndpoints.mySpotRequests()).items.first?
                .status
            guard request.id != chosen else {
                #expect(status == .approved)
                try await buyer.client(SpotEndpoints.spotHandedOver(spot.id))
                continue
            }
            #expect(status == .notChosen)
            #expect(try await isReleased(request, of: buyer))
        }
        try await seller(SpotEndpoints.spotHandedOver(spot.id))
        #expect(try await market.isOwed(450, to: market.seller))
    }

    @Test func whatMayNotBeIsRefused() async throws {
        let market = try await Market.held(in: try await Town.found())
        let (seller, buyer) = (market.seller.client, market.buyer.client)
        let spot = try await market.offer()
        try await refused("spot.open_exists") { _ = try await market.offer() }
        try await refused("spot.own") { _ = try await market.request(spot, by: market.seller) }
        try await refused("spot.payment_required") {
            _ = try await buyer(SpotRequestEndpoints.requestSpot(spot.id, body: SpotRequestBody()))
        }
        try await refused("payment.declined") {
            _ = try await buyer(
                SpotRequestEndpoints.requestSpot(
                    spot.id, body: SpotRequestBody(token: "pm_card_visa_chargeDeclined")))
        }
        try await refused("spot.no_auction") {
            _ = try await buyer(
                SpotRequestEndpoints.bid(
                    spot.id, body: SpotBidBody(maximum: 900, token: "pm_card_visa")))
        }
        let request = try await market.request(spot)
        try await refused("spot_request.exists") { _ = try await market.request(spot) }
        try await refused("spot_request.unknown") {
            try await buyer(SpotRequestEndpoints.approveRequest(request.id))
        }
        try await seller(SpotRequestEndpoints.denyRequest(request.id))
        try await refused("spot_request.denied") { _ = try await market.request(spot) }
        try await seller(SpotEndpoints.cancelSpot(spot.id))
        try await refused("spot.not_possible") {
            try await seller(SpotEndpoints.leaveSpot(spot.id))
        }

        try await market.buyer.stand(at: market.town.east(100))
        let body = SpotBody(
            position: market.place, accuracyMeters: 5, price: 500,
            leavesAt: Date(timeIntervalSinceNow: 1_800))
        try await refused("spot.not_there") {
            _ = try await buyer(SpotEndpoints.offerSpot(body: body))
        }
        try await market.setPolicy { $0.priceCap = 400 }
        try await refused("spot.price_too_high") { _ = try await market.offer() }
        try await market.setPolicy { $0.sale = .informationOnly }
        try await refused("spot.sale_not_allowed") { _ = try await market.offer() }
        #expect(try await market.offer(price: 0).price.amount == 0)
    }

    @Test func whatTheSellerTakesBackCostsTheBuyerNothing() async throws {
        let market = try await Market.held(in: try await Town.found())
        for isApproved in [false, true] {
            let spot = try await market.offer()
            let request = try await market.request(spot)
            if isApproved {
                try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
            }
            #expect(
                try await market.seller.client(SpotEndpoints.cancelSpot(spot.id)).status
                    == .cancelled)
            #expect(try await isReleased(request, of: market.buyer))
        }
        // While it is theirs to hand over, neither leaves the house.
        let spot = try await market.offer()
        let request = try await market.request(spot)
        try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
        for person in [market.seller, market.buyer] {
            try await refused("account.engagement_open") {
                try await person.client.deleteMe(password: person.password)
            }
        }
    }

    /// A platform of this suite, whose tests move its clock one after the other.
    private static let movedCity = City(start: { try await TestPlatform.start() })

    @Test func whatTheClockEndsCostsWhatTheAreaSays() async throws {
        let world = try await Self.movedCity.world()
        let clock = world.platform.clock
        try await unanswered(world, clock)
        try await untaken(world, clock)
        try await absent(world, clock)
        try await late(world, clock)
    }

    /// A request that the seller does not answer.
    private func unanswered(_ world: World, _ clock: MovedClock) async throws {
        let market = try await Market.held(in: try await Town.found(in: world))
        let request = try await market.request(try await market.offer())
        clock.advance(by: 121)
        let isOver = try await eventually {
            try await market.buyer.client(SpotRequestEndpoints.mySpotRequests()).items.first?.status
                == .expired
        }
        #expect(isOver)
        try await refused("spot_request.not_possible") {
            try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
        }
        #expect(try await isReleased(request, of: market.buyer))
    }

    /// A spot whose seller leaves before anybody has it.
    private func untaken(_ world: World, _ clock: MovedClock) async throws {
        let market = try await Market.held(in: try await Town.found(in: world))
        try await market.setPolicy { $0.graceSeconds = 0 }
        let spot = try await market.offer(leavesIn: 60)
        let request = try await market.request(spot)
        clock.advance(by: 61)
        let isOver = try await eventually {
            try await market.seller.client(SpotEndpoints.spot(spot.id)).status == .expired
        }
        #expect(isOver)
        #expect(try await isReleased(request, of: market.buyer))
    }

    /// A buyer who does not come in time.
    private func absent(_ world: World, _ clock: MovedClock) async throws {
        let market = try await Market.held(in: try await Town.found(in: world))
        try await market.setPolicy { $0.graceSeconds = 0 }
        let spot = try await market.offer()
        try await market.buyer.stand(at: market.town.east(100))
        let request = try await market.request(spot)
        try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
        try await refused("spot.too_early") {
            try await market.seller.client(SpotEndpoints.buyerAbsent(spot.id))
        }
        clock.advance(by: 121)
        let failed = try await insisting(past: ["spot.too_early"]) {
            try await market.seller.client(SpotEndpoints.buyerAbsent(spot.id))
        }
        #expect(failed.status == .failed)
        #expect(try await market.isOwed(360, to: market.seller))
    }

    /// A buyer who cancels when it costs something.
    private func late(_ world: World, _ clock: MovedClock) async throws {
        let market = try await Market.held(in: try await Town.found(in: world))
        let spot = try await market.offer()
        let request = try await market.request(spot)
        try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
        clock.advance(by: 61)
        #expect(
            try await market.buyer.client(SpotRequestEndpoints.cancelRequest(request.id)).status
                == .cancelled)
        #expect(try await market.isOwed(360, to: market.seller))
    }

    @Test func theHighestBidWinsAtTheSecondAndOneStep() async throws {
        let world = try await Self.movedCity.world()
        let market = try await Market.held(in: try await Town.found(in: world))
        let spot = try await market.offer(price: 400, auctionSeconds: 600)
        var bids: [(Someone, SpotRequest)] = []
        for (index, maximum) in [500, 800, 1_200].enumerated() {
            let bidder = try await market.town.customer("Bid\(index)")
            let answer = try await bidder.client(
                SpotRequestEndpoints.bid(
                    spot.id, body: SpotBidBody(maximum: maximum, token: "pm_card_visa")))
            #expect(answer.leading)
            bids.append((bidder, answer.request))
        }
        let winner = try #require(bids.last?.0)
        world.platform.clock.advance(by: 601)
        let isSold = try await eventually {
            try await winner.client(SpotEndpoints.spot(spot.id)).status == .reserved
        }
        #expect(isSold)
        #expect(try await market.seller.client(SpotEndpoints.spot(spot.id)).price.amount == 850)
        for (bidder, request) in bids.dropLast() {
            #expect(try await isReleased(request, of: bidder))
        }
        try await market.seller.client(SpotEndpoints.spotHandedOver(spot.id))
        try await winner.client(SpotEndpoints.spotHandedOver(spot.id))
        #expect(try await market.isOwed(765, to: market.seller))
    }

    @Test func aSpotThatIsTakenCostsNothingAndIsDecided() async throws {
        let market = try await Market.held(in: try await Town.found())
        let spot = try await market.offer()
        let request = try await market.request(spot)
        try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
        let photo = try await market.buyer.client(
            SpotEndpoints.addSpotPhoto(bytes: TestPicture.jpeg()))
        try await market.buyer.stand(at: market.town.east(20))
        let failed = try await market.buyer.client(
            SpotRequestEndpoints.spotGone(
                request.id, body: SpotGoneBody(photoId: photo.id, note: "A van.")))
        #expect(failed.status == .failed)
        #expect(try await isReleased(request, of: market.buyer))
        try await market.seller.client(
            SpotEndpoints.answerDispute(spot.id, body: SpotAnswerBody(text: "It was free.")))
        let boss = market.town.world.boss
        let disputes = try await boss(
            SpotOperatorEndpoints.allSpots(
                asks: AllSpotsQuery().with(\.area, market.town.id).with(\.disputed, true)))
        #expect(disputes.items.map(\.id) == [spot.id])
        let decided = try await boss(
            SpotOperatorEndpoints.decideDispute(
                spot.id, body: SpotDecisionBody(outcome: .dismissed, text: "Another street.")))
        #expect(decided.dispute?.outcome == .dismissed)
    }

    @Test func anAlertTellsOfASpot() async throws {
        let market = try await Market.held(in: try await Town.found())
        _ = try await market.buyer.client(
            ParkingAlertEndpoints.addParkingAlert(
                body: ParkingAlertBody(name: "Home", center: market.place, radiusMeters: 200)))
        _ = try await market.offer()
        let told = try await market.buyer.feed(has: SpotChanged.type)
        #expect(told.contains { $0.title == "A spot is free" })
    }

    @Test func theSameAlertTellsOfASpaceInACarPark() async throws {
        let market = try await Market.held(in: try await Town.found())
        let boss = market.town.world.boss
        let carPark = try await boss(
            CarParkEndpoints.addCarPark(
                body: CarParkBody(
                    name: "City Gate", address: "Town", position: market.place, timeZone: "Etc/UTC",
                    currency: "HKD", capacity: SpaceCounts([.general: 1]),
                    bookable: SpaceCounts([.general: 0]))))
        let gate = try await boss(
            CarParkEndpoints.addGate(body: GateBody(carParkId: carPark.id, name: "North")))
        _ = try await market.buyer.client(
            ParkingAlertEndpoints.addParkingAlert(
                body: ParkingAlertBody(name: "Home", center: market.place, radiusMeters: 200)))
        let client = market.town.world.door.client()
        // Until somebody has looked between the two: each time they have longer for it. It is another vehicle, since
        // the same one within ten seconds is one passage.
        var (vehicles, pause) = (0, Duration.milliseconds(300))
        let isTold = try await eventually {
            vehicles += 1
            for direction in [PassageDirection.in, .out] {
                let body = PassageBody(direction, plate: "T \(vehicles)", at: Date())
                _ = try await client.pass(gate, body)
                try await Task.sleep(for: pause)
            }
            pause = min(pause * 2, .seconds(10))
            return try await market.buyer.client(NotificationEndpoints.notifications()).items
                .contains { $0.event == ParkingFreed.type }
        }
        #expect(isTold)
    }

    @Test func whateverDiesTheMoneyIsTakenOnce() async throws {
        let system = try await RunningSystem.start()
        defer { system.stop() }
        let world = try await World(system)
        for part in ["spots", "payments", "location", "gateway"] {
            let market = try await Market.held(in: try await Town.found(in: world))
            func kill() async throws {
                let old = try system.processes(part)
                try system.kill(part)
                #expect(try await system.restarted(part, since: old))
            }
            let spot = try await market.offer()
            let request = try await market.request(spot)
            try await kill()
            _ = try await insisting {
                try await market.seller.client(SpotRequestEndpoints.approveRequest(request.id))
            }
            try await kill()
            let isHandedOver = try await eventually {
                _ = try? await market.seller.client(SpotEndpoints.spotHandedOver(spot.id))
                _ = try? await market.buyer.client(SpotEndpoints.spotHandedOver(spot.id))
                return (try? await market.buyer.client(SpotEndpoints.spot(spot.id)))?.status
                    == .handedOver
            }
            #expect(isHandedOver, "\(part)")
            try await kill()
            #expect(try await market.isOwed(450, to: market.seller), "\(part)")
            let paid = try await market.buyer.client(
                PaymentEndpoints.payments(
                    asks: PaymentsQuery().with(\.bill, request.id.as(BillID.self)))
            )
            .items.compactMap(\.payment)
            #expect(paid.map(\.status) == [.known(.succeeded)])
        }
    }
}
