import Contracts
import Foundation
import Geo

/// What location needs of an order, as the newest of orders' events has it.
///
/// It follows from the snapshot alone, whichever event brought it: events may come twice, late or
/// out of order, and the newest version says all. That is what an inbox would be for elsewhere.
struct KnownOrder: Codable, Sendable, Hashable {
    /// How long an ended order is remembered: as long as an event may be replayed, and longer.
    static let rememberedSeconds = 14 * 86_400

    var id: OrderID
    var version: Int
    var customer: CustomerID
    /// Who has the job at present.
    var valet: ValetID?
    /// Who is asked whether they take it.
    var offered: ValetID?
    var leg: OrderLeg?
    /// Where the valet has still to arrive.
    var meetingPoint: Coordinate?
    /// Where the vehicle stands.
    var parked: Coordinate?
    var parkedAt: Date?
    /// Where the vehicle is driven back to.
    var returnTo: Coordinate?
    /// The valet drives the vehicle.
    var isDriven: Bool
    var isEnded: Bool

    init(_ order: OrderSnapshot) {
        id = order.id
        version = order.version
        customer = order.customer
        isEnded = order.status.isEnd
        offered = order.offeredTo
        isDriven = order.status == .parking || order.status == .returningBack
        switch order.status {
        case .droppingOff:
            valet = order.dropOffValet
            leg = .dropOff
            meetingPoint = order.dropOff.coordinate
        case .parking:
            valet = order.dropOffValet
            leg = .dropOff
        case .parked:
            stand(order)
        case .requestingBack:
            valet = order.returnValet
            leg = .return
            stand(order)
            meetingPoint = parked
        case .returningBack:
            valet = order.returnValet
            leg = .return
            returnTo = order.returnTo?.coordinate
        case .requested, .waitingForPayment, .finished, .cancelled, .unfulfilled:
            break
        }
    }

    private mutating func stand(_ order: OrderSnapshot) {
        parked = order.parked.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
        parkedAt = order.parkedAt
    }

    /// Valets whom this version names.
    var named: [ValetID] { [valet, offered].compactMap { $0 } }

    /// Where the valet goes next, on foot or with the vehicle. Where they park is theirs to choose.
    var destination: Coordinate? { meetingPoint ?? returnTo }

    /// A valet's side of the job: of the one who has it, or is asked and serves nobody yet.
    func job(of person: ValetID) -> LocationStore.Job? {
        if person == valet, let leg {
            return .init(
                peer: customer.as(PersonID.self), leg: leg, la: meetingPoint?.latitude,
                lo: meetingPoint?.longitude)
        }
        return person == offered ? .init(peer: nil, leg: leg ?? .dropOff) : nil
    }

    /// The customer's side of it.
    var customerJob: LocationStore.Job? {
        guard let valet, let leg else { return nil }
        return .init(peer: valet.as(PersonID.self), leg: leg)
    }
}
