import Answers
import Contracts
import Crypto
import Foundation
import ServiceKit
import Support
import Testing

@testable import Plates

private func digest(_ data: Data) -> String {
    SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
}

@Suite struct PhotoTests {
    @Test func bothPartiesPhotographAndAllWhoMayLook() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let first = try await caller.photograph(
                TestPicture.jpegWithMetadata, of: order,
                "moment=handOver&latitude=22.2819&longitude=114.1556"
            ).expect(201, VehiclePhoto.self)
            #expect(first.moment == .handOver)
            #expect(first.place == Place(latitude: 22.2819, longitude: 114.1556))
            #expect(first.by == TestPerson.victor.id)
            #expect(first.role == .valet)
            bench.clock.advance(by: 1)
            let second = try await caller.photograph(of: order, as: .alice)
                .expect(201, VehiclePhoto.self)
            #expect(second.role == .customer)
            #expect(second.place == nil)

            for person in [TestPerson.alice, .victor, .olivia] {
                let page = try await caller.photos(of: order, as: person)
                    .expect(200, Page<VehiclePhoto>.self)
                #expect(page.items.map(\.id) == [second.id, first.id])
                for photo in page.items {
                    let shown = try await caller.open(photo.photoURL)
                    #expect(shown.status == 200)
                    #expect(digest(shown.data) == photo.sha256)
                }
            }
            let events = try await bench.taken()
            #expect(events.map(\.photo) == [first.id, second.id])
            #expect(events.first?.sha256 == first.sha256)
            #expect(events.first?.place == first.place)
        }
    }

    @Test func strangersNeitherTakeNorSee() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            for person in [TestPerson.bob, .vera] {
                try await caller.photograph(of: order, as: person)
                    .refused(404, "plates.engagement_unknown")
                try await caller.photos(of: order, as: person)
                    .refused(404, "plates.engagement_unknown")
            }
            try await caller.photograph(of: order, as: nil).refused(401, "auth.token_missing")
            try await caller.photos(of: order, as: nil).refused(401, "auth.token_missing")
            try await caller.photograph(of: order, as: .olivia).refused(403, "auth.role")
            try await caller.photograph(of: .new()).refused(404, "plates.engagement_unknown")
            try await caller.send(.get, "/v1/orders/K7-42/photos", as: .alice)
                .refused(404, "request.not_found")
        }
        #expect(try await bench.taken().isEmpty)
    }

    @Test(arguments: [
        ("", "moment"), ("moment=lunch", "moment"), ("moment=handOver&latitude=22", "longitude"),
        ("moment=handOver&longitude=22", "latitude"),
        ("moment=handOver&latitude=91&longitude=0", "latitude"),
        ("moment=handOver&latitude=0&longitude=x", "longitude"),
    ])
    func aQueryThatCanNotBeIsRefused(_ query: String, _ field: String) async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            try await caller.photograph(of: order, query)
                .refused(422, "request.invalid", field: field)
        }
        #expect(try await bench.taken().isEmpty)
    }

    @Test(
        arguments: [
            (OrderStatus.requested, PhotoMoment.handOver, "plates.moment_not_possible"),
            (.droppingOff, .handOver, nil), (.parking, .handOver, nil), (.parked, .handOver, nil),
            (.parked, .handBack, "plates.moment_not_possible"),
            (.requestingBack, .handOver, "plates.moment_not_possible"),
            (.requestingBack, .handBack, nil), (.returningBack, .handBack, nil),
            (.waitingForPayment, .handBack, nil), (.finished, .handBack, nil),
            (.finished, .handOver, "plates.order_ended"),
            (.cancelled, .handBack, "plates.order_ended"),
            (.unfulfilled, .handOver, "plates.order_ended"),
        ] as [(OrderStatus, PhotoMoment, String?)])
    func aMomentHasItsStates(
        _ status: OrderStatus, _ moment: PhotoMoment, _ code: String?
    ) async throws {
        let bench = try Bench()
        let order = try await bench.order(status).id
        try await bench.run { caller in
            let answer = try await caller.photograph(
                of: order, "moment=\(moment.rawValue)", as: .alice)
            if let code {
                try answer.refused(409, code)
            } else {
                #expect(answer.status == 201, "\(answer.text)")
            }
        }
    }

    @Test func aDayAfterTheEndIsTooLate() async throws {
        let bench = try Bench()
        let order = try await bench.order(.finished).id
        bench.clock.advance(by: 86_400)
        try await bench.run { caller in
            try await caller.photograph(of: order, "moment=handBack", as: .alice)
                .refused(409, "plates.order_ended")
        }
    }

    @Test func newsThatIsOnItsWayIsWaitedFor() async throws {
        let bench = try Bench(patience: patience)
        let id = OrderID.new()
        try await bench.run { caller in
            async let answer = caller.photograph(of: id)
            try await bench.order(.requested, version: 1, id: id)
            try await bench.order(.parking, version: 3, id: id)
            #expect(try await answer.status == 201)
        }
    }

    @Test func whatTheProductSaysOpensPhotosThoughTheNewsIsLate() async throws {
        let order = OrderSnapshot.of(.parking, version: 3, id: .new(), at: TestClock().now)
        let product = PretendServer(.failing(503))
        try await product.serve { url in
            let bench = try Bench(owner: url)
            try await bench.order(.requested, version: 1, id: order.id)
            try await bench.run { caller in
                // While nobody says, nobody is refused.
                let problem = try await caller.photograph(of: order.id)
                    .refused(503, "service.unavailable")
                #expect(problem.retryAfterSeconds != nil)
                product.set(.refusing(404, "order.unknown"))
                #expect(try await caller.photograph(of: order.id).status == 409)
                product.set(try .having(EngagementChanged(order).engagement))
                #expect(try await caller.photograph(of: order.id).status == 201)
                #expect(try await caller.photograph(of: order.id).status == 201)
            }
        }
        #expect(Set(product.asked.map(\.path)) == ["/internal/engagements/\(order.id)"])
    }

    @Test func anOlderStateDoesNotReplaceANewerOne() async throws {
        let bench = try Bench()
        let id = OrderID.new()
        try await bench.order(.parking, version: 3, id: id)
        try await bench.order(.requested, version: 1, id: id)
        let known = try await bench.database.read {
            try engagements.value(of: id.as(EngagementID.self), in: $0)
        }
        #expect(known?.version == 3)
    }

    @Test func anOrderHasSoManyPhotosAndNoMore() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            for _ in 0..<PlateUseCases.mostPhotos {
                #expect(try await caller.photograph(of: order).status == 201)
            }
            try await caller.photograph(of: order).refused(409, "plates.too_many_photos")
            #expect(bench.files.count == PlateUseCases.mostPhotos)
        }
    }

    @Test func photosComeInPages() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            var ids: [PictureID] = []
            for _ in 0..<3 {
                bench.clock.advance(by: 1)
                let photo = try await caller.photograph(of: order).expect(201, VehiclePhoto.self)
                ids.insert(photo.id, at: 0)
            }
            let first = try await caller.photos(of: order, "?limit=2", as: .alice)
                .expect(200, Page<VehiclePhoto>.self)
            #expect(first.items.map(\.id) == Array(ids.prefix(2)))
            let next = try #require(first.next)
            let rest = try await caller.photos(of: order, "?limit=2&after=\(next)", as: .alice)
                .expect(200, Page<VehiclePhoto>.self)
            #expect(rest.items.map(\.id) == [ids[2]])
            #expect(rest.next == nil)
            try await caller.photos(of: order, "?after=x", as: .alice)
                .refused(422, "request.invalid", field: "after")
        }
    }

    @Test func aRepeatWithTheSameKeyIsTheSamePhoto() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let first = try await caller.photograph(of: order, key: "once")
                .expect(201, VehiclePhoto.self)
            let second = try await caller.photograph(of: order, key: "once")
                .expect(201, VehiclePhoto.self)
            #expect(first == second)
            try await caller.photograph(of: order, "moment=handBack", key: "once")
                .refused(422, "idempotency.key_reused")
        }
        #expect(try await bench.taken().count == 1)
    }
}

