import Contracts
import Foundation
import Geo
import Testing

@testable import Client

/// Every endpoint of the public API has its method; a wrong address would be found only by a journey otherwise.
@Suite struct EndpointTests {
    private static let order = OrderID.new()
    private static let person = PersonID.new()
    private static let vehicle = VehicleID.new()
    private static let method = PaymentMethodID.new()
    private static let payment = PaymentID.new()
    private static let browser = PushSubscriptionID.new()
    private static let letter = DeadLetterID.new()
    private static let alert = AlertID.new()
    private static let area = ServiceAreaID("hk-island")!
    private static let place = Place(latitude: 22.28, longitude: 114.15)
    private static let description = VehicleDescription(
        plate: "AB 1234", make: "Tesla", model: "3", colour: "red")
    private static let tariff = Tariff(
        currency: "HKD", baseFee: 1, freeMinutes: 1, incrementPrice: 1, incrementMinutes: 1,
        dailyCap: 1, extras: [:], cancellationFee: 1, cancellationGraceSeconds: 1, noShowFee: 1,
        waitingSeconds: 1)
    private static let feature = ServiceAreaFeature(
        id: area, properties: .init(id: nil, name: "", servicePoint: place, currency: "HKD"),
        geometry: .polygon([]))

    private typealias Use = @Sendable (OpenValetClient) async throws -> Void

    private static let people: [(String, Use)] = [
        (
            "POST /v1/customers",
            { client in
                try await client.signUp(
                    SignUpBody(firstName: "", lastName: "", phone: "", password: ""))
            }
        ),
        ("POST /v1/verifications", { try await $0.requestVerification(phone: "") }),
        (
            "POST /v1/verifications/confirm",
            {
                try await $0.confirmVerification(phone: "", code: "")
            }
        ),
        ("POST /v1/sessions", { try await $0.signIn(phone: "", password: "") }),
        ("POST /v1/sessions/refresh", { try await $0.refresh() }),
        ("DELETE /v1/sessions/current", { try await $0.signOut() }),
        ("POST /v1/password-resets", { try await $0.requestPasswordReset(phone: "") }),
        (
            "POST /v1/password-resets/confirm",
            { client in
                try await client.confirmPasswordReset(
                    ResetConfirmBody(phone: "", code: "", newPassword: ""))
            }
        ),
        (
            "POST /v1/me/password",
            { client in
                try await client.changePassword(
                    PasswordChangeBody(currentPassword: "", newPassword: ""))
            }
        ),
        ("GET /v1/me/sessions", { _ = try await $0.sessions() }),
        ("DELETE /v1/me/sessions", { try await $0.signOutEverywhere() }),
        (
            "DELETE /v1/me/sessions/\(person)",
            { try await $0.endSession(person.as(SessionID.self)) }
        ),
        ("PUT /v1/me/photo", { try await $0.setPhoto(Data()) }),
        ("DELETE /v1/me/photo", { try await $0.removePhoto() }),
        (
            "GET /v1/pictures/people/\(person)?expires=1",
            { _ = try await $0.picture("/v1/pictures/people/\(person)?expires=1") }
        ),
        ("GET /v1/me/export", { _ = try await $0.exportMe() }),
        ("POST /v1/me/deletion", { try await $0.deleteMe(password: "") }),
        ("GET /v1/me", { _ = try await $0.me() }),
        ("PATCH /v1/me", { try await $0.updateMe(ProfileChange()) }),
        ("GET /v1/me/vehicles", { _ = try await $0.vehicles() }),
        ("POST /v1/me/vehicles", { _ = try await $0.addVehicle(description) }),
        (
            "PATCH /v1/me/vehicles/\(vehicle)",
            {
                try await $0.changeVehicle(vehicle, VehicleChange())
            }
        ),
        ("DELETE /v1/me/vehicles/\(vehicle)", { try await $0.removeVehicle(vehicle) }),
        ("GET /v1/me/blocks", { _ = try await $0.blocks() }),
        ("PUT /v1/me/blocks/\(person)", { try await $0.block(person) }),
        ("DELETE /v1/me/blocks/\(person)", { try await $0.unblock(person) }),
        (
            "POST /v1/reports",
            { try await $0.report(ReportBody(person: person, reason: .spam)) }
        ),
        ("PUT /v1/orders/\(order)/rating", { try await $0.rate(order, RatingBody(stars: 5)) }),
        (
            "PUT /v1/engagements/\(order)/rating",
            { try await $0.rate(order.as(EngagementID.self), RatingBody(stars: 5)) }
        ),
        ("GET /v1/users/\(person)/rating", { _ = try await $0.rating(of: person) }),
        ("GET /v1/users/\(person)/comments", { _ = try await $0.comments(of: person) }),
        ("GET /v1/notifications", { _ = try await $0.notifications() }),
        (
            "PUT /v1/me/location",
            { client in
                try await client.sendLocation(PositionBody(latitude: 0, longitude: 0))
            }
        ),
        ("POST /v1/me/locations", { try await $0.sendLocations([]) }),
        ("PUT /v1/me/availability", { try await $0.setAvailability(.available) }),
        (
            "GET /v1/valets/nearby?latitude=22.28&longitude=114.15&radiusMeters=500",
            { client in
                _ = try await client.nearbyValets(around: place.coordinate, radiusMeters: 500)
            }
        ),
        ("GET /v1/push-key", { _ = try await $0.pushKey() }),
        ("GET /v1/me/push-subscriptions", { _ = try await $0.pushSubscriptions() }),
        (
            "POST /v1/me/push-subscriptions",
            { client in
                try await client.subscribeToPushes(
                    PushSubscriptionBody(endpoint: "", keys: .init(p256dh: "", auth: "")))
            }
        ),
        (
            "DELETE /v1/me/push-subscriptions/\(browser)",
            { try await $0.unsubscribeFromPushes(browser) }
        ),
        (
            "GET /v1/places?latitude=22.28&limit=5&longitude=114.15&query=Star%20Ferry",
            { client in
                _ = try await client.places(
                    "Star Ferry", near: place.coordinate, limit: 5, in: .traditionalChinese)
            }
        ),
        ("GET /v1/places?query=Pier", { _ = try await $0.places("Pier") }),
        (
            "GET /v1/places/reverse?latitude=22.28&longitude=114.15",
            { _ = try await $0.place(at: place.coordinate) }
        ),
        ("GET /v1/me/payment-methods", { _ = try await $0.paymentMethods() }),
        ("POST /v1/me/payment-methods", { _ = try await $0.addPaymentMethod(token: "") }),
        ("DELETE /v1/me/payment-methods/\(method)", { try await $0.removePaymentMethod(method) }),
        ("POST /v1/orders/\(order)/pay", { try await $0.pay(order, PayBody()) }),
        ("GET /v1/payments", { _ = try await $0.payments() }),
        ("GET /v1/me/earnings", { _ = try await $0.earnings() }),
        ("GET /v1/payment-provider", { _ = try await $0.paymentProvider() }),
        ("GET /v1/orders/\(order)/receipt", { _ = try await $0.receipt(order) }),
        (
            "GET /v1/orders/\(order)/receipt?language=zh-Hant",
            { _ = try await $0.receiptPage(order, in: .traditionalChinese) }
        ),
    ]

