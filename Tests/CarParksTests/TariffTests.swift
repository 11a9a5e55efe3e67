import Answers
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Tariffs of car parks, as operators set them and drivers pay them.
@Suite struct TariffTests {
    private static let hour: TimeInterval = 3_600

    fileprivate static var usual: ParkingTariffBody {
        var rates = ParkingRates(bands: [
            TariffBand(from: "08:00", until: "20:00", price: 150, unitMinutes: 60, maximum: 900),
            TariffBand("Night", from: "20:00", until: "08:00", price: 400),
        ])
        rates.first = [TariffStep(minutes: 15, price: 0), TariffStep(minutes: 60, price: 200)]
        rates.dailyMaximum = 1_200
        var body = ParkingTariffBody(rates: [rates])
        body.lostTicketPrice = 3_000
        return body
    }

    /// All day 1.00 for each started hour.
    private static var plain: ParkingTariffBody {
        ParkingTariffBody(rates: [
            ParkingRates(bands: [TariffBand(price: 100, unitMinutes: 60)])
        ])
    }

    @Test func everyChangeIsANewVersion() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let first = try await bench.tariff(of: carPark)
            #expect((first.version, first.rates, first.graceMinutes) == (0, [], 15))
            let one = try await bench.put(Self.usual, of: carPark).expect(200, ParkingTariff.self)
            #expect((one.version, one.since, one.rates) == (1, bench.clock.now, Self.usual.rates))
            try await bench.put(Self.plain, of: carPark, ifMatch: "\"0\"")
                .refused(412, "request.precondition_failed")
            let two = try await bench.put(Self.plain, of: carPark, ifMatch: "\"1\"")
                .expect(200, ParkingTariff.self)
            #expect(try await bench.tariff(of: carPark) == two)
            func seen() async throws -> CarPark {
                try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                    .expect(200, CarPark.self)
            }
            #expect(try await seen().tariff == two)
            #expect(try await seen().version == carPark.version + 2)
            func listed() async throws -> [CarParkID: ParkingTariff] {
                try await bench.database.read { try $0.tariffs.published(of: [carPark.id]) }
            }
            #expect(try await listed() == [carPark.id: two])
            try await bench.put(ParkingTariffBody(rates: []), of: carPark)
                .expect(200, ParkingTariff.self)
            #expect(try await seen().tariff == nil)
            #expect(try await listed().isEmpty)
            let gone = "/v1/admin/car-parks/\(CarParkID.new())/tariff"
            try await bench.call(.get, gone, as: .olivia).refused(404, "car_park.unknown")
            try await bench.call(.put, gone, Self.plain, as: .olivia)
                .refused(404, "car_park.unknown")
        }
    }

    @Test func eachFieldIsChecked() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            try await bench.refused("graceMinutes", in: carPark) { $0.graceMinutes = 1_441 }
            try await bench.refused("lostTicketPrice", in: carPark) { $0.lostTicketPrice = -1 }
            try await bench.refused("rates[0].classes", in: carPark) { $0.rates[0].classes = [] }
            try await bench.refused("rates[1].classes", in: carPark) {
                $0.rates.append($0.rates[0])
            }
            try await bench.refused("rates[0].first[0].minutes", in: carPark) {
                $0.rates[0].first?[0].minutes = 0
            }
            try await bench.refused("rates[0].first[1].price", in: carPark) {
                $0.rates[0].first?[1].price = -1
            }
            try await bench.refused("rates[0].bands", in: carPark) { $0.rates[0].bands = [] }
            try await bench.refused("rates[0].bands[0].from", in: carPark) {
                $0.rates[0].bands[0].from = "24:00"
            }
            try await bench.refused("rates[0].bands[0].from", in: carPark) {
                $0.rates[0].bands[0].from = "8:00"
            }
            try await bench.refused("rates[0].bands[1].until", in: carPark) {
                $0.rates[0].bands[1].until = "24:01"
            }
            try await bench.refused("rates[0].bands[0].price", in: carPark) {
                $0.rates[0].bands[0].price = -1
            }
            try await bench.refused("rates[0].bands[0].unitMinutes", in: carPark) {
                $0.rates[0].bands[0].unitMinutes = 0
            }
            try await bench.refused("rates[0].bands[0].maximum", in: carPark) {
                $0.rates[0].bands[0].maximum = 149
            }
            try await bench.refused("rates[0].bands[0].days", in: carPark) {
                $0.rates[0].bands[0].days = []
            }
            try await bench.refused("rates[0].dailyMaximum", in: carPark) {
                $0.rates[0].dailyMaximum = 399
            }
            // No card can be charged so little.
            try await bench.refused("lostTicketPrice", in: carPark) { $0.lostTicketPrice = 49 }
            try await bench.refused("rates[0].first[1].price", in: carPark) {
                $0.rates[0].first?[1].price = 20
            }
            try await bench.refused("rates[0].bands[0].price", in: carPark) {
                $0.rates[0].bands[0].price = 30
            }
            try await bench.refused("rates[0].bands[0].maximum", in: carPark) {
                ($0.rates[0].bands[0].price, $0.rates[0].bands[0].maximum) = (0, 40)
            }
            #expect(try await bench.tariff(of: carPark).version == 0)
        }
    }

    @Test func aGapAnOverlapAndADayWithoutAPriceAreRefused() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            try await bench.refused("rates[0].bands[0].until", in: carPark) {
                $0.rates[0].bands[0].until = "19:00"
            }
            try await bench.refused("rates[0].bands[1].from", in: carPark) {
                $0.rates[0].bands[0].until = "21:00"
            }
            try await bench.refused("rates[0].bands[1].until", in: carPark) {
                $0.rates[0].bands[1].until = "07:00"
            }
            try await bench.refused("rates[0].bands[0].from", in: carPark) {
                $0.rates[0].bands[1].until = "09:00"
            }
            try await bench.refused("rates[0].bands", in: carPark) {
                for index in 0...1 { $0.rates[0].bands[index].days = [.monday] }
            }
            #expect(try await bench.tariff(of: carPark).version == 0)
        }
    }

    @Test func eventsAreChecked() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            func event(_ change: (inout TariffEvent) -> Void) -> TariffEvent {
                var event = TariffEvent(
                    "Fair", from: "2099-05-01", until: "2099-05-02",
                    bands: [TariffBand(price: 500)])
                change(&event)
                return event
            }
            try await bench.refused("rates[0].events[0].name", in: carPark) {
                $0.rates[0].events = [event { $0.name = " " }]
            }
            try await bench.refused("rates[0].events[0].from", in: carPark) {
                $0.rates[0].events = [event { $0.from = "tomorrow" }]
            }
            try await bench.refused("rates[0].events[0].until", in: carPark) {
                $0.rates[0].events = [event { $0.until = "2099-04-30" }]
            }
            try await bench.refused("rates[0].events[0].until", in: carPark) {
                $0.rates[0].events = [
                    event { ($0.from, $0.until) = ("2020-05-01", "2020-05-01") }
                ]
            }
            try await bench.refused("rates[0].events[1].from", in: carPark) {
                $0.rates[0].events = [event { _ in }, event { $0.from = "2099-05-02" }]
            }
            try await bench.refused("rates[0].events[0].dailyMaximum", in: carPark) {
                $0.rates[0].events = [event { $0.dailyMaximum = 499 }]
            }
            try await bench.refused("rates[0].events[0].bands[0].until", in: carPark) {
                $0.rates[0].events = [event { $0.bands[0].until = "23:00" }]
            }
            try await bench.refused("rates[0].events[0].bands[0].days", in: carPark) {
                $0.rates[0].events = [event { $0.bands[0].days = [.monday] }]
            }
            #expect(try await bench.tariff(of: carPark).version == 0)
        }
    }

    @Test func anEventThatIsOverMayStay() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let day = TariffPricing.text(
                of: LocalDays(TimeZone(identifier: "Europe/Malta")!).day(of: bench.clock.now))
            var body = Self.plain
            body.rates[0].events = [
                TariffEvent("Fair", from: day, until: day, bands: [TariffBand(price: 500)])
            ]
            _ = try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            bench.clock.advance(by: 3 * 86_400)
            body.graceMinutes = 20
            _ = try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            body.rates[0].events?[0].name = "Market"
            try await bench.put(body, of: carPark)
                .refused(422, "request.invalid", field: "rates[0].events[0].until")
        }
    }

    @Test func driversPayByTheTariffOfTheirEntry() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 900)
            let carPark = offer.carPark
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            bench.goToNine()
            try await bench.put(Self.plain, of: carPark).expect(200, ParkingTariff.self)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 60)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 100)
            var dearer = Self.plain
            dearer.rates[0].bands[0].price = 700
            try await bench.put(dearer, of: carPark).expect(200, ParkingTariff.self)
            bench.clock.advance(by: 3 * Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 400)
            _ = try await bench.pass(gate, .in, "XYZ1")
            bench.clock.advance(by: 30)
            #expect(try await bench.pass(gate, .out, "XYZ1").due?.amount == 700)
        }
    }

    @Test func afterPayingThereIsTheTariffsTimeToLeave() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            var body = Self.plain
            body.graceMinutes = 5
            bench.goToNine()
            try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            let entry = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 59 * 60)
            let stay = try #require(entry.session)
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            #expect(try await bench.balance() == 100)
            bench.clock.advance(by: 5 * 60 + 1)
            let exit = try await bench.pass(gate, .out, "ABC123")
            #expect((exit.reason, exit.due?.amount) == (.paymentDue, 100))
        }
    }

    @Test func withinTheTariffsTimeToLeaveTheGateOpens() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            var body = Self.plain
            body.graceMinutes = 30
            bench.goToNine()
            try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            bench.clock.advance(by: 59 * 60)
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            bench.clock.advance(by: 30 * 60)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
        }
    }

    /// 1.00 an hour, 1.30 at most: after 1.00 there are 0.30, which no card can be charged.
    @Test func aRestThatNoCardCanBeChargedIsWaived() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            var body = Self.plain
            body.rates[0].dailyMaximum = 130
            bench.goToNine()
            try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            bench.clock.advance(by: 59 * 60)
            let path = "/v1/parking-sessions/\(stay)/pay"
            let pay = PayBody(token: "pm_card_visa")
            try await bench.call(.post, path, pay, as: .alice).expect(200, PaymentAnswer.self)
            bench.clock.advance(by: 5 * Self.hour)
            try await bench.call(.post, path, pay, as: .alice)
                .refused(409, "parking_session.nothing_due")
            try await bench.call(
                .post, "/v1/admin/parking-sessions/\(stay)/receive", ReceiveBody(.terminal),
                as: .olivia
            ).refused(409, "parking_session.nothing_due")
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
            #expect(try await bench.balance() == 100)
        }
    }

    /// A tariff of before such prices were refused.
    @Test func aFirstAmountThatNoCardCanBeChargedIsRaised() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            bench.goToNine()
            var body = Self.plain
            body.rates[0].bands[0].price = 20
            let (tariff, now) = (
                ParkingTariff(body, version: 1, since: bench.clock.now), bench.clock.now
            )
            try await bench.database.write {
                try $0.tariffs.insert(tariff, of: carPark.id, at: now)
            }
            let stay = try #require(try await bench.pass(gate, .in, "ABC123").session)
            bench.clock.advance(by: 59 * 60)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 50)
            let paid = try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            #expect(paid.payment.amount.amount == 50)
            #expect(try await bench.pass(gate, .out, "ABC123").reason == .paid)
        }
    }

    @Test func theBillSaysWhatWasCounted() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let gate = try await bench.gate(of: carPark)
            _ = try await bench.vehicle()
            var body = Self.plain
            body.rates[0].dailyMaximum = 250
            try await bench.put(body, of: carPark).expect(200, ParkingTariff.self)
            bench.goToNine()
            let entry = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 4 * Self.hour)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 250)
            let stay = try #require(entry.session)
            try await bench.call(
                .post, "/v1/parking-sessions/\(stay)/pay", PayBody(token: "pm_card_visa"),
                as: .alice
            ).expect(200, PaymentAnswer.self)
            let lines = try await bench.database.read { transaction in
                let record = try #require(try transaction.sessions.find(stay))
                return try transaction.bills.find(try #require(record.bill))?.bill.lines ?? []
            }
            #expect(lines.map(\.amount.amount) == [400, -150])
            #expect(lines[0].quantity == 4)
            #expect(lines[0].unit?[.english] == "hours")
            #expect(lines[0].unitPrice == Money(amount: 100, currency: "EUR"))
            #expect(lines[1].text[.english] == "Daily maximum")
        }
    }

    @Test func aPreviewShowsThePriceNowAndThen() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 500)
            let path = "/v1/admin/car-parks/\(offer.carPark.id)/tariff/preview"
            let start = try Date("2027-03-01T08:00:00Z", strategy: .iso8601)
            func stay(_ hours: Double) -> TariffPreviewBody.Stay {
                .init(from: start, until: start.addingTimeInterval(hours * Self.hour))
            }
            let body = TariffPreviewBody(Self.plain, stays: [stay(0), stay(3), stay(8_784)])
            let found = try await bench.call(.post, path, body, as: .olivia)
                .expect(200, [TariffPreview].self)
            #expect(found.map(\.total.amount) == [0, 300, 878_400])
            #expect(found[1].current.amount == 1_500)
            #expect(found[1].lines.map(\.quantity) == [3])
            let now = try await bench.call(
                .post, path, TariffPreviewBody(stays: [stay(3)]), as: .olivia
            ).expect(200, [TariffPreview].self)
            #expect(now[0].lines.map(\.kind) == [.products])
            for (stays, field) in [
                ([], "stays"), ([stay(8_785)], "stays[0].until"),
                ([stay(1), stay(-1)], "stays[1].until"),
            ] {
                try await bench.call(.post, path, TariffPreviewBody(stays: stays), as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
            var wrong = Self.plain
            wrong.rates[0].bands[0].until = "23:00"
            try await bench.call(
                .post, path, TariffPreviewBody(wrong, stays: [stay(1)]), as: .olivia
            ).refused(422, "request.invalid", field: "rates[0].bands[0].until")
            #expect(try await bench.tariff(of: offer.carPark).version == 0)
        }
    }

    @Test func aClassWithoutPricesPaysByTheProducts() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer(price: 900)
            let gate = try await bench.gate(of: offer.carPark)
            var body = Self.plain
            body.rates[0].classes = [.disabled]
            try await bench.put(body, of: offer.carPark).expect(200, ParkingTariff.self)
            _ = try await bench.pass(gate, .in, "ABC123")
            bench.clock.advance(by: 1_800)
            #expect(try await bench.pass(gate, .out, "ABC123").due?.amount == 900)
        }
    }

    /// A search without a period is of somebody who drives there now.
    @Test func aSearchTellsTheNextHourByTheTariff() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            bench.goToNine()
            func found(_ query: String = "") async throws -> CarParkSummary? {
                try await bench.call(.get, "/v1/car-parks?limit=10\(query)")
                    .expect(200, Page<CarParkSummary>.self).items.first
            }
            #expect(try await found()?.price?.amount == 200)
            let rates = ParkingRates(bands: [TariffBand(price: 150, unitMinutes: 30)])
            try await bench.put(ParkingTariffBody(rates: [rates]), of: offer.carPark)
                .expect(200, ParkingTariff.self)
            let now = try await found()
            #expect((now?.price?.amount, now?.priceUnit) == (300, .hourly))
            let from = bench.clock.now.addingTimeInterval(86_400)
            let period = "&from=\(Wire.text(from))&until=\(Wire.text(from + 7_200))"
            let booked = try await found(period)
            #expect((booked?.price?.amount, booked?.priceUnit) == (400, nil))
        }
    }

    /// A line as the last release stored it.
    @Test(.withoutDatabase) func linesOfTheLastReleaseAreRead() throws {
        let line = try Wire.decode(
            StayLine.self, from: Data(#"{"kind":"driveUp","amount":250}"#.utf8))
        #expect(line == StayLine(kind: "driveUp", amount: 250))
        #expect(line.bill(in: "EUR").quantity == 1)
    }

    @Test(.withoutDatabase) func whatIsPaidPaysTheFirstLines() {
        let lines = [
            StayLine(kind: "driveUp", amount: 600), StayLine(kind: "driveUp", amount: -100),
            StayLine(kind: "overstay", amount: 200), StayLine(kind: "overstayFee", amount: 0),
        ]
        #expect(lines.less(0).map(\.amount) == [600, -100, 200])
        #expect(lines.less(500).map(\.amount) == [200])
        #expect(lines.less(550).map(\.amount) == [150])
        #expect(lines.less(100).map(\.amount) == [400, 200])
        #expect(lines.less(700) == [])
        #expect(lines.less(550).raised(by: 0).map(\.amount) == [150])
        #expect(lines.less(550).raised(by: 20).map(\.amount) == [170])
        #expect(lines.raised(by: 20).map(\.amount) == [620, -100, 200, 0])
    }
}

extension Bench {
    /// To nine in the morning of the next day there.
    func goToNine() {
        let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!)
        let nine = malta.moment(malta.day(of: clock.now, offset: 1), minute: 540)
        clock.advance(by: nine.timeIntervalSince(clock.now))
    }

    fileprivate func tariff(of carPark: CarPark) async throws -> ParkingTariff {
        try await call(.get, "/v1/admin/car-parks/\(carPark.id)/tariff", as: .olivia)
            .expect(200, ParkingTariff.self)
    }

    @discardableResult
    fileprivate func put(
        _ body: ParkingTariffBody, of carPark: CarPark, ifMatch: String? = nil
    ) async throws -> Answer {
        try await call(
            .put, "/v1/admin/car-parks/\(carPark.id)/tariff", body, as: .olivia,
            headers: ifMatch.map { [.ifMatch: $0] } ?? [:])
    }
}

extension Bench {
    /// The usual tariff with a change is refused, and says at which field.
    fileprivate func refused(
        _ field: String, in carPark: CarPark, _ change: (inout ParkingTariffBody) -> Void
    ) async throws {
        var body = TariffTests.usual
        change(&body)
        try await put(body, of: carPark).refused(422, "request.invalid", field: field)
    }
}
