import Contracts
import Foundation
import HTTPTypes

@testable import Payments

/// Connected accounts as Stripe's documentation has them: Express accounts, their pages, and what their banks refuse.
extension PretendStripe {
    struct Account: Sendable {
        let id: String
        let form: [String: String]
        let created: Int
        var isSubmitted = false
        var currentlyDue = ["external_account", "individual.dob.day", "individual.dob.month"]
        var pastDue: [String] = []
        var deadline: Int?
        var disabledReason: String?
        var last4: String?

        var isEnabled: Bool { isSubmitted && pastDue.isEmpty && disabledReason == nil }
    }

    /// From an account to its bank.
    struct BankTransfer: Sendable {
        let id: String
        let account: String
        let transfers: [String]
        let failure: String?
    }

    struct Connect: Sendable {
        /// One that somebody has opened elsewhere and connected is there from the start.
        var accounts = [
            Account(
                id: "acct_1", form: ["type": "standard"], created: 0, isSubmitted: true,
                currentlyDue: [])
        ]
        var bankTransfers: [BankTransfer] = []
        var links = 0

        /// The reason why nothing can be transferred to an account.
        func refusal(of destination: String?) -> String? {
            guard let account = accounts.first(where: { $0.id == destination }) else {
                return "account_invalid"
            }
            return account.isEnabled ? nil : "insufficient_capabilities_for_transfer"
        }
    }

    var accounts: [Account] { state.withLock { $0.connect.accounts } }

    func change(_ account: String, _ body: (inout Account) -> Void) {
        state.withLock { state in
            for index in state.connect.accounts.indices
            where state.connect.accounts[index].id == account {
                body(&state.connect.accounts[index])
            }
        }
    }

    /// The person gives everything.
    func complete(_ account: String, last4: String = "6789") {
        change(account) { account in
            (account.isSubmitted, account.currentlyDue, account.pastDue) = (true, [], [])
            (account.disabledReason, account.last4) = (nil, last4)
        }
    }

    func close(_ account: String) {
        state.withLock { $0.connect.accounts.removeAll { $0.id == account } }
    }

    /// The bank gets all that was transferred to an account, or refuses it.
    func payToBank(_ account: String, failure: String?) -> String {
        state.withLock { state in
            let id = "po_\(state.connect.bankTransfers.count + 1)"
            state.connect.bankTransfers.append(
                BankTransfer(
                    id: id, account: account,
                    transfers: state.transfers.filter { $0.destination == account }.map(\.id),
                    failure: failure))
            return id
        }
    }

