/// Selects the hand-over whose code to read.
public struct HearQuery: Query {
    public var leg: OrderLeg

    public init(_ leg: OrderLeg) { self.leg = leg }

    public static let fields: [String: QueryField] = ["leg": "The hand-over that the code is for."]
}
