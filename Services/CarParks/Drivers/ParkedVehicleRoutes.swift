import Blobs
import Contracts
import Hummingbird
import ServiceKit

/// The routes of parked vehicles and their pictures.
struct ParkedVehicleRoutes: Sendable {
    let vehicles: ParkedVehicles

    func add(to router: Router<Context>) {
        router.on(ParkedVehicleEndpoints.putParkedVehicle) {
            try await vehicles.put($0.body, by: $0.person.person)
        }
        router.on(ParkedVehicleEndpoints.parkedVehicle) {
            try await vehicles.vehicle(of: $0.person.person)
        }
        router.on(ParkedVehicleEndpoints.removeParkedVehicle) {
            try await vehicles.remove(of: $0.person.person)
        }
        router.on(ParkedVehicleEndpoints.parkedVehicleRoute) {
            try await vehicles.way(to: $0.person.person, from: $0.point)
        }
        router.on(ParkedVehicleEndpoints.putParkedVehiclePhoto) {
            try await vehicles.put($0.bytes(), by: $0.person.person)
        }
        router.on(ParkedVehicleEndpoints.removeParkedVehiclePhoto) {
            try await vehicles.removePicture(of: $0.person.person)
        }
        router.on(ParkedVehicleEndpoints.parkedVehiclePicture) { call in
            try await call.picture(
                at: SignedAddresses.path(parkedVehicle:), by: vehicles.addresses,
                at: vehicles.clock.now, vehicles.pictures.picture)
        }
    }
}
