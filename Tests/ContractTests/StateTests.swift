import Contracts
import Testing

/// What owners tell whole, and who copies it.
struct StateTests {
    private func types(_ kinds: [StateKind]) -> Set<String> {
        Set(kinds.flatMap { $0.events.map { $0.type } })
    }

    @Test func everyKindHasAnOwnerAndAReader() {
        for kind in StateKind.allCases {
            #expect(allServices.contains { $0.tells.contains(kind) }, "\(kind)")
            #expect(allServices.contains { $0.copies.contains(kind) }, "\(kind)")
            #expect(!kind.events.isEmpty)
        }
    }

    @Test func anOwnerPublishesWhatItTellsAndAReaderHearsSomeOfWhatItCopies() {
        for service in allServices {
            let told = service.tells.filter(\.isPublished)
            #expect(types(told).isSubset(of: service.says.map { $0.type }), "\(service.name)")
            for kind in service.copies where kind.isPublished {
                let heard = Set(service.hears.map { $0.type })
                #expect(!types([kind]).isDisjoint(with: heard), "\(service.name) \(kind)")
            }
        }
    }

    /// Otherwise two services that start with nothing would wait for each other wherever only ready ones are reached.
    @Test func nobodyWaitsForAServiceThatWaitsForIt() {
        var ready: [ServiceManifest] = []
        var waiting = allServices
        while let next = waiting.first(where: { service in
            service.stateOwners.allSatisfy(ready.contains)
        }) {
            ready.append(next)
            waiting.removeAll { $0 == next }
        }
        #expect(waiting.map(\.name) == [])
    }

    @Test func onlyWholeValuesByTheirOwnIDAreOnACompactedTopic() throws {
        let compacted = allEvents.filter { $0.topic.isCompacted }
        #expect(Set(compacted.map { $0.topic }).count == 3)
        for type in compacted {
            let whole = try #require(type as? any StateEvent.Type, "\(type.type)")
            try keyIsTheThing(whole)
        }
    }

    private func keyIsTheThing<E: StateEvent>(_ type: E.Type) throws {
        let event = try Wire.decode(E.self, from: Fixtures.data(type))
        #expect(event.marks.allSatisfy { $0.id == event.key }, "\(E.type)")
    }

    @Test func theOwnersAddressesAreSettings() {
        let addresses = ServiceManifest.places.addresses { "http://\($0):8080" }
        #expect(
            addresses["OPENVALET_STATE_OWNERS"]
                == "accounts=http://accounts:8080,areas=http://areas:8080")
    }
}
