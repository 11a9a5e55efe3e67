import Blobs
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that accounts is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: AccountsConfig, _ house: House) async throws -> [any Service] {
    let keys = try await SigningKeys(config, folder: house.common.dataFolder)
    let house = house.with(verifier: keys.verifier(clock: house.clock))
    let database = try house.database(accountMigrations)
    let accounts = AccountUseCases(
        database, keys, house, PasswordHasher(), try blobs(config.blobs, house))
    if let first = config.firstOperator { try await accounts.ensureOperator(first) }
    let bus = try house.bus(database, reactions: accountReactions(accounts))
    return bus + [
        ResetSender(accounts: accounts, logger: house.logger),
        Periodic("retention", every: .seconds(300), of: database, logger: house.logger) {
            try await accounts.sweep()
        },
        house.server(accountRouter(accounts, house)),
    ]
}

/// A folder, unless a store is configured.
private func blobs(_ config: BlobsConfig, _ house: House) throws -> any BlobStore {
    guard let s3 = config.s3 else { return try FolderBlobs(BlobsConfig.folder(in: house)) }
    return S3Blobs(
        S3Settings(
            url: s3.url, region: s3.region, bucket: s3.bucket, keyID: s3.keyID, secret: s3.secret),
        client: house.httpClient)
}

/// All endpoints of accounts.
func accountRouter(_ accounts: AccountUseCases, _ house: House) -> Router<Context> {
    let router = house.router()
    AccountRoutes(accounts: accounts).add(to: router)
    VehicleRoutes(accounts: accounts).add(to: router)
    ValetRoutes(accounts: accounts).add(to: router)
    PasswordRoutes(accounts: accounts).add(to: router)
    SessionRoutes(accounts: accounts).add(to: router)
    PhotoRoutes(accounts: accounts).add(to: router)
    DeletionRoutes(accounts: accounts).add(to: router)
    return router
}
