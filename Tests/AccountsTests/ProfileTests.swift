import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct ProfileTests {
    @Test func aProfileIsChangedInParts() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let first = try await caller.call(
                .patch, "/v1/me", ProfileChange(firstName: " Grace "), token: token
            ).expect(200, Account.self)
            #expect(first.firstName == "Grace")
            #expect(first.lastName == "Wongsuwan")
            let second = try await caller.call(
                .patch, "/v1/me", ProfileChange(lastName: "Hopper", language: .traditionalChinese),
                token: token
            ).expect(200, Account.self)
            #expect(second.firstName == "Grace")
            #expect(second.lastName == "Hopper")
            #expect(second.language == .traditionalChinese)
            let me = try await caller.call(.get, "/v1/me", token: token)
                .expect(200, Account.self)
            #expect(me == second)
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.version) == [1, 2, 3])
        #expect(changed.last?.account.lastName == "Hopper")
    }

    @Test func aChangeOfNothingIsNoNews() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            for change in [ProfileChange(), ProfileChange(firstName: "Ottoline")] {
                let answer = try await caller.call(.patch, "/v1/me", change, token: token)
                #expect(answer.status == 200)
            }
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).count == 1)
    }

    @Test(arguments: [
        ("firstName", ProfileChange(firstName: "")), ("lastName", ProfileChange(lastName: " \n")),
        ("firstName", ProfileChange(firstName: String(repeating: "a", count: 81))),
        ("lastName", ProfileChange(lastName: "a\u{1B}b")),
    ])
    func aNameThatCannotBeIsRefused(field: String, change: ProfileChange) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let signedUp = try await caller.customer()
            try await caller.call(.patch, "/v1/me", change, token: signedUp.accessToken)
                .refused(422, "request.invalid", field: field)
            let me = try await caller.call(.get, "/v1/me", token: signedUp.accessToken)
                .expect(200, Account.self)
            #expect(me == signedUp.customer)
        }
    }

    @Test func ofChangesAtOnceNoneIsLost() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            try await withThrowingTaskGroup { group in
                for number in 0..<10 {
                    group.addTask {
                        _ = try await caller.call(
                            .patch, "/v1/me", ProfileChange(firstName: "Ada \(number)"),
                            token: token)
                    }
                }
                try await group.waitForAll()
            }
        }
        let changed = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(changed.map(\.version) == Array(1...11))
    }
}

@Suite struct VehicleTests {
    private let path = "/v1/me/vehicles"

    private func add(
        _ caller: Caller, _ token: String, _ vehicle: VehicleDescription = .tesla,
        key: String? = nil
    ) async throws -> Answer {
        try await caller.call(.post, path, vehicle, token: token, key: key)
    }

