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
            price: Int = 500, auctionSeconds: Double? = nil, by other: Someone? = nil
        ) async throws -> Spot {
            let seller = other ?? seller
            return try await insisting(past: ["spot.outside_service_area"]) {
                try await seller.stand(at: town.center)
                var body = SpotBody(
                    position: place, accuracyMeters: 5, price: price,
                    leavesAt: Date(timeIntervalSinceNow: 1_800))
                if let auctionSeconds {
                    body.sale = .auction
                    body.closesAt = Date(timeIntervalSinceNow: auctionSeconds)
                }
                return try await seller.client.offerSpot(body)
            }
        }

        func request(_ spot: Spot, by other: Someone? = nil) async throws -> SpotRequest {
            try await (other ?? buyer).client.request(
                spot: spot.id, SpotRequestBody(token: "pm_card_visa"))
        }

        func balance(_ person: Someone) async throws -> Int {
            try await person.client.balance(in: "HKD").available.amount
        }

        /// Until the ledger has heard of it.
        func isOwed(_ amount: Int, to person: Someone) async throws -> Bool {
            try await eventually { try await balance(person) == amount }
        }
    }

    private func isReleased(_ request: SpotRequest, of buyer: Someone) async throws -> Bool {
        try await eventually {
            try await buyer.client.payments(of: request.id.as(BillID.self)).items
                .compactMap(\.payment).allSatisfy { $0.status == .released }
        }
    }

    @Test func aSpotIsSoldReachedHandedOverRatedAndPaidOut() async throws {
        let market = try await Market.held(in: try await Town.found())
        let (seller, buyer) = (market.seller, market.buyer)
        let spot = try await market.offer(price: 1_500)
        try await buyer.stand(at: market.town.east(400))
        let found = try await buyer.client.spots(near: market.place)
        #expect(found.first?.id == spot.id)
        let request = try await market.request(spot)
        #expect(request.status == .pending)
        _ = try await seller.feed(has: SpotChanged.type)
        let shown = try #require(try await seller.client.spot(spot.id).requests?.first?.buyer)
        #expect(shown.firstName == "Bea")
        #expect(shown.drivingSeconds != nil)
        let reserved = try await seller.client.approve(request.id)
        #expect(reserved.reservation?.other?.phone == buyer.account.phone)

        // Both see each other on the way, and nobody else does.
        let isSeen = try await eventually {
            try await buyer.stand(at: market.town.east(200))
            try await seller.stand(at: market.town.center)
            let track = try? await seller.client.track(spot: spot.id)
            return track?.positions["buyer"] != nil && track?.positions["buyer"] != .some(nil)
        }
        #expect(isSeen)
        #expect(try await seller.client.route(to: spot.id).distanceMeters > 100)
        let stranger = try await market.town.customer("Stan")
        try await refused("engagement.unknown") {
            _ = try await stranger.client.track(spot: spot.id)
        }
        try await refused("spot.unknown") { _ = try await stranger.client.spot(spot.id) }

        let hasArrived = try await eventually {
            try await buyer.stand(at: market.town.east(2))
            return try await buyer.client.spot(spot.id).reservation?.arrivedAt != nil
        }
        #expect(hasArrived)
        try await buyer.client.hasParked(for: request.id)
        let isHandedOver = try await eventually {
            try await seller.stand(at: market.town.east(90))
            return try await seller.client.spot(spot.id).status == .handedOver
        }
        #expect(isHandedOver)
        #expect(try await market.isOwed(1_350, to: seller))
        let payout = try await seller.client.payOut(PayoutBody(currency: "HKD"))
        #expect(payout.amount == Money(amount: 1_350, currency: "HKD"))
        for (one, stars) in [(seller, 4), (buyer, 5)] {
            let rating = try await insisting(past: ["rating.not_finished", "rating.order_unknown"])
            {
                try await one.client.rate(spot: spot.id, RatingBody(stars: stars))
            }
            #expect(rating.stars == stars)
        }
        #expect(
            try await market.town.world.boss.trialBalance().lines.reduce(0) { $0 + $1.balance } == 0
        )
    }

    @Test func ofTwoBuyersOneIsApprovedAndTheOtherReleased() async throws {
        let market = try await Market.held(in: try await Town.found())
        let other = try await market.town.customer("Otto")
        let spot = try await market.offer()
        let (one, two) = (
            try await market.request(spot), try await market.request(spot, by: other)
        )
        try await market.seller.client.approve(one.id)
        try await refused("spot.not_possible") {
            try await market.seller.client.approve(two.id)
        }
        #expect(try await isReleased(two, of: other))
        try await market.buyer.client.cancel(spotRequest: one.id)
        #expect(try await isReleased(one, of: market.buyer))
        let again = try await market.offer()
        let third = try await market.request(again, by: other)
        try await market.seller.client.deny(third.id)
        #expect(try await isReleased(third, of: other))
    }

    @Test func theHighestBidWinsAtTheSecondAndOneStep() async throws {
        let market = try await Market.held(in: try await Town.found())
        let spot = try await market.offer(price: 100, auctionSeconds: 4)
        var bids: [(Someone, SpotRequest)] = []
        for (index, maximum) in [200, 500, 900].enumerated() {
            let bidder = try await market.town.customer("Bid\(index)")
            let answer = try await bidder.client.bid(
                for: spot.id, SpotBidBody(maximum: maximum, token: "pm_card_visa"))
            #expect(answer.leading)
            bids.append((bidder, answer.request))
        }
        let winner = try #require(bids.last?.0)
        // The last seconds have prolonged it.
        let isSold = try await eventually(within: .seconds(90)) {
            try await winner.client.spot(spot.id).status == .reserved
        }
        #expect(isSold)
        #expect(try await market.seller.client.spot(spot.id).price.amount == 550)
        for (bidder, request) in bids.dropLast() {
            #expect(try await isReleased(request, of: bidder))
        }
        try await market.seller.client.handedOver(spot: spot.id)
        try await winner.client.handedOver(spot: spot.id)
        #expect(try await market.isOwed(495, to: market.seller))
    }

    @Test func aSpotThatIsTakenCostsNothingAndIsDecided() async throws {
        let market = try await Market.held(in: try await Town.found())
        let spot = try await market.offer()
        let request = try await market.request(spot)
        try await market.seller.client.approve(request.id)
        let photo = try await market.buyer.client.addSpotPhoto(TestPicture.jpeg())
        try await market.buyer.stand(at: market.town.east(20))
        let failed = try await market.buyer.client.spotIsGone(
            request.id, SpotGoneBody(photoId: photo.id, note: "A van."))
        #expect(failed.status == .failed)
        #expect(try await isReleased(request, of: market.buyer))
        try await market.seller.client.answerDispute(of: spot.id, "It was free.")
        let boss = market.town.world.boss
        let disputes = try await boss.allSpots(area: market.town.id, isDisputed: true)
        #expect(disputes.items.map(\.id) == [spot.id])
        let decided = try await boss.decideDispute(
            of: spot.id, SpotDecisionBody(outcome: .dismissed, text: "Another street."))
        #expect(decided.dispute?.outcome == .dismissed)
    }

    @Test func anAlertTellsOfASpot() async throws {
        let market = try await Market.held(in: try await Town.found())
        _ = try await market.buyer.client.addParkingAlert(
            ParkingAlertBody(name: "Home", center: market.place, radiusMeters: 200))
        _ = try await market.offer()
        let told = try await market.buyer.feed(has: SpotChanged.type)
        #expect(told.contains { $0.title == "A spot is free" })
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
            _ = try await insisting { try await market.seller.client.approve(request.id) }
            try await kill()
            let isHandedOver = try await eventually {
                _ = try? await market.seller.client.handedOver(spot: spot.id)
                _ = try? await market.buyer.client.handedOver(spot: spot.id)
                return (try? await market.buyer.client.spot(spot.id))?.status == .handedOver
            }
            #expect(isHandedOver, "\(part)")
            try await kill()
            #expect(try await market.isOwed(450, to: market.seller), "\(part)")
            let paid = try await market.buyer.client.payments(of: request.id.as(BillID.self))
                .items.compactMap(\.payment)
            #expect(paid.map(\.status) == [.known(.succeeded)])
        }
    }
}