@Suite struct AddressTests {
    @Test func anAddressOpensItsPictureOnlyAndNotForLong() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let one = try await caller.photograph(of: order).expect(201, VehiclePhoto.self)
            let other = try await caller.photograph(of: order).expect(201, VehiclePhoto.self)
            let stolen = one.photoURL.replacingOccurrences(
                of: one.id.description, with: other.id.description)
            try await caller.open(stolen).refused(403, "picture.address_invalid")
            let path = "/v1/pictures/vehicles/\(one.id)"
            try await caller.open(path).refused(403, "picture.address_invalid")
            try await caller.send(.get, path, as: .olivia).refused(403, "picture.address_invalid")
            try await caller.open(
                "\(path)?expires=9999999999&signature=\(String(repeating: "0", count: 64))"
            )
            .refused(403, "picture.address_invalid")

            let shown = try await caller.open(one.photoURL)
            #expect(shown.headers[.xContentTypeOptions] == "nosniff")
            #expect(shown.headers[.contentDisposition] == "inline")
            #expect(shown.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            #expect(shown.headers[.cacheControl]?.hasPrefix("private, max-age=") == true)
            bench.clock.advance(by: 1_000)
            try await caller.open(one.photoURL).refused(403, "picture.address_expired")
        }
    }

    @Test func aPictureThatIsNotThereIsUnknown() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let address = bench.environment.signedAddresses.sign(
                SignedAddresses.path(vehicle: .new()), at: bench.clock.now)
            try await caller.open(address).refused(404, "picture.unknown")
        }
    }
}

