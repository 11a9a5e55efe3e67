import Blobs
import Contracts
import EventBus
import Foundation
import Routing
import ServiceKit
import Support
import Testing

@testable import Areas
@testable import CarParks
@testable import Carpool
@testable import Getalift
@testable import Location
@testable import Matching
@testable import Notifications
@testable import Orders
@testable import Payments
@testable import Places
@testable import Plates
@testable import Ratings
@testable import Spots

/// Every reader reads the fixtures of what it reacts to, with the code that reads the bus.
struct ReaderTests {
    private func read(
        _ reactions: Reactions, of service: String, atLeast expected: [any Event.Type]
    ) throws {
        let manifest = try #require(allServices.first { $0.name == service })
        #expect(Set(manifest.hears.map { $0.type }) == Set(reactions.types), "\(service)")
        #expect(manifest.hearsIn == reactions.topics, "\(service)")
        for type in expected { #expect(reactions.types.contains(type.type), "\(type.type)") }
        for type in allEvents where reactions.types.contains(type.type) {
            try reactions.read(Fixtures.data(type), as: type.type)
            #expect(throws: (any Error).self, "\(type.type) of nothing") {
                try reactions.read(Data("{}".utf8), as: type.type)
            }
        }
        let known = Set(allEvents.map { $0.type })
        #expect(known.isSuperset(of: reactions.types))
    }

    @Test func areasReadsWhatItReactsTo() throws {
        let database = try ServiceEnvironment.test("areas").database(areaMigrations)
        try read(
            areaReactions(database), of: "areas",
            atLeast: [AccountChanged.self, AccountDeleted.self])
    }

    @Test func placesReadsWhatItReactsTo() throws {
        let config = PlacesConfig()
        let parts = try PlacesParts(config, ServiceEnvironment.test("places"))
        try read(
            placesReactions(parts.vendors), of: "places",
            atLeast: [ServiceAreaChanged.self, AccountChanged.self, AccountDeleted.self])
    }

    @Test func ordersReadsWhatItReactsTo() throws {
        let environment = try ServiceEnvironment.test("orders")
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let parts = try OrdersParts(
            environment, .usual, CustodyChain(key: "a key of tests"),
            owners: OrderOwners(
                accounts: Owners([]), areas: Owners([]), recognitions: Owners([]),
                payments: Owners([]),
                carParks: environment.peer(nowhere, audience: "carparks")))
        try read(
            orderReactions(parts.answers),
            of: "orders",
            atLeast: [
                ValetMatched.self, NoValetFound.self, PaymentSucceeded.self, AccountChanged.self,
                VehicleChanged.self, RatingGiven.self, PartyArrived.self, AccountDeleted.self,
                RecognitionMade.self, PhotoTaken.self, AvailabilityChanged.self,
                ServiceAreaChanged.self,
            ])
    }

    @Test func carpoolReadsWhatItReactsTo() throws {
        let environment = try ServiceEnvironment.test("carpool")
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let parts = try CarpoolParts(
            environment, payments: environment.peer(nowhere, audience: "payments"),
            accounts: Owners([]), appURL: nowhere)
        try read(
            carpoolReactions(parts.rides), of: "carpool",
            atLeast: [
                PaymentSucceeded.self, RatingGiven.self, ServiceAreaChanged.self,
                AccountChanged.self, VehicleChanged.self, PersonBlocked.self, AccountDeleted.self,
            ])
    }

    @Test func getaliftReadsWhatItReactsTo() throws {
        let database = try ServiceEnvironment.test("getalift").database(GetaliftParts.migrations)
        try read(getaliftReactions(database), of: "getalift", atLeast: [AccountDeleted.self])
    }

    @Test func spotsReadsWhatItReactsTo() throws {
        let environment = try ServiceEnvironment.test("spots")
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let parts = try SpotParts(
            environment, payments: environment.peer(nowhere, audience: "payments"),
            location: environment.peer(nowhere, audience: "location"), accounts: Owners([]),
            blobs: try FolderBlobs(TestFolder("spots").path))
        try read(
            spotReactions(parts.spots), of: "spots",
            atLeast: [
                PaymentHeld.self, PaymentReleased.self, PaymentSucceeded.self,
                PaymentDeclined.self, PartyArrived.self, PartyLeft.self, RatingGiven.self,
                ServiceAreaChanged.self, AccountChanged.self, VehicleChanged.self,
                PersonBlocked.self, AccountDeleted.self, ParkingFreed.self,
            ])
    }

