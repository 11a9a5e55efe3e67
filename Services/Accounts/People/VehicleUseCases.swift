import Contracts
import EventBus
import ServiceKit
import Store

extension AccountUseCases {
    func addVehicle(
        _ body: VehicleDescription, of owner: CustomerID, once key: IdempotencyKey?
    ) async throws -> Vehicle {
        let description = VehicleDescription(
            plate: try Check.text(body.plate, "plate", OwnedVehicle.plateLength),
            make: try Check.text(body.make, "make", OwnedVehicle.textLength),
            model: try Check.text(body.model, "model", OwnedVehicle.textLength),
            colour: try Check.text(body.colour, "colour", OwnedVehicle.textLength))
        let now = clock.now
        return try await database.write(once: key) { transaction in
            let (vehicle, event) = OwnedVehicle.new(description, of: owner, at: now)
            try transaction.vehicles.insert(vehicle)
            try transaction.publish(event, at: now)
            return vehicle.vehicle
        }
    }

    /// Newest first.
    func vehicles(of owner: CustomerID, _ page: PageRequest) async throws -> Page<Vehicle> {
        try await database.read { try $0.vehicles.list(of: owner, page) }
    }

    func change(
        _ id: VehicleID, of owner: CustomerID, _ body: VehicleChange
    ) async throws -> Vehicle {
        func text(_ value: String?, _ field: String, _ length: ClosedRange<Int>) throws -> String? {
            try value.map { try Check.text($0, field, length) }
        }
        let change = VehicleChange(
            plate: try text(body.plate, "plate", OwnedVehicle.plateLength),
            make: try text(body.make, "make", OwnedVehicle.textLength),
            model: try text(body.model, "model", OwnedVehicle.textLength),
            colour: try text(body.colour, "colour", OwnedVehicle.textLength))
        let now = clock.now
        return try await database.write { transaction in
            try transaction.vehicles.change(id, of: owner, at: now) { $0.change(change) }
        }
    }

    func removeVehicle(_ id: VehicleID, of owner: CustomerID) async throws {
        let now = clock.now
        _ = try await database.write { transaction in
            try transaction.vehicles.change(id, of: owner, at: now) { $0.remove() }
        }
    }
}
