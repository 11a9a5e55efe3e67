import Contracts
import Foundation
import Geo
import Hummingbird
import NIOCore
import ProductKit
import ServiceKit

extension CarpoolParts {
    /// All endpoints of carpool.
    func router() -> Router<Context> {
        let router = environment.router()
        addTrips(to: router)
        addSeats(to: router)
        addRides(to: router)
        addLists(to: router)
        addOperators(to: router)
        router.on(TripEndpoints.carpoolFeed) { _ in
            Response(
                status: .ok,
                headers: [
                    .contentType: MediaType.zip.rawValue, .cacheControl: "max-age=60",
                    .contentDisposition: "attachment; filename=\"carpool-gtfs.zip\"",
                ], body: .init(byteBuffer: ByteBuffer(bytes: try await feeds.archive())))
        }
        router.bills(in: rides.database)
        router.engagements(rides.engagement, binding: rides.binding)
        router.personalData(trips.held)
        return router
    }

    private func addTrips(to router: Router<Context>) {
        router.on(TripEndpoints.publishTrip) { call in
            let person = try call.person.person
            let id = try await trips.publish(call.body, by: person, once: call.idempotency)
            return try Reply(
                try await trips.view(id, for: person), headers: [.location: "/v1/trips/\(id)"])
        }
        router.on(TripEndpoints.previewTrip) {
            try await searches.preview($0.body, by: $0.person.person)
        }
        router.on(TripEndpoints.searchTrips) {
            try await searches.search($0.body, by: $0.person.person)
        }
        router.on(TripEndpoints.myTrips) { call in
            let person = try call.person.person
            return try await trips.list(TripFilter(driver: person), call.page, for: person)
        }
        router.on(TripEndpoints.trip) { call in
            let caller = try call.person
            return try await trips.view(
                call.trip(), for: caller.isOperator ? nil : caller.person
            ).reply()
        }
        router.on(TripEndpoints.changeTrip) { call in
            let (id, person) = (try call.trip(), try call.person.person)
            try await trips.change(id, call.body, by: person)
            return try await trips.view(id, for: person)
        }
        router.on(TripEndpoints.removeTrip) {
            try await trips.remove($0.trip(), by: $0.person.person)
        }
        router.on(TripEndpoints.tripWalk) { call in
            let other = try Coordinate(
                ifPresent: call.query.otherLatitude, call.query.otherLongitude, "otherLatitude",
                "otherLongitude")
            return try await trips.walk(
                call.trip(), call.query.end, at: call.point, other: other,
                for: call.person.person)
        }
        router.on(TripEndpoints.requestSeat) { call in
            let person = try call.person.person
            let id = try await seats.request(
                call.trip(), call.body, by: person, once: call.idempotency)
            return try Reply(
                try await seats.view(id, for: person), headers: [.location: "/v1/me/seat-requests"])
        }
    }

    private func addSeats(to router: Router<Context>) {
        router.on(RideEndpoints.acceptSeat) { try await step($0, seats.accept) }
        router.on(RideEndpoints.declineSeat) { try await step($0, seats.decline) }
        router.on(RideEndpoints.cancelSeat) { try await step($0, seats.cancel) }
        router.on(RideEndpoints.confirmSeat) { call in
            let (id, person) = (try call.seat(), try call.person.person)
            try await rides.confirm(id, call.body.inTheCar, by: person)
            return try await seats.view(id, for: person)
        }
        router.on(RideEndpoints.mySeatRequests) { call in
            let person = try call.person.person
            let filter = SeatFilter(
                person: person, role: call.query.role, isOpen: call.query.open ?? false)
            return try await seats.list(filter, call.page, for: person)
        }
        router.on(RideEndpoints.confirmations) { call in
            let person = try call.person.person
            let filter = SeatFilter(
                person: person, role: .driver, isAsked: true, isNewestFirst: false)
            return try await seats.list(filter, call.page, for: person)
        }
    }

    private func step(
        _ call: Call<Void>, _ body: (SeatRequestID, PersonID) async throws -> Void
    ) async throws -> SeatRequest {
        let (id, person) = (try call.seat(), try call.person.person)
        try await body(id, person)
        return try await seats.view(id, for: person)
    }

    private func addRides(to router: Router<Context>) {
        router.on(RideEndpoints.myRides) { call in
            let filter = RideFilter(
                person: try call.person.person, role: call.query.role, from: call.query.from,
                until: call.query.until)
            return try await rides.list(filter, call.page)
        }
        router.on(RideEndpoints.ride) {
            try await rides.view($0.ride(), for: $0.person.person).reply()
        }
        router.on(RideEndpoints.startRide) { try await step($0, rides.start) }
        router.on(RideEndpoints.endRide) { try await step($0, rides.end) }
        router.on(RideEndpoints.cancelRide) { try await step($0, rides.cancel) }
    }

    private func step(
        _ call: Call<Void>, _ body: (RideID, PersonID) async throws -> Void
    ) async throws -> Ride {
        let (id, person) = (try call.ride(), try call.person.person)
        try await body(id, person)
        return try await rides.view(id, for: person)
    }

    private func addLists(to router: Router<Context>) {
        router.on(TripEndpoints.favouriteTrips) {
            try await trips.favourites(of: $0.person.person, $0.page)
        }
        router.on(TripEndpoints.addFavouriteTrip) {
            try await trips.addFavourite($0.trip(), of: $0.person.person)
        }
        router.on(TripEndpoints.removeFavouriteTrip) {
            try await trips.removeFavourite($0.id(), of: $0.person.person)
        }
        router.on(SavedSearchEndpoints.savedSearches) {
            try await saved.list(of: $0.person.person, $0.page)
        }
        router.on(SavedSearchEndpoints.addSavedSearch) {
            try await saved.add($0.body, by: $0.person.person, once: $0.idempotency)
        }
        router.on(SavedSearchEndpoints.removeSavedSearch) {
            try await saved.remove($0.id(), by: $0.person.person)
        }
    }

    private func addOperators(to router: Router<Context>) {
        router.on(CarpoolOperatorEndpoints.allTrips) { call in
            let filter = TripFilter(status: call.query.status, area: call.query.area)
            return try await trips.list(filter, call.page, for: nil)
        }
        router.on(CarpoolOperatorEndpoints.withdrawTrip) { call in
            let id = try call.trip()
            try await trips.withdraw(id, by: call.person.person)
            return try await trips.view(id, for: nil)
        }
        router.on(CarpoolOperatorEndpoints.seatDisputes) {
            try await seats.list(SeatFilter(isDisputed: true), $0.page, for: nil)
        }
        router.on(CarpoolOperatorEndpoints.decideSeat) { call in
            let id = try call.seat()
            try await rides.decide(id, call.body, by: call.person.person)
            return try await seats.view(id, for: nil)
        }
        router.on(CarpoolOperatorEndpoints.carpoolPolicy) {
            try await policies.policy(of: $0.serviceArea())
        }
        router.on(CarpoolOperatorEndpoints.putCarpoolPolicy) {
            try await policies.put($0.body, for: $0.serviceArea(), by: $0.person.person)
        }
    }
}

extension Trip: Versioned {}
extension Ride: Versioned {}

extension Call {
    fileprivate func trip() throws -> TripID { try id(or: .tripUnknown) }
    fileprivate func ride() throws -> RideID { try id(or: .rideUnknown) }
    fileprivate func seat() throws -> SeatRequestID { try id(or: .seatRequestUnknown) }
    fileprivate func serviceArea() throws -> ServiceAreaID {
        try id("area", or: .serviceAreaUnknown)
    }
}
