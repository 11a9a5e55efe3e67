import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProductKit
import ServiceKit

extension CarParkParts {
    /// All endpoints of car parks.
    func router() -> Router<Context> {
        let router = environment.router(largestBody: BodyLimit.photo)
        addCarParks(to: router)
        addExports(to: router)
        addBookings(to: router)
        addTickets(to: router)
        addStays(to: router)
        addOperators(to: router)
        router.bills(in: bookings.database)
        router.engagements(gates.engagement, binding: gates.binding)
        router.personalData { try await bookings.held(on: $0, environment.signedAddresses) }
        ParkedVehicleRoutes(vehicles: parked).add(to: router)
        CarParkPictureRoutes(pictures: pictures).add(to: router)
        FineRoutes(fines: fines).add(to: router)
        DriverRoutes(spending: spending, autoPays: autoPays, watched: watched).add(to: router)
        PlateProofRoutes(proofs: proofs).add(to: router)
        TariffRoutes(tariffs: tariffs).add(to: router)
        GuestRoutes(guests: guests).add(to: router)
        router.on(InternalEndpoints.takeSpace) { try await valets.take($0.body) }
        return router
    }

    private func addCarParks(to router: Router<Context>) {
        router.on(CarParkEndpoints.carParks) { try await carParks.find($0.query, $0.page) }
        router.on(CarParkEndpoints.carPark) { try await carParks.carPark($0.carPark()).reply() }
        router.on(CarParkEndpoints.carParkRoute) { call in
            let (id, point, mode) = (try call.carPark(), call.point, call.query.mode ?? .car)
            let carPark = try await carParks.database.read { try $0.carParks.require(id) }
            return await roads.way(
                from: point, to: carPark.entrance(nearest: point, by: mode), by: mode)
        }
        router.on(CarParkEndpoints.availability) { call in
            try await bookings.availability(
                of: call.carPark(), call.query.class ?? .general, from: call.query.from,
                until: call.query.until)
        }
        router.on(CarParkEndpoints.parkingQuote) { call in
            let asked = call.query
            return try await bookings.quote(
                StayRequest(
                    carPark: call.carPark(), product: asked.productId, start: asked.start,
                    quantity: asked.quantity, end: asked.end, spaces: asked.spaces ?? 1,
                    kind: asked.class ?? .general), points: asked.points ?? 0)
        }
    }

    private func addExports(to router: Router<Context>) {
        router.on(CarParkEndpoints.exportGeoJSON.giving(Bytes.self)) {
            try await exports.response(to: $0.request, .geoJSON)
        }
        router.on(CarParkEndpoints.exportAPDS.giving(Bytes.self)) {
            try await exports.response(to: $0.request, .apds)
        }
        router.on(CarParkEndpoints.exportDATEX.giving(Bytes.self)) {
            try await exports.response(to: $0.request, .datex)
        }
    }

    private func addBookings(to router: Router<Context>) {
        router.on(CarParkEndpoints.book) { call in
            let person = try call.person.person
            let id = try await bookings.book(call.body, by: person, once: call.idempotency)
            return try await bookings.booking(id, for: person).view
                .reply(headers: [.location: "/v1/bookings/\(id)"])
        }
        router.on(CarParkEndpoints.bookings) { call in
            let found = try await bookings.list(
                BookingFilter(call.query, for: call.person), call.page)
            return Page(items: found.items.map(\.view), next: found.next)
        }
        router.on(CarParkEndpoints.booking) { call in
            try await bookings.booking(call.booking(), for: call.person.ownOnly).view.reply()
        }
        router.on(CarParkEndpoints.payBooking) { call in
            guard call.body.tip == nil else {
                throw Refusal.invalid("tip", "You can't tip for this.")
            }
            let (booking, payment) = try await bookings.pay(
                call.booking(), call.body, by: call.person.person, once: call.idempotency)
            return BookingPayment(booking: booking.view, payment: payment)
        }
        router.on(CarParkEndpoints.quoteChange) { call in
            try await bookings.quoteChange(call.booking(), call.body, by: call.person.person)
        }
        router.on(CarParkTariffEndpoints.quoteExtension) { call in
            try await bookings.quoteExtension(
                call.booking(), until: call.body.until, by: call.person.person)
        }
        router.on(CarParkEndpoints.changeBooking) { call in
            try await bookings.change(
                call.booking(), call.body, by: call.person.person, ifVersion: call.ifMatch
            ).view.reply()
        }
        router.on(CarParkEndpoints.extendBooking) { call in
            try await bookings.extend(
                call.booking(), call.body, by: call.person.person, once: call.idempotency
            ).view.reply()
        }
        router.on(CarParkEndpoints.cancelBooking) { call in
            let (id, person) = (try call.booking(), try call.person.person)
            let refund = try await bookings.cancel(id, by: person, once: call.idempotency)
            return BookingCancellation(
                booking: try await bookings.booking(id, for: person).view, refund: refund)
        }
    }

