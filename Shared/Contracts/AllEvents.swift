/// What products tell the platform, and operators' deeds: said by several services.
private let sharedEvents: [any Event.Type] = [
    BillChanged.self, EngagementChanged.self, NoticeIssued.self, OperatorActed.self,
]

/// Every event that crosses the bus. A fixture, a producer's test and a reader's test exist for each.
public let allEvents: [any Event.Type] = allServices.flatMap(\.events) + sharedEvents

/// The services that may say each type of event: its owner, or whoever has an outbox; bills only who is asked for them.
public let eventSpeakers: [String: Set<String>] = {
    var speakers: [String: Set<String>] = [:]
    for service in allServices {
        for event in service.events { speakers[event.type] = [service.name] }
    }
    for event in sharedEvents {
        let part: ServiceManifest.Part = event == BillChanged.self ? .bills : .database
        speakers[event.type] = Set(allServices.filter { $0.parts.contains(part) }.map(\.name))
    }
    return speakers
}()
