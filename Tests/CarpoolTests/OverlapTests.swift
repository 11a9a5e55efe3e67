import Answers
import Contracts
import EventBus
import Foundation
import Geo
import Support
import Testing

@testable import Carpool

/// Nobody is in two cars at once, in whatever order and way it is planned.
@Suite struct OverlapTests {
    private static let dora = TestPerson.another(.customer, 1)
    private static let carol = TestPerson.another(.customer, 2)

    /// Takes people along automatically, every day from the first Monday.
    private static func daily(
        at time: String, from day: String = "2026-11-23", in zone: String = "Europe/Malta",
        on weekdays: [TripWeekday] = TripWeekday.allCases, except days: [String] = []
    ) -> @Sendable (inout TripBody) -> Void {
        { body in
            (body.departsAt, body.timeZone) = ("\(day)T\(time):00", zone)
            body.repeats = TripRepeats(weekdays: weekdays, exceptions: days)
            body.acceptsAutomatically = true
        }
    }

    private static func once(_ departsAt: String) -> @Sendable (inout TripBody) -> Void {
        { ($0.departsAt, $0.repeats) = (departsAt, nil) }
    }

    // MARK: Passengers

    @Test func aSeatOfOneDayKeepsARecurringOneAway() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00"))
            let y = try await bench.published(as: Self.dora, Self.daily(at: "08:05"))
            let seat = try await bench.requested(x.id, on: "2026-11-30")
            #expect(seat.status == .accepted)
            try await bench.request(y.id, on: nil).refused(409, "seat_request.overlaps")
            #expect(
                try await bench.call(.get, "/v1/me/seat-requests?open=true", as: .bob)
                    .expect(200, Page<SeatRequest>.self).items.map(\.id) == [seat.id])
            try await bench.seat("cancel", seat.id, as: .bob).expect(200, SeatRequest.self)
            #expect(try await bench.requested(y.id, on: nil).status == .accepted)
        }
    }

    @Test(arguments: ["2026-11-24", "2026-12-03", "2027-01-18", "2027-11-20"])
    func aRecurringSeatKeepsASeatOfOneDayAway(_ day: String) async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00"))
            let y = try await bench.published(
                as: Self.dora, Self.daily(at: "08:05", except: ["2027-01-19"]))
            _ = try await bench.requested(y.id, on: nil)
            try await bench.request(x.id, on: day).refused(409, "seat_request.overlaps")
            // On this day the other car is not driven.
            #expect(try await bench.requested(x.id, on: "2027-01-19").status == .accepted)
        }
    }

    @Test func recurringSeatsKeepEachOtherAwayHoweverFarAheadTheyBegin() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00", from: "2026-12-14"))
            let y = try await bench.published(
                as: Self.dora, Self.daily(at: "08:05", from: "2026-12-21", on: [.sunday]))
            let z = try await bench.published(
                as: Self.carol, Self.daily(at: "09:00", from: "2026-12-21", on: [.sunday]))
            _ = try await bench.requested(x.id, on: nil)
            try await bench.request(y.id, on: nil).refused(409, "seat_request.overlaps")
            #expect(try await bench.requested(z.id, on: nil).status == .accepted)
        }
    }

    /// Between the second and the last Sunday of March, New York is five hours behind Malta instead of six.
    @Test func recurringSeatsMeetInTheWeeksBetweenTwoClockChanges() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "12:30"))
            let y = try await bench.published(
                as: Self.dora, Self.daily(at: "07:30", in: "America/New_York"))
            _ = try await bench.requested(x.id, on: nil)
            try await bench.request(y.id, on: "2027-03-12").expect(201, SeatRequest.self)
            try await bench.request(y.id, as: Self.carol, on: nil).expect(201, SeatRequest.self)
            try await bench.request(y.id, on: "2027-03-15").refused(409, "seat_request.overlaps")
            try await bench.request(x.id, as: Self.carol, on: nil)
                .refused(409, "seat_request.overlaps")
        }
    }

    @Test func theDriverCanNotAcceptWhoIsInAnotherCarByThen() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00", from: "2026-12-14"))
            let y = try await bench.published(as: Self.dora) {
                Self.daily(at: "08:05", from: "2026-12-14")(&$0)
                $0.acceptsAutomatically = false
            }
            let asked = try await bench.requested(y.id, on: nil)
            let other = try await bench.requested(x.id, on: "2027-02-01")
            let problem = try await bench.seat("accept", asked.id, as: Self.dora)
                .refused(409, "seat_request.overlaps")
            // She isn't told which trip it is.
            #expect(problem.detail == "On 2027-02-01.")
            #expect(try await bench.seen(asked.id).status == .pending)
            try await bench.seat("cancel", other.id, as: .bob).expect(200, SeatRequest.self)
            try await bench.seat("accept", asked.id, as: Self.dora).expect(200, SeatRequest.self)
        }
    }

    @Test func aChangeThatBringsAPassengerIntoTwoCarsAsksThem() async throws {
        try await Bench.run { bench in
            let (trip, seat) = try await bench.accepted()
            let later = try await bench.published(as: Self.dora, Self.daily(at: "08:00"))
            let other = try await bench.requested(later.id)
            #expect(other.status == .accepted)
            // A quarter of an hour needs no consent, but the rides would overlap.
            var change = TripChange()
            change.departsAt = "2026-11-23T07:44:00"
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            #expect(try await bench.seen(seat.id).asks == .passenger)
            try await bench.seat("accept", seat.id, as: .bob)
                .refused(409, "seat_request.overlaps")
            try await bench.seat("cancel", other.id, as: .bob).expect(200, SeatRequest.self)
            try await bench.seat("accept", seat.id, as: .bob).expect(200, SeatRequest.self)
        }
    }

    /// As an earlier release could plan it.
    @Test func aDayThatIsTakenIsLeftOutOfARecurringSeatAndThePassengerTold() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00"))
            let y = try await bench.published(as: Self.dora, Self.daily(at: "10:00"))
            _ = try await bench.requested(x.id, on: nil)
            _ = try await bench.requested(y.id, on: nil)
            let now = bench.clock.now
            try await bench.database.write { transaction in
                var trip = try transaction.trips.require(y.id)
                var plan = trip.plan
                plan.secondOfDay = 8 * 3_600 + 300
                try trip.change(to: plan, trip.course, keeping: trip.seats)
                try transaction.trips.update(&trip, at: now)
            }
            await bench.go(to: now.addingTimeInterval(86_400))
            let days = try await bench.call(.get, "/v1/me/seat-requests", as: .bob)
                .expect(200, Page<SeatRequest>.self).items.filter { $0.date == "2026-11-30" }
            #expect(Set(days.map(\.status)) == [.accepted, .cancelled])
            #expect(
                try await bench.told(.bob).count { $0 == "You already have a ride at that time" }
                    == 1)
        }
    }

    // MARK: Drivers

    @Test func aSeriesThatMeetsALaterTripIsRefusedInEitherOrder() async throws {
        let single = Self.once("2027-02-15T08:00:00")
        let weekly = Self.daily(at: "08:00", from: "2026-12-07", on: [.monday])
        let shifted = Self.daily(at: "08:20", from: "2027-03-01", on: [.monday, .friday])
        for (first, second) in [(single, weekly), (weekly, shifted)] {
            for (one, other) in [(first, second), (second, first)] {
                try await Bench.run { bench in
                    _ = try await bench.published(one)
                    try await bench.publish(other).refused(409, "trip.overlaps")
                    let page = try await bench.call(.get, "/v1/trips", as: .alice)
                        .expect(200, Page<Trip>.self)
                    #expect(page.items.count == 1)
                }
            }
        }
    }

    @Test func aSeriesThatIsNotDrivenOnThatDayIsPublished() async throws {
        try await Bench.run { bench in
            _ = try await bench.published(Self.once("2027-02-15T08:00:00"))
            let weekly = try await bench.published(
                Self.daily(
                    at: "08:00", from: "2026-12-07", on: [.monday], except: ["2027-02-15"]))
            var change = TripChange()
            change.repeats = TripRepeats(weekdays: [.monday])
            try await bench.call(.patch, "/v1/trips/\(weekly.id)", change, as: .alice)
                .refused(409, "trip.overlaps")
            let seen = try await bench.call(.get, "/v1/trips/\(weekly.id)", as: .alice)
                .expect(200, Trip.self)
            #expect(seen.repeats?.exceptions == ["2027-02-15"])
        }
    }

    /// As an earlier release could plan it.
    @Test func tripsThatOverlapAlreadyCanBeChangedOtherwise() async throws {
        try await Bench.run { bench in
            _ = try await bench.published(Self.daily(at: "08:00"))
            let other = try await bench.published(Self.daily(at: "10:00"))
            let now = bench.clock.now
            try await bench.database.write { transaction in
                var trip = try transaction.trips.require(other.id)
                var plan = trip.plan
                plan.secondOfDay = 8 * 3_600 + 300
                try trip.change(to: plan, trip.course, keeping: trip.seats)
                try transaction.trips.update(&trip, at: now)
            }
            func change(_ body: (inout TripChange) -> Void) async throws -> Answer {
                var change = TripChange()
                body(&change)
                return try await bench.call(.patch, "/v1/trips/\(other.id)", change, as: .alice)
            }
            #expect(try await change { $0.seats = 2 }.expect(200, Trip.self).seats == 2)
            try await change { $0.departsAt = "2026-11-23T08:10:00" }.refused(409, "trip.overlaps")
            _ = try await change { $0.departsAt = "2026-11-23T09:00:00" }.expect(200, Trip.self)
        }
    }

    @Test func aPassengerDoesNotDriveMeanwhileWhateverWasPlannedFirst() async throws {
        try await Bench.run { bench in
            let x = try await bench.published(Self.daily(at: "08:00"))
            _ = try await bench.requested(x.id, on: "2027-02-15")
            _ = try await bench.requested(x.id, as: Self.carol, on: nil)
            for person in [TestPerson.bob, Self.carol] {
                try await bench.publish(as: person, Self.once("2027-02-15T08:10:00"))
                    .refused(409, "trip.overlaps")
                try await bench.publish(
                    as: person, Self.daily(at: "08:10", from: "2026-12-07", on: [.monday])
                ).refused(409, "trip.overlaps")
            }
            // Dora drives first, and has a recurring seat.
            _ = try await bench.published(as: Self.dora, Self.once("2027-03-15T08:10:00"))
            try await bench.request(x.id, as: Self.dora, on: nil)
                .refused(409, "seat_request.overlaps")
            try await bench.request(x.id, as: Self.dora, on: "2027-03-15")
                .refused(409, "seat_request.overlaps")
            try await bench.request(x.id, as: Self.dora, on: "2027-03-16")
                .expect(201, SeatRequest.self)
        }
    }

    @Test func nobodyPlansAnotherTripFromTheWheel() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            let ride = try #require(seat.rideId)
            await bench.go(to: seat.pickUp.at)
            try await bench.ride("start", ride).expect(200, Ride.self)
            let next = Self.once("2026-11-23T07:45:00")
            try await bench.publish(next).refused(409, "trip.overlaps")
            try await bench.ride("end", ride).expect(200, Ride.self)
            _ = try await bench.publish(next).expect(201, Trip.self)
        }
    }

    @Test func aTripThatIsStillUnderWayDoesNotDepartAgain() async throws {
        try await Bench.run(router: BentRoads(seconds: 28 * 3_600)) { bench in
            let far = Place(Coordinate.north(500_000))
            try await bench.publish {
                Self.daily(at: "08:00")(&$0)
                $0.destination = far
            }.refused(409, "trip.overlaps")
            _ = try await bench.publish {
                Self.daily(at: "08:00", on: [.monday, .wednesday, .friday])(&$0)
                $0.destination = far
            }.expect(201, Trip.self)
        }
    }

    /// 200 kilometres off the map are driven in four and a half hours, not in eleven as in a town.
    @Test(arguments: [[], [Coordinate.north(50_000)]])
    func aLongStraightLineLeavesTimeForTheWayBack(_ via: [Coordinate]) async throws {
        try await Bench.run { bench in
            let far = Place(Coordinate.north(200_000))
            func body(_ time: String, back: Bool = false) -> @Sendable (inout TripBody) -> Void {
                {
                    Self.daily(at: time)(&$0)
                    ($0.destination, $0.via) = (far, via)
                    if back { swap(&$0.origin, &$0.destination) }
                }
            }
            let out = try await bench.published(body("07:00"))
            #expect(out.isStraightLine && abs(out.durationSeconds - 16_000) <= 1)
            try await bench.publish(body("11:00", back: true)).refused(409, "trip.overlaps")
            _ = try await bench.publish(body("15:00", back: true)).expect(201, Trip.self)
        }
    }

    @Test func whoHasArrivedEarlyRidesOn() async throws {
        try await Bench.run { bench in
            let (_, seat) = try await bench.accepted()
            let next = try await bench.published(as: Self.dora, Self.once("2026-11-23T07:45:00"))
            let ride = try #require(seat.rideId)
            await bench.go(to: seat.pickUp.at)
            try await bench.ride("start", ride).expect(200, Ride.self)
            try await bench.request(next.id).refused(409, "seat_request.overlaps")
            try await bench.ride("end", ride).expect(200, Ride.self)
            #expect(try await bench.requested(next.id).status == .pending)
        }
    }

    // MARK: Days that were given up

    /// The request of one day of Bob's recurring seat.
    private func day(_ date: String, in bench: Bench) async throws -> SeatRequest {
        let page = try await bench.call(.get, "/v1/me/seat-requests?open=true", as: .bob)
            .expect(200, Page<SeatRequest>.self)
        return try #require(page.items.first { $0.date == date })
    }

    @Test func aDayThatWasGivenUpCanBeHadAgain() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published(Self.daily(at: "08:00"))
            _ = try await bench.requested(trip.id, on: nil)
            try await bench.request(trip.id, on: "2026-11-25").refused(409, "seat_request.exists")
            for _ in 1...2 {
                let day = try await day("2026-11-25", in: bench)
                try await bench.seat("cancel", day.id, as: .bob).expect(200, SeatRequest.self)
                let again = try await bench.requested(trip.id, on: "2026-11-25")
                #expect(again.status == .accepted && again.rideId == day.rideId)
                try await bench.request(trip.id, on: "2026-11-25")
                    .refused(409, "seat_request.exists")
            }
            // The other days are those of the recurring seat still.
            try await bench.request(trip.id, on: "2026-11-26").refused(409, "seat_request.exists")
            try await bench.request(trip.id, on: "2026-12-15").refused(409, "seat_request.exists")
        }
    }

    @Test func aDayThatWasGivenUpIsForWhoTakesIt() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                Self.daily(at: "08:00")(&$0)
                $0.seats = 1
            }
            let other = try await bench.published(as: Self.dora, Self.daily(at: "08:05"))
            _ = try await bench.requested(trip.id, on: nil)
            let (first, second) = (
                try await day("2026-11-25", in: bench), try await day("2026-11-26", in: bench)
            )
            for day in [first, second] {
                try await bench.seat("cancel", day.id, as: .bob).expect(200, SeatRequest.self)
            }
            _ = try await bench.requested(trip.id, as: Self.carol, on: "2026-11-25")
            try await bench.request(trip.id, on: "2026-11-25")
                .refused(409, "seat_request.no_seat", field: "seats")
            // A change of the trip keeps both passengers.
            var change = TripChange()
            change.note = "By the harbour"
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            // In another car that day, the passenger can't have it back.
            _ = try await bench.requested(other.id, on: "2026-11-26")
            try await bench.request(trip.id, on: "2026-11-26")
                .refused(409, "seat_request.overlaps")
        }
    }

    @Test func aRecurringPassengerWhoAgreesToAChangeTakesNoDayBack() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published {
                Self.daily(at: "08:00")(&$0)
                $0.seats = 1
            }
            let every = try await bench.requested(trip.id, on: nil)
            let day = try await day("2026-11-25", in: bench)
            try await bench.seat("cancel", day.id, as: .bob).expect(200, SeatRequest.self)
            let taken = try await bench.requested(trip.id, as: Self.carol, on: "2026-11-25")
            var change = TripChange()
            change.departsAt = "2026-11-23T09:00:00"
            try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                .expect(200, Trip.self)
            for (seat, person) in [(every, TestPerson.bob), (taken, Self.carol)] {
                try await bench.seat("accept", seat.id, as: person)
                    .expect(200, SeatRequest.self)
            }
            try await bench.request(trip.id, on: "2026-11-25")
                .refused(409, "seat_request.no_seat", field: "seats")
            // On that day they may ride with somebody else.
            let other = try await bench.published(as: Self.dora, Self.daily(at: "09:05"))
            #expect(try await bench.requested(other.id, on: "2026-11-25").status == .accepted)
        }
    }

    @Test func whoHasRiddenOnceMayRideEveryTime() async throws {
        try await Bench.run { bench in
            let (trip, _, _) = try await bench.ended()
            #expect(try await bench.requested(trip.id, on: nil).status == .pending)
            try await bench.request(trip.id, on: nil).refused(409, "seat_request.exists")
        }
    }

    @Test func aDayThatTheDriverGaveUpAndTookBackCanBeHadAgain() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published(Self.daily(at: "08:00"))
            _ = try await bench.requested(trip.id, on: nil)
            let day = try await day("2026-11-25", in: bench)
            for exceptions in [["2026-11-25"], []] {
                var change = TripChange()
                change.repeats = TripRepeats(
                    weekdays: TripWeekday.allCases, exceptions: exceptions)
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                    .expect(200, Trip.self)
                #expect(try await bench.seen(day.id).status == .cancelled)
            }
            #expect(try await bench.requested(trip.id, on: "2026-11-25").status == .accepted)
        }
    }

    @Test func aDayThatTheDriverLeavesOutDoesNotAskRecurringPassengers() async throws {
        try await Bench.run { bench in
            let trip = try await bench.published(Self.daily(at: "08:00"))
            let every = try await bench.requested(trip.id, on: nil)
            // The next day, then none, then all of a week but two.
            for (weekdays, exceptions) in [
                (TripWeekday.allCases, ["2026-11-23"]), (TripWeekday.allCases, []),
                ([.tuesday, .thursday], []),
            ] {
                var change = TripChange()
                change.repeats = TripRepeats(weekdays: weekdays, exceptions: exceptions)
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                    .expect(200, Trip.self)
                #expect(try await bench.seen(every.id).status == .accepted)
            }
            #expect(try await day("2026-11-26", in: bench).status == .accepted)
            // They have agreed to neither another day of the week nor another time.
            for (weekdays, time) in [([TripWeekday.monday], "08:00"), ([.monday], "09:00")] {
                var change = TripChange()
                change.repeats = TripRepeats(weekdays: weekdays)
                change.departsAt = "2026-11-23T\(time):00"
                try await bench.call(.patch, "/v1/trips/\(trip.id)", change, as: .alice)
                    .expect(200, Trip.self)
                #expect(try await bench.seen(every.id).asks == .passenger)
                try await bench.seat("accept", every.id, as: .bob).expect(200, SeatRequest.self)
            }
        }
    }
}
