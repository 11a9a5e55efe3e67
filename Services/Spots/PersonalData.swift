import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// All data that spots holds about a person, for their export.
struct HeldSpots: Encodable, Sendable {
    /// The most spots, and the most requests, in an export; the newest are kept.
    static let most = 200

    let vehicles: [Vehicle]
    let spots: [Spot]
    let requests: [SpotRequest]
    let parkingAlerts: [ParkingAlert]
}

extension SpotUseCases {
    func held(on person: PersonID, _ views: SpotViews) async throws -> HeldSpots {
        let page = PageRequest(limit: HeldSpots.most)
        let spots = try await list(
            SpotFilter(seller: person), page, for: .person(person), views)
        let requests = try await requests(of: person, page, views)
        return try await database.read { transaction in
            HeldSpots(
                vehicles: try transaction.vehicles(of: person.as(CustomerID.self)),
                spots: spots.items, requests: requests.items,
                parkingAlerts: try ParkingAlerts.watchers.page(
                    page, of: person, in: transaction
                ).items)
        }
    }

    /// Withdraws open spots and requests, and deletes positions. Prices remain.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let (person, now) = (event.account, event.deletedAt)
        try await giveUpAll(of: person, at: now)
        try await database.sweep(batch: Self.batch) {
            try $0.spots.forget(of: person, limit: $1, at: now)
        }
        try await database.sweep(batch: Self.batch) {
            try $0.requests.forget(of: person, limit: $1)
        }
        try await database.apply(delivery) { transaction in
            try transaction.forgetPerson(event, at: now)
            try transaction.forgetBlocks(of: person)
            try transaction.strikes.forget(of: person)
            try transaction.forgetVehicles(of: person)
            try ParkingAlerts.watchers.forget(person, in: transaction)
            try transaction.photos.dropUnnamed(of: person, at: now)
            _ = try transaction.spots.forget(of: person, limit: Self.batch, at: now)
            _ = try transaction.requests.forget(of: person, limit: Self.batch)
        }
    }

    /// Cancels a deleted account's open spots and requests. None is reserved, because that would have
    /// prevented the deletion.
    private func giveUpAll(of person: PersonID, at now: Date) async throws {
        try await database.write { transaction in
            if var spot = try transaction.spots.open(of: person), spot.status == .offered {
                try spot.cancel(by: .seller)
                try transaction.requests.endAll(of: spot, at: now)
                try transaction.spots.close(&spot, .cancelled, by: .seller, at: now)
            }
            for request in try transaction.requests.open(of: person)
            where request.status != .approved {
                try transaction.requests.lose(request, as: .cancelled, by: .buyer, at: now)
            }
        }
    }

    /// Spots or requests per transaction.
    private static var batch: Int { 100 }
}

extension SpotStore {
    /// Deletes personal data of finished spots; returns their number.
    fileprivate func forget(of person: PersonID, limit: Int, at now: Date) throws -> Int {
        let found: [SpotRecord] = try transaction.rows(
            """
            SELECT body FROM spots WHERE seller = ? AND is_open = 0 AND is_forgotten = 0
            ORDER BY id LIMIT ?
            """, person, limit
        ).map { try $0.json() }
        for var spot in found { try forget(&spot, at: now) }
        return found.count
    }

    func forget(_ spot: inout SpotRecord, at now: Date) throws {
        try transaction.photos.drop(spot.forget(), at: now)
        try spotTable.update(&spot, in: transaction)
    }

    /// Deletes the positions of spots that ended long ago.
    func sweep(before time: Date, limit: Int, at now: Date) throws -> Int {
        let found: [SpotRecord] = try transaction.rows(
            """
            SELECT body FROM spots WHERE is_open = 0 AND is_forgotten = 0 AND created_at < ?
            ORDER BY created_at LIMIT ?
            """, time, limit
        ).map { try $0.json() }
        for var spot in found { try forget(&spot, at: now) }
        return found.count
    }
}

extension RequestStore {
    fileprivate func forget(of person: PersonID, limit: Int) throws -> Int {
        let found: [SpotRequestRecord] = try transaction.rows(
            """
            SELECT body FROM spot_requests WHERE buyer = ? AND is_open = 0 AND is_forgotten = 0
            ORDER BY id LIMIT ?
            """, person, limit
        ).map { try $0.json() }
        for var request in found {
            request.forget()
            try requestTable.update(&request, in: transaction)
        }
        return found.count
    }
}
