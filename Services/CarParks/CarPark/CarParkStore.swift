import Contracts
import EventBus
import Foundation
import Geo
import ServiceKit
import Store

/// Car parks, their products and their counts, in SQL.
struct CarParkStore {
    static let migration = Migration(
        "carparks-1",
        """
        CREATE TABLE car_parks (
            id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            latitude DOUBLE PRECISION NOT NULL,
            longitude DOUBLE PRECISION NOT NULL,
            words TEXT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX car_parks_by_place ON car_parks (latitude, longitude)",
        """
        CREATE TABLE products (
            id TEXT NOT NULL PRIMARY KEY,
            car_park TEXT NOT NULL,
            body TEXT NOT NULL)
        """,
        "CREATE INDEX products_of_car_park ON products (car_park, id)",
        """
        CREATE TABLE counts (
            car_park TEXT NOT NULL,
            kind TEXT NOT NULL,
            free BIGINT NOT NULL,
            counted_at BIGINT NOT NULL,
            source TEXT NOT NULL,
            PRIMARY KEY (car_park, kind))
        """)

    let transaction: Transaction
}

extension SpaceClass: SQLConvertible {}
extension LiveSpaces.Source: SQLConvertible {}

extension Transaction {
    var carParks: CarParkStore { CarParkStore(transaction: self) }
}

extension CarParkStore {
    func find(_ id: CarParkID) throws -> CarParkRecord? {
        try transaction.row("SELECT body FROM car_parks WHERE id = ?", id)?.json()
    }

    /// Throws if it does not exist.
    func require(_ id: CarParkID) throws -> CarParkRecord {
        guard let found = try find(id) else { throw Refusal.carParkUnknown }
        return found
    }

    /// A day, named by its noon in UTC, in the car park's time zone; in UTC without a car park.
    func day(of noon: Date, in id: CarParkID?) throws -> Range<Date> {
        let there = try id.flatMap { try find($0) }?.days ?? LocalDays(.gmt)
        let day = LocalDays(.gmt).day(of: noon)
        return there.start(of: day)..<there.moment(day, minute: 1_440)
    }

    /// Stores the car park as its next version and publishes it.
    func keep(_ carPark: CarParkRecord, at now: Date) throws {
        let changed = try transaction.execute(
            """
            INSERT INTO car_parks (id, version, latitude, longitude, words, body)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                version = excluded.version, latitude = excluded.latitude,
                longitude = excluded.longitude, words = excluded.words, body = excluded.body
            WHERE car_parks.version = excluded.version - 1
            """, carPark.id, carPark.version, carPark.body.position.latitude,
            carPark.body.position.longitude, carPark.body.searchWords, Wire.json(carPark))
        guard changed == 1 else { throw LostRace() }
        try transaction.watches.spacesChanged(in: carPark.id)
        try transaction.publish(
            CarParkChanged(
                carPark: carPark.id, name: carPark.body.name, isOpen: carPark.isOpen,
                version: carPark.version), at: now)
    }

    /// Removes the car park with everything that belongs to it, its pictures too.
    func remove(_ carPark: CarParkRecord, at now: Date) throws {
        for table in ["products", "counts", "gates", "full_car_parks", "tariffs"] {
            try transaction.execute("DELETE FROM \(table) WHERE car_park = ?", carPark.id)
        }
        for picture in carPark.photos {
            try carParkPictures.remove(picture, at: now, in: transaction)
        }
        try transaction.execute("DELETE FROM car_parks WHERE id = ?", carPark.id)
        try transaction.publish(
            CarParkChanged(
                carPark: carPark.id, name: carPark.body.name, isOpen: false,
                version: carPark.version + 1), at: now)
    }

    func list(_ ids: [CarParkID]) throws -> [CarParkRecord] {
        guard !ids.isEmpty else { return [] }
        return try transaction.rows(
            "SELECT body FROM car_parks WHERE id IN (\(transaction.marks(ids.count)))",
            arguments: ids
        ).map { try $0.json() }
    }

    /// The car parks in the boxes whose name or address contains the words.
    func list(in boxes: [BoundingBox], words: String?, most: Int) throws -> [CarParkRecord] {
        try select("body", in: boxes, words: words, nearest: nil, most: most)
            .map { try $0.json() }
    }

    /// The same, limited to the nearest to the point.
    func keys(
        in boxes: [BoundingBox], words: String?, nearest point: Coordinate?, most: Int
    ) throws -> [KnownCarParks.Key] {
        try select("id, version", in: boxes, words: words, nearest: point, most: most).map {
            KnownCarParks.Key(id: try $0.get("id"), version: try $0.get("version"))
        }
    }

    private func select(
        _ columns: String, in boxes: [BoundingBox], words: String?, nearest point: Coordinate?,
        most: Int
    ) throws -> [Row] {
        var conditions = Conditions()
        if !boxes.isEmpty { conditions.require(in: boxes) }
        conditions.require(words: words, in: "words")
        var order = "id"
        var orderArguments: [(any SQLConvertible)?] = []
        if let point {
            // On a plane that touches the point, and also right across the date line.
            let east =
                "CASE WHEN ABS(longitude - ?) > 180 THEN 360 - ABS(longitude - ?)"
                + " ELSE ABS(longitude - ?) END * ?"
            order = "(latitude - ?) * (latitude - ?) + (\(east)) * (\(east)), id"
            let (latitude, longitude) = (point.latitude, point.longitude)
            let scale = cos(latitude * .pi / 180)
            let scaled: [(any SQLConvertible)?] = [longitude, longitude, longitude, scale]
            orderArguments = [latitude, latitude] + scaled + scaled
        }
        return try transaction.rows(
            "SELECT \(columns) FROM car_parks \(conditions.where) ORDER BY \(order) LIMIT ?",
            arguments: conditions.arguments + orderArguments + [most])
    }

    // MARK: Products

    func products(of carParks: [CarParkID]) throws -> [CarParkID: [ParkingProduct]] {
        guard !carParks.isEmpty else { return [:] }
        let marks = transaction.marks(carParks.count)
        let found = try transaction.rows(
            """
            SELECT car_park, body FROM products WHERE car_park IN (\(marks))
            ORDER BY id
            """, arguments: carParks)
        return try found.reduce(into: [:]) { products, row in
            products[try row.get("car_park"), default: []].append(try row.json())
        }
    }

    func product(_ id: ParkingProductID, of carPark: CarParkID) throws -> ParkingProduct? {
        try transaction.row("SELECT body FROM products WHERE id = ? AND car_park = ?", id, carPark)?
            .json()
    }

    func keep(_ product: ParkingProduct, of carPark: CarParkID) throws {
        try transaction.execute(
            """
            INSERT INTO products (id, car_park, body) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET body = excluded.body
            """, product.id, carPark, Wire.json(product))
    }

    // MARK: Counts

    /// Stores a count, unless a later one is known.
    func keepCount(
        _ free: Int, of kind: SpaceClass, in carPark: CarParkID, at time: Date,
        _ source: LiveSpaces.Source
    ) throws {
        try transaction.execute(
            """
            INSERT INTO counts (car_park, kind, free, counted_at, source) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (car_park, kind) DO UPDATE SET
                free = excluded.free, counted_at = excluded.counted_at, source = excluded.source
            WHERE counts.counted_at <= excluded.counted_at
            """, carPark, kind, free, time, source)
        try transaction.watches.spacesChanged(in: carPark)
    }

    struct Count: Sendable {
        let free: Int
        let at: Date
        let source: LiveSpaces.Source
    }

    func counts(of carParks: [CarParkID]) throws -> [CarParkID: [SpaceClass: Count]] {
        guard !carParks.isEmpty else { return [:] }
        let found = try transaction.rows(
            """
            SELECT car_park, kind, free, counted_at, source FROM counts
            WHERE car_park IN (\(transaction.marks(carParks.count)))
            """, arguments: carParks)
        return try found.reduce(into: [:]) { counts, row in
            counts[try row.get("car_park"), default: [:]][try row.get("kind")] = Count(
                free: try row.get("free"), at: try row.get("counted_at"),
                source: try row.get("source"))
        }
    }
}

extension CarParkBody {
    fileprivate var searchWords: String { WordSearch.folded("\(name) \(address)") }
}
