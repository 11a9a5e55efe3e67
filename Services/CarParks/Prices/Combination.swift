import Contracts
import Foundation
import ServiceKit

/// A product at the price and within the quantities at which it is on offer.
struct ParkingOffer: Codable, Sendable, Hashable {
    let name: String
    let kind: ParkingProduct.Unit
    /// Price of one unit and one space, in minor units.
    let price: Int
    let least, most: Int

    /// At another price, if there is one.
    init(_ product: ParkingProduct, price: Int? = nil) {
        (name, kind) = (product.name, product.kind)
        self.price = price ?? product.price
        (least, most) = (product.minQuantity, product.maxQuantity)
    }
}

/// Units of one product that a booking pays for.
struct ParkingCharge: Codable, Sendable, Hashable {
    let name: String
    let kind: ParkingProduct.Unit
    /// Units for one space.
    let quantity: Int
    /// Price of one unit and one space, in minor units.
    let price: Int

    var amount: Int { quantity * price }
}

extension [ParkingCharge] {
    /// For one space, in minor units.
    var amount: Int { reduce(0) { $0 + $1.amount } }
}

extension [ParkingOffer] {
    /// The longest time for which products are combined, in days.
    static var longestCombination: Int { 1_100 }

    /// The cheapest products that together reach from `start` to `end`, the longest units first; nil if none do within
    /// their quantities, or if that is more than three years.
    ///
    /// Units follow one another: months and years, then weeks and days, then hours. The price never falls as the end
    /// gets later, since what reaches a later end reaches an earlier one, too.
    func cheapest(
        from start: Date, until end: Date, _ days: LocalDays
    ) -> [ParkingCharge]? {
        guard !isEmpty, start < end,
            end.timeIntervalSince(start) <= Double(Self.longestCombination) * 86_400
        else { return nil }
        let clock = StayClock(start: start, end: end, calendar: days.calendar)
        var months = Reach(steps: clock.steps(of: .month))
        for offer in self where offer.kind.isLong {
            months.add(offer, step: offer.kind == .yearly ? 12 : 1)
        }
        var dayReach = Reach(steps: clock.steps(of: .day), isEmpty: true)
        for (count, plan) in months.plans {
            dayReach.begin(with: plan, at: clock.days(afterMonths: count))
        }
        for offer in self where offer.kind == .daily || offer.kind == .weekly {
            dayReach.add(offer, step: offer.kind == .weekly ? 7 : 1)
        }
        let hourly = filter { $0.kind == .hourly }
        let most = hourly.reduce(0) { $0 + $1.most }
        var hours = Reach(steps: Swift.min(most, clock.hours(afterDays: 0)))
        for offer in hourly { hours.add(offer, step: 1) }
        let cover = hours.cheapestReaching
        let plans = dayReach.plans.compactMap { count, plan -> Plan? in
            // A day has 25 hours at most.
            guard (dayReach.steps - count - 1) * 23 <= most else { return nil }
            let left = clock.hours(afterDays: count)
            guard left > 0 else { return plan }
            return left < cover.count ? cover[left].map(plan.followed) : nil
        }
        return plans.min()?.charges
    }
}

/// The local days, months and hours of one stay.
private struct StayClock {
    let start, end: Date
    let calendar: Calendar

    private func moment(_ unit: Calendar.Component, _ count: Int) -> Date {
        calendar.date(byAdding: unit, value: count, to: start) ?? end
    }

    /// The smallest number of units that reaches the end.
    func steps(of unit: Calendar.Component) -> Int {
        let whole = calendar.dateComponents([unit], from: start, to: end).value(for: unit) ?? 0
        var count = max(0, whole - 1)
        while moment(unit, count) < end { count += 1 }
        return count
    }

    func days(afterMonths count: Int) -> Int {
        guard count > 0 else { return 0 }
        let (first, last) = (
            calendar.startOfDay(for: start), calendar.startOfDay(for: moment(.month, count))
        )
        return calendar.dateComponents([.day], from: first, to: last).day ?? 0
    }

    /// Started hours that are left after some days.
    func hours(afterDays count: Int) -> Int {
        max(0, Int((end.timeIntervalSince(moment(.day, count)) / 3_600).rounded(.up)))
    }
}

/// Charges with their price. A plan with the same price and fewer units is better.
private struct Plan: Comparable {
    private(set) var charges: [ParkingCharge] = []
    private var price = 0
    private var units = 0

    static func < (left: Plan, right: Plan) -> Bool {
        (left.price, left.units) < (right.price, right.units)
    }

    static func == (left: Plan, right: Plan) -> Bool {
        (left.price, left.units) == (right.price, right.units)
    }

    func isDearer(thanWith offer: ParkingOffer, _ count: Int, after plan: Plan) -> Bool {
        let price = plan.price + offer.price * count
        return (self.price, units) > (price, plan.units + count)
    }

    func with(_ offer: ParkingOffer, _ count: Int) -> Plan {
        followed(
            by: ParkingCharge(
                name: offer.name, kind: offer.kind, quantity: count, price: offer.price))
    }

    func followed(by plan: Plan) -> Plan {
        plan.charges.reduce(self) { $0.followed(by: $1) }
    }

    private func followed(by charge: ParkingCharge) -> Plan {
        var plan = self
        plan.charges.append(charge)
        plan.price += charge.amount
        plan.units += charge.quantity
        return plan
    }
}

/// The cheapest plan for each number of steps. What goes beyond the last step counts as the last.
private struct Reach {
    let steps: Int
    private var best: [Plan?]

    init(steps: Int, isEmpty: Bool = false) {
        self.steps = steps
        best = Array(repeating: nil, count: steps + 1)
        if !isEmpty { best[0] = Plan() }
    }

    var plans: [(Int, Plan)] {
        best.enumerated().compactMap { index, plan in plan.map { (index, $0) } }
    }

    /// For each number of steps, the cheapest plan that reaches at least as far.
    var cheapestReaching: [Plan?] {
        var plans = best
        for index in plans.indices.reversed().dropFirst() {
            plans[index] = [plans[index], plans[index + 1]].compactMap(\.self).min()
        }
        return plans
    }

    mutating func begin(with plan: Plan, at count: Int) {
        let index = min(steps, count)
        if best[index].map({ plan < $0 }) ?? true { best[index] = plan }
    }

    /// Uses none of the offer, or a number within its quantities.
    mutating func add(_ offer: ParkingOffer, step: Int) {
        var found = best
        for (index, plan) in plans {
            for count in stride(from: offer.least, through: offer.most, by: 1) {
                let next = min(steps, index + count * step)
                if found[next].map({ $0.isDearer(thanWith: offer, count, after: plan) }) ?? true {
                    found[next] = plan.with(offer, count)
                }
                if next == steps { break }
            }
        }
        best = found
    }
}
