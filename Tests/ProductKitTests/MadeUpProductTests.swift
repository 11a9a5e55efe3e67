import Answers
import Contracts
import EventBus
import Foundation
import Hummingbird
import ServiceKit
import Support
import Testing

@testable import Notifications
@testable import OpenValet
@testable import Payments
@testable import Ratings

/// The platform serves a product that it does not know: all that the house is told of it is in `Lockers.swift`.
@Suite struct MadeUpProductTests {
    private let clock = TestClock()
    private let rental = Rental()
    private var door: Door { Door(clock: clock) }

    /// The gateway in front of the product and of the services that it needs, each on a port of its own.
    private func run(
        hear: (PaymentUseCases, RatingUseCases, NotificationUseCases) async throws -> Void = {
            _, _, _ in
        },
        _ body: @Sendable (Door.Caller) async throws -> Void
    ) async throws {
        func environment(_ name: String) throws -> ServiceEnvironment {
            try ServiceEnvironment.test(name, clock: clock)
        }
        let lockers = try environment("lockers")
        let payments = try paymentUseCases(environment("payments"), .stub)
        let ratings = try RatingUseCases(
            database: environment("ratings").database(ratingMigrations), clock: clock.serviceClock)
        let config = try NotificationsConfig(ConfigValues([:], keys: NotificationsConfig.keys))
        let notifications = try notificationUseCases(config, environment("notifications"))
        let pushes = PushRoutes(
            notifications: notifications, vapid: try await Vapid.load(config, notifications),
            services: config.pushServices)
        try await hear(payments, ratings, notifications)

        let routers = [
            ("lockers", rental.router(lockers)),
            ("payments", try paymentRouter(payments, environment("payments"))),
            ("ratings", ratingRouter(ratings, try environment("ratings"))),
            (
                "notifications",
                notificationRouter(
                    notifications, keptMessages: keptMessages(config, notifications),
                    pushes: pushes, try environment("notifications"))
            ),
        ]
        try await door.open(to: routers, body)
    }

    private func delivery(_ event: some Event) -> Delivery { .of(event, at: clock.now) }

