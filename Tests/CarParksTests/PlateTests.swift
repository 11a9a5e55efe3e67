import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// A plate that anybody may have typed opens nothing until it is proven.
@Suite struct PlateTests {
    private static let plate = "191-D-12345"
    private static let hour: TimeInterval = 3_600
    private static let carol = TestPerson.another(.customer, 3)

    // MARK: Unproven

    /// Also for the first person who added it.
    @Test func anUnprovenPlateOpensNoFine() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate, isProven: false)
            _ = try await bench.vehicle(of: .bob, plate: "191d12345", isProven: false)
            let fine = try await bench.fine()
            for person in [TestPerson.alice, .bob] {
                #expect(try await bench.fines(of: person) == [])
                #expect(try await bench.notices(to: person).isEmpty)
                try await bench.call(.get, "/v1/fines/\(fine.id)", as: person)
                    .refused(404, "fine.unknown")
                try await bench.call(
                    .post, "/v1/fines/\(fine.id)/pay", PayBody(token: "pm_card_visa"), as: person
                ).refused(404, "fine.unknown")
            }
            let proof = try await bench.call(
                .put, "/v1/admin/plate-proofs/\(alices)", as: .olivia
            ).expect(200, PlateProof.self)
            #expect(proof.source == .operator && proof.isProven)
            #expect(try await bench.fines() == [fine])
            #expect(try await bench.notices(to: .alice).count == 1)
            #expect(try await bench.fines(of: .bob) == [])
            #expect(try await bench.binding() != nil)
            #expect(try await bench.binding(of: .bob) == nil)
        }
    }

    @Test func anUnprovenPlateOpensNoStay() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle(of: .bob, plate: Self.plate, isProven: false)
            let entry = try await bench.pass(gate, .in, Self.plate)
            #expect(try await bench.stays(of: .bob).isEmpty)
            // Nor does adding it while the vehicle is inside.
            _ = try await bench.vehicle(plate: Self.plate, isProven: false)
            #expect(try await bench.stays().isEmpty)
            #expect(try await bench.bonds().isEmpty)
            let code = try #require(entry.code)
            let answer = try await bench.enter(code.lowercased()).expect(200, PlateCodeAnswer.self)
            #expect(answer == PlateCodeAnswer(isProven: true, session: entry.session))
            #expect(try await bench.stays().map(\.id) == [entry.session])
            #expect(try await bench.stays(of: .bob).isEmpty)
            // From now on it is hers at once, and no gate shows a code.
            bench.clock.advance(by: 300)
            #expect(try await bench.pass(gate, .out, Self.plate).open)
            bench.clock.advance(by: Self.hour)
            let next = try await bench.pass(gate, .in, Self.plate)
            #expect(next.code == nil)
            #expect(try await bench.stays().map(\.id) == [next.session, entry.session])
            try await bench.enter(code, as: .bob).refused(404, "plate.code_unknown", field: "code")
        }
    }

    @Test func aDriverWithoutTheVehicleClaimsTheStayAlone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.pass(gate, .in, Self.plate)
            bench.clock.advance(by: Self.hour)
            let exit = try await bench.pass(gate, .out, Self.plate)
            #expect(exit.reason == .paymentDue)
            let answer = try await bench.enter(try #require(exit.code))
                .expect(200, PlateCodeAnswer.self)
            #expect(!answer.isProven)
            try await bench.call(
                .post, "/v1/parking-sessions/\(try #require(exit.session))/pay",
                PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, PaymentAnswer.self)
            #expect(try await bench.pass(gate, .out, Self.plate).reason == .paid)
            bench.clock.advance(by: Self.hour)
            #expect(try await bench.pass(gate, .in, Self.plate).code != nil)
            #expect(try await bench.stays().count == 1)
        }
    }

    /// As 1.0.0 leaves it, which has no proofs.
    @Test func aDeletedAccountThatKeptItsProofLosesIt() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: Self.plate)
            _ = try await bench.vehicle(of: .bob, plate: "191-D-54321")
            let deleted = AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 9,
                deletedAt: bench.clock.now)
            try await bench.database.write { try $0.keepStanding(deleted) }
            try await bench.parts.proofs.sweep()
            let left = try await bench.database.read { transaction in
                try transaction.rows("SELECT person FROM plate_proofs").map {
                    try $0.get("person", as: PersonID.self)
                }
            }
            #expect(left == [TestPerson.bob.id])
        }
    }

    // MARK: Bookings

    @Test func unprovenBookingsOfOthersHinderNobodyAndAreNotTold() async throws {
        try await Bench.run { bench in
            let (here, there) = (try await bench.offer(), try await bench.offer())
            let bobs = try await bench.vehicle(of: .bob, plate: Self.plate, isProven: false)
            try await bench.book(bench.body(here, [bobs]), as: .bob).expect(201, Booking.self)
            // Unproven on both sides: a hold doesn't count, a paid booking does, without its id.
            let alices = try await bench.vehicle(plate: Self.plate, isProven: false)
            let booking = try await bench.book(bench.body(there, [alices]))
                .expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            let carols = try await bench.vehicle(of: Self.carol, plate: Self.plate, isProven: false)
            let problem = try await bench.book(bench.body(here, [carols]), as: Self.carol)
                .refused(409, "booking.overlaps")
            #expect(problem.bookingId == nil)
        }
    }

    /// Once it is proven for the owner, those who typed it learn nothing of their bookings, and can't follow them.
    @Test func bookingsForSomebodyElsesProvenPlateAdmitNobody() async throws {
        try await Bench.run { bench in
            let (here, there) = (try await bench.offer(), try await bench.offer())
            let alices = try await bench.vehicle(plate: Self.plate)
            try await bench.book(bench.body(here, [alices], startsIn: 600))
                .expect(201, Booking.self)
            let bobs = try await bench.vehicle(of: .bob, plate: Self.plate)
            let booking = try await bench.book(
                bench.body(there, [bobs], startsIn: 600), as: .bob
            ).expect(201, Booking.self)
            try await bench.pay(booking.id, as: .bob).expect(200, BookingPayment.self)
            bench.clock.advance(by: 900)
            let gate = try await bench.gate(of: there.carPark)
            let entry = try await bench.pass(gate, .in, Self.plate)
            #expect(entry.reason == .driveUp && entry.booking == nil)
            bench.clock.advance(by: 300)
            await bench.work()
            #expect(try await bench.booking(booking.id, as: .bob).status == .confirmed)
            #expect(try await bench.stays().map(\.id) == [entry.session])
            #expect(try await bench.stays(of: .bob).isEmpty)
        }
    }

    @Test func aTicketAndItsPlateAtAGateProveIt() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(
                offer, startsIn: 600, plate: Self.plate, isProven: false)
            // Read at the entrance, its plate alone lets the vehicle in and proves nothing.
            bench.clock.advance(by: 600)
            #expect(try await bench.pass(gate, .in, Self.plate).booking == booking.id)
            #expect(try await bench.proofs().map(\.isProven) == [false])
            bench.clock.advance(by: 300)
            let other = try await bench.pass(gate, .out, "OTHER 1", ticket: booking.reference)
            #expect(other.reason == .unknown)
            #expect(try await bench.proofs().map(\.isProven) == [false])
            #expect(try await bench.pass(gate, .out, Self.plate, ticket: booking.reference).open)
            #expect(try await bench.proofs().map(\.source) == [.ticket])
        }
    }

    // MARK: Proofs

    @Test func theReferenceOfAFineOpensThatFineAlone() async throws {
        try await Bench.run { bench in
            let (fine, other) = (try await bench.fine(), try await bench.fine())
            let code = fine.reference.replacingOccurrences(of: "-", with: " ").lowercased()
            let answer = try await bench.enter(code).expect(200, PlateCodeAnswer.self)
            #expect(answer == PlateCodeAnswer(isProven: false, fine: fine.id))
            #expect(try await bench.fines() == [fine])
            try await bench.call(.get, "/v1/fines/\(other.id)", as: .alice)
                .refused(404, "fine.unknown")
            try await bench.enter(other.reference, plate: "XYZ 1")
                .refused(404, "plate.code_unknown", field: "code")
            try await bench.call(
                .post, "/v1/fines/\(fine.id)/pay", PayBody(token: "pm_card_visa"), as: .alice
            ).expect(200, FinePayment.self)
        }
    }

    @Test func anInvitationIsForOnePersonAndOneDay() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate)
            let bobs = try await bench.vehicle(of: .bob, plate: Self.plate)
            func invite(_ id: VehicleID, as person: TestPerson) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/me/plate-proofs/\(id)/invitations", as: person)
            }
            try await invite(bobs, as: .bob).refused(409, "plate.not_proven")
            try await invite(alices, as: .bob).refused(404, "account.vehicle_unknown")
            let old = try await invite(alices, as: .alice).expect(201, PlateInvitation.self)
            bench.clock.advance(by: PlateProofs.invitationKept)
            try await bench.enter(old.code, as: .bob).refused(
                404, "plate.code_unknown", field: "code")
            let invitation = try await invite(alices, as: .alice)
                .expect(201, PlateInvitation.self)
            _ = try await bench.enter(invitation.code, as: .bob).expect(200, PlateCodeAnswer.self)
            #expect(try await bench.proofs(of: .bob).map(\.source) == [.invitation])
            _ = try await bench.vehicle(of: Self.carol, plate: Self.plate)
            try await bench.enter(invitation.code, as: Self.carol).refused(
                404, "plate.code_unknown", field: "code")
            #expect(try await bench.proofs(of: Self.carol).map(\.isProven) == [false])
        }
    }

    /// Otherwise the owner would not know who follows the vehicle.
    @Test func whoWasInvitedInvitesNobody() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate)
            let bobs = try await bench.vehicle(of: .bob, plate: Self.plate)
            _ = try await bench.vehicle(of: Self.carol, plate: Self.plate)
            bench.clock.advance(by: 60)
            try await bench.share(alices, plate: Self.plate, with: .bob)
            let path = "/v1/me/plate-proofs/\(bobs)/invitations"
            try await bench.call(.post, path, as: .bob).refused(409, "plate.shared_by_other")
            // Once she has sold it to him, he can invite others.
            try await bench.hear(
                VehicleChanged(
                    owner: TestPerson.alice.customer,
                    vehicle: Vehicle(
                        id: alices, plate: Self.plate, make: "Fiat", model: "Panda", colour: "red"),
                    removed: true, version: 2))
            let invitation = try await bench.call(.post, path, as: .bob)
                .expect(201, PlateInvitation.self)
            _ = try await bench.enter(invitation.code, as: Self.carol)
                .expect(200, PlateCodeAnswer.self)
            #expect(try await bench.proofs(of: Self.carol).map(\.source) == [.invitation])
        }
    }

    @Test func operatorsFindEverybodysVehiclesByTheirPlate() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate)
            bench.clock.advance(by: 1)
            let bobs = try await bench.vehicle(of: .bob, plate: "191 d 12345")
            _ = try await bench.vehicle(of: .bob, plate: "XYZ 1")
            func find(_ plate: String, _ more: String = "") async throws -> Answer {
                try await bench.call(
                    .get, "/v1/admin/plate-proofs?plate=\(plate)\(more)", as: .olivia)
            }
            let found = try await find("191d12345").expect(200, Page<PlateProof>.self).items
            #expect(found.map(\.vehicleId) == [bobs, alices])
            #expect(found.map(\.plate) == ["191 d 12345", Self.plate])
            #expect(found.map(\.source) == [nil, .gate])
            let first = try await find(Self.plate, "&limit=1").expect(200, Page<PlateProof>.self)
            #expect(first.items.map(\.vehicleId) == [bobs])
            let next = try await find(Self.plate, "&after=\(try #require(first.next))")
                .expect(200, Page<PlateProof>.self)
            #expect(next.items.map(\.vehicleId) == [alices] && next.next == nil)
            #expect(try await find("NONE").expect(200, Page<PlateProof>.self).items.isEmpty)
            for plate in ["", "-", String(repeating: "A", count: 21)] {
                try await find(plate).refused(422, "request.invalid", field: "plate")
            }
            try await bench.call(.get, "/v1/admin/plate-proofs?plate=A", as: .alice)
                .refused(403, "auth.role")
        }
    }

    @Test func anOperatorsProofEndsThatOfTheEarlierOwner() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: Self.plate)
            let bobs = try await bench.vehicle(of: .bob, plate: Self.plate)
            let path = "/v1/admin/plate-proofs/\(bobs)"
            try await bench.call(.put, path, as: .bob).refused(403, "auth.role")
            _ = try await bench.call(.put, path, as: .olivia).expect(200, PlateProof.self)
            #expect(try await bench.proofs().map(\.isProven) == [false])
            #expect(try await bench.proofs(of: .bob).map(\.isProven) == [true])
            #expect(try await bench.call(.delete, path, as: .olivia).status == 204)
            #expect(try await bench.proofs(of: .bob).map(\.isProven) == [false])
            try await bench.call(.put, "/v1/admin/plate-proofs/x", as: .olivia)
                .refused(404, "account.vehicle_unknown")
        }
    }

    @Test func aVehicleThatIsRemovedCanBeProvenByItsNextOwner() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate)
            try await bench.hear(
                VehicleChanged(
                    owner: TestPerson.alice.customer,
                    vehicle: Vehicle(
                        id: alices, plate: Self.plate, make: "Fiat", model: "Panda", colour: "red"),
                    removed: true, version: 2))
            _ = try await bench.vehicle(of: .bob, plate: Self.plate)
            #expect(try await bench.proofs(of: .bob).map(\.source) == [.gate])
            // Added again, it has to be proven again.
            _ = try await bench.vehicle(plate: Self.plate)
            #expect(try await bench.proofs().map(\.isProven) == [false])
        }
    }

    @Test func codesCanNotBeGuessed() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fine()
            for _ in 1...PlateProofs.mostTries {
                try await bench.enter("AAA-AAA").refused(404, "plate.code_unknown", field: "code")
            }
            let problem = try await bench.enter(fine.reference)
                .refused(429, "plate.too_many_codes")
            #expect(problem.retryAfterSeconds == Int(PlateProofs.triesKept))
            #expect(try await bench.fines() == [])
            bench.clock.advance(by: PlateProofs.triesKept)
            _ = try await bench.enter(fine.reference).expect(200, PlateCodeAnswer.self)
            for plate in ["", " - ", String(repeating: "A", count: 21)] {
                try await bench.enter("AAA-AAA", plate: plate)
                    .refused(422, "request.invalid", field: "plate")
            }
            try await bench.enter("").refused(422, "request.invalid", field: "code")
        }
    }

    @Test func nothingIsLeftOfADeletedAccount() async throws {
        try await Bench.run { bench in
            let alices = try await bench.vehicle(plate: Self.plate)
            let fine = try await bench.fine(plate: "XYZ 1")
            _ = try await bench.enter(fine.reference, plate: "XYZ 1")
                .expect(200, PlateCodeAnswer.self)
            _ = try await bench.call(
                .post, "/v1/me/plate-proofs/\(alices)/invitations", as: .alice
            ).expect(201, PlateInvitation.self)
            #expect(try await bench.held().plateProofs.map(\.isProven) == [true])
            try await bench.deleteAlice()
            let rows = try await bench.database.read { transaction in
                try ["plate_proofs", "plate_invitations", "plate_tries", "fine_readers"]
                    .map { try transaction.rows("SELECT * FROM \($0)").count }
            }
            #expect(rows == [0, 0, 0, 0])
        }
    }

    // MARK: Gates

    @Test(arguments: [5_000, 100, 21]) func aGateTakesNoPlateThatIsNone(length: Int) async throws {
        try await Bench.run { bench in
            let gate = try await bench.gate(of: try await bench.carPark())
            func pass(_ body: PassageBody) async throws -> Answer {
                try await bench.call(
                    .post, "/v1/gates/\(gate.id)/passages", body, headers: [.gateToken: gate.token])
            }
            let plate = String(repeating: "A", count: length)
            try await pass(PassageBody(.in, plate: plate, at: bench.clock.now))
                .refused(422, "request.invalid", field: "plate")
            try await pass(PassageBody(.in, plate: "A\u{7}B", at: bench.clock.now))
                .refused(422, "request.invalid", field: "plate")
            let ticket = String(repeating: "A", count: GateUseCases.longestTicket + length)
            try await pass(PassageBody(.in, ticket: ticket, at: bench.clock.now))
                .refused(422, "request.invalid", field: "ticket")
        }
    }
}

extension Bench {
    fileprivate func fine(plate: String = "191D12345") async throws -> Fine {
        clock.advance(by: 1)
        let body = FineBody(
            plate: plate, carParkId: try await carPark().id, amount: 4_000, reason: "No ticket.")
        return try await call(.post, "/v1/admin/fines", body, as: .olivia).expect(201, Fine.self)
    }

    fileprivate func fines(of person: TestPerson = .alice) async throws -> [Fine] {
        try await call(.get, "/v1/me/fines", as: person).expect(200, Page<Fine>.self).items
    }

    fileprivate func stays(of person: TestPerson = .alice) async throws -> [ParkingSession] {
        try await call(.get, "/v1/me/parking-sessions", as: person)
            .expect(200, Page<ParkingSession>.self).items
    }

    fileprivate func proofs(of person: TestPerson = .alice) async throws -> [PlateProof] {
        try await call(.get, "/v1/me/plate-proofs", as: person)
            .expect(200, Page<PlateProof>.self).items
    }

    fileprivate func enter(
        _ code: String, plate: String = "191 D 12345", as person: TestPerson = .alice
    ) async throws -> Answer {
        try await call(
            .post, "/v1/me/plate-proofs", PlateCodeBody(plate: plate, code: code), as: person)
    }
}
