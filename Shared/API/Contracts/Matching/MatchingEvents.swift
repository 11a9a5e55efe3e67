import Foundation

extension Topic {
    public static let matching: Topic = "matching"
}

/// Matching chose a valet, and holds them for a moment.
public struct ValetMatched: Event {
    public static let type = "matching.valet-matched.v1"
    public static let topic = Topic.matching
    public var order: OrderID
    public var leg: Open<OrderLeg>
    public var attempt: Int
    public var valet: ValetID
    public var etaSeconds: Int
    public var key: String { order.description }

    public init(order: OrderID, leg: Open<OrderLeg>, attempt: Int, valet: ValetID, etaSeconds: Int)
    {
        self.order = order
        self.leg = leg
        self.attempt = attempt
        self.valet = valet
        self.etaSeconds = etaSeconds
    }
}

/// No valet was available within the radius and the waiting time.
public struct NoValetFound: Event {
    public static let type = "matching.no-valet-found.v1"
    public static let topic = Topic.matching
    public var order: OrderID
    public var leg: Open<OrderLeg>
    public var attempt: Int
    public var key: String { order.description }

    public init(order: OrderID, leg: Open<OrderLeg>, attempt: Int) {
        self.order = order
        self.leg = leg
        self.attempt = attempt
    }
}
