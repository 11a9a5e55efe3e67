import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Store
import Support
import Testing

@testable import Carpool

@Suite struct SeatTests {
    @Test func aSeatIsAskedForAcceptedAndBothCanCall() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            let seat = try await bench.requested(trip.id) { $0.message = "At the kiosk" }
            #expect(seat.status == .pending && seat.asks == .driver && seat.date == "2026-11-23")
            #expect(seat.driver.phone == nil)
            #expect(seat.expiresAt == Wire.date("2026-11-23T06:30:00Z"))
            #expect(try await bench.told(.alice) == ["Someone wants to join your trip"])
            let accepted = try await bench.seat("accept", seat.id, as: .alice)
                .expect(200, SeatRequest.self)
            #expect(accepted.status == .accepted && accepted.passenger.phone != nil)
            // A repeat gets the same answer.
            try await bench.seat("accept", seat.id, as: .alice).expect(200, SeatRequest.self)
            #expect(try await bench.told(.bob) == ["Your seat is confirmed"])
            let ride = try await bench.seen(try #require(seat.rideId))
            #expect(ride.role == .passenger && ride.driver.phone != nil)
            #expect(ride.passengers.map(\.id) == [seat.id])
            let mine = try await bench.call(.get, "/v1/rides?role=driver", as: .alice)
                .expect(200, Page<Ride>.self).items
            #expect(mine.map(\.id) == [ride.id] && mine.first?.passengers.count == 1)
        }
    }

    @Test func whoHasNotBeenHeardOfIsAskedForAndHasANameAtOnce() async throws {
        let driver = TestPerson.another(.customer, 1)
        let passenger = TestPerson.another(.customer, 2)
        let accounts = PretendServer(.failing(503))
        try await accounts.serve { url in
            try await Bench.run(accounts: url) { bench in
                try accounts.know(driver, at: bench.clock.now)
                let trip = try await bench.published(as: driver)
                #expect(trip.driver.firstName == driver.firstName)
                try accounts.know(passenger, at: bench.clock.now)
                let seat = try await bench.requested(trip.id, as: passenger)
                let accepted = try await bench.seat("accept", seat.id, as: driver)
                    .expect(200, SeatRequest.self)
                #expect(accepted.passenger.firstName == passenger.firstName)
                #expect(accepted.passenger.phone == passenger.phone)
            }
        }
        let people = [driver, passenger]
        #expect(accounts.asked.map(\.path) == people.map { "/internal/accounts/\($0.id)" })
    }

    @Test func tenPeopleAtOnceGetNoMoreSeatsThanThereAre() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.acceptsAutomatically = true }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...10 {
                    group.addTask {
                        try await bench.request(trip.id, as: .another(.customer, number)).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 3)
            #expect(statuses.filter { $0 == 409 }.count == 7)
            let seats = try await bench.database.read { try $0.trips.require(trip.id).seats }
            #expect(seats.reduce(0) { $0 + $1.seats } == 3)
            try await bench.follow()
            #expect(try await bench.found().isEmpty)
            // On Wednesday all are free.
            #expect(try await bench.found(at: "2026-11-25T06:00:00Z").first?.seatsLeft == 3)
        }
    }

    @Test func whoGetsOutLeavesTheSeatToWhoGetsIn() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                $0.seats = 1
                $0.acceptsAutomatically = true
            }
            _ = try await bench.requested(trip.id, as: .another(.customer, 1)) {
                $0.dropOff = .north(5_000)
            }
            _ = try await bench.requested(trip.id, as: .another(.customer, 2)) {
                $0.pickUp = .north(5_200)
            }
            try await bench.request(trip.id, as: .another(.customer, 3))
                .refused(409, "seat_request.no_seat", field: "seats")
        }
    }

    @Test func whatCanNotBeRiddenIsRefused() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published()
            try await bench.request(trip.id, as: .alice).refused(409, "seat_request.own")
            try await bench.request(.new()).refused(404, "trip.unknown")
            try await bench.request(trip.id, on: "2026-11-24")
                .refused(422, "seat_request.no_ride", field: "date")
            try await bench.request(trip.id, on: "2026-11-18")
                .refused(422, "seat_request.no_ride", field: "date")
            try await bench.request(trip.id, on: "never")
                .refused(422, "request.invalid", field: "date")
            try await bench.request(trip.id) { $0.every = true }
                .refused(422, "request.invalid", field: "date")
            try await bench.request(trip.id) { $0.seats = 4 }
                .refused(409, "seat_request.no_seat", field: "seats")
            // The other way round, and far from it.
            try await bench.request(trip.id) {
                ($0.pickUp, $0.dropOff) = ($0.dropOff, $0.pickUp)
            }.refused(422, "seat_request.not_on_the_way", field: "pickUp")
            try await bench.request(trip.id) { $0.pickUp = .north(2_000).east(5_500) }
                .refused(422, "seat_request.not_on_the_way", field: "pickUp")
            try await bench.request(trip.id) { $0.pricePerSeat = 10 }
                .refused(409, "trip.price_changed", field: "pricePerSeat")
            _ = try await bench.requested(trip.id)
            try await bench.request(trip.id).refused(409, "seat_request.exists")
            try await bench.request(trip.id, on: nil).refused(409, "seat_request.exists")
        }
    }

    @Test func nobodyRidesInTwoCarsAtOnce() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            let other = try await bench.published(as: .another(.customer, 1)) {
                $0.acceptsAutomatically = true
                $0.departsAt = "2026-11-23T07:40:00"
            }
            try await bench.request(other.id).refused(409, "seat_request.overlaps")
            // Nor drives one meanwhile.
            try await bench.request(other.id, as: .alice).refused(409, "seat_request.overlaps")
            try await bench.seat("cancel", seat.id, as: .bob).expect(200, SeatRequest.self)
            #expect(try await bench.requested(other.id).status == .accepted)
        }
    }

    @Test func declinedCancelledAndExpiredSeatsAreFreeAgain() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.seats = 1 }
            let first = try await bench.requested(trip.id)
            try await bench.seat("decline", first.id, as: .bob)
                .refused(409, "seat_request.not_possible")
            // The first answer may have been lost on its way.
            for _ in 1...2 {
                try await bench.seat("decline", first.id, as: .alice).expect(200, SeatRequest.self)
            }
            #expect(try await bench.told(.bob) == ["The driver declined"])
            let second = try await bench.requested(trip.id)
            try await bench.seat("accept", second.id, as: .alice).expect(200, SeatRequest.self)
            try await bench.request(trip.id, as: .another(.customer, 1)).refused(
                409, "seat_request.no_seat", field: "seats")
            let gone = try await bench.seat("cancel", second.id, as: .alice)
                .expect(200, SeatRequest.self)
            #expect(gone.status == .cancelled)
            let third = try await bench.requested(trip.id, as: .another(.customer, 1))
            await bench.go(to: try #require(third.expiresAt))
            #expect(try await bench.seen(third.id, as: .another(.customer, 1)).status == .expired)
            try await bench.seat("accept", third.id, as: .alice)
                .refused(409, "seat_request.not_possible")
            try await bench.seat("accept", third.id, as: .another(.customer, 2))
                .refused(404, "seat_request.unknown")
        }
    }

    @Test func whoRidesAlongEveryDayHasARideOfEachAndMaySkipOne() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published { $0.seats = 1 }
            let standing = try await bench.requested(trip.id, on: nil)
            #expect(standing.every && standing.rideId == nil)
            try await bench.seat("accept", standing.id, as: .alice).expect(200, SeatRequest.self)
            func days() async throws -> [String] {
                try await bench.call(.get, "/v1/me/seat-requests?open=true", as: .bob)
                    .expect(200, Page<SeatRequest>.self).items.compactMap(\.date).sorted()
            }
            #expect(try await days() == ["2026-11-23", "2026-11-25"])
            // Nobody else gets the seat, on any day.
            try await bench.request(trip.id, as: .another(.customer, 1)).refused(
                409, "seat_request.no_seat", field: "seats")
            try await bench.request(trip.id, as: .another(.customer, 1), on: "2026-12-21")
                .refused(409, "seat_request.no_seat", field: "seats")
            let rides = try await bench.call(.get, "/v1/rides", as: .bob)
                .expect(200, Page<Ride>.self).items
            let monday = try #require(rides.last?.passengers.first)
            #expect(monday.date == "2026-11-23" && monday.standingId == standing.id)
            try await bench.seat("cancel", monday.id, as: .bob).expect(200, SeatRequest.self)
            _ = try await bench.requested(trip.id, as: .another(.customer, 1))
            // The days go on, without the one that was given up.
            await bench.go(to: try #require(Wire.date("2026-11-22T12:00:00Z")))
            #expect(try await days() == ["2026-11-25", "2026-11-30"])
            try await bench.seat("cancel", standing.id, as: .bob).expect(200, SeatRequest.self)
            #expect(try await days() == [])
            _ = try await bench.requested(trip.id, as: .another(.customer, 1), on: "2026-12-21")
        }
    }

    @Test func aChangeTellsPassengersAndAsksThoseWhomItBreaks() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            var change = TripChange()
            change.departsAt = "2026-11-23T07:35:00"
            func put() async throws -> Answer {
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
            }
            _ = try await put().expect(200, Trip.self)
            var seen = try await bench.seen(seat.id)
            #expect(seen.status == .accepted)
            #expect(seen.pickUp.at == seat.pickUp.at.addingTimeInterval(300))
            change.departsAt = "2026-11-23T08:30:00"
            _ = try await put().expect(200, Trip.self)
            seen = try await bench.seen(seat.id)
            #expect(seen.status == .pending && seen.asks == .passenger)
            // The seat is theirs until they have answered.
            try await bench.request(trip.id, as: .another(.customer, 1)) { $0.seats = 3 }
                .refused(409, "seat_request.no_seat", field: "seats")
            try await bench.seat("accept", seat.id, as: .alice)
                .refused(409, "seat_request.not_possible")
            seen = try await bench.seat("accept", seat.id, as: .bob).expect(200, SeatRequest.self)
            #expect(seen.status == .accepted)
            #expect(
                try await bench.seen(try #require(seat.rideId)).departsAt
                    == Wire.date("2026-11-23T07:30:00Z"))
            // Another way leaves them out.
            change = TripChange()
            change.destination = Place(Coordinate.valletta.east(10_000))
            _ = try await put().expect(200, Trip.self)
            #expect(try await bench.seen(seat.id).status == .cancelled)
            #expect(try await bench.told(.bob).last == "The ride is cancelled")
        }
    }

    @Test func aTripThatIsDrivenOnceFromNowOnKeepsWhoRidesOnItsDay() async throws {
        try await Bench.run { bench in
            let (carol, dan) = (TestPerson.another(.customer, 1), TestPerson.another(.customer, 2))
            let (trip, monday) = try await bench.accepted { $0.acceptsAutomatically = true }
            let wednesday = try await bench.requested(trip.id, as: carol, on: "2026-11-25")
            let every = try await bench.requested(trip.id, as: dan, on: nil)
            func put(_ fields: [String: JSONValue]) async throws -> Answer {
                try await bench.call(
                    .patch, "/v1/trips/\(trip.id)", JSONValue.object(fields), as: .alice)
            }
            // Its day has to be to come.
            try await put(["repeats": .null, "departsAt": "2026-11-20T07:30:00"])
                .refused(422, "trip.in_the_past", field: "departsAt")
            #expect(try await put(["seats": 3]).expect(200, Trip.self).repeats != nil)
            let once = try await put(["repeats": .null]).expect(200, Trip.self)
            #expect(once.repeats == nil && once.nextDate == "2026-11-23")
            // Passengers of that day keep their seats, by either kind of request; the trip no longer runs on
            // other days.
            #expect(try await bench.seen(monday.id).status == .accepted)
            #expect(try await bench.seen(wednesday.id, as: carol).status == .cancelled)
            #expect(try await bench.told(carol).last == "The ride is cancelled")
            let days = try await bench.call(.get, "/v1/me/seat-requests?open=true", as: dan)
                .expect(200, Page<SeatRequest>.self).items
            #expect(days.compactMap(\.date) == ["2026-11-23"])
            #expect(days.contains { $0.id == every.id && $0.status == .accepted })
            try await bench.request(trip.id, as: carol, on: "2026-11-25")
                .refused(422, "seat_request.no_ride", field: "date")
            // On another day nobody is taken along before they have said yes.
            _ = try await put(["departsAt": "2026-11-24T07:30:00"]).expect(200, Trip.self)
            #expect(try await bench.seen(monday.id).status == .cancelled)
            #expect(try await bench.seen(every.id, as: dan).asks == .passenger)
            // And every week again.
            let weekly = try await put(["repeats": .object(["weekdays": ["tu"]])]).expect(
                200, Trip.self)
            #expect(weekly.repeats?.weekdays == [.tuesday])
        }
    }

    @Test func whatTheDriverHasNotAnsweredFollowsTheTrip() async throws {
        try await Bench.run { bench in
            let (carol, dan) = (TestPerson.another(.customer, 1), TestPerson.another(.customer, 2))
            let trip = try await bench.published { $0.repeats = nil }
            func put(_ departure: String) async throws {
                var change = TripChange()
                change.departsAt = departure
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                    .expect(200, Trip.self)
            }
            let gone = try await bench.requested(trip.id)
            try await put("2026-11-24T07:30:00")
            #expect(try await bench.seen(gone.id).status == .cancelled)
            #expect(try await bench.told(.bob).last == "The ride is cancelled")
            try await bench.seat("accept", gone.id, as: .alice)
                .refused(409, "seat_request.not_possible")
            // The ride of a day that comes back is planned again.
            try await put("2026-11-23T07:30:00")
            let back = try await bench.requested(trip.id, as: carol)
            #expect(back.rideId == gone.rideId)
            try await bench.seat("accept", back.id, as: .alice).expect(200, SeatRequest.self)
            #expect(try await bench.seen(try #require(back.rideId), as: carol).status == .planned)
            // Nobody is taken along who is answered only after the departure.
            let late = try await bench.requested(trip.id, as: dan)
            try await put("2026-11-23T07:00:00")
            let departure = try #require(Wire.date("2026-11-23T06:00:00Z"))
            #expect(
                try await bench.seen(late.id, as: dan).pickUp.at
                    == late.pickUp.at.addingTimeInterval(-1_800))
            await bench.go(to: departure)
            #expect(try await bench.seen(late.id, as: dan).status == .expired)
        }
    }

    @Test func aDayThatIsGivenUpAndTakenBackIsDrivenAgain() async throws {
        try await Bench.run { bench in
            let dan = TestPerson.another(.customer, 1)
            let trip = try await bench.published { $0.acceptsAutomatically = true }
            let wednesday = try await bench.requested(trip.id, on: "2026-11-25")
            func drive(on weekdays: [TripWeekday]) async throws {
                var change = TripChange()
                change.repeats = TripRepeats(weekdays: weekdays)
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                    .expect(200, Trip.self)
            }
            try await drive(on: [.monday])
            #expect(try await bench.seen(wednesday.id).status == .cancelled)
            _ = try await bench.requested(trip.id, as: dan, on: nil)
            try await drive(on: [.monday, .wednesday])
            let days = try await bench.call(.get, "/v1/me/seat-requests?open=true", as: dan)
                .expect(200, Page<SeatRequest>.self).items
            let again = try #require(days.first { $0.date == "2026-11-25" })
            #expect(again.rideId == wednesday.rideId)
            #expect(try await bench.seen(try #require(again.rideId), as: dan).status == .planned)
        }
    }

    @Test func fewerSeatsThanAreTakenAreRefused() async throws {
        try await Bench.run { bench in
            let (trip, _) = try await bench.accepted({ _ in }, { $0.seats = 2 })
            var change = TripChange()
            change.seats = 1
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .refused(409, "trip.seats_taken", field: "seats")
            change.seats = 2
            _ = try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
        }
    }

    @Test func aTripThatIsRemovedCancelsItsRidesAndTellsEverybody() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            let standing = try await bench.requested(trip.id, as: .another(.customer, 1), on: nil)
            try await bench.seat("accept", standing.id, as: .alice).expect(200, SeatRequest.self)
            try await bench.call(.delete, "/v1/trips/\(trip.id)", as: .alice).expectEmpty(204)
            #expect(try await bench.seen(seat.id).status == .cancelled)
            #expect(
                try await bench.seen(standing.id, as: .another(.customer, 1)).status == .cancelled)
            #expect(try await bench.told(.bob).last == "The trip is no longer offered")
            #expect(
                try await bench.told(.another(.customer, 1)).count {
                    $0.hasPrefix("The trip is no longer")
                } == 1)
            #expect(try await bench.seen(try #require(seat.rideId)).status == .cancelled)
        }
    }

    @Test func whoRidesAlongEveryDayKeepsThePriceThatTheyWereTold() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                $0.pricePerSeat = 100
                $0.payment = .cash
                $0.acceptsAutomatically = true
            }
            _ = try await bench.requested(trip.id, on: nil)
            var change = TripChange()
            change.pricePerSeat = 150
            _ = try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            await bench.go(to: try #require(Wire.date("2026-11-24T12:00:00Z")))
            let days = try await bench.call(.get, "/v1/me/seat-requests", as: .bob)
                .expect(200, Page<SeatRequest>.self).items
            #expect(days.contains { $0.date == "2026-12-02" })
            #expect(days.allSatisfy { $0.price?.amount == 100 })
        }
    }

    @Test func nobodyGivesUpASeatOnTheWay() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            await bench.go(to: seat.pickUp.at)
            try await bench.ride("start", try #require(seat.rideId)).expect(200, Ride.self)
            try await bench.seat("cancel", seat.id, as: .bob)
                .refused(409, "seat_request.not_possible")
        }
    }

    @Test(.withoutDatabase) func everyTransitionIsInTheTable() {
        for from in SeatRequestStatus.allCases {
            #expect(SeatRecord.transitions[from] != nil, "\(from)")
        }
        for from in RideStatus.allCases { #expect(RideRecord.transitions[from] != nil, "\(from)") }
    }
}
