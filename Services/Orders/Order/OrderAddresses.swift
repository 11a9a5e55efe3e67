import Contracts
import Dispatch
import Geo
import Logging
import Maps
import Routing
import ServiceKit
import Threads

/// The words for a point of which nobody gave any: those of the house's own maps, as the signs there say.
struct OrderAddresses: Sendable {
    /// Without maps.
    static let none = OrderAddresses { _ in nil }
    /// No tap waits longer for words.
    private static let limit: DispatchTimeInterval = .milliseconds(300)

    /// On whose thread it is found.
    private let executor: BlockingExecutor
    private let limit: DispatchTimeInterval
    private let find: @Sendable (Coordinate) throws -> String?
    private let logger = Logger(label: "addresses")

    /// What finds it may block.
    init(
        on executor: BlockingExecutor = BlockingExecutor(label: "orders.addresses"),
        within limit: DispatchTimeInterval = Self.limit,
        _ find: @escaping @Sendable (Coordinate) throws -> String?
    ) {
        (self.executor, self.limit, self.find) = (executor, limit, find)
    }

    init(_ maps: MapsConfig) {
        guard let folder = maps.folder else {
            self = .none
            return
        }
        let book = AddressBook(MapFolder(folder))
        self.init(on: book.executor) { point in
            try book.assumeIsolated { try $0.reverse(point, language: "")?.items.first?.address }
        }
    }

    /// Nil where no map has an address, or none in time: nobody is refused for it.
    func address(at point: Coordinate) async -> String? {
        do {
            let found = try await executor.run(within: limit) { [find] in try find(point) }
            return found.map { String($0.prefix(Check.longestAddress)) }
        } catch {
            logger.warning("no address of the maps", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// With the words that people gave, or else the maps'.
    func named(_ place: Place) async -> Place {
        guard place.address == nil else { return place }
        return Place(place.coordinate, address: await address(at: place.coordinate))
    }

    func named(_ parked: ParkedAt) async -> ParkedAt {
        var parked = parked
        parked.address = await address(at: parked.place.coordinate)
        return parked
    }
}
