import Foundation
import Geo

/// What is shown at a gate, also without a network.
public struct ParkingTicket: Codable, Sendable, Hashable {
    public var booking: BookingID
    public var reference: String
    public var carPark: Booking.Place
    public var address: String
    /// Where vehicles go in.
    @Nullable public var entrance: Coordinate?
    public var plates: [String]
    public var start: Date
    public var end: Date
    /// What its QR code says: a JWS (RFC 7515) that a gate checks by the published keys. Its claims are `sub` (the
    /// booking), `ref`, `park`, `plates`, `nbf` (when the gate opens for it) and `exp`.
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