    private static let orders: [(String, Use)] = [
        ("GET /v1/service-areas", { _ = try await $0.serviceAreas() }),
        ("POST /v1/orders", { _ = try await $0.placeOrder(PlaceOrderBody(dropOff: place)) }),
        ("GET /v1/orders/current", { _ = try await $0.currentOrder() }),
        ("GET /v1/orders", { _ = try await $0.orders() }),
        ("GET /v1/orders/\(order)", { _ = try await $0.order(order) }),
        ("POST /v1/orders/\(order)/cancel", { try await $0.cancel(order) }),
        ("POST /v1/orders/\(order)/cancel-recall", { try await $0.cancelRecall(order) }),
        ("POST /v1/orders/\(order)/customer-absent", { try await $0.customerAbsent(order) }),
        ("POST /v1/orders/\(order)/withdraw", { try await $0.withdraw(order) }),
        ("POST /v1/orders/\(order)/collect", { try await $0.collect(order, code: "") }),
        (
            "POST /v1/orders/\(order)/park",
            { client in
                let place = ParkedAt(latitude: 0, longitude: 0)
                try await client.park(order, ParkBody(at: place, vehicle: description))
            }
        ),
        ("POST /v1/orders/\(order)/recall", { try await $0.recall(order, to: place) }),
        ("POST /v1/orders/\(order)/retrieve", { try await $0.retrieve(order) }),
        ("POST /v1/orders/\(order)/hand-back", { try await $0.handBack(order, code: "") }),
        ("GET /v1/orders/\(order)/quote", { _ = try await $0.quote(order) }),
        ("GET /v1/orders/\(order)/custody", { _ = try await $0.custody(order) }),
        ("GET /v1/orders/\(order)/track", { _ = try await $0.track(order) }),
        ("GET /v1/orders/\(order)/route", { _ = try await $0.route(order) }),
        (
            "GET /v1/engagements/\(order)/track",
            { _ = try await $0.track(order.as(EngagementID.self)) }
        ),
        (
            "GET /v1/engagements/\(order)/route",
            { _ = try await $0.route(order.as(EngagementID.self)) }
        ),
        ("GET /v1/orders/\(order)/matching", { _ = try await $0.matching(order) }),
    ]

