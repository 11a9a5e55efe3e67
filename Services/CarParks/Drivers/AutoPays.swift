import Contracts
import Foundation
import ProductKit
import ServiceKit
import Store

/// People who have agreed that their stays are paid automatically at the exit, and their payment methods.
struct AutoPays: Sendable {
    static let migration = Migration(
        "auto-pay-1",
        """
        CREATE TABLE auto_pay (
            person TEXT NOT NULL PRIMARY KEY,
            method TEXT NOT NULL)
        """)

    let database: Database
    let cashier: Cashier

    func setting(of person: PersonID) async throws -> AutoPay {
        try await database.read { try $0.autoPays.setting(of: person) }
    }

    func put(_ setting: AutoPay, by person: PersonID) async throws -> AutoPay {
        if let method = setting.paymentMethodId {
            try await cashier.require(method, of: person)
        }
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            try transaction.autoPays.forget(of: person)
            if let method = setting.paymentMethodId {
                try transaction.execute(
                    "INSERT INTO auto_pay (person, method) VALUES (?, ?)", person, method)
            }
            return setting
        }
    }
}

extension GateUseCases {
    /// Pays the stay of a vehicle at the exit, if its owner has agreed to that. Returns whether it is paid.
    func payByItself(_ id: ParkingSessionID, at time: Date) async throws -> Bool {
        let payer = try await database.read { transaction in
            try transaction.sessions.find(id)?.person.flatMap { person in
                try transaction.autoPays.setting(of: person).paymentMethodId.map { (person, $0) }
            }
        }
        guard let (person, method) = payer else { return false }
        do {
            let body = PayBody(paymentMethodId: method)
            return try await pay(id, body, by: person, at: time).status == .succeeded
        } catch is Refusal {
            // Declined or unclear: the driver pays by hand, which never charges twice.
            return false
        }
    }
}

extension Transaction {
    var autoPays: AutoPayStore { AutoPayStore(transaction: self) }
}

/// The payment methods of people who have agreed to automatic payment at the exit.
struct AutoPayStore {
    let transaction: Transaction

    func setting(of person: PersonID) throws -> AutoPay {
        AutoPay(
            paymentMethodId: try transaction.row(
                "SELECT method FROM auto_pay WHERE person = ?", person)?
                .get("method"))
    }

    func forget(of person: PersonID) throws {
        try transaction.execute("DELETE FROM auto_pay WHERE person = ?", person)
    }
}
