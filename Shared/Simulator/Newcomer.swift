import Client
import Contracts
import Foundation
import Threads

/// Signs a person up, or in again, and adds their vehicles and a card.
struct Newcomer: Sendable {
    /// Tries to find a text message or an e-mail, one per second.
    private static let mostLooksForMessage = 15
    private static let codeLength = 6

    let world: Simulation
    let persona: Persona
    let person: SimulatedPerson
    let wake: Signal

    /// Returns their vehicles; nil if the time was over before.
    func arrive() async throws -> [Vehicle]? {
        while world.phase == .open {
            do {
                let isNew = try await world.desk.serve { try await enter() }
                world.tally.arrive()
                return try await settle(isNew)
            } catch is ClientError {
                try await wake.wait(upTo: SimulatedCustomer.stumble)
            }
        }
        return nil
    }

    /// True if the account is new.
    private func enter() async throws -> Bool {
        guard world.phase == .open else { throw ClientError.signedOut }
        let body = SignUpBody(
            firstName: persona.firstName, lastName: persona.lastName, phone: person.phone,
            email: person.email, password: persona.password, language: persona.language)
        do {
            try await person.ask { client, key in _ = try await client.signUp(body, key: key) }
            return true
        } catch let error as ClientError
            where [
                "account.phone_taken", "account.email_taken", "account.too_many_attempts",
            ].contains(error.code)
        {
            try await person.signIn()
            return false
        }
    }

    private func settle(_ isNew: Bool) async throws -> [Vehicle] {
        var vehicles =
            isNew ? [] : try await person.ask(AccountEndpoints.vehicles()).items
        // Also if an earlier run was stopped halfway.
        for vehicle in persona.vehicles.dropFirst(vehicles.count) {
            vehicles.append(
                try await person.ask(AccountEndpoints.addVehicle(body: vehicle)))
        }
        if isNew {
            let token = persona.hasBadCard ? TestCard.declined : TestCard.good(persona.index)
            try await person.tryTo(
                PaymentEndpoints.savePaymentMethod(
                    body: PaymentTokenBody(token: token)))
            if persona.verifies { try await verify() }
        }
        return vehicles
    }

    /// Enters the code from the message, which an operator of the `dev` provider can read.
    private func verify() async throws {
        let (phone, email) = (person.phone, person.email)
        for _ in 0..<Self.mostLooksForMessage {
            let messages = try await world.boss.tryTo(
                NotificationEndpoints.messages(
                    asks: MessagesQuery().with(\.phone, phone).with(\.email, email).page(
                        limit: 1)))?.items
            guard let messages else { return }
            if let code = messages.first.flatMap({ Self.code(in: $0.text) }) {
                _ = try await world.desk.serve {
                    try await person.tryTo(
                        AccountEndpoints.confirmCode(
                            body: ConfirmCodeBody(phone: phone, email: email, code: code)))
                }
                return
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// The first sequence of six digits.
    static func code(in text: String) -> String? {
        text.split { !("0"..."9").contains($0) }.first { $0.count == codeLength }.map(String.init)
    }
}

/// Test cards of the stub and of Stripe's test mode.
enum TestCard {
    static let declined = "pm_card_visa_chargeDeclined"

    static func good(_ index: Int) -> String {
        index % 3 == 0 ? "pm_card_mastercard" : "pm_card_visa"
    }
}
