/// Which code was read out.
public struct HearQuery: Query {
    public var leg: OrderLeg

    public init(_ leg: OrderLeg) { self.leg = leg }

    public static let fields: [String: QueryField] = ["leg": "Of which hand-over."]
}
