import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit
import Support

/// A product that the house does not know: lockers at a station, rented out by those who own them.
enum LockerEndpoints {
    static let open = Endpoint<Void, OpenedLocker>(
        .post, "/v1/stations/{station}/lockers/{locker}/open", id: "openLocker", "Open a locker",
        by: [.customer], with: [.idempotencyKey], answer: "It is open.",
        refuses: [Refusal(409, "locker.taken", "somebody else has it.")])
    /// What the platform answers, by the product's addresses.
    static let track = LocationEndpoints.engagementTrack.at(
        "/v1/lockers/{id}/track", id: "trackLocker", "Where the other one is")
    static let route = LocationEndpoints.engagementRoute.at(
        "/v1/lockers/{id}/route", id: "routeToLocker", "The way to the locker")
    static let rate = RatingEndpoints.rateEngagement.at(
        "/v1/lockers/{id}/rating", id: "rateLocker", "Rate the other one")
    static let all = [open.untyped, track.untyped, route.untyped, rate.untyped]
}

extension ServiceManifest {
    static let lockers = ServiceManifest(
        "lockers", [.tokenKeys, .database, .bills, .engagements],
        endpoints: LockerEndpoints.all)
}

struct OpenedLocker: Codable, Sendable, Equatable {
    var station: String
    var locker: EngagementID
    var by: PersonID
}

extension Product {
    static let lockers: Product = "lockers"
}

/// What it tells the platform of one locker that Alice rented from Bob.
struct Rental {
    let id = EngagementID.new()
    let renter = TestPerson.alice
    let owner = TestPerson.bob

    func router(_ environment: ServiceEnvironment) -> Router<Context> {
        let router = environment.router()
        router.on(LockerEndpoints.open) {
            try OpenedLocker(
                station: $0.path("station"), locker: $0.id("locker"), by: $0.person.person)
        }
        router.engagements({ _ in ended.engagement }, binding: { $0 == renter.id ? id : nil })
        return router
    }

    /// 50 dollars, of which the house keeps 5.
    var bill: BillChanged {
        var bill = Bill(
            id: id.as(BillID.self), product: .lockers, version: 1, payer: renter.id,
            currency: "HKD",
            facts: Bill.Facts(title: Self.text("Locker", "儲物櫃"), reference: "L-7"))
        bill.lines = [
            Bill.Line(
                kind: "rent", text: Self.text("Rent", "租金"),
                amount: Money(amount: 5_000, currency: "HKD"), payee: owner.id,
                commission: Money(amount: 500, currency: "HKD"))
        ]
        return BillChanged(bill: bill)
    }

    let door = Coordinate(latitude: 22.25, longitude: 114.15)

    /// Alice is on her way to the locker, and Bob is to make room.
    var open: EngagementChanged {
        var engagement = Engagement(id: id, product: .lockers, version: 1, state: .open)
        engagement.participants = [
            .init(renter.id, sees: [owner.id]), .init(owner.id, sees: [renter.id]),
        ]
        engagement.way = .init(
            mover: renter.id, to: door,
            meeting: .init(id: "atTheDoor", withinMeters: 3, accuracyMeters: 5))
        engagement.leaving = .init(id: "made room", person: owner.id, from: door, beyondMeters: 30)
        engagement.markers = [
            .init("renter", of: renter.id), .init("owner", of: owner.id), .init("door", at: door),
        ]
        return EngagementChanged(engagement)
    }

    var ended: EngagementChanged {
        var engagement = Engagement(id: id, product: .lockers, version: 2, state: .ended)
        engagement.participants = [
            .init(renter.id, rates: [owner.id]), .init(owner.id, rates: [renter.id]),
        ]
        return EngagementChanged(engagement)
    }

    func notice(at clock: TestClock) -> NoticeIssued {
        let state = SubjectState(
            product: .lockers, kind: "locker", version: 2, link: "/lockers/\(id)",
            data: .object(["door": 7]), about: [renter.id])
        let message = Notice.Message(
            to: .person(renter.id), title: Self.text("Your locker", "你的儲物櫃"),
            text: Self.text("It is open.", "已開啟。"))
        return NoticeIssued(
            Notice(
                subject: id.description, state: state, cause: EngagementChanged.self, [message]))
    }

    private static func text(_ english: String, _ chinese: String) -> LocalizedText {
        LocalizedText { $0 == .english ? english : chinese }
    }
}
