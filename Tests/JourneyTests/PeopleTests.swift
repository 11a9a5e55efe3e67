import Client
import Contracts
import Foundation
import Support
import Testing

/// What people do with their own account: passwords, sessions, photo, export, leaving.
@Suite(.serialized) struct PeopleTests {
    /// A PNG of one pixel with the comment "at home", and what is left without it.
    private static let commented = data(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAD3RFWHRDb21tZW50AGF0IGhvbWUjp62GAAAADElEQVR4"
            + "nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
    private static let plain = data(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    )

    private static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

    /// Reads the code of the newest message that has them beside these words.
    private func code(_ words: String, to phone: String, _ world: World) async throws -> String {
        var text: String?
        let isSent = try await eventually {
            text = try await world.boss(
                NotificationEndpoints.messages(asks: MessagesQuery().with(\.phone, phone))
            ).items.map(\.text)
                .first { $0.contains(words) }
            return text != nil
        }
        #expect(isSent)
        let digits = try #require(text).split { !$0.isASCII || !$0.isNumber }.map(String.init)
        return try #require(digits.first { [6, 8].contains($0.count) })
    }

    @Test func aForgottenPasswordIsSetAnewAndAllElseIsSignedOut() async throws {
        let world = try await City.shared.world()
        let ming = try await Someone.customer(of: world.system, "Ming", .traditionalChinese)
        let phone = ming.account.phone
        let client = world.system.client()
        // Nobody learns whose numbers these are.
        try await client(
            AccountEndpoints.requestPasswordReset(body: ContactBody(phone: Someone.phone())))
        try await client(AccountEndpoints.requestPasswordReset(body: ContactBody(phone: phone)))
        let code = try await code("重設", to: phone, world)
        let wrong = code == "000000" ? "111111" : "000000"
        try await refused("account.wrong_code") {
            try await client.confirmPasswordReset(
                ResetConfirmBody(phone: phone, code: wrong, newPassword: "a longer way home"))
        }
        try await client.confirmPasswordReset(
            ResetConfirmBody(phone: phone, code: code, newPassword: "a longer way home"))
        #expect(try await client(AccountEndpoints.me()).id == ming.account.id)
        try await refused("account.session_ended") { try await ming.client.refresh() }
        try await refused("account.credentials_mismatch") {
            try await world.system.client().signIn(phone: phone, password: ming.password)
        }
        let second = world.system.client()
        try await second.signIn(phone: phone, password: "a longer way home")
        try await refused("account.wrong_password") {
            try await second(
                AccountEndpoints.changePassword(
                    body: PasswordChangeBody(
                        currentPassword: ming.password, newPassword: "yet another way home")))
        }

        // A sign-in whose answer was lost is repeated, and leaves a session more.
        let sessions = try await second(AccountEndpoints.sessions()).items
        #expect(sessions.count >= 2)
        #expect(sessions.first?.isCurrent == true)
        #expect(sessions.count { $0.isCurrent } == 1)
        try await second.signOutEverywhere()
        try await refused("account.session_ended") { try await client.refresh() }
        try await second.signIn(phone: phone, password: "a longer way home")
        let earlier = Set(sessions.map(\.id))
        let later = try await second(AccountEndpoints.sessions()).items
        #expect(!later.contains { earlier.contains($0.id) })
    }

    @Test func theOtherPartySeesThePhotoByItsSignedAddressAndNotWithout() async throws {
        let pair = try await Pair.meet()
        let own = try await pair.valet.client(AccountEndpoints.setPhoto(bytes: Self.commented))
        #expect(try await pair.valet.client(AccountEndpoints.me()).photoURL != nil)
        let order = try await pair.order()
        var address: String?
        let isShown = try await eventually {
            address = try await pair.customer.client(OrderEndpoints.order(order.id)).dropOffValet?
                .photoURL
            return address != nil
        }
        #expect(isShown)
        let stranger = pair.town.world.system.client()
        let signed = try #require(address)
        #expect(try await stranger.picture(signed) == Self.plain)
        #expect(try await stranger.picture(own.photoURL) == Self.plain)
        let unsigned = String(signed.prefix { $0 != "?" })
        try await refused("picture.address_invalid") { _ = try await stranger.picture(unsigned) }
        try await refused("picture.address_invalid") {
            _ = try await pair.customer.client.picture(unsigned)
        }
        try await refused("picture.unknown_type") {
            try await pair.valet.client(AccountEndpoints.setPhoto(bytes: Data("GIF89a".utf8)))
        }
        try await pair.valet.client(AccountEndpoints.removePhoto())
        try await refused("picture.unknown") { _ = try await stranger.picture(signed) }
    }

    @Test func anExportHasAllAndADeletionLeavesNoName() async throws {
        let pair = try await Pair.meet()
        let (customer, valet) = (pair.customer, pair.valet)
        let vehicle = try await customer.client(AccountEndpoints.addVehicle(body: Someone.car))
        let order = try await pair.handBack()
        try await refused("account.engagement_open") {
            try await customer.client.deleteMe(password: customer.password)
        }
        try await customer.client.payWhenDue(order.id, PayBody(token: "pm_card_visa"))
        _ = try await customer.order(order.id, reaches: .finished)
        try await insistingToRate(customer, order.id, RatingBody(stars: 5, comment: "thank you"))

        let export = try await customer.client.exportMe()
        let whole = try #require(
            JSONSerialization.jsonObject(with: export) as? [String: Any])
        #expect(whole["person"] as? String == customer.account.id.description)
        let data = try #require(whole["data"] as? [String: Any])
        func text(_ service: String) throws -> String {
            let part = try #require(data[service])
            return String(
                decoding: try JSONSerialization.data(withJSONObject: part), as: UTF8.self)
        }
        #expect(try text("accounts").contains(vehicle.id.description))
        #expect(try text("accounts").contains(customer.account.phone))
        #expect(try text("orders").contains(order.id.description))
        #expect(try text("payments").contains(order.id.description))
        #expect(try text("ratings").contains("thank you"))

        try await refused("account.wrong_password") {
            try await customer.client.deleteMe(password: "not the password")
        }
        let leaving = OpenValetClient(
            pair.town.world.system.baseURL, tokens: await customer.client.session.tokens)
        try await leaving.deleteMe(password: customer.password)
        try await refused("account.session_ended") { try await customer.client.refresh() }
        try await refused("account.credentials_mismatch") {
            try await pair.town.world.system.client().signIn(
                phone: customer.account.phone, password: customer.password)
        }
        let isForgotten = try await eventually {
            let seen = try await valet.client(OrderEndpoints.order(order.id)).customer
            return !seen.firstName.contains(customer.account.firstName)
                && seen.phone != customer.account.phone
        }
        #expect(isForgotten)
        let isUnnamed = try await eventually {
            let comments = try await valet.client(RatingEndpoints.comments(valet.account.id)).items
            return !comments.contains { $0.comment.contains("thank you") }
        }
        #expect(isUnnamed)
        // The number is free.
        let again = try await pair.town.world.system.client().signUp(
            SignUpBody(
                firstName: "Eve", lastName: "Wong", phone: customer.account.phone,
                password: "a password of eve"))
        #expect(again.customer.id != customer.account.id)
    }
}
