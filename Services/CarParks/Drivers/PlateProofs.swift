import Contracts
import Foundation
import Hummingbird
import ProductKit
import ServiceKit
import Store

/// Proofs that people have the vehicles whose plates they have added. Anybody can type a plate, so an unproven one
/// opens nothing: no stay, no fine, and nothing of another person's bookings. Each function is one transaction.
struct PlateProofs: Sendable {
    /// Wrong codes that a person may enter before they have to wait.
    static let mostTries = 10
    /// How long wrong codes count, in seconds, from the first.
    static let triesKept: TimeInterval = 3_600
    /// How long an invitation works, in seconds.
    static let invitationKept: TimeInterval = 86_400

    let database: Database
    let clock: ServiceClock
    let bookings: BookingUseCases

    func list(of person: PersonID) async throws -> Page<PlateProof> {
        Page(items: try await database.read { try $0.plates.list(of: person) })
    }

    /// Opens what the code belongs to. A wrong code is counted, so this transaction doesn't throw.
    func use(_ body: PlateCodeBody, by person: PersonID) async throws -> PlateCodeAnswer {
        let plate = try Check.plate(body.plate, "plate")
        let code = try Check.text(body.code, "code", 1...20)
        let now = clock.now
        let outcome: Outcome = try await database.write { transaction in
            try transaction.requireStanding(of: person)
            if let wait = try transaction.plates.wait(of: person, at: now) { return .wait(wait) }
            if let answer = try transaction.plates.open(code, of: plate, for: person, at: now) {
                return .opened(answer)
            }
            try transaction.plates.countTry(of: person, at: now)
            return .wrong
        }
        switch outcome {
        case .opened(let answer): return answer
        case .wrong: throw Refusal.plateCodeUnknown
        case .wait(let seconds): throw Refusal.tooManyPlateCodes.retrying(after: seconds)
        }
    }

    private enum Outcome: Sendable {
        case opened(PlateCodeAnswer), wrong
        /// In seconds.
        case wait(Int)
    }

    func invite(_ id: VehicleID, by person: PersonID) async throws -> PlateInvitation {
        let now = clock.now
        return try await database.write { transaction in
            try transaction.requireStanding(of: person)
            let owner = person.as(CustomerID.self)
            guard let vehicle = try transaction.vehicle(id, of: owner) else {
                throw Refusal.ownVehicleUnknown
            }
            guard try transaction.plates.isProven(vehicle.plate, for: person) else {
                throw Refusal.plateNotProven
            }
            guard try transaction.plates.owners(of: vehicle.plate).first == person else {
                throw Refusal.plateSharedByOther
            }
            return try transaction.plates.invite(
                to: vehicle.plate, by: person, until: now.addingTimeInterval(Self.invitationKept))
        }
    }

    // MARK: Operators

    func vehicles(with plate: String, _ page: PageRequest) async throws -> Page<PlateProof> {
        let plate = try Check.plate(plate, "plate")
        return try await database.read { try $0.plates.list(ofPlate: plate, page) }
    }

    func prove(_ id: VehicleID, by person: PersonID) async throws -> PlateProof {
        let now = clock.now
        try await learn(of: id)
        return try await database.write { transaction in
            guard let (owner, plate) = try transaction.plates.vehicle(id),
                try transaction.plates.prove(plate, for: owner, by: .operator, at: now),
                let proof = try transaction.plates.list(of: owner)
                    .first(where: { $0.vehicleId == id })
            else { throw Refusal.ownVehicleUnknown }
            try transaction.record("carparks.prove-plate", id, by: person, at: now)
            return proof
        }
    }

    func withdraw(_ id: VehicleID, by person: PersonID) async throws {
        let now = clock.now
        try await database.write { transaction in
            guard let (owner, plate) = try transaction.plates.vehicle(id) else {
                throw Refusal.ownVehicleUnknown
            }
            try transaction.record("carparks.withdraw-plate-proof", id, by: person, at: now)
            try transaction.plates.withdraw(plate, of: owner)
        }
    }

    /// Asks accounts for a vehicle that is unknown here.
    private func learn(of id: VehicleID) async throws {
        guard try await database.read({ try $0.plates.vehicle(id) == nil }),
            let latest = try await bookings.newest(id)
        else { return }
        try await database.write { try $0.keepVehicle(latest) }
    }

    func sweep() async throws {
        let now = clock.now
        try await database.sweep { try $0.plates.sweep(before: now, limit: $1) }
        try await database.sweep { try $0.plates.forgetDeleted(limit: $1) }
    }
}

/// The routes of proofs of plates.
struct PlateProofRoutes: Sendable {
    let proofs: PlateProofs

    func add(to router: Router<Context>) {
        router.on(PlateProofEndpoints.plateProofs) { try await proofs.list(of: $0.person.person) }
        router.on(PlateProofEndpoints.usePlateCode) {
            try await proofs.use($0.body, by: $0.person.person)
        }
        router.on(PlateProofEndpoints.inviteToPlate) {
            try await proofs.invite($0.id(or: .ownVehicleUnknown), by: $0.person.person)
        }
        router.on(PlateProofEndpoints.vehiclesWithPlate) {
            try await proofs.vehicles(with: $0.query.plate, $0.page)
        }
        router.on(PlateProofEndpoints.provePlate) {
            try await proofs.prove($0.id(or: .ownVehicleUnknown), by: $0.person.person)
        }
        router.on(PlateProofEndpoints.withdrawPlateProof) {
            try await proofs.withdraw($0.id(or: .ownVehicleUnknown), by: $0.person.person)
        }
    }
}
