/// Events that products publish for the platform, and operators' actions; published by every service with that part.
private let sharedEvents: [(event: any Event.Type, by: ServiceManifest.Part)] = [
    (BillChanged.self, .bills), (EngagementChanged.self, .engagements),
    (NoticeIssued.self, .database), (BillNoticeIssued.self, .bills),
    (OperatorActed.self, .database),
]

/// Every event on the bus. Each has a fixture, a producer's test and a reader's test.
public let allEvents: [any Event.Type] = allServices.flatMap(\.events) + sharedEvents.map(\.event)

/// The services that may publish each type of event.
public let eventSpeakers: [String: Set<String>] = allServices.reduce(into: [:]) {
    for event in $1.says { $0[event.type, default: []].insert($1.name) }
}

extension ServiceManifest {
    /// All events that it may publish.
    public var says: [any Event.Type] {
        events + sharedEvents.filter { parts.contains($0.by) }.map(\.event)
    }

    /// Topics that it may write to.
    public var saysIn: Set<Topic> { Set(says.map { $0.topic }) }

    /// Topics that it reads.
    public var hearsIn: Set<Topic> { Set(hears.map { $0.topic }) }

    public var isOnBus: Bool { !says.isEmpty || !hears.isEmpty }
}
