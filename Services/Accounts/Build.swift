import Blobs
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that accounts is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: AccountsConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let keys = try await SigningKeys(config.signing, folder: environment.common.dataFolder)
    let environment = environment.with(verifier: keys.verifier(clock: environment.clock))
    let database = try environment.database(accountMigrations)
    let accounts = AccountUseCases(
        database, keys, environment, PasswordHasher(), try blobs(config.blobs, environment),
        owners: environment.engagementOwners,
        operatorsNeedSecondFactor: config.operatorsNeedSecondFactor)
    if let first = config.firstOperator { try await accounts.ensureOperator(first) }
    let bus = try environment.bus(database, reactions: nil)
    return bus + [
        ResetSender(accounts: accounts, logger: environment.logger),
        Periodic("retention", every: .seconds(300), of: database, logger: environment.logger) {
            try await accounts.sweep()
        },
        environment.server(accountRouter(accounts, environment)),
    ]
}

/// A folder, unless a store is configured.
private func blobs(_ config: BlobsConfig, _ environment: ServiceEnvironment) throws -> any BlobStore
{
    guard let s3 = config.s3 else { return try FolderBlobs(BlobsConfig.folder(in: environment)) }
    return S3Blobs(
        S3Settings(
            url: s3.url, region: s3.region, bucket: s3.bucket, keyID: s3.keyID, secret: s3.secret),
        client: environment.httpClient)
}

/// All endpoints of accounts.
func accountRouter(_ accounts: AccountUseCases, _ environment: ServiceEnvironment) -> Router<
    Context
> {
    let router = environment.router()
    AccountRoutes(accounts: accounts).add(to: router)
    return router
}
