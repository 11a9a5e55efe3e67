import Client
import Contracts
import Foundation
import Support
import Testing

/// Pushes on their whole way: through the gateway, over the bus, to a push service that reads them.
@Suite(.serialized) struct PushTests {
    private struct Phone {
        let sink: TestPushSink
        let browser: PushSubscriptionBody

        /// The newest push of that kind; waits until one is there.
        func hears(
            _ kind: any Event.Type, _ title: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            var all: [PushMessage] = []
            let isThere = try await eventually {
                all = try await messages()
                return all.contains { $0.kind == kind.type && $0.title == title }
            }
            #expect(
                isThere, "\(title) is missing: \(all.map(\.title))", sourceLocation: sourceLocation)
        }

        func messages() async throws -> [PushMessage] {
            let received = try await sink.received(browser)
            #expect(received.flatMap(\.wrong) == [])
            return try received.map { try $0.push() }
        }
    }

    @Test func aCustomerAndAValetAreToldOnTheirPhones() async throws {
        let sink = try await TestPushSink.start()
        let system = try await TestPlatform.start([
            "OPENVALET_NOTIFICATIONS_PUSH_SERVICES": sink.url
        ])
        defer { system.stop() }
        let pair = try await Pair.meet(in: try await World(system))
        let key = try await system.client()(NotificationEndpoints.pushKey())
        func phone(of person: Someone) async throws -> Phone {
            let browser = try await sink.subscribe(to: key)
            let made = try await person.client(
                NotificationEndpoints.subscribeToPushes(body: browser))
            #expect(made.service == "127.0.0.1")
            #expect(
                try await person.client(NotificationEndpoints.pushSubscriptions()).items == [made])
            return Phone(sink: sink, browser: browser)
        }
        let ada = try await phone(of: pair.customer)
        let lee = try await phone(of: pair.valet)
        try await refusals(pair.customer, ada.browser)

        let order = try await pair.order()
        try await ada.hears(ValetAssigned.self, "Your valet is on the way")
        try await lee.hears(ValetAssigned.self, "New job")
        _ = try await pair.valet.client(
            OrderEndpoints.collect(order.id, body: CodeBody(code: #require(order.handoverCode))))
        try await ada.hears(VehicleCollected.self, "Your vehicle is in our hands")
        _ = try await pair.park(order.id)
        try await ada.hears(VehicleParked.self, "Your vehicle is parked")
        let recalled = try await pair.recall(order.id)
        try await ada.hears(ValetAssigned.self, "A valet is fetching your vehicle")
        _ = try await pair.handBack(recalled)
        try await ada.hears(VehicleReturned.self, "Your vehicle is back")
        _ = try await pair.customer.client.payWhenDue(order.id, PayBody(token: "pm_card_visa"))
        try await ada.hears(PaymentSucceeded.self, "Payment received")

        let messages = try await ada.messages()
        #expect(
            messages.allSatisfy {
                $0.subject?.id == order.id.description && $0.url == "/#/orders/\(order.id)"
            })
        #expect(messages.allSatisfy { !$0.body.isEmpty && !$0.body.contains("…") })
        #expect(messages.contains { $0.body.contains(order.ticket) })
        let numbers = messages.map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        try await exportAndEnd(pair.customer)
        try await measured(system)
        for secret in [ada.browser.endpoint, ada.browser.keys.auth, ada.browser.keys.p256dh] {
            #expect(!system.log.contains(secret))
        }
    }

    private func refusals(_ person: Someone, _ browser: PushSubscriptionBody) async throws {
        var wrong = browser
        wrong.endpoint = "http://169.254.169.254/latest/meta-data"
        let problem = try await refused("request.invalid") {
            try await person.client(NotificationEndpoints.subscribeToPushes(body: wrong))
        }
        #expect(problem?.field == "endpoint")
        try await refused("notification.subscription_unknown") {
            try await person.client(
                NotificationEndpoints.unsubscribeFromPushes(PushSubscriptionID.new()))
        }
    }

    /// The export names subscriptions, and signing out everywhere ends them on every phone.
    private func exportAndEnd(_ person: Someone) async throws {
        let export = try await insisting { try await person.client.exportMe() }
        #expect(String(decoding: export, as: UTF8.self).contains("pushSubscriptions"))
        try await person.client.signOutEverywhere()
        try await insisting {
            try await person.client.signIn(
                phone: person.account.phone, password: person.password)
        }
        let isEnded = try await eventually {
            try await person.client(NotificationEndpoints.pushSubscriptions()).items.isEmpty
        }
        #expect(isEnded)
    }

    private func measured(_ system: any LocalSystem) async throws {
        let metrics = try await system.metrics(of: "notifications")
        let sent = metrics.split(separator: "\n")
            .first { $0.hasPrefix("notifications_push_sent_total ") }?
            .split(separator: " ").last.flatMap { Double($0) }
        #expect(try #require(sent) >= 6)
    }
}
