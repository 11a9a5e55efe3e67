import Contracts
import ServiceKit
import Store

/// How many connections all services together may open to the PostgreSQL server, and how many it allows.
struct ConnectionBudget {
    /// Host and port, for people.
    let server: String
    let services: Int
    let perService: Int
    let allowed: Int

    var most: Int { services * perService }

    var text: String {
        "PostgreSQL at \(server): up to \(most) connections (\(services) services × \(perService)) of \(allowed)"
    }

    /// Asks the server; blocks. Nil for SQLite.
    ///
    /// - Throws: `ToolError` if the server can't be reached or allows fewer connections.
    static func check(_ settings: UpSettings) throws -> ConnectionBudget? {
        // Location publishes again from Redis, and has no SQL.
        let services = allServices.filter {
            $0.parts.contains(.database) && !$0.parts.contains(.redis)
        }
        guard let first = services.first,
            let (address, perService) = try own(settings.perService[first.name] ?? [:])
        else { return nil }
        let allowed: Int
        do {
            allowed = try address.connectionLimit(orOf: first.name)
        } catch {
            throw ToolError("PostgreSQL at \(address.server) can't be used: \(error).")
        }
        let budget = ConnectionBudget(
            server: address.server, services: services.count, perService: perService,
            allowed: allowed)
        guard budget.most <= allowed else {
            throw ToolError(
                "\(budget.text): that is too many. Lower \(CommonConfig.databaseConnectionsKey), or raise "
                    + "max_connections of the server.")
        }
        return budget
    }

    /// The address in a service's settings, and its number of connections.
    static func own(
        _ settings: [String: String]
    ) throws -> (address: PostgresAddress, connections: Int)? {
        let names = ["OPENVALET_DATABASE", CommonConfig.databaseConnectionsKey]
        let values = try ConfigValues(common: names, in: settings)
        guard let text = try values.optional(names[0]) else { return nil }
        guard let address = PostgresAddress(text) else {
            throw ConfigError("\(names[0]) is not a postgres:// address")
        }
        return (address, try values.int(names[1], in: CommonConfig.databaseConnectionsRange))
    }
}