    @Test func aVehicleIsAddedChangedAndRemoved() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let added = try await add(caller, token).expect(201, Vehicle.self)
            #expect(added.plate == "AB 1234")
            let changed = try await caller.call(
                .patch, "\(path)/\(added.id)", VehicleChange(colour: " red "), token: token
            ).expect(200, Vehicle.self)
            #expect(changed.colour == "red")
            #expect(changed.make == "Tesla")
            let listed = try await caller.call(.get, path, token: token)
                .expect(200, Page<Vehicle>.self)
            #expect(listed.items == [changed])
            #expect(listed.next == nil)
            let removal = try await caller.call(.delete, "\(path)/\(added.id)", token: token)
            #expect(removal.status == 204)
            let after = try await caller.call(.get, path, token: token)
            #expect(after.text == #"{"items":[],"next":null}"#)
            try await caller.call(.delete, "\(path)/\(added.id)", token: token)
                .refused(404, "account.vehicle_unknown")
        }
        let events = try await outboxEvents(of: VehicleChanged.self, in: bench.database)
        #expect(events.map(\.version) == [1, 2, 3])
        #expect(events.map(\.removed) == [false, false, true])
        #expect(events.map(\.vehicle.colour) == ["white", "red", "red"])
    }

    @Test func whoHasNotHeardOfAVehicleIsToldOfIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let added = try await add(caller, token).expect(201, Vehicle.self)
            let address = "/internal/vehicles/\(added.id)"
            try await caller.call(.get, address, token: token).refused(401, "auth.token_invalid")
            let told = try await caller.internally(address)
                .expect(200, VehicleChanged.self)
            #expect(told.vehicle == added)
            _ = try await caller.call(.delete, "\(path)/\(added.id)", token: token)
            let removed = try await caller.internally(address)
                .expect(200, VehicleChanged.self)
            #expect(removed.removed)
            #expect(removed.version == 2)
            try await caller.internally("/internal/vehicles/\(VehicleID.new())")
                .refused(404, "account.vehicle_unknown")
        }
    }

    @Test func somebodyElsesVehicleIsUnknown() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let owner = try await caller.customer("+85261234567").accessToken
            let other = try await caller.customer("+85261234568").accessToken
            let vehicle = try await add(caller, owner).expect(201, Vehicle.self)
            try await caller.call(
                .patch, "\(path)/\(vehicle.id)", VehicleChange(plate: "X"), token: other
            ).refused(404, "account.vehicle_unknown")
            try await caller.call(.delete, "\(path)/\(vehicle.id)", token: other)
                .refused(404, "account.vehicle_unknown")
            let theirs = try await caller.call(.get, path, token: other)
                .expect(200, Page<Vehicle>.self)
            #expect(theirs.items.isEmpty)
            let kept = try await caller.call(.get, path, token: owner)
                .expect(200, Page<Vehicle>.self)
            #expect(kept.items == [vehicle])
        }
    }

    @Test func aRepeatWithTheSameKeyAddsOne() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let first = try await add(caller, token, key: "k").expect(201, Vehicle.self)
            let second = try await add(caller, token, key: "k").expect(201, Vehicle.self)
            #expect(first == second)
        }
        #expect(try await outboxEvents(of: VehicleChanged.self, in: bench.database).count == 1)
    }

    @Test func twentyVehiclesAreTheMostAlsoAtOnce() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<22 {
                    group.addTask { try await add(caller, token).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 20)
            try await add(caller, token).refused(409, "account.too_many_vehicles")
            let some = try await caller.call(.get, "\(path)?limit=1", token: token)
                .expect(200, Page<Vehicle>.self)
            let id = try #require(some.items.first).id
            _ = try await caller.call(.delete, "\(path)/\(id)", token: token)
            #expect(try await add(caller, token).status == 201)
        }
    }

    @Test func theListComesNewestFirstInPages() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            for number in 1...5 {
                bench.clock.advance(by: 1)
                var vehicle = VehicleDescription.tesla
                vehicle.plate = "P\(number)"
                #expect(try await add(caller, token, vehicle).status == 201)
            }
            var (plates, after): ([String], String?) = ([], "")
            while let cursor = after {
                let page = try await caller.call(
                    .get, "\(path)?limit=2&after=\(cursor)", token: token
                ).expect(200, Page<Vehicle>.self)
                plates += page.items.map(\.plate)
                after = page.next
            }
            #expect(plates == ["P5", "P4", "P3", "P2", "P1"])
            try await caller.call(.get, "\(path)?after=x", token: token)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "\(path)?limit=0", token: token)
                .refused(422, "request.invalid", field: "limit")
        }
    }

    @Test(arguments: [
        ("plate", VehicleDescription(plate: "", make: "a", model: "b", colour: "c")),
        (
            "plate",
            VehicleDescription(
                plate: String(repeating: "1", count: 21), make: "a", model: "b", colour: "c")
        ),
        ("make", VehicleDescription(plate: "A1", make: " ", model: "b", colour: "c")),
        ("model", VehicleDescription(plate: "A1", make: "a", model: "\u{0}", colour: "c")),
        (
            "colour",
            VehicleDescription(
                plate: "A1", make: "a", model: "b", colour: String(repeating: "c", count: 41))
        ),
    ])
    func aFieldThatCannotBeIsNamed(field: String, vehicle: VehicleDescription) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            try await add(caller, token, vehicle).refused(422, "request.invalid", field: field)
            let good = try await add(caller, token).expect(201, Vehicle.self)
            let change = VehicleChange(
                plate: vehicle.plate, make: vehicle.make, model: vehicle.model,
                colour: vehicle.colour)
            try await caller.call(.patch, "\(path)/\(good.id)", change, token: token)
                .refused(422, "request.invalid", field: field)
        }
        #expect(try await outboxEvents(of: VehicleChanged.self, in: bench.database).count == 1)
    }

    @Test func aPlateMayBeAsLongAsAtTheGateOfACarPark() async throws {
        let plate = String(repeating: "1", count: 20)
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let vehicle = VehicleDescription(plate: plate, make: "a", model: "b", colour: "c")
            let added = try await add(caller, token, vehicle).expect(201, Vehicle.self)
            #expect(added.plate == plate)
        }
    }

    @Test func onlyCustomersHaveVehicles() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.operatorToken()
            try await add(caller, token).refused(403, "auth.role")
            try await caller.call(.get, path, token: token).refused(403, "auth.role")
            try await caller.call(.delete, "\(path)/\(VehicleID.new())", token: token)
                .refused(403, "auth.role")
            try await caller.call(
                .patch, "\(path)/\(VehicleID.new())", VehicleChange(), token: token
            ).refused(403, "auth.role")
        }
    }

    @Test func whatIsNoIdIsNotFound() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            try await caller.call(.delete, "\(path)/1", token: token)
                .refused(404, "request.not_found")
        }
    }
}
