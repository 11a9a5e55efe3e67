import Contracts
import Dispatch
import EventBus
import Geo
import Logging
import Maps
import Routing
import ServiceKit
import Threads

/// Addresses for points without one, from the installation's own maps and in the language of local signs.
struct OrderAddresses: Sendable {
    /// Used without maps.
    static let none = OrderAddresses { _ in nil }
    /// How long an order waits for an address.
    private static let limit: DispatchTimeInterval = .milliseconds(300)

    /// Runs the blocking lookup.
    private let executor: BlockingExecutor
    private let limit: DispatchTimeInterval
    private let find: @Sendable (Coordinate) throws -> String?
    private let logger = Logger(label: "addresses")

    /// The lookup may block.
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

    /// Nil if no map has an address, or if none is found in time; the order goes on without it.
    func address(at point: Coordinate) async -> String? {
        do {
            let found = try await executor.run(within: limit) { [find] in try find(point) }
            return found.map { String($0.prefix(Check.longestAddress)) }
        } catch {
            logger.warning(
                "the maps' addresses could not be read", metadata: ["error": "\(loggable(error))"])
            return nil
        }
    }

    /// Keeps the person's own text, or adds the map's address.
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
