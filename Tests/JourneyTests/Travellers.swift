import Client
import Contracts
import Foundation
import Geo
import Support
import Testing

/// People of all five products, whose steps go on while parts of the system are away.
struct Travellers: Sendable {
    private static let card = "pm_card_visa"

    let town: Town
    let diary = Diary(products: ["valet", "car parks", "spots", "lifts", "places"])
    private let valet: Someone
    private let carPark: CarPark
    private let hour: ParkingProduct
    private let gate: NewGate
    private let market: Vendor

    static func gather(in world: World) async throws -> Travellers {
        let town = try await Town.found(in: world)
        let place = town.center.coordinate
        let carPark = try await world.boss(
            CarParkEndpoints.addCarPark(
                body: CarParkBody(
                    name: "City Gate", address: "Valletta", position: place,
                    timeZone: "Europe/Malta", currency: "EUR",
                    capacity: SpaceCounts([.general: 1_000]),
                    bookable: SpaceCounts([.general: 1_000]))))
        let hour = ParkingProductBody(name: "Hour", kind: .hourly, price: 250)
        let vendor = VendorBody(
            name: "Market", kind: .foodMarket, position: town.east(300).coordinate,
            address: "Square 1", openingHours: "24/7")
        return Travellers(
            town: town, valet: try await town.valet(), carPark: carPark,
            hour: try await world.boss(CarParkEndpoints.addProduct(carPark.id, body: hour)),
            gate: try await world.boss(
                CarParkEndpoints.addGate(body: GateBody(carParkId: carPark.id, name: "North"))),
            market: try await world.boss(VendorOperatorEndpoints.addVendor(body: vendor)))
    }

