import Blobs
import Contracts
import Hummingbird
import ServiceKit

/// The routes of a person's own profile, picture, sessions, export and deletion.
extension AccountRoutes {
    func addMyself(to router: Router<Context>) {
        router.on(AccountEndpoints.me) { try await accounts.account($0.person.person) }
        router.on(AccountEndpoints.changeMe) {
            try await accounts.change($0.person.person, $0.body)
        }
        router.on(AccountEndpoints.setAddress) {
            try await accounts.setAddress($0.body, of: $0.person.person)
        }
        router.on(AccountEndpoints.removeAddress) {
            try await accounts.setAddress(nil, of: $0.person.person)
        }
        router.on(AccountEndpoints.requestContactCode) {
            try await accounts.sendContactCode($0.body, to: $0.person)
        }
        router.on(AccountEndpoints.setContact) {
            try await accounts.setContact($0.body, of: $0.person, from: $0.request.clientAddress)
        }
        router.on(AccountEndpoints.removeContact) {
            try await accounts.removeContact(
                $0.body, of: $0.person, from: $0.request.clientAddress)
        }
        router.on(AccountEndpoints.changePassword) {
            try await accounts.changePassword(
                $0.person, $0.body, from: $0.request.clientAddress)
        }
        router.on(AccountEndpoints.sessions) {
            try await accounts.sessions(of: $0.person, $0.page)
        }
        router.on(AccountEndpoints.endSession) {
            try await accounts.endSession($0.id(), of: $0.person)
        }
        router.on(AccountEndpoints.signOutEverywhere) {
            try await accounts.endSessions(of: $0.person)
        }
        router.on(AccountEndpoints.setPhoto) {
            try await accounts.setPhoto($0.bytes(), of: $0.person)
        }
        router.on(AccountEndpoints.removePhoto) { try await accounts.removePhoto(of: $0.person) }
        router.on(AccountEndpoints.personPicture) { call in
            try await call.picture(
                at: SignedAddresses.path(person:), by: accounts.photos.addresses,
                at: accounts.clock.now, accounts.photo)
        }
        router.on(AccountEndpoints.deleteMe) {
            try await accounts.delete($0.person, $0.body, from: $0.request.clientAddress)
        }
        router.personalData { try await accounts.export($0) }
        router.on(InternalEndpoints.account) { call in
            let id: PersonID = try call.id()
            let known = try await accounts.database.read { try $0.people.find(id) }
            guard let known else { throw Refusal.accountUnknown }
            return known.changed
        }
    }
}
