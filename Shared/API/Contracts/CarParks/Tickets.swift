import Foundation
import Geo

/// A ticket to show at a gate, also without a network.
public struct ParkingTicket: Codable, Sendable, Hashable {
    public var booking: BookingID
    public var reference: String
    public var carPark: Booking.Place
    /// Empty if the car park has none.
    public var address: String
    /// Position of the entrance for vehicles; null if the car park names none.
    @Nullable public var entrance: Coordinate?
    public var plates: [String]
    public var start: Date
    public var end: Date
    /// Content of the QR code: a JWS (RFC 7515, ES256) that a gate checks with the keys of
    /// `/v1/ticket-keys`. Claims: `sub` (the booking), `ref` (its reference), `park` (the car
    /// park), `plates`, `nbf` (when the gate opens for it) and `exp`.
    public var code: String
    public var qrCode: QRPicture

    public init(
        booking: BookingID, reference: String, carPark: Booking.Place, address: String,
        entrance: Coordinate?, plates: [String], start: Date, end: Date, code: String,
        qrCode: QRPicture
    ) {
        (self.booking, self.reference, self.carPark) = (booking, reference, carPark)
        (self.address, self.plates) = (address, plates)
        (self.start, self.end) = (start, end)
        (self.code, self.qrCode) = (code, qrCode)
        self.entrance = entrance
    }
}
