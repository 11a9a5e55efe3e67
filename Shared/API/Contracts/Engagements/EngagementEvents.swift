extension Topic {
    public static let engagements: Topic = "engagements"
}

/// An engagement began, changed or ended. The newest version replaces earlier ones.
public struct EngagementChanged: Event {
    public static let type = "engagements.changed.v1"
    public static let topic = Topic.engagements
    public var engagement: Engagement
    public var key: String { engagement.id.description }

    public init(_ engagement: Engagement) { self.engagement = engagement }
}