    /// Journeys of each product, one after the other, for as long as the body lasts; all are finished when it returns.
    func travel(meanwhile body: (Diary) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await diary.keep("valet", order) }
            group.addTask { await diary.keep("car parks", park) }
            group.addTask { await diary.keep("spots", handOver) }
            group.addTask { await diary.keep("lifts", ride) }
            group.addTask { await diary.keep("places", visit) }
            defer { diary.close() }
            try await body(diary)
        }
    }

    /// Somebody who signs up.
    private func someone(_ name: String) async throws -> Someone {
        try await diary.step("sign up") { _ in try await town.customer(name) }
    }

    // MARK: Valet

    /// From the tap to the payment.
    private func order() async throws {
        let ada = try await someone("Ada")
        let lee = valet.client
        let place = PlaceOrderBody(dropOff: town.center)
        func placed() async throws -> OrderID {
            try await diary.step("place an order") {
                try await ada.client(OrderEndpoints.placeOrder(body: place, key: $0)).id
            }
        }
        var id = try await placed()
        var code: String?
        try await diary.until("a valet takes the order") {
            try await valet.stand(at: town.east(100))
            let now = try await ada.client(OrderEndpoints.order(id))
            // Nobody was available for as long as matching has patience.
            if now.status == .unfulfilled { id = try await placed() }
            code = now.handoverCode
            return now.dropOffValet != nil
        }
        let collect = CodeBody(code: try #require(code))
        try await diary.step("collect the vehicle") {
            try await lee(OrderEndpoints.collect(id, body: collect, key: $0))
        }
        let parked = ParkBody(at: town.garage, vehicle: Someone.car)
        try await diary.step("park the vehicle") {
            try await lee(OrderEndpoints.park(id, body: parked, key: $0))
        }
        try await bringBack(id, ada)
        try await diary.step("pay", past: ["payment.bill_pending", "payment.in_progress"]) {
            try await ada.client(
                PaymentEndpoints.pay(id, body: InCurrency(PayBody(token: Self.card)), key: $0))
        }
        try await diary.until("the order is finished") {
            try await ada.client(OrderEndpoints.order(id)).status == .finished
        }
        try await diary.until("the feed says so") {
            try await ada.client(NotificationEndpoints.notifications(limit: 200)).items
                .contains { $0.event.hasPrefix("orders.finished") }
        }
    }

    private func bringBack(_ id: OrderID, _ ada: Someone) async throws {
        let recall = RecallBody(returnTo: town.center)
        func recalled() async throws {
            try await diary.step("recall the vehicle") {
                try await ada.client(OrderEndpoints.recall(id, body: recall, key: $0))
            }
        }
        try await recalled()
        var code: String?
        try await diary.until("a valet brings the vehicle") {
            try await valet.stand(at: town.east(100))
            let now = try await ada.client(OrderEndpoints.order(id))
            if now.status == .parked { try await recalled() }
            code = now.handoverCode
            return now.returnValet != nil && now.status == .requestingBack
        }
        try await diary.step("retrieve the vehicle") {
            try await valet.client(OrderEndpoints.retrieve(id, key: $0))
        }
        let handBack = CodeBody(code: try #require(code))
        try await diary.step("hand the vehicle back") {
            try await valet.client(OrderEndpoints.handBack(id, body: handBack, key: $0))
        }
    }

    // MARK: Car parks

    /// Booked, paid, driven in and out by plate.
    private func park() async throws {
        let ada = try await someone("Paula")
        let plate = "P \(UInt32.random(in: 100_000_000...999_999_999))"
        let car = VehicleDescription(plate: plate, make: "Fiat", model: "Panda", colour: "red")
        let vehicle = try await diary.step("add a vehicle") {
            try await ada.client(AccountEndpoints.addVehicle(body: car, key: $0))
        }
        let start = Date()
        let body = BookingBody(
            carParkId: carPark.id, productId: hour.id, start: start, quantity: 1,
            vehicleIds: [vehicle.id], termsVersion: carPark.terms.version)
        let held = try await diary.step("book a space") {
            try await ada.client(CarParkEndpoints.book(body: body, key: $0))
        }
        try await diary.step("pay the booking", past: ["payment.in_progress"]) {
            try await ada.client(
                CarParkEndpoints.payBooking(held.id, body: PayBody(token: Self.card), key: $0))
        }
        let machine = town.world.door.client()
        try await diary.until("the gate opens") {
            let entry = try await machine.pass(gate, PassageBody(.in, plate: plate, at: Date()))
            // After an answer that was lost.
            return entry.open || entry.reason == .alreadyInside
        }
        try await diary.until("the gate opens to leave") {
            let booking = try await ada.client(CarParkEndpoints.booking(held.id))
            if booking.status == .completed { return true }
            return try await machine.pass(gate, PassageBody(.out, plate: plate, at: Date())).open
        }
        try await diary.until("the booking is over") {
            try await ada.client(CarParkEndpoints.booking(held.id)).status == .completed
        }
    }

    // MARK: Spots

    /// Offered, requested, approved, and handed over when both say so.
    private func handOver() async throws {
        let (seller, buyer) = (try await someone("Sara"), try await someone("Bea"))
        let position = town.center.coordinate
        let body = SpotBody(
            position: position, accuracyMeters: 5, price: 1_500,
            leavesAt: Date(timeIntervalSinceNow: 1_800))
        let spot = try await diary.step(
            "offer a spot", past: ["spot.outside_service_area", "spot.not_there"]
        ) {
            try await seller.stand(at: town.center)
            return try await seller.client(SpotEndpoints.offerSpot(body: body, key: $0))
        }
        let request = try await diary.step("request the spot", past: ["spot.unknown"]) {
            try await buyer.client(
                SpotRequestEndpoints.requestSpot(
                    spot.id, body: SpotRequestBody(token: Self.card), key: $0))
        }
        try await diary.step("approve the request") {
            try await seller.client(SpotRequestEndpoints.approveRequest(request.id, key: $0))
        }
        for one in [buyer, seller] {
            try await diary.step("confirm the hand-over") {
                try await one.client(SpotEndpoints.spotHandedOver(spot.id, key: $0))
            }
        }
        try await diary.until("the seller has the money") {
            try await seller.client(PaymentEndpoints.balance(asks: BalanceQuery(in: "HKD")))
                .available.amount > 0
        }
    }

    // MARK: Lifts

    /// Published, found, ridden and confirmed.
    private func ride() async throws {
        let (driver, passenger) = (try await someone("Dora"), try await someone("Paul"))
        // A time zone in which no hour comes twice.
        let zone = try #require(TimeZone(identifier: "Asia/Hong_Kong"))
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
            .time(includingFractionalSeconds: false)
        let departure = Date(timeIntervalSinceNow: 1_800).formatted(style).prefix(19)
        var body = TripBody(
            origin: town.center, destination: town.east(2_500), departsAt: String(departure),
            timeZone: zone.identifier, seats: 2)
        body.acceptsAutomatically = true
        let offer = body
        let trip = try await diary.step("publish a trip") {
            try await driver.client(TripEndpoints.publishTrip(body: offer, key: $0))
        }
        let search = TripSearchBody(
            from: town.east(400).coordinate, to: town.east(2_200).coordinate,
            departAfter: Date(timeIntervalSinceNow: 5))
        var found: TripMatch?
        try await diary.until("the trip is found") {
            found = try await passenger.client(TripEndpoints.searchTrips(body: search)).items
                .first { $0.tripId == trip.id }
            return found != nil
        }
        let match = try #require(found)
        let seat = try await diary.step("request a seat") {
            try await passenger.client(
                TripEndpoints.requestSeat(
                    match.tripId,
                    body: SeatRequestBody(
                        date: match.date, pickUp: match.pickUp.point,
                        dropOff: match.dropOff.point), key: $0))
        }
        let ride = try #require(seat.rideId)
        try await diary.step("start the ride") {
            try await driver.client(RideEndpoints.startRide(ride, key: $0))
        }
        try await diary.step("end the ride") {
            try await driver.client(RideEndpoints.endRide(ride, key: $0))
        }
        try await diary.step("confirm the passenger") {
            try await driver.client(
                RideEndpoints.confirmSeat(
                    seat.id, body: SeatConfirmBody(inTheCar: true), key: $0))
        }
        try await diary.until("the passenger hears of it") {
            try await passenger.client(NotificationEndpoints.notifications(limit: 200)).items
                .contains { $0.event.hasPrefix(SeatRequestChanged.type) }
        }
    }

    // MARK: Places

    /// Found, routed to, and saved.
    private func visit() async throws {
        let ada = try await someone("Vera")
        let walk = Mobility(modes: .init([.walk]), maxWalkMeters: 1_500, radiusMeters: 5_000)
        try await diary.step("say how one travels") { _ in
            try await ada.client(MobilityEndpoints.putMobility(body: walk))
        }
        let here = town.center.coordinate
        try await diary.until("the market is found") {
            try await ada.client(
                VendorEndpoints.vendors(asks: FindVendorsQuery(near: here)).asMyself()
            ).items.contains { $0.id == market.id }
        }
        try await diary.until("a route leads there") {
            try await !ada.client(
                PlaceEndpoints.routes(asks: RoutesQuery(from: here, to: market.position))
                    .asMyself()
            ).items.isEmpty
        }
        try await diary.step("save the market") { _ in
            try await ada.client(VendorEndpoints.saveVendor(market.id))
        }
        try await diary.until("the market is saved") {
            try await ada.client(VendorEndpoints.savedVendors()).items.map(\.vendor.id)
                == [market.id]
        }
    }
}
