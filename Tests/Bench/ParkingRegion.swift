import Client
import Contracts
import Foundation
import Geo
import Support

/// Forty kilometres square, with a car park every four hundred metres.
///
/// One car park, booking and stay are made by the API; the database is filled with copies of their rows, each with
/// an id, a place and a time of its own, while the service does not run.
struct ParkingRegion {
    /// What was made by the API.
    struct Template {
        let carPark: CarPark
        let booking: BookingID
        let stay: ParkingSessionID
    }

    private static let (south, west) = (53.2, -6.6)
    /// Degrees.
    private static let (height, width) = (0.36, 0.6)
    private static let perRow = 100
    private static let people = 20_000
    /// Days over which bookings begin, of them the past ones.
    private static let (days, pastDays) = (90, 7)
    /// Vehicles inside of a car park with gates; every second has them, and a feed counts the others.
    private static let inside = 20
    private let template: Template

    init(_ template: Template) { self.template = template }

    /// Somewhere in it, away from the edge.
    static func point(_ number: Int) -> Coordinate {
        let (x, y) = (Double(number * 7_919 % 1_000), Double(number * 104_729 % 1_000))
        return Coordinate(
            latitude: south + height * (0.1 + 0.8 * x / 1_000),
            longitude: west + width * (0.1 + 0.8 * y / 1_000))
    }

    func fill(_ database: URL) throws { try Self.execute(sql(at: Date()), in: database) }

    /// By the command line: nobody else has the file open.
    static func execute(_ sql: String, in database: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-bail", database.path]
        let (input, errors) = (Pipe(), Pipe())
        (process.standardInput, process.standardError) = (input, errors)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(sql.utf8))
        try input.fileHandleForWriting.close()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw RunningSystem.Failure(
                description: "sqlite3 said: \(String(decoding: complaints, as: UTF8.self))")
        }
    }

    private func sql(at now: Date) -> String {
        """
        PRAGMA synchronous = OFF;
        PRAGMA cache_size = -200000;
        BEGIN;
        \(carParks)
        \(gates(at: now))
        \(bookings(at: now))
        COMMIT;
        """
    }

    /// An id of the n-th row of a kind, in the order of time as real ones are.
    static func id(_ kind: Int, _ number: String) -> String {
        "printf('0190000\(kind)-0000-7000-8000-%012x', \(number))"
    }

    static func numbers(_ count: Int) -> String {
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1))"
    }

    private var carParks: String {
        let (id, rows) = (Self.id(0, "i"), ParkingBench.carParks / Self.perRow)
        let latitude = "\(Self.south) + \(Self.height) * (i / \(Self.perRow)) / \(rows).0"
        let longitude = "\(Self.west) + \(Self.width) * (i % \(Self.perRow)) / \(Self.perRow).0"
        let products = template.carPark.products.enumerated().map { place, product in
            let id = Self.id(1, "i * 10 + \(place)")
            return """
                \(Self.numbers(ParkingBench.carParks))
                INSERT INTO products (id, car_park, body)
                SELECT \(id), \(Self.id(0, "i")), replace(t.body, '\(product.id)', \(id))
                FROM n, products AS t WHERE t.id = '\(product.id)';
                """
        }
        return """
            \(Self.numbers(ParkingBench.carParks))
            INSERT INTO car_parks (id, version, latitude, longitude, words, body)
            SELECT \(id), t.version, \(latitude), \(longitude), t.words || i,
                json_set(replace(t.body, t.id, \(id)), '$.body.name', 'Car Park ' || i,
                    '$.body.position.latitude', \(latitude),
                    '$.body.position.longitude', \(longitude))
            FROM n, car_parks AS t WHERE t.id = '\(template.carPark.id)';
            \(products.joined(separator: "\n"))
            """
    }

    private func gates(at now: Date) -> String {
        let carPark = Self.id(0, "i * 2")
        let stay = Self.id(3, "i")
        return """
            \(Self.numbers(ParkingBench.carParks / 2))
            INSERT INTO gates (id, car_park, name, token_hash)
            SELECT \(Self.id(2, "i")), \(carPark), 'North', '' FROM n;
            \(Self.numbers(ParkingBench.carParks / 2))
            INSERT INTO counts (car_park, kind, free, counted_at, source)
            SELECT \(Self.id(0, "i * 2 + 1")), 'general', i % 50, \(now.microseconds), 'feed'
            FROM n;
            \(Self.numbers(ParkingBench.carParks / 2 * Self.inside))
            INSERT INTO sessions (
                id, car_park, plate, kind, person, booking, is_inside, entered_at, left_at, body)
            SELECT \(stay), \(Self.id(0, "i / \(Self.inside) * 2")), 'IN' || i, t.kind, t.person,
                t.booking, 1, t.entered_at, NULL, replace(t.body, t.id, \(stay))
            FROM n, sessions AS t WHERE t.id = '\(template.stay)';
            """
    }

    /// Of one to twenty-five hours, all over the days and the car parks.
    private func bookings(at now: Date) -> String {
        let (id, hour) = (Self.id(4, "i"), 3_600 * 1_000_000)
        let first = "(i * 104729) % \(Self.days * 24) - \(Self.pastDays * 24)"
        return """
            \(Self.numbers(ParkingBench.bookings)),
            times(i, starts_at, ends_at) AS (
                SELECT i, \(now.microseconds) + (\(first)) * \(hour),
                    \(now.microseconds) + (\(first) + 1 + (i % 5) * (i % 7)) * \(hour) FROM n)
            INSERT INTO bookings (
                id, reference, person, car_park, status, is_current, starts_at, ends_at, version,
                body)
            SELECT \(id), 'R' || i, \(Self.id(5, "i % \(Self.people)")),
                \(Self.id(0, "i * 7919 % \(ParkingBench.carParks)")),
                CASE WHEN times.ends_at < \(now.microseconds) THEN 'completed' ELSE 'confirmed' END,
                times.ends_at >= \(now.microseconds), times.starts_at, times.ends_at, t.version,
                replace(t.body, t.id, \(id))
            FROM times, bookings AS t WHERE t.id = '\(template.booking)';
            INSERT INTO allocations (
                holder, booking, car_park, kind, starts_at, ends_at, spaces)
            SELECT id, id, car_park, 'general', starts_at, ends_at, 1 FROM bookings
            WHERE id <> '\(template.booking)';
            INSERT INTO booking_plates (booking, plate, car_park, is_current, starts_at, ends_at)
            SELECT id, 'P' || substr(person, -5), car_park, is_current, starts_at, ends_at
            FROM bookings WHERE id <> '\(template.booking)';
            """
    }
}