    private static let plates: [(String, Use)] = [
        (
            "POST /v1/plates/recognitions?orderId=\(order)",
            { _ = try await $0.recognise(Data(), of: order) }
        ),
        (
            "POST /v1/orders/\(order)/photos?latitude=22.28&longitude=114.15&moment=handOver",
            { _ = try await $0.takePhoto(Data(), of: order, .handOver, at: place) }
        ),
        ("GET /v1/orders/\(order)/photos", { _ = try await $0.photos(of: order) }),
        (
            "GET /v1/pictures/vehicles/\(order)?expires=1",
            { _ = try await $0.picture("/v1/pictures/vehicles/\(order)?expires=1") }
        ),
    ]

    private static let dispatch: [(String, Use)] = [
        ("GET /v1/me/offers", { _ = try await $0.offers() }),
        (
            "POST /v1/orders/\(order)/offer-delivered",
            { try await $0.confirmOfferDelivery(order) }
        ),
        ("POST /v1/orders/\(order)/accept", { try await $0.acceptOffer(order) }),
        ("POST /v1/orders/\(order)/decline", { try await $0.declineOffer(order) }),
        ("GET /v1/tasks?status=open", { _ = try await $0.tasks(status: .open) }),
        ("POST /v1/orders/\(order)/take-task", { try await $0.takeTask(.wash, of: order) }),
        ("POST /v1/orders/\(order)/release-task", { try await $0.releaseTask(.wash, of: order) }),
        ("POST /v1/orders/\(order)/complete-task", { try await $0.completeTask(.wash, of: order) }),
        ("GET /v1/me/shifts", { _ = try await $0.shifts() }),
        (
            "GET /v1/admin/shifts?valet=\(person)",
            { _ = try await $0.shifts(of: person.as(ValetID.self)) }
        ),
    ]

    private static let operators: [(String, Use)] = [
        ("GET /v1/admin/ledger/trial-balance", { _ = try await $0.trialBalance() }),
        (
            "GET /v1/admin/ledger/entries?billId=\(order)",
            { _ = try await $0.ledgerEntries(of: order) }
        ),
        ("POST /v1/admin/reconciliations", { try await $0.reconcile(day: "2026-11-21") }),
        ("GET /v1/admin/reconciliations", { _ = try await $0.reconciliations() }),
        ("GET /v1/admin/statistics/orders", { _ = try await $0.orderStatistics() }),
        ("GET /v1/admin/statistics/revenue", { _ = try await $0.revenueStatistics() }),
        (
            "POST /v1/admin/valets",
            { client in
                try await client.addValet(
                    NewValetBody(firstName: "", lastName: "", phone: "", password: ""))
            }
        ),
        ("GET /v1/admin/valets", { _ = try await $0.valets() }),
        (
            "PUT /v1/admin/valets/\(person)", { _ = try await $0.grantValet(person) }
        ),
        (
            "PATCH /v1/admin/valets/\(person)",
            { client in
                try await client.changeValet(person.as(ValetID.self), ValetChange(suspended: true))
            }
        ),
        ("GET /v1/admin/reports?status=open", { _ = try await $0.reports(status: .open) }),
        (
            "POST /v1/admin/reports/\(person)/close",
            { client in
                try await client.closeReport(
                    person.as(ReportID.self), ReportDecision(outcome: .dismissed))
            }
        ),
        ("GET /v1/admin/orders?status=parked", { _ = try await $0.allOrders(status: .parked) }),
        (
            "POST /v1/admin/orders/\(order)/override",
            { client in
                try await client.override(order, OverrideBody(status: .parked, reason: ""))
            }
        ),
        ("GET /v1/admin/service-areas/hk-island", { _ = try await $0.serviceArea(area) }),
        ("PUT /v1/admin/service-areas/hk-island", { try await $0.putServiceArea(area, feature) }),
        ("PUT /v1/admin/service-areas/hk-island/tariff", { try await $0.putTariff(area, tariff) }),
        (
            "POST /v1/admin/payments/\(payment)/refunds",
            { client in
                try await client.refund(payment, RefundBody(reason: ""))
            }
        ),
        (
            "GET /v1/admin/audit?action=orders.override&subject=\(order)",
            { client in
                _ = try await client.audit(action: "orders.override", subject: order.description)
            }
        ),
        ("GET /v1/admin/messages", { _ = try await $0.messages() }),
        (
            "GET /v1/admin/orders/\(order)/custody/verification",
            { _ = try await $0.verifyCustody(order) }
        ),
        ("GET /v1/admin/alerts", { _ = try await $0.alerts() }),
        ("POST /v1/admin/alerts/\(alert)/acknowledge", { try await $0.acknowledgeAlert(alert) }),
        ("GET /v1/admin/dead-letters", { _ = try await $0.deadLetters() }),
        ("POST /v1/admin/dead-letters/\(letter)/retry", { try await $0.retryDeadLetter(letter) }),
    ]

