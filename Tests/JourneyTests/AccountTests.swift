import Client
import Contracts
import Foundation
import Support
import Testing

/// Signing up, in and out, with the code that comes by text message.
@Suite(.serialized) struct AccountTests {
    @Test func theCodeOfTheTextMessageVerifiesTheNumber() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        #expect(!ada.account.phoneVerified)
        let code = try await code(for: ada, world)
        let wrong = code == "000000" ? "111111" : "000000"
        try await refused("account.wrong_code") {
            try await ada.client(
                AccountEndpoints.confirmCode(
                    body: ConfirmCodeBody(phone: ada.account.phone, code: wrong)))
        }
        #expect(try await !ada.client(AccountEndpoints.me()).phoneVerified)
        try await refused("account.code_too_soon") {
            try await ada.client(
                AccountEndpoints.requestCode(body: ContactBody(phone: ada.account.phone)))
        }
        try await ada.client(
            AccountEndpoints.confirmCode(
                body: ConfirmCodeBody(phone: ada.account.phone, code: code)))
        #expect(try await ada.client(AccountEndpoints.me()).phoneVerified)
        try await refused("auth.role") {
            _ = try await ada.client(NotificationEndpoints.messages(asks: MessagesQuery()))
        }
    }

    @Test func theTextMessageIsInThePersonsLanguage() async throws {
        let world = try await City.shared.world()
        let ming = try await Someone.customer(of: world.system, "Ming", .traditionalChinese)
        _ = try await code(for: ming, world)
        let message = try await world.boss(
            NotificationEndpoints.messages(asks: MessagesQuery().with(\.phone, ming.account.phone))
        ).items.first
        #expect(message?.text.contains("驗證碼") == true)
    }

    @Test func fiveWrongCodesUseACodeUp() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        let code = try await code(for: ada, world)
        for number in 1...5 {
            let wrong = String(format: "%06d", ((Int(code) ?? 0) + number) % 1_000_000)
            try await refused("account.wrong_code") {
                try await ada.client(
                    AccountEndpoints.confirmCode(
                        body: ConfirmCodeBody(phone: ada.account.phone, code: wrong)))
            }
        }
        try await refused("account.wrong_code") {
            try await ada.client(
                AccountEndpoints.confirmCode(
                    body: ConfirmCodeBody(phone: ada.account.phone, code: code)))
        }
        #expect(try await !ada.client(AccountEndpoints.me()).phoneVerified)
    }

    @Test func somebodySignsUpByMailAndAddsANumber() async throws {
        let world = try await City.shared.world()
        let (client, email) = (world.system.client(), "ada-\(UUID())@example.org".lowercased())
        let body = SignUpBody(
            firstName: "Ada", lastName: "Wong", email: email, password: "a good long password")
        let account = try await Desk.shared.serve { try await client.signUp(body, key: $0) }
            .customer
        #expect(account.email == email && account.phone.isEmpty)
        try await client(
            AccountEndpoints.confirmCode(
                body: ConfirmCodeBody(
                    email: email,
                    code: code(in: {
                        try await world.boss(
                            NotificationEndpoints.messages(
                                asks: MessagesQuery().with(\.email, email)))
                    }))))
        #expect(try await client(AccountEndpoints.me()).emailVerified == true)

        let phone = Someone.phone()
        try await client(AccountEndpoints.requestContactCode(body: ContactBody(phone: phone)))
        let code = try await code(in: {
            try await world.boss(
                NotificationEndpoints.messages(asks: MessagesQuery().with(\.phone, phone)))
        })
        let changed = try await client(
            AccountEndpoints.setContact(
                body: ContactChangeBody(phone: phone, code: code, password: body.password)))
        #expect(changed.phone == phone && changed.phoneVerified && changed.email == email)
        for signIn in [
            try await world.system.client().signIn(email: email, password: body.password),
            try await world.system.client().signIn(phone: phone, password: body.password),
        ] {
            #expect(signIn.account.id == account.id)
        }
    }

    /// Reads the six digits of the message, as the person would.
    private func code(for person: Someone, _ world: World) async throws -> String {
        try await code(in: {
            try await world.boss(
                NotificationEndpoints.messages(
                    asks: MessagesQuery().with(\.phone, person.account.phone)))
        })
    }

    private func code(in messages: @Sendable () async throws -> Page<TextMessage>) async throws
        -> String
    {
        var text: String?
        let isSent = try await eventually {
            text = try await messages().items.first?.text
            return text != nil
        }
        #expect(isSent)
        let digits = try #require(text).split { !$0.isASCII || !$0.isNumber }.map(String.init)
        return try #require(digits.first { $0.count == 6 })
    }

    @Test func aSessionEndsWithTheSignOut() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        let phone = try await world.system.client().signIn(
            phone: ada.account.phone, password: ada.password)
        let old = try #require(await ada.client.session.tokens)
        try await ada.client.signOut()
        let thief = OpenValetClient(world.system.baseURL, tokens: old)
        try await refused("account.session_ended") { try await thief.refresh() }
        // The other session of the same person goes on.
        let other = OpenValetClient(world.system.baseURL, tokens: phone.tokens)
        try await other.refresh()
        #expect(try await other(AccountEndpoints.me()).id == ada.account.id)
    }

    @Test func aRefreshTokenWorksOnceAndItsReuseEndsTheSession() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        let first = try #require(await ada.client.session.tokens)
        try await ada.client.refresh()
        let second = try #require(await ada.client.session.tokens)
        #expect(second.refreshToken != first.refreshToken)
        #expect(try await ada.client(AccountEndpoints.me()).id == ada.account.id)
        let thief = OpenValetClient(world.system.baseURL, tokens: first)
        try await refused("account.session_ended") { try await thief.refresh() }
        try await refused("account.session_ended") { try await ada.client.refresh() }
        _ = try await ada.client.signIn(phone: ada.account.phone, password: ada.password)
        #expect(try await ada.client(AccountEndpoints.me()).id == ada.account.id)
    }

    @Test func aWrongPasswordAndAnUnknownNumberAreRefusedAlike() async throws {
        let world = try await City.shared.world()
        let ada = try await Someone.customer(of: world.system)
        var problems: [Problem] = []
        for phone in [ada.account.phone, Someone.phone()] {
            let problem = try await refused("account.credentials_mismatch") {
                try await world.system.client().signIn(phone: phone, password: "not the password")
            }
            var plain = try #require(problem)
            plain.instance = nil
            problems.append(plain)
        }
        #expect(problems.first == problems.last)
        try await refused("account.phone_taken") {
            try await world.system.client().signUp(
                SignUpBody(
                    firstName: "Eve", lastName: "Wong", phone: ada.account.phone,
                    password: "a password of eve"))
        }
    }

    /// Waits until orders refuses a tap of the valet on an order that there is not with this code. It has a copy of
    /// its own of who is suspended: these get no job, and are not considered again for the same order.
    private func hasHeard(_ code: String, of valet: Someone) async throws -> Bool {
        try await eventually {
            do {
                try await valet.client(
                    OrderEndpoints.takeTask(OrderID.new(), body: TaskBody(kind: .wash)))
                return false
            } catch let error as ClientError {
                return error.code == code
            }
        }
    }

    @Test func aSuspendedValetGetsNoJobsUntilTheyAreBack() async throws {
        let pair = try await Pair.meet()
        let boss = pair.town.world.boss
        let suspended = try await boss(
            AccountEndpoints.changeValet(pair.valet.valetID, body: ValetChange(suspended: true)))
        #expect(suspended.suspended)
        let isOff = try await eventually {
            try await pair.customer.client(
                LocationEndpoints.nearbyValets(
                    asks: NearbyValetsQuery(around: pair.town.center.coordinate))
            ).items.isEmpty
        }
        #expect(isOff)
        _ = try await pair.valet.feed(has: "accounts.account-changed")
        #expect(try await hasHeard("order.valet_suspended", of: pair.valet))
        try await boss(
            AccountEndpoints.changeValet(pair.valet.valetID, body: ValetChange(suspended: false)))
        let isBack = try await eventually {
            do {
                try await pair.valet.begin(at: pair.town.east(200))
                return true
            } catch let error as ClientError where error.code == "location.suspended" {
                return false
            } catch let error as ClientError where error.code == "account.suspended" {
                return false
            }
        }
        #expect(isBack)
        #expect(try await hasHeard("order.unknown", of: pair.valet))
        _ = try await pair.order()
        // The list goes without positions while location does not say where they are.
        let isShown = try await eventually {
            let record = try await boss(AccountEndpoints.valets(limit: 200)).items
                .first { $0.id == pair.valet.valetID }
            return record?.suspended == false && record?.position != nil
        }
        #expect(isShown)
    }
}
