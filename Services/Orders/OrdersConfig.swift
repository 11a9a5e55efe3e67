import Contracts
import ServiceKit

/// Every key that orders reads.
struct OrdersConfig: Config {
    static let keys =
        [
            ConfigKey(
                "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS", default: "60",
                "Matching is asked again when it has not answered for so long.")
        ]
        + OrderLimits.standard.map { status, seconds in
            ConfigKey(
                OrderLimits.key(status), default: String(seconds),
                "Operators are told when an order has been \(status.rawValue) for so long.")
        }

    let limits: OrderLimits

    init(_ values: ConfigValues) throws {
        var seconds: [OrderStatus: Int] = [:]
        for (status, _) in OrderLimits.standard {
            seconds[status] = try values.int(
                OrderLimits.key(status), in: OrderLimits.allowedSeconds)
        }
        limits = OrderLimits(
            stateSeconds: seconds,
            matchAnswerSeconds: try values.int(
                "OPENVALET_ORDERS_MATCH_ANSWER_SECONDS", in: OrderLimits.allowedSeconds))
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

    static let usual = OrderLimits(
        stateSeconds: Dictionary(uniqueKeysWithValues: standard), matchAnswerSeconds: 60)

    /// `OPENVALET_ORDERS_LIMIT_WAITING_FOR_PAYMENT_SECONDS` and its siblings.
    static func key(_ status: OrderStatus) -> String {
        let words = status.rawValue.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }
        return "OPENVALET_ORDERS_LIMIT_\(words.joined())_SECONDS"
    }
}
