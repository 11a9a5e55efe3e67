import Blobs
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Builds the service. Later services need earlier ones; they stop in reverse.
func build(_ config: AccountsConfig, _ environment: ServiceEnvironment) async throws
    -> [any Service]
{
    let keys = try await SigningKeys(config.signing, folder: environment.common.dataFolder)
    let environment = environment.with(verifier: keys.verifier(clock: environment.clock))
    let database = try environment.database(accountMigrations)
    let accounts = AccountUseCases(
        database, keys, environment, PasswordHasher(cost: config.passwordCost),
        try config.blobs.store(in: environment),
        owners: environment.engagementOwners,
        operatorsNeedSecondFactor: config.operatorsNeedSecondFactor, country: config.country)
    if let first = config.firstOperator { try await accounts.ensureOperator(first) }
    environment.tell(.people, from: database) { transaction, after, limit in
        try transaction.people.told(after: after, limit: limit, at: environment.clock.now)
    }
    environment.tell(.vehicles, from: database) { transaction, after, limit in
        try transaction.vehicles.told(after: after, limit: limit)
    }
    environment.tell(.blocks, from: database) { transaction, after, limit in
        try transaction.blocks.told(after: after, limit: limit)
    }
    let bus = try environment.bus(database, reactions: nil)
    return bus + [
        ResetSender(accounts: accounts, logger: environment.logger),
        environment.periodic("accounts of earlier releases", of: database) {
            try await accounts.announceEarlier()
        },
        environment.periodic("retention", every: .seconds(300), of: database) {
            try await accounts.sweep()
        },
        environment.server(accountRouter(accounts, environment)),
    ]
}

/// The router with all endpoints of accounts.
func accountRouter(_ accounts: AccountUseCases, _ environment: ServiceEnvironment) -> Router<
    Context
> {
    let router = environment.router()
    AccountRoutes(accounts: accounts).add(to: router)
    return router
}