    private func addTickets(to router: Router<Context>) {
        router.on(CarParkEndpoints.ticketKeys) { _ in tickets.keys.published }
        router.on(CarParkEndpoints.ticket.giving(Bytes.self)) { call -> Response in
            let language = call.query.language ?? call.language
            let booking = try await bookings.booking(call.booking(), for: call.person.person)
            let carPark = try await bookings.database.read {
                try $0.carParks.find(booking.stay.carPark.id)
            }
            let ticket = try await tickets.ticket(of: booking, carPark?.body)
            switch call.request.preferred(of: [.html, .json, .calendar], else: .html) {
            case .json:
                return try Reply(ticket, headers: [.vary: "Accept", .cacheControl: "no-store"])
                    .response(from: call.request, context: call.context)
            case .calendar:
                let text = TicketCalendar.text(
                    ticket, version: booking.version.number, at: bookings.clock.now)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/calendar; charset=utf-8", .vary: "Accept",
                        .cacheControl: "no-store",
                        .contentDisposition:
                            "attachment; filename=\"parking-\(booking.reference).ics\"",
                    ], body: .init(byteBuffer: ByteBuffer(string: text)))
            default: return page.response(ticket, in: language)
            }
        }
    }

    private func addStays(to router: Router<Context>) {
        router.on(CarParkEndpoints.parkingSessions) { call in
            let (person, page) = (try call.person.person, call.page)
            return try await gates.database.read { try $0.sessions.list(of: person, page) }
        }
        router.on(CarParkEndpoints.stayDue) { call in
            try await gates.due(
                of: call.id(or: .parkingSessionUnknown), for: call.person.person, in: call.language)
        }
        router.on(CarParkEndpoints.payParkingSession) { call in
            PaymentAnswer(
                payment: try await gates.pay(
                    call.id(or: .parkingSessionUnknown), call.body, by: call.person.person,
                    once: call.idempotency))
        }
        router.on(CarParkEndpoints.pass) { call in
            guard let id = GateID(call.path()), let token = call.request.headers[.gateToken] else {
                throw Refusal.gateTokenInvalid
            }
            return try await gates.pass(id, token: token, call.body)
        }
    }

    private func addOperators(to router: Router<Context>) {
        router.on(CarParkEndpoints.addCarPark) { call in
            let added = try await carParks.add(
                call.body, by: call.person.person, once: call.idempotency)
            return try added.reply(headers: [.location: "/v1/car-parks/\(added.id)"])
        }
        router.on(CarParkEndpoints.importCarParks) {
            try await imports.take($0.body, by: $0.person.person)
        }
        router.on(CarParkEndpoints.putCarPark) { call in
            try await carParks.change(
                call.carPark(), to: call.body, by: call.person.person, ifVersion: call.ifMatch
            ).reply()
        }
        router.on(CarParkEndpoints.removeCarPark) {
            try await carParks.remove($0.carPark(), by: $0.person.person)
        }
        router.on(CarParkEndpoints.putCarParkStatus) {
            try await carParks.setStatus(of: $0.carPark(), $0.body, by: $0.person.person)
        }
        router.on(CarParkEndpoints.putOccupancy) {
            try await carParks.setOccupancy(of: $0.carPark(), $0.body, by: $0.person.person)
        }
        router.on(CarParkEndpoints.carParkReport) { call in
            let until = call.query.until ?? carParks.clock.now
            return try await reports.report(
                on: call.carPark(), from: call.query.from ?? until.addingTimeInterval(-86_400),
                until: until)
        }
        router.on(CarParkEndpoints.addProduct) {
            try await carParks.add(
                $0.body, to: $0.carPark(), by: $0.person.person, once: $0.idempotency)
        }
        router.on(CarParkEndpoints.putProduct) {
            try await carParks.change(
                $0.id("product", or: .parkingProductUnknown), of: $0.carPark(), to: $0.body,
                by: $0.person.person)
        }
        router.on(CarParkEndpoints.endParkingSession) {
            try await gates.end(
                $0.id(or: .parkingSessionUnknown), $0.body, by: $0.person.person)
        }
        router.on(CarParkEndpoints.addGate) {
            try await gates.add($0.body, by: $0.person.person)
        }
        router.on(CarParkEndpoints.gates) { call in
            let page = call.page
            return try await gates.database.read { try $0.gates.list(page) }
        }
        router.on(CarParkEndpoints.allParkingSessions) { call in
            let (filter, page) = (SessionFilter(call.query), call.page)
            return try await gates.database.read { try $0.sessions.list(filter, page) }
        }
        router.on(CarParkEndpoints.rotateGateToken) {
            try await gates.rotateToken(of: $0.id(or: .gateUnknown), by: $0.person.person)
        }
    }
}

extension Call {
    func carPark() throws -> CarParkID { try id(or: .carParkUnknown) }
    fileprivate func booking() throws -> BookingID { try id(or: .bookingUnknown) }
}

extension BookingFilter {
    /// Customers see their own bookings; only operators filter by car park, plate and day.
    fileprivate init(_ query: BookingsQuery, for caller: Identity) {
        self.init(person: caller.ownOnly, isCurrent: query.state.map { $0 == .current })
        guard caller.isOperator else { return }
        (carPark, plate, noon) = (query.carParkId, query.plate?.plateCharacters, query.day?.noon)
    }
}

extension SessionFilter {
    fileprivate init(_ query: ParkingSessionsQuery) {
        self.init(
            isInside: query.state.map { $0 == .inside }, carPark: query.carParkId,
            plate: query.plate?.plateCharacters, noon: query.day?.noon)
    }
}

extension Identity {
    /// The person whose data the caller may see; nil for operators, who may see everybody's.
    fileprivate var ownOnly: PersonID? { isOperator ? nil : person }
}

extension CarPark: Versioned {}
extension Booking: Versioned {}

extension HTTPField.Name {
    static let gateToken = Self("Gate-Token")!
}
