import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of orders.
struct OrdersConfig: Config {
    static let service = ServiceManifest.orders

    static let keys =
        [
            ConfigKey(
                "OPENVALET_ORDERS_CUSTODY_KEY", secret: true,
                "Key of the custody record's hashes: at least 32 characters. Never change it."),
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Address of the accounts service."),
            ConfigKey("OPENVALET_AREAS_URL", "Address of the areas service."),
            ConfigKey("OPENVALET_PLATES_URL", "Address of the plates service."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Address of the payments service."),
            ConfigKey("OPENVALET_CARPARKS_URL", "Address of the carparks service."),
            ConfigKey(
                "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS", default: "60",
                "How long to wait for an answer of matching before asking again."),
            ConfigKey(
                "OPENVALET_ORDERS_OFFER_DELIVERY_SECONDS", default: "15",
                "How long a phone has to confirm an offer before it goes to the next valet."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_EARLIEST_SECONDS", default: "900",
                "Shortest time between ordering ahead and the drop-off."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_LATEST_SECONDS", default: "1209600",
                "Longest time between ordering ahead and the drop-off."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_LEAD_SECONDS", default: "600",
                "How long before the drop-off time the search for a valet begins."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_PATIENCE_SECONDS", default: "300",
                "How long after the drop-off time the search goes on while no valet is free."),
            ConfigKey(
                "OPENVALET_ORDERS_HISTORY", default: "no",
                "yes: accepts past orders from other services, with which a demo begins."),
        ]
        + OrderLimits.standard.map { status, seconds in
            ConfigKey(
                OrderLimits.key(status), default: String(seconds),
                "Operators get an alert when an order has been \(status.rawValue) for this long.")
        } + MapsConfig.keys

    static let shortestKey = 32

    let limits: OrderLimits
    let custodyKey: String
    let maps: MapsConfig
    let takesHistory: Bool
    let accountsURL, areasURL, platesURL, paymentsURL, carParksURL: URL

    init(_ values: ConfigValues) throws {
        custodyKey = try values.string("OPENVALET_ORDERS_CUSTODY_KEY")
        guard custodyKey.count >= Self.shortestKey else {
            throw ConfigError("OPENVALET_ORDERS_CUSTODY_KEY has fewer than 32 characters")
        }
        accountsURL = try values.url("OPENVALET_ACCOUNTS_URL")
        areasURL = try values.url("OPENVALET_AREAS_URL")
        platesURL = try values.url("OPENVALET_PLATES_URL")
        paymentsURL = try values.url("OPENVALET_PAYMENTS_URL")
        carParksURL = try values.url("OPENVALET_CARPARKS_URL")
        maps = try MapsConfig(values)
        takesHistory = try values.bool("OPENVALET_ORDERS_HISTORY")
        var seconds: [OrderStatus: Int] = [:]
        for (status, _) in OrderLimits.standard {
            seconds[status] = try values.int(
                OrderLimits.key(status), in: OrderLimits.allowedSeconds)
        }
        limits = OrderLimits(
            stateSeconds: seconds,
            matchAnswerSeconds: try values.int(
                "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS", in: OrderLimits.allowedSeconds),
            dispatch: try Self.dispatch(values))
    }

    private static func dispatch(_ values: ConfigValues) throws -> DispatchLimits {
        func seconds(_ name: String) throws -> Int {
            try values.int("OPENVALET_ORDERS_\(name)_SECONDS", in: DispatchLimits.allowedSeconds)
        }
        return DispatchLimits(
            offerDeliverySeconds: try seconds("OFFER_DELIVERY"),
            scheduleEarliestSeconds: try seconds("SCHEDULE_EARLIEST"),
            scheduleLatestSeconds: try seconds("SCHEDULE_LATEST"),
            scheduleLeadSeconds: try seconds("SCHEDULE_LEAD"),
            schedulePatienceSeconds: try seconds("SCHEDULE_PATIENCE"))
    }
}

/// How long an order may stay in a state, and how long matching may take to answer.
struct OrderLimits: Sendable {
    static let allowedSeconds = 1...31_536_000

    /// Every state except the final ones, with its limit in seconds.
    static let standard: [(OrderStatus, Int)] = [
        (.requested, 300), (.droppingOff, 2_700), (.parking, 2_700), (.parked, 172_800),
        (.requestingBack, 2_700), (.returningBack, 3_600), (.waitingForPayment, 86_400),
    ]

    var stateSeconds: [OrderStatus: Int]
    var matchAnswerSeconds: Int
    var dispatch = DispatchLimits()

    static let usual = OrderLimits(
        stateSeconds: Dictionary(uniqueKeysWithValues: standard), matchAnswerSeconds: 60)

    /// `OPENVALET_ORDERS_LIMIT_WAITING_FOR_PAYMENT_SECONDS` and its siblings.
    static func key(_ status: OrderStatus) -> String {
        let words = status.rawValue.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }
        return "OPENVALET_ORDERS_LIMIT_\(words.joined())_SECONDS"
    }
}
