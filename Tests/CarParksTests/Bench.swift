import Answers
import Blobs
import Contracts
import EventBus
import Foundation
import Geo
import Hummingbird
import HummingbirdTesting
import ProductKit
import Routing
import ServiceKit
import Store
import Support
import Testing

@testable import CarParks
@testable import Payments

/// Car parks as they run, with real payments at the other end of real HTTP, and a clock that stands still.
struct Bench: ServiceBench, Calling {
    static let service = "carparks"

    let clock: TestClock
    let parts: CarParkParts
    let payments: PaymentUseCases
    let faults: Faults
    let client: any TestClientProtocol

    var database: Database { parts.bookings.database }
    var reactions: Reactions { carParkReactions(parts.bookings, parts.valets) }

    /// Both services ask each other: each is served before the other is known.
    static func run<Value: Sendable>(
        limits: BookingLimits = BookingLimits(), roads: Roads = Roads(nil, attribution: nil),
        plates: URL? = nil, accounts: URL? = nil, _ body: @Sendable (Bench) async throws -> Value
    ) async throws -> Value {
        let (clock, faults) = (TestClock(), Faults())
        let pictures = try TestFolder("carparks")
        let router = LateRouter()
        return try await withServer(router.responder) { ours in
            let house = try ServiceEnvironment.test("payments", clock: clock)
            let usual = try paymentUseCases(
                house,
                PaymentsConfig(
                    stripe: nil, billers: [.init(service: "carparks", url: try url(ours))]))
            let payments = PaymentUseCases(
                database: usual.database, provider: usual.provider, clock: house.clock,
                logger: house.logger, patience: .init(bill: .zero, settled: .zero),
                billers: usual.billers)
            let pay = faults.around(try paymentRouter(payments, house).buildResponder())
            return try await withServer(pay) { theirs in
                let environment = try ServiceEnvironment.test("carparks", clock: clock)
                let parts = try CarParkParts(
                    environment, limits, ticketKeys: try await SigningKeys(current: .init()),
                    payments: environment.peer(
                        try url(theirs), audience: "payments", within: Cashier.patience),
                    // A busy machine is slow.
                    vehicles: Owners(
                        accounts.map {
                            [environment.peer($0, audience: "accounts", within: patience)]
                        } ?? []),
                    recognitions: Owners(
                        plates.map {
                            [environment.peer($0, audience: "plates", within: patience)]
                        } ?? []),
                    blobs: try FolderBlobs(pictures.path), roads: roads)
                router.set(parts.router().buildResponder())
                let application = Application(router: parts.router())
                return try await application.test(.router) { client in
                    try await body(
                        Bench(
                            clock: clock, parts: parts, payments: payments, faults: faults,
                            client: client))
                }
            }
        }
    }

