import Contracts
import Foundation

// MARK: - Pictures of vehicles

extension OpenValetClient {
    /// What a recogniser proposes for a JPEG, PNG or WebP of up to 8 MB; for valets.
    public func recognise(
        _ picture: Data, of order: OrderID? = nil, key: RequestKey = .new()
    ) async throws -> Recognition {
        try await value(
            PlateEndpoints.recognisePlate(
                asks: RecognitionQuery(of: order?.as(EngagementID.self)), bytes: picture, key: key))
    }

    /// Keeps a photo of the vehicle's state; its digest goes into the custody record.
    public func takePhoto(
        _ picture: Data, of order: OrderID, _ moment: PhotoMoment, at place: Place? = nil,
        key: RequestKey = .new()
    ) async throws -> VehiclePhoto {
        try await value(
            PlateEndpoints.takePhoto(
                order, asks: VehiclePhotoQuery(moment, at: place?.coordinate), bytes: picture,
                key: key))
    }

    /// Photos of the vehicle's state, newest first.
    public func photos(
        of order: OrderID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<VehiclePhoto> {
        try await value(PlateEndpoints.photos(order, asks: PageQuery(after: after, limit: limit)))
    }
}
