import Contracts
import Foundation

// MARK: - Pictures of vehicles

extension OpenValetClient {
    /// What a recogniser proposes for a JPEG, PNG or WebP of up to 8 MB; for valets.
    public func recognise(
        _ picture: Data, of order: OrderID? = nil, key: RequestKey = .new()
    ) async throws -> Recognition {
        try await value(
            PlateEndpoints.recognisePlate(bytes: picture, key: key).with("orderId", order))
    }

    /// Keeps a photo of the vehicle's state; its digest goes into the custody record.
    public func takePhoto(
        _ picture: Data, of order: OrderID, _ moment: PhotoMoment, at place: Place? = nil,
        key: RequestKey = .new()
    ) async throws -> VehiclePhoto {
        try await value(
            PlateEndpoints.takePhoto(order, bytes: picture, key: key)
                .with("moment", moment.rawValue).with("latitude", place?.latitude)
                .with("longitude", place?.longitude))
    }

    /// Photos of the vehicle's state, newest first.
    public func photos(
        of order: OrderID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<VehiclePhoto> {
        try await value(PlateEndpoints.photos(order).page(after, limit))
    }
}
