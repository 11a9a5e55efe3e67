import Answers
import Contracts
import Foundation
import ProductKit
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Plates that a camera misreads, or that somebody has typed with other letters that look the same.
@Suite struct LookAlikeTests {
    /// Readings of BO1234: of Latin, Cyrillic and Greek letters, of full width, and of Arabic digits.
    static let readings = [
        "B01234", "BO I234", "8O1234", "80-IZ34", "B01Z34", "\u{412}\u{41E}1234",
        "\u{392}\u{39F}1234",
        "\u{432}\u{43E} 1234", "\u{FF22}\u{FF2F}1234", "BO\u{661}\u{662}34",
    ]

    @Test(.withoutDatabase, arguments: readings)
    func allReadingsLookTheSame(reading: String) {
        #expect(reading.plateCharacters.plateLook == "BO1234".plateLook)
        #expect(reading.plateCharacters != "BO1234")
    }

    @Test(.withoutDatabase, arguments: ["BQ1234", "BD1234", "BO7234", "BO1239", "BO123", "6O1234"])
    func otherPlatesDoNot(plate: String) {
        #expect(plate.plateCharacters.plateLook != "BO1234".plateLook)
    }

    /// A gate at the start of Alice's booking for BO1234.
    private func booked(
        _ bench: Bench, quantity: Int = 2
    ) async throws -> (gate: NewGate, offer: Bench.Offer, booking: Booking) {
        let offer = try await bench.offer(price: 250)
        let gate = try await bench.gate(of: offer.carPark)
        let booking = try await bench.confirmed(offer, quantity: quantity, plate: "BO1234")
        bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
        return (gate, offer, booking)
    }

    @Test(arguments: readings)
    func aMisreadPlateHasItsBooking(reading: String) async throws {
        try await Bench.run { bench in
            let (gate, _, booking) = try await booked(bench)
            let entry = try await bench.pass(gate, .in, reading)
            #expect((entry.open, entry.reason, entry.booking) == (true, .booked, booking.id))
            #expect(try await bench.booking(booking.id).status == .active)
            // A repeat is the same, read in whichever way.
            #expect(try await bench.pass(gate, .in, reading, ago: -3) == entry)
            #expect(try await bench.pass(gate, .in, "BO1234", ago: -4) == entry)
            bench.clock.advance(by: 3_600)
            let exit = try await bench.pass(gate, .out, "BO1234")
            #expect((exit.open, exit.session) == (true, entry.session))
            #expect(try await bench.pass(gate, .out, reading, ago: -3) == exit)
            #expect(try await bench.booking(booking.id).status == .completed)
            #expect(try await bench.balance() == 500)
        }
    }

