import Contracts
import Foundation
import Hummingbird
import ServiceKit

struct PlateRoutes: Sendable {
    /// Largest picture, in bytes.
    static let largestPicture = 8 * 1_024 * 1_024

    let plates: PlateUseCases

    func add(to router: Router<Context>) {
        router.on(PlateEndpoints.recognisePlate, use: recognise)
        router.on(PlateEndpoints.takePhoto, use: takePhoto)
        router.on(PlateEndpoints.photos, use: photos)
        router.on(PlateEndpoints.vehiclePicture, use: picture)
        router.get("/internal/recognitions/:id", use: recognition)
        router.personalData { try await plates.record(of: $0) }
    }

    /// For who has not heard of it yet.
    @Sendable func recognition(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.requireService()
        let id = try context.id("id", as: RecognitionID.self)
        let known = try await plates.database.read { try $0.recognition(id) }
        guard let known else { throw PlateError.unknown }
        return try Reply(.ok, known.told)
    }

    @Sendable func recognise(_ request: Request, _ context: Context) async throws -> Reply {
        let valet = try context.person().valet
        let engagement = try request.query("orderId").map { text in
            guard let id = EngagementID(text) else {
                throw InvalidRequest("orderId", "The id of an order.")
            }
            return id
        }
        let data = try await picture(of: request)
        let recognition = try await plates.recognise(
            data, of: engagement, by: valet, key: context.idempotency)
        return try Reply(.created, recognition)
    }

    @Sendable func takePhoto(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let engagement = try context.id("id", as: EngagementID.self)
        guard let moment = request.query("moment").flatMap(PhotoMoment.init) else {
            throw InvalidRequest("moment", "handOver or handBack.")
        }
        let draft = PhotoDraft(
            engagement: engagement, moment: moment, place: try place(of: request))
        let data = try await picture(of: request)
        let photo = try await plates.takePhoto(data, draft, by: person, key: context.idempotency)
        return try Reply(.created, photo)
    }

    @Sendable func photos(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        let id = try context.id("id", as: EngagementID.self)
        return try Reply(.ok, try await plates.photos(of: id, for: person, request.page()))
    }

    @Sendable func picture(_ request: Request, _ context: Context) async throws -> PictureReply {
        let id = try context.id("id", as: PictureID.self)
        let left = try plates.addresses.verify(
            SignedAddresses.path(vehicle: id), expires: request.query("expires"),
            signature: request.query("signature"), at: plates.clock.now)
        let blob = try await plates.picture(id)
        return PictureReply(blob.data, contentType: blob.contentType, secondsLeft: left)
    }

    /// Whatever type the request says: the content tells.
    private func picture(of request: Request) async throws -> Data {
        Data(try await request.collect(limit: Self.largestPicture).readableBytesView)
    }

    /// Both coordinates, or neither.
    private func place(of request: Request) throws -> Place? {
        guard request.query("latitude") != nil || request.query("longitude") != nil else {
            return nil
        }
        return Place(
            latitude: try request.double("latitude", in: -90...90),
            longitude: try request.double("longitude", in: -180...180))
    }
}