    private static func url(_ port: Int) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(port)"))
    }

    /// A receipt names the car park, and its country and clock.
    func expectPlace(of bill: Bill, _ carPark: CarPark) {
        let site = Bill.Site(.carPark, id: carPark.id.description, name: carPark.name)
        #expect(bill.facts.site == site)
        #expect(bill.facts.place == carPark.name)
        #expect(bill.facts.timeZone == "Europe/Malta")
        #expect(bill.facts.country == "MT")
    }

    // MARK: The bus

    /// Carries what both have published to each other.
    func carryEvents() async throws {
        for event in try await published(BillChanged.self) {
            try await paymentReactions(payments).receive(event, .of(event, at: clock.now))
        }
        // Refunds are due work.
        await PaymentWork.queue(payments).round()
        for event in try await outboxEvents(of: PaymentSucceeded.self, in: payments.database) {
            try await hear(event)
        }
    }

    /// What somebody was told in English: by car parks, and then by payments of what bills cost.
    func notices(to person: TestPerson) async throws -> [String] {
        var notices = try await published(NoticeIssued.self).map(\.notice)
        for event in try await published(BillNoticeIssued.self) {
            notices.append(event.notice.naming(try await payments.charge(of: event.bill).charge))
        }
        return notices.flatMap(\.messages).filter { $0.to == .person(person.id) }
            .compactMap { $0.text?[.english] }
    }

    /// Whether Alice was told something.
    func isTold(_ text: String) async throws -> Bool {
        try await notices(to: .alice).contains { $0.contains(text) }
    }

    /// The bills whose payers payments has asked to confirm them.
    func asked() async throws -> [BillID] {
        try await outboxEvents(of: PaymentActionRequired.self, in: payments.database)
            .map(\.payment.bill)
    }

    /// The people whom stays keep from deleting their account, as last published.
    func bonds() async throws -> [PersonID] {
        let told = try await published(EngagementChanged.self)
        let newest = told.reduce(into: [:]) { $0[$1.engagement.id] = $1.engagement }
        return newest.values.filter { $0.state == .open }.flatMap(\.participants).map(\.person)
    }

    func binding() async throws -> EngagementID? { try await binding(of: .alice) }

    /// What is due by the clock.
    func work() async { await parts.work.round() }

    /// What an export says of Alice.
    func held() async throws -> HeldBookings {
        try await parts.bookings.held(
            on: TestPerson.alice.id, parts.environment.signedAddresses)
    }

    /// What payments' operator gave back of the newest payment, told as often as the bus may.
    func giveBack(_ amount: Int) async throws {
        let payment = try #require(
            try await outboxEvents(of: PaymentSucceeded.self, in: payments.database).last)
        _ = try await payments.refund(
            payment.payment.id, RefundBody(amount: amount, reason: "sorry"),
            by: TestPerson.olivia.id, key: nil)
        for _ in 1...2 { try await hearOfRefunds() }
    }

    /// The payers' banks did not take any of the refunds.
    func hearOfFailedRefunds() async throws {
        for event in try await outboxEvents(of: PaymentRefunded.self, in: payments.database) {
            try await hear(
                RefundFailed(
                    refund: event.refund, product: event.product, payer: event.payer,
                    reason: "expired_or_canceled_card"))
        }
    }

    func hearOfRefunds() async throws {
        for event in try await outboxEvents(of: PaymentRefunded.self, in: payments.database) {
            try await hear(event)
        }
    }

    func report(on carPark: CarParkID, from: Date, until: Date) async throws -> CarParkReport {
        try await call(
            .get,
            "/v1/admin/car-parks/\(carPark)/report?from=\(Wire.text(from))&until=\(Wire.text(until))",
            as: .olivia
        ).expect(200, CarParkReport.self)
    }

    /// In minor units: what was taken of a person, less what went back.
    func balance(of person: TestPerson = .alice) async throws -> Int {
        let page = PageRequest(limit: 200)
        let entries = try await payments.entries(of: person.id, bill: nil, page).items
        return entries.reduce(0) { sum, entry in
            let charged = entry.payment.map { $0.status == .succeeded ? $0.amount.amount : 0 } ?? 0
            return sum + charged - (entry.refund?.amount.amount ?? 0)
        }
    }

    /// Alice pays on her own way to payments, of which no word comes here yet.
    func payElsewhere(_ booking: BookingID) async throws {
        _ = try await payments.pay(
            booking.as(BillID.self),
            with: PaymentDraft(source: .token(try PaymentToken("pm_card_visa"))),
            by: TestPerson.alice.id, key: nil)
    }

    /// A card of Alice's that payments keeps.
    func savedMethod(_ token: String = "pm_card_visa") async throws -> PaymentMethodID {
        try await payments.saveMethod(PaymentToken(token), of: TestPerson.alice.id, key: nil)
            .id
    }

    // MARK: What there is

    /// A car park in Valletta: fifty spaces, of which so many may be booked.
    @discardableResult
    func carPark(
        bookable: Int = 40, at point: Coordinate = .valletta,
        _ change: (inout CarParkBody) -> Void = { _ in }
    ) async throws -> CarPark {
        var body = CarParkBody(
            name: "City Gate", address: "Triq Nofs in-Nhar, Valletta", position: point,
            timeZone: "Europe/Malta", currency: "EUR",
            capacity: SpaceCounts([.general: 50, .disabled: 2]),
            bookable: SpaceCounts([.general: bookable]))
        body.terms = "Park within the lines."
        change(&body)
        return try await call(.post, "/v1/admin/car-parks", body, as: .olivia)
            .expect(201, CarPark.self)
    }

    @discardableResult
    func product(
        of carPark: CarPark, _ kind: ParkingProduct.Unit = .hourly, price: Int = 200,
        _ change: (inout ParkingProductBody) -> Void = { _ in }
    ) async throws -> ParkingProduct {
        var body = ParkingProductBody(name: "\(kind)", kind: kind, price: price)
        change(&body)
        return try await call(
            .post, "/v1/admin/car-parks/\(carPark.id)/products", body, as: .olivia
        ).expect(201, ParkingProduct.self)
    }

    /// A vehicle that accounts has told of, and a gate's code has proven unless somebody else's is.
    func vehicle(
        of person: TestPerson = .alice, plate: String = "ABC 123", isProven: Bool = true
    ) async throws -> VehicleID {
        let vehicle = Vehicle(
            id: .new(at: clock.now), plate: plate, make: "Fiat", model: "Panda", colour: "red")
        try await hear(
            VehicleChanged(
                owner: person.customer, vehicle: vehicle, removed: false, version: 1))
        guard isProven else { return vehicle.id }
        let now = clock.now
        try await database.write {
            _ = try $0.plates.prove(plate, for: person.id, by: .gate, at: now)
        }
        return vehicle.id
    }

    /// Shares a vehicle that is proven to be Alice's.
    func share(_ vehicle: VehicleID, plate: String, with person: TestPerson) async throws {
        let invitation = try await call(
            .post, "/v1/me/plate-proofs/\(vehicle)/invitations", as: .alice
        ).expect(201, PlateInvitation.self)
        let answer = try await call(
            .post, "/v1/me/plate-proofs", PlateCodeBody(plate: plate, code: invitation.code),
            as: person
        ).expect(200, PlateCodeAnswer.self)
        #expect(answer.isProven)
    }

    /// An offer with what it takes to book it.
    struct Offer: Sendable {
        let carPark: CarPark
        let product: ParkingProduct
    }

    func offer(
        bookable: Int = 40, _ kind: ParkingProduct.Unit = .hourly, price: Int = 200
    ) async throws -> Offer {
        let carPark = try await carPark(bookable: bookable)
        return Offer(carPark: carPark, product: try await product(of: carPark, kind, price: price))
    }

    /// In seven days unless said otherwise.
    func body(
        _ offer: Offer, _ vehicles: [VehicleID], startsIn seconds: TimeInterval = 7 * 86_400,
        quantity: Int = 2
    ) -> BookingBody {
        BookingBody(
            carParkId: offer.carPark.id, productId: offer.product.id,
            start: clock.now.addingTimeInterval(seconds), quantity: quantity,
            vehicleIds: vehicles, termsVersion: offer.carPark.terms.version)
    }

    func book(_ body: BookingBody, as person: TestPerson = .alice) async throws -> Answer {
        try await call(.post, "/v1/bookings", body, as: person)
    }

    func pay(
        _ id: BookingID, _ token: String = "pm_card_visa", as person: TestPerson = .alice,
        key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/bookings/\(id)/pay", PayBody(token: token), as: person, key: key)
    }

    /// Booked and paid by Alice.
    func confirmed(
        _ offer: Offer, startsIn seconds: TimeInterval = 7 * 86_400, quantity: Int = 2,
        plate: String = "ABC 123", isProven: Bool = true
    ) async throws -> Booking {
        let vehicle = try await vehicle(plate: plate, isProven: isProven)
        let body = body(offer, [vehicle], startsIn: seconds, quantity: quantity)
        let booking = try await book(body).expect(201, Booking.self)
        return try await pay(booking.id).expect(200, BookingPayment.self).booking
    }

    func booking(_ id: BookingID, as person: TestPerson = .alice) async throws -> Booking {
        try await call(.get, "/v1/bookings/\(id)", as: person).expect(200, Booking.self)
    }

    func gate(of carPark: CarPark) async throws -> NewGate {
        try await call(
            .post, "/v1/admin/gates", GateBody(carParkId: carPark.id, name: "North"), as: .olivia
        ).expect(201, NewGate.self)
    }

    func pass(
        _ gate: NewGate, _ direction: PassageDirection, _ plate: String?, ticket: String? = nil,
        ago: TimeInterval = 0, clockOff: TimeInterval? = nil
    ) async throws -> PassageAnswer {
        var body = PassageBody(
            direction, plate: plate, ticket: ticket,
            at: clock.now.addingTimeInterval((clockOff ?? 0) - ago))
        body.sentAt = clockOff.map(clock.now.addingTimeInterval)
        return try await call(
            .post, "/v1/gates/\(gate.id)/passages", body, headers: [.gateToken: gate.token]
        ).expect(200, PassageAnswer.self)
    }
}

extension Coordinate {
    static let valletta = Coordinate(latitude: 35.8965, longitude: 14.5101)
}