    @Test func carparksReadsWhatItReactsTo() async throws {
        let environment = try ServiceEnvironment.test("carparks")
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        let parts = try CarParkParts(
            environment, ticketKeys: try await SigningKeys(current: .init()),
            payments: environment.peer(nowhere, audience: "payments"), vehicles: Owners([]),
            recognitions: Owners([]), blobs: try FolderBlobs(TestFolder("carparks").path))
        try read(
            carParkReactions(parts.bookings, parts.valets), of: "carparks",
            atLeast: [
                PaymentSucceeded.self, PaymentRefunded.self, VehicleChanged.self,
                AccountChanged.self, AccountDeleted.self, VehicleParked.self,
                VehicleRetrieved.self, OrderOverridden.self,
            ])
    }

    @Test func paymentsReadsWhatItReactsTo() throws {
        let payments = try paymentUseCases(ServiceEnvironment.test("payments"))
        try read(
            paymentReactions(payments),
            of: "payments",
            atLeast: [
                BillChanged.self, BillNoticeIssued.self, AccountChanged.self, AccountDeleted.self,
            ])
    }

    @Test func platesReadsWhatItReactsTo() throws {
        let values = try ConfigValues(
            [
                "OPENVALET_PLATES_ALPR_URL": "http://127.0.0.1:1", "OPENVALET_PLATES_ALPR_KEY": "x",
            ], keys: PlatesConfig.keys)
        let folder = try TestFolder("plates")
        let plates = try plateUseCases(
            PlatesConfig(values), ServiceEnvironment.test("plates"),
            blobs: try FolderBlobs(folder.path))
        try read(
            plateReactions(plates),
            of: "plates", atLeast: [EngagementChanged.self, AccountDeleted.self])
    }

    @Test func ratingsReadsWhatItReactsTo() throws {
        let environment = try ServiceEnvironment.test("ratings")
        let ratings = RatingUseCases(
            database: try environment.database(ratingMigrations), clock: environment.clock)
        try read(
            ratingReactions(ratings), of: "ratings",
            atLeast: [EngagementChanged.self, AccountDeleted.self])
    }

    @Test func notificationsReadsWhatItReactsTo() throws {
        let environment = try ServiceEnvironment.test("notifications")
        let values = try ConfigValues([:], keys: NotificationsConfig.keys)
        let notifications = try notificationUseCases(NotificationsConfig(values), environment)
        try read(
            notificationReactions(notifications),
            of: "notifications",
            atLeast: [
                NoticeIssued.self, AccountChanged.self, AccountDeleted.self, CodeRequested.self,
                SessionsEnded.self, OperatorActed.self,
            ])
    }

    @Test func locationReadsWhatItReactsTo() async throws {
        let redis = try await TestRedis.start()
        let environment = try ServiceEnvironment.test("location", redis: redis.address)
        let values = try ConfigValues([:], keys: LocationConfig.keys)
        let location = try Location(LocationConfig(values), environment)
        try read(
            location.reactions,
            of: "location",
            atLeast: [
                ServiceAreaChanged.self, AccountChanged.self, AccountDeleted.self,
                EngagementChanged.self,
            ])
    }

    @Test func matchingReadsWhatItReactsTo() async throws {
        let redis = try await TestRedis.start()
        let environment = try ServiceEnvironment.test("matching", redis: redis.address)
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let values = try ConfigValues(
            ["OPENVALET_LOCATION_URL": url.absoluteString], keys: MatchingConfig.keys)
        let config = try MatchingConfig(values)
        let parts = MatchingParts(
            environment, rules: config.rules,
            store: MatchingStore(redis: try environment.redis()),
            location: environment.peer(url, audience: "location"),
            roads: Roads(config.router, client: environment.httpClient),
            announcer: Announcer { _ in })
        try read(
            matchingReactions(MatchingUseCases(parts)),
            of: "matching",
            atLeast: [
                DropOffRequested.self, ReturnRequested.self, ValetWithdrawn.self,
                MatchRepeated.self, ValetOffered.self, OfferEnded.self,
            ])
    }
}
