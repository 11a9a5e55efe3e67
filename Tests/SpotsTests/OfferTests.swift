import Answers
import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import Spots

@Suite struct OfferTests {
    @Test func whoStandsThereOffersTheirSpot() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            #expect(spot.status == .offered)
            #expect(spot.isMine && spot.isExact)
            #expect(spot.price == Money(amount: 500, currency: "EUR"))
            let page = try await bench.call(.get, "/v1/me/spots", as: .alice)
                .expect(200, Page<Spot>.self)
            #expect(page.items.map(\.id) == [spot.id])
        }
    }

    @Test func whoHasNotBeenHeardOfIsAskedForAndHasANameAtOnce() async throws {
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            try await Bench.run(accounts: url) { bench in
                try accounts.know(.alice, at: bench.clock.now)
                let spot = try await bench.offered()
                #expect(spot.seller.firstName == "Alice")
                try accounts.know(.bob, at: bench.clock.now)
                let request = try await bench.requested(spot.id)
                let reserved = try await bench.request("approve", request.id, as: .alice)
                    .expect(200, Spot.self)
                let buyer = try #require(reserved.reservation?.other)
                #expect((buyer.firstName, buyer.phone) == ("Bob", TestPerson.bob.phone))
            }
        }
        let people = [TestPerson.alice, .bob]
        #expect(accounts.asked.map(\.path) == people.map { "/internal/accounts/\($0.id)" })
    }

    @Test func nobodyIsRefusedForANameThatAccountsDoesNotSay() async throws {
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            try await Bench.run(accounts: url) { bench in
                let spot = try await bench.offered()
                #expect(spot.seller.firstName.isEmpty)
                try await bench.hear(
                    AccountChanged(
                        account: TestPerson.alice.account(createdAt: bench.clock.now),
                        suspended: false, version: 1))
                #expect(try await bench.seen(spot.id, as: .bob).seller.firstName == "Alice")
            }
        }
    }

    @Test func accountsIsNotAskedForThoseWhoAreGone() async throws {
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            try await Bench.run(accounts: url) { bench in
                try await bench.hear(
                    AccountDeleted(
                        account: TestPerson.alice.id, role: .customer, version: 9,
                        deletedAt: bench.clock.now))
                try await bench.offer().refused(401, "auth.token_invalid")
            }
        }
        #expect(accounts.asked.isEmpty)
    }

    @Test func whoIsElsewhereOrWasSeenLongAgoOffersNothing() async throws {
        try await Bench.run { bench in
            let point = Coordinate.valletta
            let body = SpotBody(
                position: point, accuracyMeters: 5, price: 500,
                leavesAt: bench.clock.now.addingTimeInterval(600))
            func refused() async throws {
                try await bench.call(.post, "/v1/spots", body, as: .alice)
                    .refused(422, "spot.not_there", field: "position")
            }
            try await refused()
            bench.seen.put(.alice, at: point.north(45), bench.clock.now)
            try await refused()
            bench.seen.put(.alice, at: point, bench.clock.now.addingTimeInterval(-61))
            try await refused()
            // A reading is believed within its accuracy, but not without end.
            bench.seen.put(.alice, at: point.north(80), bench.clock.now, accuracyMeters: 5_000)
            try await refused()
            bench.seen.put(.alice, at: point.north(25), bench.clock.now)
            try await bench.call(.post, "/v1/spots", body, as: .alice).expect(201, Spot.self)
        }
    }

    /// A seller who never got the answer may have moved on, and the times in the request may be over.
    @Test func whoRepeatsAnOfferLaterGetsTheSameSpot() async throws {
        try await Bench.run { bench in
            let body = SpotBody(
                position: .valletta, accuracyMeters: 5, price: 500,
                leavesAt: bench.clock.now.addingTimeInterval(600))
            func offer() async throws -> SpotID {
                try await bench.call(
                    .post, "/v1/spots", body, as: .alice, headers: [.idempotencyKey: "one"]
                )
                .expect(201, Spot.self).id
            }
            bench.seen.put(.alice, at: .valletta, bench.clock.now)
            let spot = try await offer()
            bench.clock.advance(by: 700)
            bench.seen.put(.alice, at: Coordinate.valletta.north(2_000), bench.clock.now)
            #expect(try await offer() == spot)
        }
    }

    @Test func whatIsNotAllowedIsRefusedAndChangesNothing() async throws {
        try await Bench.run { bench in
            try await bench.offer(price: 2_001)
                .refused(422, "spot.price_too_high", field: "price")
            try await bench.offer(at: Coordinate(latitude: 10, longitude: 10))
                .refused(422, "spot.outside_service_area", field: "position")
            try await bench.offer(minutes: -1).refused(422, "request.invalid", field: "leavesAt")
            try await bench.offer(minutes: 13 * 60)
                .refused(422, "request.invalid", field: "leavesAt")
            try await bench.offer(auctionMinutes: 31)
                .refused(422, "request.invalid", field: "closesAt")
            try await bench.offer { $0.accuracyMeters = 500 }
                .refused(422, "request.invalid", field: "accuracyMeters")
            try await bench.offer { $0.price = -1 }
                .refused(422, "request.invalid", field: "price")
            try await bench.offer { $0.photoId = .new() }
                .refused(404, "picture.unknown", field: "photoId")
            try await bench.offer { $0.vehicleId = .new() }
                .refused(404, "vehicle.unknown", field: "vehicleId")
            let spot = try await bench.offered()
            try await bench.offer().refused(409, "spot.open_exists")
            try await bench.spot("cancel", spot.id, as: .bob).refused(404, "spot.unknown")
            try await bench.spot("leaving", spot.id, as: .alice).refused(409, "spot.not_possible")
        }
    }

    @Test func whatNoCardCanBeChargedIsNoPrice() async throws {
        try await Bench.run { bench in
            for price in [1, 20, 49] {
                let problem = try await bench.offer(price: price)
                    .refused(422, "request.invalid", field: "price")
                #expect(problem.detail == "The price has to be 0 or at least €0.50.")
            }
            #expect(try await bench.offered(price: 50).price.amount == 50)
            var policy = SpotPolicy()
            policy.noShowFee = 20
            try await bench.put(policy).refused(422, "request.invalid", field: "noShowFee")
        }
    }

    @Test func whereOnlyInformationIsAllowedTheSpotIsFree() async throws {
        try await Bench.run { bench in
            var policy = SpotPolicy()
            policy.sale = .informationOnly
            try await bench.put(policy).expect(200, SpotPolicy.self)
            try await bench.offer().refused(422, "spot.sale_not_allowed", field: "price")
            try await bench.offer(price: 0, auctionMinutes: 5)
                .refused(422, "spot.sale_not_allowed", field: "price")
            let spot = try await bench.offered(price: 0)
            let request = try await bench.call(
                .post, "/v1/spots/\(spot.id)/requests", SpotRequestBody(), as: .bob
            ).expect(201, SpotRequest.self)
            #expect(request.status == .pending)
            try await bench.request("approve", request.id, as: .alice).expect(200, Spot.self)
            try await bench.arrive(spot.id)
            try await bench.request("parked", request.id, as: .bob).expect(200, Spot.self)
            let done = try await bench.spot("leaving", spot.id, as: .alice).expect(200, Spot.self)
            #expect(done.status == .handedOver)
            #expect(try await bench.money(of: request.id) == nil)
        }
    }

    @Test func othersSeeItOnAGridAndNobodyElseOnceItIsReserved() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            let shown = try await bench.seen(spot.id, as: .bob)
            #expect(!shown.isExact && !shown.isMine)
            #expect(shown.seller.id == nil)
            #expect(shown.requests == nil)
            #expect(Geo.distanceMeters(shown.position, .valletta) < 40)
            #expect(shown.position != .valletta)
            // A search shows a seller their own spot as it is.
            for (person, isSeller) in [(TestPerson.alice, true), (.bob, false)] {
                let found = try #require(try await bench.found(as: person).first)
                #expect(found.id == spot.id)
                #expect(found.isMine == isSeller && found.isExact == isSeller)
                #expect((found.position == .valletta) == isSeller)
                #expect(found.requests == nil)
            }
            let request = try await bench.requested(spot.id)
            try await bench.request("approve", request.id, as: .alice).expect(200, Spot.self)
            let stranger = TestPerson.another(.customer, 7)
            try await bench.call(.get, "/v1/spots/\(spot.id)", as: stranger)
                .refused(404, "spot.unknown")
            let buyer = try await bench.seen(spot.id, as: .bob)
            #expect(buyer.isExact && buyer.position == .valletta)
            #expect(buyer.reservation?.other?.id == TestPerson.alice.id)
            let seller = try await bench.seen(spot.id, as: .alice)
            #expect(seller.reservation?.other?.id == TestPerson.bob.id)
        }
    }

    @Test func theNearestComeFirstWithoutTheBlockedAndTheReserved() async throws {
        try await Bench.run { bench in
            let sellers = (0..<6).map { TestPerson.another(.customer, 50 + $0) }
            for (index, seller) in sellers.enumerated() {
                try await bench.offer(
                    as: seller, price: 100 * (index + 1),
                    at: Coordinate.valletta.north(200 * Double(index))
                ).expect(201, Spot.self)
            }
            func find(_ query: String = "") async throws -> [Spot] {
                try await bench.call(
                    .get, "/v1/spots?latitude=35.8965&longitude=14.5101\(query)", as: .bob
                ).expect(200, Page<Spot>.self).items
            }
            #expect(try await find().map(\.price.amount) == [100, 200, 300, 400, 500])
            #expect(try await find("&radiusMeters=500").count == 3)
            #expect(try await find("&maxPrice=200").count == 2)
            #expect(try await find("&limit=1").map(\.price.amount) == [100])
            #expect(try await find("&sale=auction").isEmpty)
            #expect(try await find().allSatisfy { $0.drivingSeconds != nil })
            try await bench.hear(
                PersonBlocked(
                    by: sellers[0].id, person: TestPerson.bob.id, isBlocked: true, version: 1,
                    changedAt: bench.clock.now))
            #expect(try await find("&limit=2").map(\.price.amount) == [200, 300])
            for bad in ["&radiusMeters=49", "&limit=0", "&sale=x", "&maxPrice=-1"] {
                try await bench.call(
                    .get, "/v1/spots?latitude=35.8965&longitude=14.5101\(bad)", as: .bob
                ).refused(
                    422, "request.invalid", field: String(bad.dropFirst().prefix { $0 != "=" }))
            }
        }
    }

    @Test func nobodyTookItInTimeAndItIsOver() async throws {
        try await Bench.run { bench in
            let spot = try await bench.offered()
            bench.clock.advance(by: 30 * 60 + 299)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .offered)
            bench.clock.advance(by: 1)
            await bench.work()
            #expect(try await bench.seen(spot.id, as: .alice).status == .expired)
            #expect(try await bench.told(.alice) == ["Nobody took your spot"])
        }
    }

    @Test func aPriceIsSuggestedFromWhatWasPaidAround() async throws {
        try await Bench.run { bench in
            func terms() async throws -> SpotTerms {
                try await bench.call(
                    .get, "/v1/spot-terms?latitude=35.8965&longitude=14.5101", as: .bob
                ).expect(200, SpotTerms.self)
            }
            #expect(try await terms().suggestedPrice == nil)
            let (spot, request) = try await bench.reserved(price: 700)
            try await bench.arrive(spot.id)
            try await bench.request("parked", request.id, as: .bob).expect(200, Spot.self)
            try await bench.leave(spot.id)
            #expect(try await terms().suggestedPrice == Money(amount: 700, currency: "EUR"))
        }
    }

    @Test func aPictureIsNamedOnceByWhoTookIt() async throws {
        try await Bench.run { bench in
            let photo = try await bench.photo(of: .alice)
            try await bench.offer(as: .bob) { $0.photoId = photo.id }
                .refused(404, "picture.unknown", field: "photoId")
            let spot = try await bench.offer { $0.photoId = photo.id }.expect(201, Spot.self)
            let address = try #require(spot.photoURL)
            let picture = try await bench.call(.get, address, as: nil)
            #expect(picture.status == 200)
            for secret in TestPicture.secrets {
                #expect(picture.data.range(of: Data(secret.utf8)) == nil)
            }
            try await bench.call(
                .get, "/v1/pictures/spots/\(photo.id)?expires=1&signature=x", as: nil
            )
            .refused(403, "picture.address_invalid")
            let unnamed = try await bench.photo(of: .alice)
            bench.clock.advance(by: 3_601)
            await bench.work()
            let later = try await bench.call(.get, unnamed.url, as: nil)
            #expect(later.status == 403 || later.status == 404)
        }
    }
}
