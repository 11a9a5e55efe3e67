import Client
import Contracts

/// A person who uses the customer's app beside the simulation: whoever brings them a simulated valet
/// hears the code as if they had read it out.
struct Companion: Sendable {
    private static let look: Duration = .seconds(3)

    let world: Simulation
    let phone: String
    let password: String

    func live() async throws {
        let person = world.person(phone: phone, password: password)
        while world.phase < .over {
            do {
                // Signs in by itself: nobody is signed in at first.
                if let order = try await person.ask({ try await $0.currentOrder() }) { tell(order) }
            } catch is ClientError {
                // Looked at again in a moment.
            }
            try await Task.sleep(for: Self.look)
        }
    }

    private func tell(_ order: OrderView) {
        guard let code = order.handoverCode else { return }
        switch order.status {
        case .droppingOff: world.street.tell(code, order.id, .dropOff)
        case .returningBack: world.street.tell(code, order.id, .return)
        case .requested, .parking, .parked, .requestingBack, .waitingForPayment, .finished,
            .cancelled, .unfulfilled:
            break
        }
    }
}