extension ParkingRegion.Template {
    /// Terms as long as people write them: with each car park that is looked at they are read.
    private static let terms = String(repeating: "Park within the lines. ", count: 40)

    init(_ system: RunningSystem) async throws {
        let boss = try await system.signedInOperator()
        var body = CarParkBody(
            name: "Drury Street", address: "Drury Street, Dublin",
            position: Coordinate(latitude: 53.3425, longitude: -6.2635),
            timeZone: "Europe/Dublin", currency: "EUR",
            capacity: SpaceCounts([.general: 220, .disabled: 4]),
            bookable: SpaceCounts([.general: 200]))
        body.openingHours = "Mo-Fr 05:00-24:00; Sa,Su,PH 00:00-24:00"
        body.terms = Self.terms
        let added = try await boss(CarParkEndpoints.addCarPark(body: body))
        for (kind, price) in [
            (ParkingProduct.Unit.hourly, 300), (.daily, 1_500), (.monthly, 9_000),
        ] {
            _ = try await boss(
                CarParkEndpoints.addProduct(
                    added.id, body: ParkingProductBody(name: "\(kind)", kind: kind, price: price)))
        }
        carPark = try await boss(CarParkEndpoints.carPark(added.id))
        guard
            let driver = try await BenchPeople(system, customers: 1, valets: 0).customers.first?
                .client,
            let product = carPark.products.first
        else { throw RunningSystem.Failure(description: "no crew") }
        let vehicle = try await driver(AccountEndpoints.addVehicle(body: BenchPeople.car))
        let booked = try await driver(
            CarParkEndpoints.book(
                body: BookingBody(
                    carParkId: added.id, productId: product.id,
                    start: ParkingBench.morning(inDays: 2), quantity: 1, vehicleIds: [vehicle.id],
                    termsVersion: carPark.terms.version)))
        try await driver(
            CarParkEndpoints.payBooking(booked.id, body: PayBody(token: "pm_card_visa")))
        booking = booked.id
        let gate = try await boss(
            CarParkEndpoints.addGate(body: GateBody(carParkId: added.id, name: "North")))
        let passage = try await boss.pass(
            gate, PassageBody(.in, plate: "D2", at: ParkingBench.morning(inDays: -1)))
        guard let inside = passage.session else {
            throw RunningSystem.Failure(description: "not let in: \(passage)")
        }
        stay = inside
    }
}
