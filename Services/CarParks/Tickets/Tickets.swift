import Contracts
import Foundation
import JWTKit
import Pictures
import ServiceKit

/// The signed content of a ticket's code; a gate without a network relies on it alone.
struct TicketClaims: JWTPayload, Hashable {
    /// The booking.
    let sub: BookingID
    let ref: String
    let park: CarParkID
    let plates: [String]
    /// The times in seconds since 1970 between which the gate opens for it.
    let nbf, exp: Int

    init(_ booking: BookingRecord) {
        let stay = booking.stay
        (sub, ref, park) = (booking.id, booking.reference, stay.carPark.id)
        plates = stay.vehicles.map(\.plate)
        nbf = Int((stay.start - BookingLimits.early).timeIntervalSince1970)
        exp = Int(stay.end.timeIntervalSince1970)
    }

    /// Its times are for gates without a network; the service checks the booking itself.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

/// Makes tickets, and recognises our own.
struct Tickets: Sendable {
    let keys: SigningKeys

    /// The ticket of a booking that is paid and not over.
    func ticket(of booking: BookingRecord, _ carPark: CarParkBody?) async throws -> ParkingTicket {
        guard booking.isPaid else {
            throw booking.notPossible
        }
        let claims = TicketClaims(booking)
        let code = try await keys.sign(claims)
        let picture = try QRCode(code)
        return ParkingTicket(
            booking: booking.id, reference: booking.reference, carPark: booking.stay.carPark,
            address: carPark?.address ?? "",
            entrance: carPark?.entrances?.first { $0.kind == .vehicle }?.position,
            plates: claims.plates, start: booking.stay.start, end: booking.stay.end, code: code,
            qrCode: QRPicture(size: picture.size + 2 * QRCode.quietZone, path: picture.path))
    }

    /// The booking's reference in a ticket, either as plain text or in a code that we have signed; nil for any other
    /// code.
    func reference(of text: String) async -> String? {
        guard text.contains(".") else { return text.uppercased() }
        return try? await keys.verify(text, as: TicketClaims.self).ref
    }
}
