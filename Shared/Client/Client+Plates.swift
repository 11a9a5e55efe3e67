import Contracts
import Foundation

// MARK: - Pictures of vehicles

extension OpenValetClient {
    /// What a recogniser proposes for a JPEG, PNG or WebP of up to 8 MB; for valets.
    public func recognise(
        _ picture: Data, of order: OrderID? = nil, key: RequestKey = .new()
    ) async throws -> Recognition {
        var call = Call.post("/v1/plates/recognitions", key: key).with("orderId", order)
        (call.body, call.contentType) = (picture, "application/octet-stream")
        return try await value(call)
    }

    /// Keeps a photo of the vehicle's state; its digest goes into the custody record.
    public func takePhoto(
        _ picture: Data, of order: OrderID, _ moment: PhotoMoment, at place: Place? = nil,
        key: RequestKey = .new()
    ) async throws -> VehiclePhoto {
        var call = Call.post("/v1/orders/\(order)/photos", key: key)
            .with("moment", moment.rawValue).with("latitude", place?.latitude)
            .with("longitude", place?.longitude)
        (call.body, call.contentType) = (picture, "application/octet-stream")
        return try await value(call)
    }

    /// Photos of the vehicle's state, newest first.
    public func photos(
        of order: OrderID, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<VehiclePhoto> {
        try await value(.get("/v1/orders/\(order)/photos").page(after, limit))
    }
}
