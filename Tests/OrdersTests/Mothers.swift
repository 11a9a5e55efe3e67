import Contracts
import Foundation
import Support

@testable import Orders

let start = TestClock().now

extension Place {
    /// Central, in the area `hk-island`.
    static let central = Place(latitude: 22.2819, longitude: 114.1556, address: "1 Queen's Road")
    /// Mong Kok, in the area `kowloon`.
    static let mongKok = Place(latitude: 22.3193, longitude: 114.1694)
    /// Lantau, in no area.
    static let lantau = Place(latitude: 22.2540, longitude: 113.9050)
}

extension ParkedAt {
    static let garage = ParkedAt(
        latitude: 22.2800, longitude: 114.1600, lot: "Star Ferry", level: "2", bay: "A-17",
        keyTag: "31")
}

extension VehicleDescription {
    static let tesla = VehicleDescription(
        plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white")
}

extension OrderVehicle {
    static let tesla = OrderVehicle(
        id: VehicleID("01900000-0000-7000-8000-000000000091"), plate: "AB 1234", make: "Tesla",
        model: "Model 3", colour: "white")
}

extension Tariff {
    static var free: Tariff {
        var tariff = Tariff.usual
        (tariff.baseFee, tariff.incrementPrice, tariff.dailyCap) = (0, 0, 0)
        (tariff.cancellationFee, tariff.noShowFee) = (0, 0)
        return tariff
    }
}

extension Order {
    static let code = "4821"
    static let returnCode = "1357"

    static func draft(
        by customer: TestPerson = .alice, tariff: Tariff = .usual, extras: [Extra] = []
    ) -> OrderDraft {
        OrderDraft(
            id: .new(at: start), ticket: "K7-42", code: code, customer: customer.customer,
            serviceArea: ServiceAreaID("hk-island") ?? { preconditionFailure("a valid name") }(),
            tariff: tariff, dropOff: .central, vehicle: .tesla, extras: extras)
    }

    static func placed(
        by customer: TestPerson = .alice, tariff: Tariff = .usual, extras: [Extra] = []
    ) throws -> Order {
        try place(draft(by: customer, tariff: tariff, extras: extras), at: start).0
    }

    /// Wanted in an hour; a valet is looked for in fifty minutes.
    static func ahead(by customer: TestPerson = .alice) throws -> Order {
        let schedule = try DispatchLimits().schedule(
            for: start.addingTimeInterval(3_600), at: start)
        return try place(draft(by: customer), ahead: schedule, at: start).0
    }

    /// An order that came into this state on the straight way, a minute a step; what was ordered
    /// besides parking is done before the vehicle is called back.
    static func inState(
        _ wanted: OrderStatus, tariff: Tariff = .usual, extras: [Extra] = []
    ) throws -> Order {
        var order = try placed(tariff: tariff, extras: extras)
        var now = start
        switch wanted {
        case .cancelled:
            _ = try order.cancel(by: .customer(order.customer), reason: nil, at: now)
            return order
        case .unfulfilled:
            _ = try order.giveUpSearch(at: now)
            return order
        default:
            break
        }
        let steps: [(inout Order) throws -> Void] = [
            { _ = try $0.assign(TestPerson.victor.valet, etaSeconds: 240, at: now) },
            { _ = try $0.collect(by: TestPerson.victor.valet, at: now) },
            {
                _ = try $0.park(
                    Parking(place: .garage, vehicle: .tesla), by: TestPerson.victor.valet, at: now)
            },
            { order in
                for extra in extras {
                    _ = try order.takeTask(extra, by: TestPerson.victor.valet, at: now)
                    _ = try order.completeTask(extra, by: TestPerson.victor.valet, at: now)
                }
                _ = try order.recall(
                    to: .central, code: returnCode, by: order.customer, at: now)
            },
            { order in
                _ = try order.assign(TestPerson.vera.valet, etaSeconds: 300, at: now)
                _ = try order.retrieve(by: TestPerson.vera.valet, at: now)
            },
            { _ = try $0.handBack(by: TestPerson.vera.valet, at: now) },
            { _ = try $0.finish(at: now) },
        ]
        for step in steps where order.status != wanted {
            now = now.addingTimeInterval(60)
            try step(&order)
        }
        return order
    }
}
