extension Topic {
    public static let engagements: Topic = "engagements"
}

/// People have to do with each other in another way, or no more. The newest version says all.
public struct EngagementChanged: Event {
    public static let type = "engagements.changed.v1"
    public static let topic = Topic.engagements
    public var engagement: Engagement
    public var key: String { engagement.id.description }

    public init(_ engagement: Engagement) { self.engagement = engagement }
}
