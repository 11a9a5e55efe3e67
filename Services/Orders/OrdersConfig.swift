import Contracts
import Foundation
import Routing
import ServiceKit

/// Every key that orders reads.
struct OrdersConfig: Config {
    static let service = ServiceManifest.orders

    static let keys =
        [
            ConfigKey(
                "OPENVALET_ORDERS_CUSTODY_KEY", secret: true,
                "At least 32 characters, and never another: the key of the custody record's hashes."
            ),
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Where the accounts service is."),
            ConfigKey("OPENVALET_AREAS_URL", "Where the areas service is."),
            ConfigKey("OPENVALET_PLATES_URL", "Where the plates service is."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Where the payments service is."),
            ConfigKey("OPENVALET_CARPARKS_URL", "Where the carparks service is."),
            ConfigKey(
                "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS", default: "60",
                "Matching is asked again when it has not answered for so long."),
            ConfigKey(
                "OPENVALET_ORDERS_OFFER_DELIVERY_SECONDS", default: "15",
                "An offer that the phone has not confirmed after so long goes to the next valet."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_EARLIEST_SECONDS", default: "900",
                "How far ahead an order has to be, if it is ordered ahead."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_LATEST_SECONDS", default: "1209600",
                "How far ahead an order may be."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_LEAD_SECONDS", default: "600",
                "So long before its time a valet is looked for."),
            ConfigKey(
                "OPENVALET_ORDERS_SCHEDULE_PATIENCE_SECONDS", default: "300",
                "So long after its time a valet is still looked for, while nobody is free."),
        ]
        + OrderLimits.standard.map { status, seconds in
            ConfigKey(
                OrderLimits.key(status), default: String(seconds),
                "Operators are told when an order has been \(status.rawValue) for so long.")
        } + MapsConfig.keys

    static let shortestKey = 32

    let limits: OrderLimits
    let custodyKey: String
    let maps: MapsConfig
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

/// How long an order may be in a state, and matching may think.
struct OrderLimits: Sendable {
    static let allowedSeconds = 1...31_536_000

    /// Every state but the ends, with its limit in seconds.
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
