import Contracts
import Hummingbird
import ServiceKit

/// The routes of drivers without an account, and of operators who let them out.
struct GuestRoutes: Sendable {
    let guests: GuestPayments

    func add(to router: Router<Context>) {
        router.on(WithoutAppEndpoints.lookUpParking) {
            try await guests.lookUp($0.body, in: $0.language)
        }
        router.on(WithoutAppEndpoints.payForParking) {
            try await guests.pay($0.body, in: $0.language)
        }
        router.on(WithoutAppEndpoints.parkingReceipt) {
            try await guests.receipt($0.body)
        }
        router.on(WithoutAppEndpoints.payCode) {
            try await guests.payCode($0.id(or: .carParkUnknown) as CarParkID, at: $0.query.origin)
        }
        router.on(WithoutAppEndpoints.finePayCode) {
            try await guests.payCode($0.id(or: .fineUnknown) as FineID, at: $0.query.origin)
        }
        router.on(WithoutAppEndpoints.openGate) {
            try await guests.gates.open($0.id(or: .gateUnknown), $0.body, by: $0.person.person)
        }
        router.on(WithoutAppEndpoints.receiveForFine) {
            try await guests.fines.receive(
                $0.id(or: .fineUnknown), $0.body, by: $0.person.person, once: $0.idempotency)
        }
        addDesk(to: router)
    }

    private func addDesk(to router: Router<Context>) {
        router.on(WithoutAppEndpoints.parkingDue) {
            try await guests.gates.due(of: $0.id(or: .parkingSessionUnknown), in: $0.language)
        }
        router.on(WithoutAppEndpoints.lostTicketPrice) {
            try await guests.gates.lostTicketPrice(in: $0.carPark(), in: $0.language)
        }
        router.on(WithoutAppEndpoints.receiveForLostTicket) {
            try await guests.gates.receive(
                $0.body, in: $0.carPark(), by: $0.person.person, once: $0.idempotency)
        }
        router.on(WithoutAppEndpoints.receiveForStay) {
            try await guests.gates.receive(
                $0.id(or: .parkingSessionUnknown), $0.body, by: $0.person.person,
                once: $0.idempotency)
        }
    }
}
