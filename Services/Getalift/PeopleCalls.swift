import Client
import Contracts
import Foundation
import ServiceKit

/// People of the old apps have accounts of ours, and can sign in with a user name that only this service knows.
///
/// Others are shown as on the platform: by first name, with a phone number while they ride together, and without last
/// name or e-mail address. People with whom the caller has nothing to do are not shown, and the list of all people
/// contains only the caller.
extension GetaliftParts {
    /// Creates an account by our rules. As at any sign-up, a code is sent to the address and the number.
    @Sendable func signUp(_ call: LegacyRequest) async throws -> JSONValue {
        guard let username = KnownNames.checked(call.body["username"]) else {
            throw GetaliftError.refused("A username has 1 to \(KnownNames.longest) characters.")
        }
        guard try await names.reserve(username) else {
            throw GetaliftError.refused("This Username already exists")
        }
        let client = client(nil, for: call)
        let account: Account
        do {
            let mobile = call.body["mobileNumber"] ?? ""
            let contact = KnownNames.Contact(email: call.body.text("email"), phone: phone(mobile))
            let name = call.body.text("name").isEmpty ? username : call.body.text("name")
            account = try await client.signUp(
                SignUpBody(
                    firstName: name,
                    lastName: call.body.text("surname").isEmpty ? name : call.body.text("surname"),
                    phone: contact.phone ?? (contact.email == nil ? mobile : nil),
                    email: contact.email, password: call.body["password"] ?? "")
            ).customer
        } catch {
            try await names.release(username)
            throw error
        }
        try await names.give(username, to: account.id, KnownNames.Contact(account))
        // The app signs in afterwards, so this session is not needed.
        try? await client.signOut()
        let number = try await numbers.number(of: account.id, as: .user)
        return LegacyJSON.done(inserted: number, success: true)
    }

    /// With country code, as our accounts require; nil for a foreign number without one.
    private func phone(_ text: String) -> String? {
        let plain = Self.withPlus(text).filter { $0.isNumber || $0 == "+" }
        if plain.hasPrefix("+") { return plain }
        if plain.hasPrefix("00") { return "+" + plain.dropFirst(2) }
        return plain.count == 8 && plain.first != "0" ? "+\(countryCode)\(plain)" : nil
    }

    /// Restores the plus sign of a number, which apps do not escape, so it arrives as a space.
    private static func withPlus(_ text: String) -> String {
        text.hasPrefix(" ") && text.dropFirst().first?.isNumber == true
            ? "+" + text.dropFirst() : text
    }

    /// Signs in with a user name of this service, an e-mail address, or a number with its `+`.
    @Sendable func signIn(_ call: LegacyRequest) async throws -> JSONValue {
        let wrong = LegacyJSON.failure("Auth failed. Wrong credentials.")
        let name = Self.withPlus(call.body["username"] ?? "").trimmingCharacters(in: .whitespaces)
        let password = call.body["password"] ?? ""
        guard let contact = try await names.contact(of: name), !password.isEmpty else {
            return wrong
        }
        let client = client(nil, for: call)
        let signedIn: SignedIn
        do {
            signedIn = try await client.signIn(
                phone: contact.email == nil ? contact.phone : nil, email: contact.email,
                password: password)
        } catch let error as ClientError {
            switch error.code {
            case "account.credentials_mismatch": return wrong
            case "account.second_factor_required":
                return LegacyJSON.failure("This account signs in with a second factor, elsewhere.")
            case let code? where code.hasPrefix("account.") || code.hasPrefix("request."):
                return LegacyJSON.failure(error.problem?.title ?? "Auth failed.")
            default: throw error
            }
        }
        let account = signedIn.account
        try await names.keep(KnownNames.Contact(account), of: account.id)
        let token = try await sessions.begin(signedIn.tokens, of: account.id)
        return [
            "success": true, "message": "Auth succeed !", "token": .text(token),
            "user": try await row(of: account).withEmptyPassword,
        ]
    }

    @Sendable func users(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        .list([try await row(of: rider.client(AccountEndpoints.me())).json])
    }

