/// A server, and how to connect to it.
struct Endpoint: Sendable {
    let address: RedisAddress
    let username: String?
    let password: String?
    var database = 0
    /// A replica answers reads, but with old data: behind Sentinels, each new connection asks for the role.
    var mustBeMaster = false
    let connectTimeout: Duration
    var commandTimeout: Duration

    /// Questions take no longer than connecting, since there are others to ask.
    var impatient: Endpoint {
        var endpoint = self
        endpoint.commandTimeout = min(connectTimeout, commandTimeout)
        return endpoint
    }

    /// The first commands on a new connection.
    var greeting: [[String]] {
        var commands: [[String]] = []
        if let password {
            commands.append(["AUTH"] + (username.map { [$0] } ?? []) + [password])
        }
        if database != 0 { commands.append(["SELECT", String(database)]) }
        if mustBeMaster { commands.append(["ROLE"]) }
        return commands
    }
}

extension RedisConfiguration {
    /// A server that has data.
    func endpoint(_ address: RedisAddress) -> Endpoint {
        var endpoint = Endpoint(
            address: address, username: username, password: password, database: database,
            connectTimeout: connectTimeout, commandTimeout: commandTimeout)
        if case .sentinel = topology { endpoint.mustBeMaster = true }
        return endpoint
    }

    func endpoint(_ address: RedisAddress, of sentinel: Sentinel) -> Endpoint {
        Endpoint(
            address: address, username: sentinel.username, password: sentinel.password,
            connectTimeout: connectTimeout, commandTimeout: commandTimeout)
    }
}
