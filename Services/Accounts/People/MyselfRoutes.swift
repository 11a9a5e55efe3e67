import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// Passwords, forgotten or to be changed.
struct PasswordRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.requestPasswordReset, use: ask)
        router.on(AccountEndpoints.confirmPasswordReset, use: confirm)
        router.on(AccountEndpoints.changePassword, use: change)
    }

    @Sendable func ask(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.askForReset(context.body(of: request))
        return .accepted
    }

    @Sendable func confirm(_ request: Request, _ context: Context) async throws -> Reply {
        let signedIn = try await accounts.confirmReset(
            context.body(of: request), on: request.clientName, from: request.clientAddress)
        return try Reply(.created, signedIn, headers: AccountRoutes.notKept)
    }

    @Sendable func change(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        try await accounts.changePassword(
            identity, context.body(of: request), from: request.clientAddress)
        return .noContent
    }
}

/// Where one is signed in.
struct SessionRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.sessions, use: list)
        router.on(AccountEndpoints.signOutEverywhere, use: endAll)
        router.on(AccountEndpoints.endSession, use: end)
    }

    @Sendable func list(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        return try Reply(.ok, try await accounts.sessions(of: identity, request.page()))
    }

    @Sendable func end(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        try await accounts.endSession(context.id("id"), of: identity)
        return .noContent
    }

    @Sendable func endAll(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.endSessions(of: context.person())
        return .noContent
    }
}

/// One's picture, and the pictures of others by their signed addresses.
struct PhotoRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.setPhoto, use: set)
        router.on(AccountEndpoints.removePhoto, use: remove)
        router.on(AccountEndpoints.personPicture, use: show)
    }

    @Sendable func set(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        let body = try await request.collect(limit: PhotoStore.largest)
        let data = Data(body.readableBytesView)
        return try Reply(.ok, try await accounts.setPhoto(data, of: identity))
    }

    @Sendable func remove(_ request: Request, _ context: Context) async throws -> Reply {
        try await accounts.removePhoto(of: context.person())
        return .noContent
    }

    @Sendable func show(_ request: Request, _ context: Context) async throws -> PictureReply {
        let id = try context.id("id", as: PictureID.self)
        let left = try accounts.photos.addresses.verify(
            SignedAddresses.path(person: id), expires: request.query("expires"),
            signature: request.query("signature"), at: accounts.clock.now)
        let blob = try await accounts.photo(id)
        return PictureReply(blob.data, contentType: blob.contentType, secondsLeft: left)
    }
}

/// Leaving, and seeing all that is held.
struct DeletionRoutes: Sendable {
    let accounts: AccountUseCases

    func add(to router: Router<Context>) {
        router.on(AccountEndpoints.deleteMe, use: delete)
        router.personalData { try await accounts.export($0) }
    }

    @Sendable func delete(_ request: Request, _ context: Context) async throws -> Reply {
        let identity = try context.person()
        try await accounts.delete(
            identity, context.body(of: request), from: request.clientAddress)
        return .accepted
    }
}