@Suite struct ForgettingTests {
    @Test func whoDeletesTheirAccountLeavesNoPicture() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let photo = try await caller.photograph(of: order).expect(201, VehiclePhoto.self)
            let made = try await caller.recognise(TestPicture.jpeg(), of: order)
                .expect(201, Recognition.self)
            let loose = try await caller.recognise(TestPicture.jpeg())
                .expect(201, Recognition.self)
            #expect(bench.files.count == 3)
            try await bench.order(.finished, version: 9, id: order)
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 7,
                    deletedAt: bench.clock.now))
            await bench.plates().deletions.round()
            #expect(bench.files == [loose.id.description])
            for address in [photo.photoURL, made.photoURL] {
                try await caller.open(address).refused(404, "picture.unknown")
            }
            let page = try await caller.photos(of: order, as: .olivia)
                .expect(200, Page<VehiclePhoto>.self)
            #expect(page.items.isEmpty)
            let record = try await bench.plates().record(of: TestPerson.alice.id)
            #expect(record.photos.isEmpty && record.recognitions.isEmpty)

            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.victor.id, role: .valet, version: 2,
                    deletedAt: bench.clock.now))
            await bench.plates().deletions.round()
            #expect(bench.files.isEmpty)
        }
    }

    @Test func aRepeatAfterTheOwnerHasGoneSaysThatNothingIsThere() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            func ask() async throws -> [Answer] {
                [
                    try await caller.photograph(of: order, as: .victor, key: "photo"),
                    try await caller.recognise(TestPicture.jpeg(), of: order, key: "plate"),
                ]
            }
            for answer in try await ask() { #expect(answer.status == 201) }
            try await bench.hear(
                AccountDeleted(
                    account: TestPerson.alice.id, role: .customer, version: 7,
                    deletedAt: bench.clock.now))
            for answer in try await ask() { try answer.refused(404, "plates.engagement_unknown") }
        }
    }

    @Test func whoMayNotActAnyMoreTakesNoPicture() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        let victor = TestPerson.victor.account(createdAt: bench.clock.now)
        try await bench.hear(AccountChanged(account: victor, suspended: true, version: 2))
        try await bench.hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 7,
                deletedAt: bench.clock.now))
        try await bench.run { caller in
            try await caller.photograph(of: order, as: .victor).refused(403, "account.suspended")
            try await caller.recognise(TestPicture.jpeg(), of: order)
                .refused(403, "account.suspended")
            try await caller.photograph(of: order, as: .alice).refused(401, "auth.token_invalid")
        }
        #expect(try await bench.made().isEmpty)
        #expect(try await bench.taken().isEmpty)
    }

    @Test func whoIsBothPhotographsAsWhatTheyAreToTheOrder() async throws {
        let bench = try Bench()
        func order(_ edit: (inout OrderSnapshot) -> Void) async throws -> OrderID {
            var order = OrderSnapshot.of(.parking, version: 3, id: .new(), at: bench.clock.now)
            edit(&order)
            try await bench.hear(OrderOverdue(order: order, limitSeconds: 60))
            return order.id
        }
        let own = try await order { $0.customer = TestPerson.boris.customer }
        let job = try await order { $0.dropOffValet = TestPerson.boris.valet }
        try await bench.run { caller in
            for (order, role) in [(own, Role.customer), (job, .valet)] {
                let photo = try await caller.photograph(of: order, as: .boris)
                    .expect(201, VehiclePhoto.self)
                #expect(photo.role == role)
            }
            let boris = TestPerson.boris.account(createdAt: bench.clock.now)
            try await bench.hear(AccountChanged(account: boris, suspended: true, version: 2))
            try await caller.photograph(of: job, as: .boris).refused(403, "account.suspended")
            try await caller.recognise(TestPicture.jpeg(), of: job, as: .boris)
                .refused(403, "account.suspended")
            #expect(try await caller.photograph(of: own, as: .boris).status == 201)
        }
    }

    @Test func allThatIsHeldOnAPersonIsForOtherServicesOnly() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            _ = try await caller.photograph(of: order, as: .alice)
            _ = try await caller.recognise(TestPicture.jpeg(), of: order)
            let path = "/internal/people/\(TestPerson.alice.id)"
            for person in [TestPerson.alice, .olivia] {
                #expect(try await caller.send(.get, path, as: person).status == 401)
            }
            let alice = try await bench.plates().record(of: TestPerson.alice.id)
            #expect(alice.photos.count == 1)
            #expect(alice.recognitions.count == 1)
            let victor = try await bench.plates().record(of: TestPerson.victor.id)
            #expect(victor.photos.isEmpty)
            #expect(victor.recognitions.count == 1)
            let bob = try await bench.plates().record(of: TestPerson.bob.id)
            #expect(bob.photos.isEmpty && bob.recognitions.isEmpty)
        }
    }

    @Test func aPictureWhoseRequestBrokeOffIsRemovedAfterAWhile() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let kept = try await caller.photograph(of: order).expect(201, VehiclePhoto.self)
            let lost = PictureID.new()
            let due = bench.clock.now.addingTimeInterval(PlateUseCases.grace)
            try await bench.database.write { try $0.pictures.deleteLater(lost, at: due) }
            try await bench.blobs.put(
                .init("vehicles", lost.uuid), .init(data: Data([1]), contentType: "image/png"))
            await bench.plates().deletions.round()
            #expect(bench.files.count == 2)
            bench.clock.advance(by: PlateUseCases.grace)
            await bench.plates().deletions.round()
            #expect(bench.files == [kept.id.description])
        }
    }

    @Test func aPictureThatCannotBeRemovedKeepsNoOtherFromIt() async throws {
        let bench = try Bench()
        let (stubborn, other) = (PictureID.new(), PictureID.new())
        for picture in [stubborn, other] {
            try await bench.database.write {
                try $0.pictures.deleteLater(picture, at: bench.clock.now)
            }
        }
        // A folder with something in it is no file.
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder.path)/vehicles/\(stubborn)/x",
            withIntermediateDirectories: true)
        try await bench.blobs.put(
            .init("vehicles", other.uuid), .init(data: Data([1]), contentType: "image/png"))
        await bench.plates().deletions.round()
        #expect(bench.files == [stubborn.description])
    }
}
