import Blobs
import Contracts
import Hummingbird
import ServiceKit

/// Maps HTTP requests to use cases.
struct PlateRoutes: Sendable {
    let plates: PlateUseCases

    func add(to router: Router<Context>) {
        router.on(PlateEndpoints.recognisePlate) { call in
            let valet = try call.person.valet
            let engagement = call.body.query.orderId
            return try await plates.recognise(
                call.bytes(), of: engagement, by: valet, key: call.idempotency)
        }
        router.on(PlateEndpoints.takePhoto) { call in
            let engagement: EngagementID = try call.id()
            let asked = call.body.query
            let draft = PhotoDraft(
                engagement: engagement, moment: asked.moment, place: asked.point.map { Place($0) })
            return try await plates.takePhoto(
                call.bytes(), draft, by: call.person, key: call.idempotency)
        }
        router.on(PlateEndpoints.photos) {
            try await plates.photos(of: $0.id(), for: $0.person, $0.page)
        }
        router.on(PlateEndpoints.vehiclePicture) { call in
            try await call.picture(
                at: SignedAddresses.path(vehicle:), by: plates.addresses, at: plates.clock.now,
                plates.picture)
        }
        router.on(InternalEndpoints.recognition) { call in
            let id: RecognitionID = try call.id()
            let known = try await plates.database.read { try $0.recognitions.find(id) }
            guard let known else { throw Refusal.nothingToPhotograph }
            return known.event
        }
        router.personalData { try await plates.record(of: $0) }
    }
}
