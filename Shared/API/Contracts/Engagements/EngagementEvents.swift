extension Topic {
    public static let engagements: Topic = "engagements"
}

/// An engagement began, changed or ended. The newest version replaces earlier ones.
public struct EngagementChanged: StateEvent {
    public static let type = "engagements.changed.v1"
    public static let topic = Topic.engagements
    public var engagement: Engagement
    public var key: String { engagement.id.description }
    public var marks: [StateMark] {
        engagement.state == .open
            ? [StateMark(.engagements, engagement.id, version: engagement.version)] : []
    }

    public init(_ engagement: Engagement) { self.engagement = engagement }
}
