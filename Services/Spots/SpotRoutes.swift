import Contracts
import Foundation
import Hummingbird
import ProductKit
import ServiceKit

/// Maps HTTP requests to use cases.
extension SpotParts {
    /// All endpoints of spots.
    func router() -> Router<Context> {
        let router = environment.router(largestBody: BodyLimit.photo)
        addSpots(to: router)
        addSellers(to: router)
        addBuyers(to: router)
        addReservations(to: router)
        addPhotos(to: router)
        addAlerts(to: router)
        addOperators(to: router)
        router.bills(in: spots.database)
        router.engagements(spots.engagement, binding: spots.binding)
        router.personalData { try await spots.held(on: $0, views) }
        return router
    }

    private func addSpots(to router: Router<Context>) {
        router.on(SpotEndpoints.findSpots) { call in
            Page(
                items: try await spots.find(call.query, for: call.person.person, views),
                next: nil)
        }
        router.on(SpotEndpoints.spot) { call in
            let caller = try call.person
            return try await spots.view(
                call.spot(), for: caller.isOperator ? .operator : .person(caller.person), views
            ).reply()
        }
        router.on(SpotEndpoints.spotTerms) { try await spots.terms(at: $0.point) }
        router.on(SpotEndpoints.mySpots) { call in
            let person = try call.person.person
            return try await spots.list(
                SpotFilter(seller: person), call.page, for: .person(person), views)
        }
    }

    private func addSellers(to router: Router<Context>) {
        router.on(SpotEndpoints.offerSpot) { call in
            let person = try call.person.person
            let id = try await spots.offer(call.body, by: person, once: call.idempotency)
            return try Reply(
                try await spots.view(id, for: .person(person), views),
                headers: [.location: "/v1/spots/\(id)"])
        }
        router.on(SpotEndpoints.cancelSpot) { call in
            try await step(call, spots.cancel)
        }
        router.on(SpotEndpoints.leaveSpot) { call in
            try await step(call, spots.sellerIsDone)
        }
        router.on(SpotEndpoints.buyerAbsent) { call in
            try await step(call, spots.buyerIsAbsent)
        }
        router.on(SpotEndpoints.spotHandedOver) { call in
            try await step(call, spots.handedOver)
        }
        router.on(SpotEndpoints.answerDispute) { call in
            let (id, person) = (try call.spot(), try call.person.person)
            try await spots.answer(id, call.body, by: person)
            return try await spots.view(id, for: .person(person), views)
        }
        router.on(SpotRequestEndpoints.approveRequest) { call in
            try await step(call, spots.approve)
        }
        router.on(SpotRequestEndpoints.denyRequest) { call in
            try await step(call, spots.deny)
        }
    }

    private func addBuyers(to router: Router<Context>) {
        router.on(SpotRequestEndpoints.requestSpot) { call in
            let person = try call.person.person
            let (request, payment) = try await spots.request(
                call.spot(), call.body, by: person, once: call.idempotency)
            return try Reply(
                try await spots.view(request.id, for: person, payment, views),
                headers: [.location: "/v1/me/spot-requests"])
        }
        router.on(SpotRequestEndpoints.bid) { call in
            let (id, person) = (try call.spot(), try call.person.person)
            let (request, payment) = try await spots.bid(
                id, call.body, by: person, once: call.idempotency)
            let spot = try await spots.changed(id, by: person, views)
            return SpotBidAnswer(
                leading: request.status == .pending, current: spot.price,
                request: try await spots.view(request.id, for: person, payment, views))
        }
        router.on(SpotRequestEndpoints.mySpotRequests) { call in
            try await spots.requests(of: call.person.person, call.page, views)
        }
        router.on(SpotRequestEndpoints.cancelRequest) { call in
            let (id, person) = (try call.spotRequest(), try call.person.person)
            try await spots.cancel(id, by: person)
            return try await spots.view(id, for: person, nil, views)
        }
    }

    private func addReservations(to router: Router<Context>) {
        router.on(SpotRequestEndpoints.here) { call in
            try await step(call, spots.here)
        }
        router.on(SpotRequestEndpoints.parked) { call in
            try await step(call, spots.parked)
        }
        router.on(SpotRequestEndpoints.spotGone) { call in
            let person = try call.person.person
            let id = try await spots.spotGone(call.spotRequest(), call.body, by: person)
            return try await spots.changed(id, by: person, views)
        }
    }

    private func step(
        _ call: Call<Void>, _ body: (SpotID, PersonID) async throws -> Void
    ) async throws -> Spot {
        let (id, person) = (try call.spot(), try call.person.person)
        try await body(id, person)
        return try await spots.changed(id, by: person, views)
    }

    private func step(
        _ call: Call<Void>, _ body: (SpotRequestID, PersonID) async throws -> SpotID
    ) async throws -> Spot {
        let person = try call.person.person
        let id = try await body(call.spotRequest(), person)
        return try await spots.changed(id, by: person, views)
    }

    private func addPhotos(to router: Router<Context>) {
        router.on(SpotEndpoints.addSpotPhoto) {
            try await photos.add($0.bytes(), by: $0.person.person)
        }
        router.on(SpotEndpoints.spotPicture) { call in
            try await call.picture(
                at: SpotViews.path, by: views.addresses, at: spots.clock.now, photos.picture)
        }
    }

    private func addAlerts(to router: Router<Context>) {
        router.on(ParkingAlertEndpoints.parkingAlerts) {
            try await alerts.list(of: $0.person.person, $0.page)
        }
        router.on(ParkingAlertEndpoints.addParkingAlert) {
            try await alerts.add($0.body, by: $0.person.person, once: $0.idempotency)
        }
        router.on(ParkingAlertEndpoints.removeParkingAlert) {
            try await alerts.remove($0.id(), by: $0.person.person)
        }
    }

    private func addOperators(to router: Router<Context>) {
        router.on(SpotOperatorEndpoints.allSpots) { call in
            try await spots.list(SpotFilter(call.query), call.page, for: .operator, views)
        }
        router.on(SpotOperatorEndpoints.decideDispute) { call in
            let id = try call.spot()
            try await spots.decide(id, call.body, by: call.person.person)
            return try await spots.view(id, for: .operator, views)
        }
        router.on(SpotOperatorEndpoints.spotPolicy) {
            try await policies.policy(of: $0.serviceArea())
        }
        router.on(SpotOperatorEndpoints.putSpotPolicy) {
            try await policies.put($0.body, for: $0.serviceArea(), by: $0.person.person)
        }
        router.on(SpotOperatorEndpoints.spotStatistics) { call in
            let span = try TimeSpan(
                call.query, usual: SpotUseCases.usualSpan, at: spots.clock.now)
            return Page(items: try await spots.statistics(in: span), next: nil)
        }
    }
}

extension Spot: Versioned {}

extension Call {
    fileprivate func spot() throws -> SpotID { try id(or: .spotUnknown) }
    fileprivate func spotRequest() throws -> SpotRequestID { try id(or: .spotRequestUnknown) }
    fileprivate func serviceArea() throws -> ServiceAreaID {
        try id("area", or: .serviceAreaUnknown)
    }
}

extension SpotFilter {
    fileprivate init(_ query: AllSpotsQuery) {
        self.init(
            status: query.status, area: query.area, isDisputed: query.disputed ?? false)
    }
}