    @Sendable func user(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        if call.id == rider.number { return try await users(call, rider) }
        guard let other = try await numbers.person(call.id) else { return [] }
        let together = try await rider.client(
            RideEndpoints.mySeatRequests(asks: SeatRequestsQuery().page(limit: PageLimit.most))
        ).items
            .flatMap { [$0.driver, $0.passenger] }.filter { $0.id == other }
        let hasMet = try await store.hasMet(other, rider.person)
        guard !together.isEmpty || hasMet else { return [] }
        try await names.see(together)
        guard let shown = try await names.shown([other])[other] else { return [] }
        let row = UserRow(
            id: call.id, username: shown.username ?? shown.name, name: shown.name,
            mobileNumber: together.lazy.compactMap(\.phone).first ?? "")
        return [row.json]
    }

    /// Only names can be changed here. A new address or number needs the code that is sent there, and a new password
    /// needs the old one. Apps send neither, so such a change is refused with an explanation.
    @Sendable func changeUser(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.id)
        let account = try await rider.client(AccountEndpoints.me())
        let old = try await row(of: account)
        try requireSameContact(call, old)
        let password = call.body["password"] ?? ""
        guard try await isPassword(password, of: account, call) else {
            throw GetaliftError.refused(
                "That is not your password. A new one is set in the app of OpenValet.")
        }
        let name = KnownNames.checked(call.body["username"])
        guard let name, name != old.username else {
            try await changeNames(call, rider, old)
            return LegacyJSON.done()
        }
        guard try await names.isFree(name, for: rider.person, named: old.username) else {
            throw GetaliftError.refused("This Username already exists")
        }
        do {
            try await changeNames(call, rider, old)
        } catch {
            try await names.release(name)
            throw error
        }
        try await names.give(name, to: rider.person, KnownNames.Contact(account))
        return LegacyJSON.done()
    }

    private func changeNames(_ call: LegacyRequest, _ rider: Rider, _ old: UserRow) async throws {
        let (first, last) = (call.body.text("name"), call.body.text("surname"))
        guard !first.isEmpty && first != old.name || !last.isEmpty && last != old.surname else {
            return
        }
        try await rider.client(
            AccountEndpoints.changeMe(
                body: ProfileChange(
                    firstName: first.isEmpty ? nil : first, lastName: last.isEmpty ? nil : last)))
    }

    private func requireSameContact(_ call: LegacyRequest, _ old: UserRow) throws {
        let (email, mobile) = (call.body.text("email"), call.body["mobileNumber"] ?? "")
        let isSameEmail = email.isEmpty || email.lowercased() == old.email
        let isSameNumber =
            mobile.isEmpty || mobile == old.mobileNumber || phone(mobile) == old.mobileNumber
            || old.mobileNumber.isEmpty && phone(mobile) == nil
        guard isSameEmail, isSameNumber else {
            throw GetaliftError.refused(
                "A new e-mail address or number is confirmed by a code, in the app of OpenValet.")
        }
    }

    /// A wrong password counts like one at sign-in.
    private func isPassword(
        _ password: String, of account: Account, _ call: LegacyRequest
    ) async throws -> Bool {
        guard !password.isEmpty else { return false }
        let contact = KnownNames.Contact(account)
        let client = client(nil, for: call)
        do {
            _ = try await client.signIn(
                phone: contact.email == nil ? contact.phone : nil, email: contact.email,
                password: password)
        } catch let error as ClientError where error.code == "account.credentials_mismatch" {
            return false
        } catch let error as ClientError where error.code == "account.second_factor_required" {
            return true
        }
        try? await client.signOut()
        return true
    }

    /// Refused: deleting an account needs the password, which no app sends here.
    @Sendable func deleteUser(_ call: LegacyRequest, _ rider: Rider) async throws -> JSONValue {
        try rider.require(call.id)
        guard let password = call.body["password"] ?? call.query["password"], !password.isEmpty
        else {
            throw GetaliftError.refused("An account is deleted with its password.")
        }
        try await rider.client.deleteMe(password: password)
        return LegacyJSON.done()
    }

    private func row(of account: Account) async throws -> UserRow {
        let username = try await names.username(of: account.id)
        return UserRow(
            id: try await numbers.number(of: account.id, as: .user),
            username: username ?? account.email ?? account.phone, name: account.firstName,
            surname: account.lastName, email: account.email ?? "", mobileNumber: account.phone,
            isVerified: account.phoneVerified || account.emailVerified == true)
    }
}
