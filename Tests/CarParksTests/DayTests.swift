import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Products and reports by the days of a place.
@Suite(.withoutDatabase) struct DayTests {
    private let malta = LocalDays(TimeZone(identifier: "Europe/Malta")!)

    private func time(_ text: String) throws -> Date {
        try Date("\(text):00Z", strategy: .iso8601)
    }

    /// On 29 March 2026 Malta's clocks go from 02:00 to 03:00.
    @Test func daysOnWhichClocksAreChangedAreAsLongAsTheyAre() throws {
        let spring = try time("2026-03-28T11:00")
        let day = ParkingProduct.Unit.daily
        #expect(day.end(of: spring, quantity: 1, malta) == spring.addingTimeInterval(23 * 3_600))
        #expect(
            ParkingProduct.Unit.hourly.end(of: spring, quantity: 24, malta)
                == spring.addingTimeInterval(24 * 3_600))
        let steps = malta.steps(
            from: try time("2026-03-27T23:00"), until: try time("2026-03-30T22:00"))
        #expect(
            steps.map { $0.upperBound.timeIntervalSince($0.lowerBound) / 3_600 } == [24, 23, 24])
    }

    @Test func aMonthFromTheThirtyFirstEndsOnTheLastDay() throws {
        let start = try time("2026-01-31T11:00")
        #expect(
            try ParkingProduct.Unit.monthly.end(of: start, quantity: 1, malta)
                == time("2026-02-28T11:00"))
        #expect(
            try ParkingProduct.Unit.yearly.quantity(
                from: start, until: time("2027-02-01T00:00"), malta) == 2)
    }
}