    @Test func everyMethodAsksItsEndpoint() async throws {
        let gateway = PretendGateway(.problem(418, "teapot"))
        let uses = Self.people + Self.orders + Self.plates + Self.dispatch + Self.operators
        try await gateway.serve { client in
            for (address, use) in uses {
                await #expect("\(address)") {
                    try await use(client)
                } throws: {
                    ($0 as? ClientError)?.code == "teapot"
                }
            }
        }
        #expect(gateway.asked.map { "\($0.method) \($0.target)" } == uses.map(\.0))
    }

    @Test func aPathHasAsManyIDsAsItsEndpointNamesEachEscaped() throws {
        let photo = Endpoint<Void, Void>(
            .get, "/v1/orders/{id}/photos/{photo}", id: "photo", "A photo", answer: "It.")
        #expect(
            try photo.untyped.path(with: ["{photo}", "a/b c"])
                == "/v1/orders/%7Bphoto%7D/photos/a%2Fb%20c")
        #expect(throws: WrongNumberOfIDs.self) { try photo.untyped.path(with: ["1"]) }
        #expect(throws: WrongNumberOfIDs.self) { try AccountEndpoints.me(OrderID.new()) }
    }

    @Test func whatAnotherServiceAnswersIsCalledByTheProductsAddress() throws {
        let rate = RatingEndpoints.rateEngagement.at(
            "/v1/lockers/{id}/rating", id: "rateLocker", "Rate whose locker it was")
        let call = try rate(Self.order, body: RatingBody(stars: 5))
        #expect(call.request.path == "/v1/lockers/\(Self.order)/rating")
        #expect(call.request.method == .put)
    }

    @Test func onlyAPostWithoutAKeyIsNotSentTwice() throws {
        let phone = ContactBody(phone: "+85251234567")
        #expect(try AccountEndpoints.requestCode(body: phone).request.retry == .whenRefused)
        #expect(try AccountEndpoints.me().request.retry == .always)
        let place = PlaceOrderBody(dropOff: Place(latitude: 22, longitude: 114))
        #expect(try OrderEndpoints.placeOrder(body: place).request.retry == .always)
    }

    @Test func aBodyInACurrencyIsReadAsItIsWritten() throws {
        let json = try Wire.encode(InCurrency(PayBody(tip: 100), currency: "HKD"))
        #expect(String(decoding: json, as: UTF8.self) == #"{"currency":"HKD","tip":100}"#)
        #expect(try Wire.decode(InCurrency<PayBody>.self, from: json).currency == "HKD")
    }

    @Test func whatCreatesOrPaysCarriesAKeyOfItsOwn() async throws {
        let gateway = PretendGateway(.problem(418, "teapot"))
        try await gateway.serve { client in
            for (_, use) in Self.orders + Self.dispatch + Self.operators {
                try? await use(client)
            }
            _ = try? await client.pay(Self.order, PayBody())
            _ = try? await client.pay(Self.order, PayBody(), key: RequestKey("mine"))
        }
        let posts = gateway.asked.filter { $0.method == "POST" }
        let keys = posts.compactMap { $0.headers["idempotency-key"] }
        #expect(keys.count == posts.count)
        #expect(Set(keys).count == posts.count)
        #expect(keys.last == "mine")
        let others = gateway.asked.filter { $0.method != "POST" }
        #expect(others.allSatisfy { $0.headers["idempotency-key"] == nil })
    }
}
