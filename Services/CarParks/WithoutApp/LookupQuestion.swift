import Contracts
import Crypto
import Foundation
import ServiceKit

/// A checked question about a stay.
struct LookupQuestion: Sendable {
    let carPark: CarParkID?
    /// Letters and digits only.
    let plate: String?
    let enteredAt: Date?
    let code: String?

    init(_ body: ParkingLookupBody) throws {
        carPark = body.carParkId
        plate = try body.plate.map { try Check.plate($0, "plate").plateCharacters }
        enteredAt = body.enteredAt
        code = try body.code.map { BookingReference.typed(try Check.text($0, "code", 1...20)) }
        guard code != nil || plate != nil else {
            throw Refusal.invalid("plate", "Enter the plate, or the code of the ticket.")
        }
        guard code != nil || carPark != nil else {
            throw Refusal.invalid("carParkId", "Choose the car park, or enter the code.")
        }
        guard code != nil || enteredAt != nil else {
            throw Refusal.invalid("enteredAt", "Enter when you drove in.")
        }
    }

    /// Whether it is about this stay, and not only about its plate.
    func knows(_ record: SessionRecord) -> Bool {
        let session = record.session
        guard carPark == nil || carPark == session.carPark else { return false }
        if let code { return code == record.reference }
        guard let enteredAt else { return false }
        return abs(enteredAt.timeIntervalSince(session.enteredAt)) <= GuestPayments.tolerance
    }

    /// Under which wrong questions are counted: not the plate itself, which may be nobody's business. The code of a
    /// stay is still answered when its plate isn't any more.
    var subject: String {
        SHA256.hash(data: Data((code.map { "code \($0)" } ?? plate ?? "").utf8)).hex
    }
}
