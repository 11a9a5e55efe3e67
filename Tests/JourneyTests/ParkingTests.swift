import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// Car parks through the gateway: found, booked, paid, changed, driven into; with the services dying in between.
@Suite(.serialized) struct ParkingTests {
    /// A car park far from all others, with an hourly product and a gate.
    private struct Place: Sendable {
        let carPark: CarPark
        let hour: ParkingProduct
        let gate: NewGate

        static func opened(
            by boss: OpenValetClient, at point: Coordinate, overstayFee: Int = 0
        ) async throws -> Place {
            var body = CarParkBody(
                name: "City Gate", address: "Valletta", position: point,
                timeZone: "Europe/Malta", currency: "EUR",
                capacity: SpaceCounts([.general: 10]), bookable: SpaceCounts([.general: 5]))
            body.terms = "Park within the lines."
            body.overstayFee = overstayFee
            let carPark = try await boss(CarParkEndpoints.addCarPark(body: body))
            let product = ParkingProductBody(name: "Hour", kind: .hourly, price: 250)
            return Place(
                carPark: carPark,
                hour: try await boss(CarParkEndpoints.addProduct(carPark.id, body: product)),
                gate: try await boss(
                    CarParkEndpoints.addGate(body: GateBody(carParkId: carPark.id, name: "North"))))
        }

        func booking(
            _ vehicle: VehicleID, in hours: Double, quantity: Int = 2
        ) -> BookingBody {
            BookingBody(
                carParkId: carPark.id, productId: hour.id,
                start: Date(timeIntervalSinceNow: hours * 3_600), quantity: quantity,
                vehicleIds: [vehicle], termsVersion: carPark.terms.version)
        }
    }

