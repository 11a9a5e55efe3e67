import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that accounts is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: AccountsConfig, _ house: House) async throws -> [any Service] {
    let keys = try await SigningKeys(config, folder: house.common.dataFolder)
    let house = house.with(verifier: keys.verifier(clock: house.clock))
    let database = try house.database(accountMigrations)
    let accounts = AccountUseCases(database, keys, house, PasswordHasher())
    if let first = config.firstOperator { try await accounts.ensureOperator(first) }
    let bus = try house.bus(database, reactions: accountReactions)
    let sweeper = Sweeper(accounts: accounts, logger: house.logger)
    return bus + [sweeper, house.server(accountRouter(accounts, house))]
}

/// All endpoints of accounts.
func accountRouter(_ accounts: AccountUseCases, _ house: House) -> Router<Context> {
    let router = house.router()
    AccountRoutes(accounts: accounts).add(to: router)
    VehicleRoutes(accounts: accounts).add(to: router)
    ValetRoutes(accounts: accounts).add(to: router)
    return router
}