    @Test func itsEndpointIsReachedWithBothIDsByThoseItIsFor() async throws {
        let path = "/v1/stations/central/lockers/\(rental.id)/open"
        try await run { caller in
            let opened = try await caller.call(.post, path, as: .alice)
                .expect(200, OpenedLocker.self)
            #expect(
                opened
                    == OpenedLocker(
                        station: "central", locker: rental.id, by: TestPerson.alice.id))
            try await caller.call(.post, path, as: .victor).refused(403, "auth.role")
            try await caller.call(.post, path, as: nil).refused(401, "auth.token_missing")
            try await caller.call(.get, path, as: .alice).refused(405, "request.method_not_allowed")
            try await caller.call(.post, "/v1/stations/../lockers/x/open", as: .alice)
                .refused(404, "request.not_found")
        }
    }

    @Test func itsBillIsChargedAndItsPayeePaidOut() async throws {
        let bill = rental.bill
        try await run { payments, _, _ in
            try await paymentReactions(payments).receive(bill, delivery(bill))
        } _: { caller in
            let path = "/v1/bills/\(bill.bill.id)"
            let due = try await caller.call(.get, path, as: .alice).expect(200, BillView.self)
            #expect(due.status == .due)
            #expect(due.product == .lockers)
            let paid = try await caller.call(
                .post, "\(path)/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, PaymentAnswer.self)
            #expect(paid.payment.status == .succeeded)
            let receipt = try await caller.call(.get, "\(path)/receipt", as: .alice)
                .expect(200, BillReceipt.self)
            #expect(receipt.title == "Locker")
            let balance = try await caller.call(.get, "/v1/me/balance", as: .bob)
                .expect(200, PayeeBalance.self)
            #expect(balance.available == Money(amount: 4_500, currency: "HKD"))
            let account = PayoutAccountBody(account: "acct_bob")
            #expect(
                try await caller.call(.post, "/v1/me/payout-account", account, as: .bob).status
                    == 204)
            let payout = try await caller.call(.post, "/v1/me/payouts", PayoutBody(), as: .bob)
                .expect(201, Payout.self)
            #expect(payout.amount == Money(amount: 4_500, currency: "HKD"))
        }
    }

    @Test func whoDealtWithEachOtherRateEachOther() async throws {
        let ended = rental.ended
        try await run { _, ratings, _ in
            try await ratingReactions(ratings).receive(ended, delivery(ended))
        } _: { caller in
            let path = "/v1/lockers/\(rental.id)/rating"
            let rating = try await caller.call(.put, path, RatingBody(stars: 5), as: .alice)
                .expect(200, Rating.self)
            #expect(rating.stars == 5)
            let summary = try await caller.call(
                .get, "/v1/users/\(TestPerson.bob.id)/rating", as: .alice
            ).expect(200, RatingSummary.self)
            #expect(summary.average == 5)
            let again = try await caller.call(
                .put, "/v1/engagements/\(rental.id)/rating", RatingBody(stars: 5), as: .alice
            ).expect(200, Rating.self)
            #expect(again == rating)
            try await caller.call(.put, path, RatingBody(stars: 1), as: .victor)
                .refused(404, "rating.engagement_unknown")
            try await caller.call(.put, path, RatingBody(stars: 9), as: .alice)
                .refused(422, "request.invalid", field: "stars")
        }
    }

    @Test(.withoutDatabase) func whoIsBoundByItMayNotLeave() async throws {
        try await withServer(rental.router(try .test("lockers", clock: clock))) { port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let accounts = try ServiceEnvironment.test("accounts", clock: clock)
            let owners = Owners([accounts.peer(url, audience: "lockers", within: patience)])
            #expect(try await owners.binding(rental.renter.id) == rental.id)
            #expect(try await owners.binding(TestPerson.victor.id) == nil)
            #expect(try await owners.newest(rental.id) == rental.ended.engagement)
        }
    }

    @Test func itsNoticeIsInTheFeed() async throws {
        let notice = rental.notice(at: clock)
        try await run { _, _, notifications in
            try await notificationReactions(notifications).receive(notice, delivery(notice))
        } _: { caller in
            let feed = try await caller.call(.get, "/v1/notifications", as: .alice)
                .expect(200, Page<FeedItem>.self)
            let line = try #require(feed.items.first)
            #expect(line.title == "Your locker")
            #expect(line.subject?.product == .lockers)
            #expect(
                try await caller.call(.get, "/v1/notifications", as: .bob)
                    .expect(200, Page<FeedItem>.self).items.isEmpty)
        }
    }

    @Test(.withoutDatabase) func itIsDocumentedAndRun() throws {
        let repository = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let words = (file: "lockers.yaml", text: "OpenedLocker: A locker, and who opened it.")
        let document = try OpenAPIDocument(
            repository, comments: DocComments(),
            services: Door.services, words: [words]
        ).text
        let path = LockerEndpoints.open.path
        let operation = try #require(document.split(separator: "\n  \(path):\n").last)
        #expect(operation.hasPrefix("    post:\n      operationId: openLocker\n"))
        for part in [#""name":"station""#, #""name":"locker""#, "locker.taken", "OpenedLocker"] {
            #expect(operation.contains(part), "\(part)")
        }
        #expect(document.contains("required: [station, locker, by]"))
        let rating = try #require(
            document.split(separator: "\n  \(LockerEndpoints.rate.path):\n").last)
        #expect(
            rating.hasPrefix("    put:\n      operationId: rateLocker\n      tags: [lockers]\n"))
        for part in [#""name":"id""#, "schemas/RatingBody", "rating.engagement_unknown"] {
            #expect(rating.contains(part), "\(part)")
        }
        let files = try ComposeFiles(repository.appending(path: "compose"), services: Door.services)
        #expect(files.texts["compose.yaml"]?.contains("\n  lockers:\n    <<: *service\n") == true)
        #expect(files.texts["kafka-acls.txt"]?.contains("\nlockers  ") == true)
    }
}
