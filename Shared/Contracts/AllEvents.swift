/// What products tell the platform, and operators' deeds: said by several services.
private let sharedEvents: [any Event.Type] = [
    BillChanged.self, EngagementChanged.self, NoticeIssued.self, OperatorActed.self,
]

/// Every event that crosses the bus. A fixture, a producer's test and a reader's test exist for each.
public let allEvents: [any Event.Type] = allServices.flatMap(\.events) + sharedEvents