    @Test func aSpaceIsFoundBookedPaidChangedAndGivenUp() async throws {
        let world = try await City.shared.world()
        let point = Coordinate(latitude: 35.8965, longitude: 14.5101)
        let place = try await Place.opened(by: world.boss, at: point)
        let ada = try await Someone.customer(of: world.door)
        let vehicle = try await ada.client(AccountEndpoints.addVehicle(body: Someone.car))
        let start = Date(timeIntervalSinceNow: 72 * 3_600)
        let found = try await ada.client(
            CarParkEndpoints.carParks(
                asks: FindCarParksQuery(near: point).with(\.from, start).with(
                    \.until, start.addingTimeInterval(7_200))))
        let shown = try #require(found.items.first { $0.id == place.carPark.id })
        #expect(shown.price == Money(amount: 500, currency: "EUR"))
        #expect(shown.bookableSpaces == 5)

        // The vehicle is hardly known to accounts: nobody is refused for news that is late.
        let held = try await ada.client(
            CarParkEndpoints.book(body: place.booking(vehicle.id, in: 72)))
        try await refused("payment.declined") {
            try await ada.client(
                CarParkEndpoints.payBooking(
                    held.id, body: PayBody(token: "pm_card_visa_chargeDeclined")))
        }
        let paid = try await ada.client(
            CarParkEndpoints.payBooking(held.id, body: PayBody(token: "pm_card_visa")))
        #expect(paid.booking.status == .confirmed)
        let told = try await ada.feed(has: BookingChanged.type).first {
            $0.title == "You’re booked"
        }
        #expect(told?.text?.contains(held.reference) == true)

        var change = BookingChange()
        change.quantity = 4
        change.token = "pm_card_visa"
        let longer = try await ada.client(CarParkEndpoints.changeBooking(held.id, body: change))
        #expect(longer.paid == Money(amount: 1_000, currency: "EUR"))
        change.quantity = 3
        let shorter = try await ada.client(CarParkEndpoints.changeBooking(held.id, body: change))
        #expect(shorter.paid == Money(amount: 750, currency: "EUR"))
        let cancelled = try await ada.client(CarParkEndpoints.cancelBooking(held.id))
        #expect(cancelled.refund == Money(amount: 750, currency: "EUR"))
        let isBack = try await eventually { try await balance(of: ada) == 0 }
        #expect(isBack)
        #expect(
            try await world.boss(PaymentEndpoints.trialBalance()).lines.reduce(0) {
                $0 + $1.balance
            } == 0)
    }

    @Test func whoHasBookedDrivesInByPlate() async throws {
        let world = try await City.shared.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 36.8, longitude: 15.5))
        let ada = try await Someone.customer(of: world.door)
        let plate = "P \(Int.random(in: 100_000...999_999))"
        let vehicle = try await ada.client(
            AccountEndpoints.addVehicle(
                body: VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red"))
        )
        let held = try await ada.client(
            CarParkEndpoints.book(body: place.booking(vehicle.id, in: 0)))
        try await ada.client(
            CarParkEndpoints.payBooking(held.id, body: PayBody(token: "pm_card_visa")))
        let client = world.door.client()
        let entry = try await client.pass(
            place.gate, PassageBody(.in, plate: plate.lowercased(), at: Date()))
        #expect(entry.open)
        #expect(entry.booking == held.id)
        #expect(try await ada.client(CarParkEndpoints.booking(held.id)).status == .active)
        let longer = try await ada.client(
            CarParkEndpoints.extendBooking(
                held.id,
                body: ExtendBody(until: held.end.addingTimeInterval(60), token: "pm_card_visa")))
        #expect(longer.end == held.end.addingTimeInterval(3_600))
        let ticket = try await ada.client(CarParkEndpoints.ticket(held.id, asks: LanguageQuery()))
        #expect(ticket.end == longer.end)
        let exit = try await client.pass(
            place.gate, PassageBody(.out, ticket: ticket.code, at: Date()))
        #expect(exit.open)
        #expect(try await ada.client(CarParkEndpoints.booking(held.id)).status == .completed)
        #expect(
            try await ada.client(CarParkEndpoints.parkingSessions()).items.map(\.booking) == [
                held.id
            ])
        try await refused("gate.token_invalid") {
            let forged = NewGate(id: place.gate.id, token: "forged")
            _ = try await client.pass(forged, PassageBody(.in, plate: plate, at: Date()))
        }
    }

    @Test func whoStaysTooLongPaysItAfterwards() async throws {
        let platform = try await TestPlatform.start()
        defer { platform.stop() }
        let world = try await World(platform)
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 39.4, longitude: 17.9), overstayFee: 1_000)
        let ada = try await Someone.customer(of: world.door)
        let plate = "O \(Int.random(in: 100_000...999_999))"
        let vehicle = try await ada.client(
            AccountEndpoints.addVehicle(
                body: VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red"))
        )
        let held = try await ada.client(
            CarParkEndpoints.book(body: place.booking(vehicle.id, in: 0, quantity: 1)))
        _ = try await ada.client(
            CarParkEndpoints.payBooking(held.id, body: PayBody(token: "pm_card_visa")))
        let client = world.door.client()
        platform.clock.advance(by: 300)
        let entry = try await client.pass(
            place.gate, PassageBody(.in, plate: plate, at: platform.now))
        #expect(entry.booking == held.id)
        platform.clock.advance(by: 8_700)
        let exit = try await client.pass(
            place.gate, PassageBody(.out, plate: plate, at: platform.now))
        #expect(exit.open)
        #expect(exit.reason == .billed)
        // An hour and a half beyond the end are two started hours, and the fee.
        let due = Money(amount: 1_500, currency: "EUR")
        #expect(exit.due == due)
        #expect(try await ada.client(CarParkEndpoints.booking(held.id)).status == .completed)
        let stay = try #require(
            try await ada.client(CarParkEndpoints.parkingSessions()).items.first)
        #expect(stay.due == due)
        let isTold = try await eventually {
            try await ada.client(NotificationEndpoints.notifications()).items.contains {
                $0.title == "You stayed longer than booked"
            }
        }
        #expect(isTold)
        try await refused("payment.declined") {
            try await ada.client(
                CarParkEndpoints.payParkingSession(
                    stay.id, body: PayBody(token: "pm_card_visa_chargeDeclined"))
            )
        }
        let payment = try await ada.client(
            CarParkEndpoints.payParkingSession(stay.id, body: PayBody(token: "pm_card_visa"))
        ).payment
        #expect(payment.amount == due)
        #expect(try await balance(of: ada) == 250 + 1_500)
        try await refused("parking_session.nothing_due") {
            try await ada.client(
                CarParkEndpoints.payParkingSession(stay.id, body: PayBody(token: "pm_card_visa"))
            )
        }
        #expect(
            try await world.boss(PaymentEndpoints.trialBalance()).lines.reduce(0) {
                $0 + $1.balance
            } == 0)
    }

    @Test func aFineIsAppealedAgainstUpheldPaidAndCancelled() async throws {
        let world = try await City.shared.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 37.2, longitude: 15.9))
        let ada = try await Someone.customer(of: world.door)
        let plate = "F \(Int.random(in: 100_000...999_999))"
        let issued = try await world.boss(
            FineEndpoints.issueFine(
                body: FineBody(
                    plate: plate, carParkId: place.carPark.id, amount: 4_000, reason: "No ticket."))
        )
        #expect(try await ada.client(FineEndpoints.myFines()).items.isEmpty)
        // The vehicle is added later, and an operator has seen its papers.
        let vehicle = try await ada.client(
            AccountEndpoints.addVehicle(
                body: VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red"))
        )
        try await world.boss(PlateProofEndpoints.provePlate(vehicle.id))
        let isSeen = try await eventually {
            try await ada.client(FineEndpoints.myFines()).items.map(\.id) == [issued.id]
        }
        #expect(isSeen)
        _ = try await ada.feed(has: FineChanged.type)
        let appealed = try await ada.client(
            FineEndpoints.appealFine(issued.id, body: AppealBody(text: "The machine was broken.")))
        #expect(appealed.status == .appealed)
        try await refused("fine.not_possible") {
            try await ada.client(
                FineEndpoints.payFine(issued.id, body: PayBody(token: "pm_card_visa")))
        }
        let upheld = try await world.boss(
            FineEndpoints.decideFine(
                issued.id, body: FineDecisionBody(.upheld, text: "It was not.")))
        #expect(upheld.status == .upheld)
        let paid = try await ada.client(
            FineEndpoints.payFine(issued.id, body: PayBody(token: "pm_card_visa")))
        #expect(paid.fine.status == .paid)
        #expect(try await balance(of: ada) == 4_000)
        let cancelled = try await world.boss(
            FineEndpoints.decideFine(
                issued.id, body: FineDecisionBody(.cancelled, text: "It was, after all.")))
        #expect(cancelled.status == .cancelled)
        let isBack = try await eventually { try await balance(of: ada) == 0 }
        #expect(isBack)
    }

    @Test func pointsAreEarnedAndRedeemed() async throws {
        let world = try await City.shared.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 37.9, longitude: 16.3))
        let ada = try await Someone.customer(of: world.door)
        let vehicle = try await ada.client(AccountEndpoints.addVehicle(body: Someone.car))
        let first = try await ada.client(
            CarParkEndpoints.book(body: place.booking(vehicle.id, in: 48, quantity: 4)))
        try await ada.client(
            CarParkEndpoints.payBooking(first.id, body: PayBody(token: "pm_card_visa")))
        #expect(try await ada.client(DriverEndpoints.loyalty()).points == 10)
        var body = place.booking(vehicle.id, in: 72)
        body.points = 10
        let second = try await ada.client(CarParkEndpoints.book(body: body))
        #expect(second.total == Money(amount: 490, currency: "EUR"))
        #expect(try await ada.client(DriverEndpoints.loyalty()).points == 0)
        try await refused("booking.points_invalid") {
            var again = place.booking(vehicle.id, in: 96)
            again.points = 10
            _ = try await ada.client(CarParkEndpoints.book(body: again))
        }
        let paid = try await ada.client(
            CarParkEndpoints.payBooking(second.id, body: PayBody(token: "pm_card_visa")))
        #expect(paid.payment?.amount == Money(amount: 490, currency: "EUR"))
        #expect(try await ada.client(DriverEndpoints.loyalty()).points == 4)
        #expect(
            try await world.boss(PaymentEndpoints.trialBalance()).lines.reduce(0) {
                $0 + $1.balance
            } == 0)
    }

    @Test func whoDrivesUpPaysBeforeDrivingOut() async throws {
        let world = try await City.shared.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 38.4, longitude: 16.9))
        let ada = try await Someone.customer(of: world.door)
        let plate = "D \(Int.random(in: 100_000...999_999))"
        let vehicle = try await ada.client(
            AccountEndpoints.addVehicle(
                body: VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red"))
        )
        try await world.boss(PlateProofEndpoints.provePlate(vehicle.id))
        let client = world.door.client()
        let entry = try await client.pass(
            place.gate, PassageBody(.in, plate: plate, at: Date(timeIntervalSinceNow: -5_400)))
        #expect(entry.reason == .driveUp)
        let session = try #require(entry.session)
        let stopped = try await client.pass(
            place.gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(stopped.reason == .paymentDue)
        #expect(stopped.due == Money(amount: 500, currency: "EUR"))
        try await ada.client(
            CarParkEndpoints.payParkingSession(session, body: PayBody(token: "pm_card_visa"))
        )
        let exit = try await client.pass(place.gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(exit.open)
        #expect(exit.reason == .paid)
        #expect(try await balance(of: ada) == 500)
    }

    @Test func whoHasSaidYesPaysWhenDrivingOut() async throws {
        let world = try await City.shared.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 38.9, longitude: 17.4))
        let ada = try await Someone.customer(of: world.door)
        let plate = "E \(Int.random(in: 100_000...999_999))"
        let vehicle = try await ada.client(
            AccountEndpoints.addVehicle(
                body: VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red"))
        )
        try await world.boss(PlateProofEndpoints.provePlate(vehicle.id))
        let card = try await ada.client(
            PaymentEndpoints.savePaymentMethod(body: PaymentTokenBody(token: "pm_card_visa")))
        #expect(try await ada.client(DriverEndpoints.autoPay()).paymentMethodId == nil)
        try await ada.client(DriverEndpoints.putAutoPay(body: AutoPay(paymentMethodId: card.id)))
        let client = world.door.client()
        let entry = try await client.pass(
            place.gate, PassageBody(.in, plate: plate, at: Date(timeIntervalSinceNow: -5_400)))
        #expect(entry.reason == .driveUp)
        let exit = try await client.pass(place.gate, PassageBody(.out, plate: plate, at: Date()))
        #expect(exit.open)
        #expect(exit.reason == .paid)
        #expect(try await balance(of: ada) == 500)
        let stays = try await world.boss(
            CarParkEndpoints.allParkingSessions(
                asks: ParkingSessionsQuery().with(\.carParkId, place.carPark.id).with(
                    \.state, .ended)))
        #expect(stays.items.map(\.id) == [entry.session])
        try await refused("auth.role") {
            _ = try await ada.client(
                CarParkEndpoints.allParkingSessions(asks: ParkingSessionsQuery()))
        }
    }

    /// Car parks and payments are killed again and again while people book: no space is taken twice, none is lost, and
    /// nobody pays for what they have not got.
    @Test func whateverDiesNobodyPaysWithoutABooking() async throws {
        let world = try await City.ofProcesses.world()
        let place = try await Place.opened(
            by: world.boss, at: Coordinate(latitude: 34.5, longitude: 13.5))
        let people = try await withThrowingTaskGroup(of: Someone.self) { group in
            for _ in 0..<6 { group.addTask { try await Someone.customer(of: world.door) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people {
                group.addTask { try await book(person, place) }
            }
            for service in ["carparks", "payments", "carparks"] {
                try world.processes.kill(service)
                let isBack = try await eventually { try await world.system.isServing() }
                #expect(isBack)
            }
            try await group.waitForAll()
        }
        var confirmed = 0
        for person in people {
            let bookings = try await person.client(CarParkEndpoints.bookings(asks: BookingsQuery()))
                .items
            let own = bookings.filter { $0.status == .confirmed }
            confirmed += own.count
            let owed = own.reduce(0) { $0 + $1.total.amount }
            let isEven = try await eventually { try await balance(of: person) == owed }
            #expect(isEven, "\(bookings.map(\.status))")
        }
        #expect(confirmed == 5)
    }

    /// Until it is paid, or there is no space.
    private func book(_ person: Someone, _ place: Place) async throws {
        let plate = "K \(Int.random(in: 100_000...999_999))"
        let vehicle = try await insisting {
            try await person.client(
                AccountEndpoints.addVehicle(
                    body: VehicleDescription(
                        plate: plate, make: "Fiat", model: "Panda", colour: "red")))
        }
        let (order, payment) = (RequestKey.new(), RequestKey.new())
        let body = place.booking(vehicle.id, in: 48)
        do {
            let held = try await insisting {
                try await person.client(CarParkEndpoints.book(body: body, key: order))
            }
            try await insisting(past: ["payment.in_progress"]) {
                try await person.client(
                    CarParkEndpoints.payBooking(
                        held.id, body: PayBody(token: "pm_card_visa"), key: payment))
            }
        } catch let error as ClientError where error.code == "booking.full" {
            return
        }
    }

    /// In minor units: what was taken, less what went back.
    private func balance(of person: Someone) async throws -> Int {
        try await person.client(PaymentEndpoints.payments(asks: PaymentsQuery().page(limit: 100)))
            .items.reduce(0) { sum, entry in
                let paid = entry.payment.map { $0.status == .succeeded ? $0.amount.amount : 0 } ?? 0
                return sum + paid - (entry.refund?.amount.amount ?? 0)
            }
    }
}