    @Test func whatIsReadRightAtTheEntranceMayBeMisreadAtTheExit() async throws {
        try await Bench.run { bench in
            let (gate, _, booking) = try await booked(bench)
            #expect(try await bench.pass(gate, .in, "BO1234").booking == booking.id)
            bench.clock.advance(by: 3_600)
            #expect(try await bench.pass(gate, .out, "8O1234").booking == booking.id)
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }

    @Test func whatWasTypedInOtherLettersIsRead() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(
                offer, startsIn: 60, plate: "\u{412}\u{41E} 1234")
            #expect(try await bench.pass(gate, .in, "BO1234").booking == booking.id)
        }
    }

    @Test func aPlateWithABookingOfItsOwnIsItself() async throws {
        try await Bench.run { bench in
            let (gate, offer, booking) = try await booked(bench)
            let bobs = try await bench.vehicle(of: .bob, plate: "B01234")
            let later = try await bench.book(
                bench.body(offer, [bobs], startsIn: 7_200), as: .bob
            ).expect(201, Booking.self)
            try await bench.pay(later.id, as: .bob).expect(200, BookingPayment.self)
            let entry = try await bench.pass(gate, .in, "B01234")
            #expect((entry.reason, entry.booking) == (.driveUp, later.id))
            #expect(try await bench.booking(booking.id).status == .confirmed)
            #expect(try await bench.pass(gate, .in, "BO1234").booking == booking.id)
        }
    }

    /// Nobody can follow a vehicle by booking for a plate that looks the same.
    @Test func aProvenPlateHasNoBookingOfOthers() async throws {
        try await Bench.run { bench in
            let (gate, _, booking) = try await booked(bench)
            _ = try await bench.vehicle(of: .bob, plate: "B01234")
            let entry = try await bench.pass(gate, .in, "B01234")
            #expect((entry.reason, entry.booking) == (.driveUp, nil))
            #expect(try await bench.stays(of: .bob).map(\.id) == [entry.session])
            #expect(try await bench.booking(booking.id).status == .confirmed)
        }
    }

    @Test func anOwnerWhoTypedItWrongHasTheBooking() async throws {
        try await Bench.run { bench in
            let (gate, _, booking) = try await booked(bench)
            _ = try await bench.vehicle(plate: "B01234")
            #expect(try await bench.pass(gate, .in, "B01234").booking == booking.id)
        }
    }

    /// Nobody else's booking pays for the stay.
    @Test func aBookingThatAdmitsNobodyIsNotMeant() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            _ = try await bench.vehicle(plate: "BO1234")
            let bobs = try await bench.vehicle(of: .bob, plate: "BO1234")
            let booking = try await bench.book(bench.body(offer, [bobs], startsIn: 60), as: .bob)
                .expect(201, Booking.self)
            try await bench.pay(booking.id, as: .bob).expect(200, BookingPayment.self)
            let entry = try await bench.pass(gate, .in, "B01234")
            #expect((entry.reason, entry.booking) == (.driveUp, nil))
            #expect(try await bench.stays().isEmpty)
        }
    }

    @Test func aBookingWhoseSpacesAreTakenIsNotMeant() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let two = [
                try await bench.vehicle(plate: "ONE 1"), try await bench.vehicle(plate: "BO1234"),
            ]
            let booking = try await bench.book(bench.body(offer, two, startsIn: 60))
                .expect(201, Booking.self)
            try await bench.pay(booking.id).expect(200, BookingPayment.self)
            #expect(try await bench.pass(gate, .in, "ONE 1").booking == booking.id)
            let entry = try await bench.pass(gate, .in, "B01234")
            #expect((entry.reason, entry.booking) == (.driveUp, nil))
            #expect(try await bench.stays().map(\.plate) == ["ONE1"])
        }
    }

    @Test func ofTwoBookingsThatLookAlikeItIsNeither() async throws {
        try await Bench.run { bench in
            let (gate, offer, booking) = try await booked(bench)
            let bobs = try await bench.vehicle(of: .bob, plate: "8O1234")
            let other = try await bench.book(bench.body(offer, [bobs], startsIn: 60), as: .bob)
                .expect(201, Booking.self)
            try await bench.pay(other.id, as: .bob).expect(200, BookingPayment.self)
            let entry = try await bench.pass(gate, .in, "B01234")
            #expect((entry.reason, entry.booking) == (.driveUp, nil))
            for (id, person) in [(booking.id, TestPerson.alice), (other.id, .bob)] {
                #expect(try await bench.booking(id, as: person).status == .confirmed)
            }
        }
    }

    /// Tomorrow's, one that is not paid, one that is over, and one of another car park.
    @Test func onlyAPaidBookingOfNowCounts() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let vehicle = try await bench.vehicle(plate: "BO1234")
            func isDriveUp() async throws {
                let entry = try await bench.pass(gate, .in, "B01234")
                #expect((entry.reason, entry.booking) == (.driveUp, nil))
                bench.clock.advance(by: 60)
                #expect(try await bench.pass(gate, .out, "B01234").open)
            }
            try await isDriveUp()
            try await bench.book(bench.body(offer, [vehicle], startsIn: 0)).expect(
                201, Booking.self)
            try await isDriveUp()
            bench.clock.advance(by: 600)
            await bench.work()
            let soon = try await bench.confirmed(offer, startsIn: 1_200, plate: "BO1234")
            try await isDriveUp()
            bench.clock.advance(by: soon.end.timeIntervalSince(bench.clock.now))
            try await isDriveUp()
            _ = try await bench.confirmed(
                try await bench.offer(), startsIn: 0, plate: "BO1234")
            try await isDriveUp()
        }
    }

    @Test func whoDrivesUpLeavesThoughTheExitMisreads() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 250)
            let gate = try await bench.gate(of: offer.carPark)
            let entry = try await bench.pass(gate, .in, "5S0OQ")
            #expect(entry.reason == .driveUp)
            bench.clock.advance(by: 3_600)
            let exit = try await bench.pass(gate, .out, "SSOOQ")
            #expect((exit.reason, exit.session) == (.paymentDue, entry.session))
            // Two that look alike can't be told apart.
            #expect(try await bench.pass(gate, .in, "SS00Q").reason == .driveUp)
            #expect(try await bench.pass(gate, .out, "55OOQ").reason == .unknown)
        }
    }

    @Test func twoCamerasSeeOneVehicle() async throws {
        try await Bench.run { bench in
            let (north, offer, _) = try await booked(bench)
            let south = try await bench.gate(of: offer.carPark)
            let entry = try await bench.pass(north, .in, "BO1234")
            bench.clock.advance(by: 60)
            let again = try await bench.pass(south, .in, "B01234")
            #expect((again.reason, again.session) == (.alreadyInside, entry.session))
            // An hour later it is another vehicle.
            bench.clock.advance(by: 3_600)
            let other = try await bench.pass(south, .in, "B01234")
            #expect((other.reason, other.booking) == (.driveUp, nil))
            #expect(try await bench.pass(south, .out, "BO1234").session == entry.session)
        }
    }

    @Test func whatIsToldLateIsMisreadAsWell() async throws {
        try await Bench.run { bench in
            let (gate, _, booking) = try await booked(bench)
            bench.clock.advance(by: 3 * 3_600)
            await bench.work()
            #expect(try await bench.booking(booking.id).status == .noShow)
            let entry = try await bench.pass(gate, .in, "8O1Z34", ago: 3 * 3_600 - 60)
            #expect((entry.reason, entry.booking) == (.booked, booking.id))
            let exit = try await bench.pass(gate, .out, "B01234", ago: 2 * 3_600)
            #expect((exit.reason, exit.session) == (.booked, entry.session))
            #expect(try await bench.booking(booking.id).status == .completed)
        }
    }
}

extension Bench {
    fileprivate func stays(of person: TestPerson = .alice) async throws -> [ParkingSession] {
        try await call(.get, "/v1/me/parking-sessions", as: person)
            .expect(200, Page<ParkingSession>.self).items
    }
}