    static func connect(
        _ call: Call, _ parts: [String], _ now: Int, _ state: inout State
    ) -> (Int, String) {
        guard call.headers[HTTPField.Name("Stripe-Version")!] == StripeAPI.version else {
            return (400, failure("api_version_invalid"))
        }
        switch (call.method, parts.dropFirst().first ?? "", parts.count) {
        case ("POST", "accounts", 2): return open(call, now, &state)
        case ("GET", "accounts", 2):
            let found = state.connect.accounts.filter { isWithin($0.created, call) }
            return (200, list(found.map { ($0.id, json($0)) }, call))
        case ("GET", "accounts", 3):
            return state.connect.accounts.first { $0.id == parts[2] }.map { (200, json($0)) }
                ?? (403, failure("account_invalid"))
        case ("POST", "accounts", 4) where parts[3] == "login_links":
            let known = state.connect.accounts.first { $0.id == parts[2] }
            guard known?.form["type"] == "express", known?.isSubmitted == true else {
                return (400, failure("account_invalid"))
            }
            state.connect.links += 1
            return (200, #"{"url": "https://pretend/express/\#(state.connect.links)"}"#)
        case ("POST", "account_links", 2): return link(call, now, &state)
        case ("GET", "transfers", 3):
            return state.transfers.first { $0.id == parts[2] }.map { (200, json($0)) }
                ?? (404, failure("resource_missing"))
        case ("POST", "transfers", 4) where parts[3] == "reversals":
            return reverse(parts[2], &state)
        case ("GET", "payouts", 3), ("GET", "balance_transactions", 2):
            return bankTransfer(call, parts, state)
        default: return (404, failure("url_invalid"))
        }
    }

    private static func open(_ call: Call, _ now: Int, _ state: inout State) -> (Int, String) {
        guard call.form["type"] == "express",
            call.form["capabilities[transfers][requested]"] == "true"
        else { return (400, failure("parameter_missing")) }
        guard call.form["country"] != "AQ" else { return (400, failure("country_unsupported")) }
        let account = Account(
            id: "acct_new\(state.connect.accounts.count)", form: call.form, created: now)
        state.connect.accounts.append(account)
        return (200, json(account))
    }

    private static func link(_ call: Call, _ now: Int, _ state: inout State) -> (Int, String) {
        let known = state.connect.accounts.first { $0.id == call.form["account"] }
        guard known?.form["type"] == "express", call.form["type"] == "account_onboarding",
            let back = call.form["return_url"], back.hasPrefix("http"),
            let again = call.form["refresh_url"], again.hasPrefix("http")
        else { return (400, failure("account_link_invalid")) }
        state.connect.links += 1
        return (
            200,
            #"{"url": "https://pretend/setup/\#(state.connect.links)", "expires_at": \#(now + 300)}"#
        )
    }

    private static func reverse(_ transfer: String, _ state: inout State) -> (Int, String) {
        guard let index = state.transfers.firstIndex(where: { $0.id == transfer }) else {
            return (404, failure("resource_missing"))
        }
        guard state.transfers[index].reversed < state.transfers[index].amount else {
            return (400, failure("transfer_already_reversed"))
        }
        state.transfers[index].reversed = state.transfers[index].amount
        return (200, #"{"id": "trr_\#(transfer)"}"#)
    }

    /// Only the account itself has them.
    private static func bankTransfer(
        _ call: Call, _ parts: [String], _ state: State
    ) -> (Int, String) {
        let account = call.headers[HTTPField.Name("Stripe-Account")!]
        let id = parts.count > 2 ? parts[2] : call.form["payout"]
        guard
            let found = state.connect.bankTransfers.first(where: {
                $0.id == id && $0.account == account
            })
        else { return (404, failure("resource_missing")) }
        guard parts.count > 2 else {
            let items = found.transfers.map { transfer in
                (
                    "txn_\(transfer)",
                    #"{"id": "txn_\#(transfer)", "source": {"source_transfer": "\#(transfer)"}}"#
                )
            }
            return (200, list(items, call))
        }
        let code = found.failure.map { "\"\($0)\"" } ?? "null"
        let status = found.failure == nil ? "paid" : "failed"
        let body = """
            {"id": "\(found.id)", "status": "\(status)", "amount": 1000, "currency": "hkd",
            "failure_code": \(code)}
            """
        return (200, body)
    }

    private static func json(_ account: Account) -> String {
        func texts(_ list: [String]) -> String {
            "[\(list.map { "\"\($0)\"" }.joined(separator: ", "))]"
        }
        let banks = account.last4.map { #"{"last4": "\#($0)"}"# } ?? ""
        return """
            {"id": "\(account.id)", "object": "account", "type": "\(account.form["type"] ?? "")",
            "country": "\(account.form["country"] ?? "FI")", "details_submitted": \(account.isSubmitted),
            "payouts_enabled": \(account.isEnabled),
            "capabilities": {"transfers": "\(account.isEnabled ? "active" : "inactive")"},
            "requirements": {"currently_due": \(texts(account.currentlyDue)),
            "past_due": \(texts(account.pastDue)),
            "current_deadline": \(account.deadline.map(String.init) ?? "null"),
            "disabled_reason": \(account.disabledReason.map { "\"\($0)\"" } ?? "null")},
            "external_accounts": {"data": [\(banks)]}, "metadata": \(metadata(account.form))}
            """
    }
}
