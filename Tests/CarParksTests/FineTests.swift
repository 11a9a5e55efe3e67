import Answers
import Blobs
import Contracts
import EventBus
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServiceKit
import Support
import Testing

@testable import CarParks

@Suite struct FineTests {
    private static let plate = "191D12345"

    @Test(.withoutDatabase) func everyTransitionIsInTheTable() throws {
        let steps = Set(FineStep.allCases).subtracting([.issued])
        #expect(Set(FineRecord.transitions.map(\.step)) == steps)
        #expect(FineRecord.transitions.allSatisfy { !$0.from.contains($0.to) })
    }

    @Test func itIsSeenByWhoHasTheVehicleAndByNobodyElse() async throws {
        try await Bench.run { bench in
            _ = try await bench.vehicle(plate: "191-D-12345")
            let fine = try await bench.fine()
            #expect(fine.status == .issued)
            #expect(fine.amount == Money(amount: 4_000, currency: "EUR"))
            #expect(try await bench.fines() == [fine])
            #expect(try await bench.fines(of: .bob) == [])
            try await bench.call(.get, "/v1/fines/\(fine.id)", as: .bob)
                .refused(404, "fine.unknown")
            #expect(
                try await bench.notices(to: .alice).filter { $0.contains(fine.reference) }.count
                    == 1)
        }
    }

    @Test func itsBillSaysWhereItIsPaidForAndEarnsNoPoints() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            try await bench.pay(fine).expect(200, FinePayment.self)
            try await bench.carryEvents()
            let bill = try #require(try await bench.published(BillChanged.self).last?.bill)
            #expect(bill.pricedAt == fine.issuedAt)
            #expect(bill.facts.site?.id == fine.carPark.id.description)
            #expect(bill.facts.country == "MT")
            let loyalty = try await bench.call(.get, "/v1/me/loyalty", as: .alice)
                .expect(200, Loyalty.self)
            #expect(loyalty.points == 0 && loyalty.entries.isEmpty)
        }
    }

    @Test func whoProvesTheVehicleLaterFindsItsFines() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fine()
            #expect(try await bench.fines() == [])
            _ = try await bench.vehicle(plate: Self.plate)
            #expect(try await bench.fines() == [fine])
            #expect(
                try await bench.notices(to: .alice).filter { $0.contains(fine.reference) }.count
                    == 1)
        }
    }

    @Test func operatorsFilterThem() async throws {
        try await Bench.run { bench in
            let first = try await bench.fine()
            let second = try await bench.fine(plate: "XYZ 1")
            try await bench.decide(second, .cancelled)
            func found(_ query: String) async throws -> [FineID] {
                try await bench.call(.get, "/v1/admin/fines\(query)", as: .olivia)
                    .expect(200, Page<Fine>.self).items.map(\.id)
            }
            #expect(try await found("") == [second.id, first.id])
            #expect(try await found("?state=issued") == [first.id])
            #expect(try await found("?plate=xyz1") == [second.id])
            #expect(try await found("?carParkId=\(first.carPark.id)") == [first.id])
            try await bench.call(.get, "/v1/admin/fines?state=lost", as: .olivia)
                .refused(422, "request.invalid", field: "state")
            try await bench.call(.get, "/v1/admin/fines", as: .alice)
                .refused(403, "auth.role")
        }
    }

    @Test func whatIsNoFineIsRefused() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            func issue(_ change: (inout FineBody) -> Void) async throws -> Answer {
                var body = FineBody(
                    plate: Self.plate, carParkId: carPark.id, amount: 4_000, reason: "No ticket.")
                change(&body)
                return try await bench.call(.post, "/v1/admin/fines", body, as: .olivia)
            }
            try await issue { $0.plate = " - " }.refused(422, "request.invalid", field: "plate")
            try await issue { $0.amount = 0 }.refused(422, "request.invalid", field: "amount")
            // A card is charged at least €0.50.
            try await issue { $0.amount = 49 }.refused(422, "request.invalid", field: "amount")
            try await issue { $0.reason = "" }.refused(422, "request.invalid", field: "reason")
            try await issue { $0.carParkId = .new(at: bench.clock.now) }
                .refused(404, "car_park.unknown")
        }
    }

    @Test func itIsPaidOnceHoweverOftenOneAsks() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            try await bench.pay(fine, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            let first = try await bench.pay(fine).expect(200, FinePayment.self)
            #expect(first.fine.status == .paid)
            let second = try await bench.pay(fine).expect(200, FinePayment.self)
            #expect(second.payment.id == first.payment.id)
            try await bench.carryEvents()
            #expect(try await bench.balance() == 4_000)
            #expect(try await bench.fines().first?.status == .paid)
            try await bench.appeal(fine).refused(409, "fine.not_possible")
        }
    }

    @Test func aPaymentThatWaitsIsShownToItsPayerUntilItIsConfirmed() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice(sharedWith: .bob)
            func waiting(for person: TestPerson) async throws -> Payment? {
                try await bench.call(.get, "/v1/fines/\(fine.id)/charge", as: person)
                    .expect(200, BillCharge.self).payment
            }
            #expect(try await waiting(for: .alice) == nil)
            let card = "pm_card_authenticationRequired"
            let asked = try await bench.pay(fine, card).expect(200, FinePayment.self).payment
            let found = try await waiting(for: .alice)
            #expect(found?.id == asked.id)
            #expect(found?.clientSecret != nil)
            #expect(try await waiting(for: .bob) == nil)
            let paid = try await bench.pay(fine, card).expect(200, FinePayment.self)
            #expect(paid.fine.status == .paid)
            #expect(try await waiting(for: .alice) == nil)
        }
    }

    @Test func ofTwoWhoShareTheVehicleOnePays() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice(sharedWith: .bob)
            try await bench.pay(fine, "pm_card_visa_chargeDeclined")
                .refused(402, "payment.declined")
            _ = try await bench.pay(fine, as: .bob).expect(200, FinePayment.self)
            try await bench.pay(fine).refused(409, "fine.not_possible")
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
            #expect(try await bench.balance(of: .bob) == 4_000)
        }
    }

    @Test func anAppealIsDecided() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let appealed = try await bench.appeal(fine).expect(200, Fine.self)
            #expect(appealed.status == .appealed)
            #expect(appealed.appeal?.text == "The machine was broken.")
            try await bench.pay(fine).refused(409, "fine.not_possible")
            try await bench.appeal(fine).refused(409, "fine.not_possible")
            let upheld = try await bench.decide(fine, .upheld)
            #expect(upheld.status == .upheld)
            #expect(upheld.decision?.text == "We have looked into it.")
            try await bench.appeal(fine).refused(409, "fine.not_possible")
            #expect(try await bench.pay(fine).expect(200, FinePayment.self).fine.status == .paid)
            let other = try await bench.fine(plate: Self.plate)
            _ = try await bench.appeal(other).expect(200, Fine.self)
            #expect(try await bench.decide(other, .cancelled).status == .cancelled)
            try await bench.pay(other).refused(409, "fine.not_possible")
            try await bench.carryEvents()
            #expect(try await bench.balance() == 4_000)
        }
    }

    @Test func whatWasWrittenIsShownToItsWriterAndOperatorsAlone() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice(sharedWith: .bob)
            _ = try await bench.appeal(fine).expect(200, Fine.self)
            let bobs = try #require(try await bench.fines(of: .bob).first)
            #expect(bobs.status == .appealed)
            #expect(bobs.appeal == nil)
            let seen = try await bench.call(.get, "/v1/fines/\(fine.id)", as: .olivia)
                .expect(200, Fine.self)
            #expect(seen.appeal?.text == "The machine was broken.")
        }
    }

    @Test func onlyAnAppealIsUpheld() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let body = FineDecisionBody(.upheld, text: "So it is.")
            let path = "/v1/admin/fines/\(fine.id)/decision"
            try await bench.call(.post, path, body, as: .olivia).refused(409, "fine.not_possible")
            try await bench.call(.post, path, FineDecisionBody(.cancelled, text: ""), as: .olivia)
                .refused(422, "request.invalid", field: "text")
            try await bench.call(
                .post, "/v1/admin/fines/\(FineID.new(at: bench.clock.now))/decision", body,
                as: .olivia
            ).refused(404, "fine.unknown")
        }
    }

    @Test func oneThatIsCancelledAfterItWasPaidGivesTheMoneyBack() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            _ = try await bench.pay(fine).expect(200, FinePayment.self)
            // The first answer may have been lost on its way.
            for _ in 1...2 {
                #expect(try await bench.decide(fine, .cancelled).status == .cancelled)
            }
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
            let acts = try await outboxEvents(of: OperatorActed.self, in: bench.database)
                .map(\.action)
            #expect(acts.contains("carparks.issue-fine"))
            #expect(acts.count { $0 == "carparks.cancel-fine" } == 1)
        }
    }

    /// A part of it, or all.
    @Test(arguments: [1_500, 4_000])
    func whatAnOperatorOfPaymentsGaveBackIsNotGivenBackAgain(amount: Int) async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let paid = try await bench.pay(fine).expect(200, FinePayment.self).fine
            #expect(paid.refunded == nil)
            try await bench.giveBack(amount)
            let known = try #require(try await bench.fines().first)
            #expect(known.status == .paid)
            #expect(known.refunded == Money(amount: amount, currency: "EUR"))
            #expect(known.version == paid.version + 1)
            let cancelled = try await bench.decide(fine, .cancelled)
            #expect(cancelled.refunded?.amount == 4_000)
            try await bench.carryEvents()
            try await bench.hearOfRefunds()
            #expect(try await bench.balance() == 0)
            // The payer alone is led to the receipt.
            var shown = cancelled
            shown.paidBill = known.paidBill
            #expect(cancelled.paidBill == nil)
            let fines = try await bench.fines()
            #expect(fines == [shown])
            let text = amount == 4_000 ? "You pay nothing for" : "We’ll refund €25.00 for"
            let told = try await bench.notices(to: .alice)
            #expect(told.filter { $0.hasPrefix(text) }.count == 1)
        }
    }

    @Test func whatIsPaidOrRefundedIsToldWithTaxOnTop() async throws {
        try await Bench.run { bench in
            try await bench.taxOnTop(18_000)
            let fine = try await bench.fineOfAlice()
            let path = "/v1/fines/\(fine.id)"
            try await bench.appeal(fine).expect(200, Fine.self)
            _ = try await bench.decide(fine, .upheld)
            #expect(try await bench.isTold("Please pay €47.20 for your fine"))
            _ = try await bench.pay(fine).expect(200, FinePayment.self)
            try await bench.giveBack(1_180)
            func seen() async throws -> Fine {
                try await bench.call(.get, path, as: .alice).expect(200, Fine.self)
            }
            let part = try await seen()
            #expect((part.refunded?.amount, part.refundedTax?.amount) == (1_000, 180))
            try await bench.hearOfFailedRefunds()
            let failed = try await seen()
            #expect((failed.refunded, failed.refundedTax) == (nil, nil))
            try await bench.hearOfRefunds()
            _ = try await bench.decide(fine, .cancelled)
            #expect(try await bench.isTold("We’ll refund €35.40 for your fine"))
            let whole = try await seen()
            #expect((whole.refunded?.amount, whole.refundedTax?.amount) == (4_000, 720))
        }
    }

    @Test func aRefundThatFailedIsNotRefundedAnyMore() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            _ = try await bench.pay(fine).expect(200, FinePayment.self)
            try await bench.giveBack(1_500)
            for _ in 1...2 { try await bench.hearOfFailedRefunds() }
            let known = try #require(try await bench.fines().first)
            #expect(known.status == .paid && known.refunded == nil)
        }
    }

    @Test func theSameKeyIsAnsweredWithItsPaymentAlsoWhenTheFineIsCancelled() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let first = try await bench.pay(fine, key: "one").expect(200, FinePayment.self)
            try await bench.decide(fine, .cancelled)
            let again = try await bench.pay(fine, key: "one").expect(200, FinePayment.self)
            #expect(again.fine.status == .cancelled)
            #expect(again.payment.id == first.payment.id)
            try await bench.pay(fine, "pm_card_mastercard", key: "one")
                .refused(422, "idempotency.key_reused")
            try await bench.pay(fine, key: "two").refused(409, "fine.not_possible")
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func moneyThatComesForACancelledFineGoesBack() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let bill = try await bench.bill(of: fine)
            try await bench.carryEvents()
            try await bench.payElsewhere(bill.as(BookingID.self))
            _ = try await bench.decide(fine, .cancelled)
            try await bench.carryEvents()
            try await bench.carryEvents()
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func aFineThatIsCancelledWhileItIsPaidIsNotPossibleAnyMore() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            bench.faults.meanwhile { try await bench.decide(fine, .cancelled) }
            try await bench.pay(fine).refused(409, "fine.not_possible")
            #expect(try await bench.balance() == 0)
        }
    }

    @Test func picturesAreOpenedByTheirSignedAddress() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let photos = "/v1/admin/fines/\(fine.id)/photos"
            let shown = try await bench.upload(photos, Self.png, as: .olivia)
                .expect(201, Fine.self)
            let address = try #require(shown.photos.first)
            let picture = try await bench.call(.get, address, as: nil)
            #expect(picture.status == 200)
            try await bench.call(
                .get, address.replacingOccurrences(of: "signature=", with: "signature=0"), as: nil
            ).refused(403, "picture.address_invalid")
            try await bench.upload(photos, Data("no picture".utf8), as: .olivia)
                .refused(422, "picture.unknown_type")
            let own = "/v1/fines/\(fine.id)/photos"
            try await bench.upload(own, Self.png, as: .alice).refused(409, "fine.not_possible")
            _ = try await bench.appeal(fine)
            let appealed = try await bench.upload(own, Self.png, as: .alice)
                .expect(201, Fine.self)
            #expect(appealed.appeal?.photos.count == 1)
            for _ in 2...FineUseCases.mostPhotos {
                _ = try await bench.upload(own, Self.png, as: .alice).expect(201, Fine.self)
            }
            try await bench.upload(own, Self.png, as: .alice)
                .refused(409, "fine.too_many_photos")
        }
    }

    @Test func aPictureThatNoFineHasIsRemoved() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            _ = try await bench.appeal(fine)
            let shown = try await bench.upload("/v1/fines/\(fine.id)/photos", Self.png, as: .alice)
                .expect(201, Fine.self)
            let address = try #require(shown.appeal?.photos.first)
            bench.clock.advance(by: ListedPictures.uploadTime + 1)
            await bench.work()
            let seen = try await bench.call(.get, "/v1/fines/\(fine.id)", as: .olivia)
                .expect(200, Fine.self)
            let renewed = try #require(seen.appeal?.photos.first)
            #expect(try await bench.call(.get, renewed, as: nil).status == 200)
            #expect(renewed != address)
            try await bench.deleteAlice()
            await bench.work()
            try await bench.call(.get, renewed, as: nil).refused(404, "picture.unknown")
        }
    }

    @Test func anOpenOneKeepsWhoseVehicleItIs() async throws {
        try await Bench.run { bench in
            let fine = try await bench.fineOfAlice()
            let bound = fine.id.as(EngagementID.self)
            #expect(try await bench.binding() == bound)
            #expect(try await bench.binding(of: .bob) == nil)
            _ = try await bench.appeal(fine)
            #expect(try await bench.binding() == bound)
            _ = try await bench.decide(fine, .upheld)
            #expect(try await bench.binding() == bound)
            _ = try await bench.pay(fine).expect(200, FinePayment.self)
            #expect(try await bench.binding() == nil)
            let other = try await bench.fine()
            #expect(try await bench.binding() == other.id.as(EngagementID.self))
            _ = try await bench.appeal(other)
            _ = try await bench.decide(other, .cancelled)
            #expect(try await bench.binding() == nil)
        }
    }

    @Test func whoIsGoneLeavesNothingWritten() async throws {
        try await Bench.run { bench in
            let open = try await bench.fineOfAlice()
            let paid = try await bench.fine(plate: Self.plate)
            _ = try await bench.pay(paid).expect(200, FinePayment.self)
            _ = try await bench.appeal(open)
            #expect(
                try await bench.held().fines.map(\.id)
                    == [paid.id, open.id])
            try await bench.deleteAlice()
            let all = try await bench.call(.get, "/v1/admin/fines", as: .olivia)
                .expect(200, Page<Fine>.self).items
            #expect(all.map(\.plate) == ["", Self.plate])
            #expect(all.last?.appeal?.text == "")
            #expect(all.last?.status == .appealed)
        }
    }

    /// One pixel.
    private static let png =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data()
}

extension Bench {
    fileprivate func fine(plate: String = "191D12345") async throws -> Fine {
        clock.advance(by: 1)
        let body = FineBody(
            plate: plate, carParkId: try await carPark().id, amount: 4_000, reason: "No ticket.")
        return try await call(.post, "/v1/admin/fines", body, as: .olivia).expect(201, Fine.self)
    }

    fileprivate func fineOfAlice(sharedWith other: TestPerson? = nil) async throws -> Fine {
        let vehicle = try await vehicle(plate: "191D12345")
        if let other {
            _ = try await self.vehicle(of: other, plate: "191D12345")
            try await share(vehicle, plate: "191D12345", with: other)
        }
        return try await fine()
    }

    fileprivate func fines(of person: TestPerson = .alice) async throws -> [Fine] {
        try await call(.get, "/v1/me/fines", as: person).expect(200, Page<Fine>.self).items
    }

    fileprivate func pay(
        _ fine: Fine, _ token: String = "pm_card_visa", as person: TestPerson = .alice,
        key: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/fines/\(fine.id)/pay", PayBody(token: token), as: person, key: key)
    }

    fileprivate func appeal(_ fine: Fine) async throws -> Answer {
        try await call(
            .post, "/v1/fines/\(fine.id)/appeal", AppealBody(text: "The machine was broken."),
            as: .alice)
    }

    @discardableResult
    fileprivate func decide(
        _ fine: Fine, _ outcome: FineDecisionBody.Outcome
    ) async throws -> Fine {
        try await call(
            .post, "/v1/admin/fines/\(fine.id)/decision",
            FineDecisionBody(outcome, text: "We have looked into it."), as: .olivia
        ).expect(200, Fine.self)
    }

    /// The bill of a fine that nobody could pay yet.
    fileprivate func bill(of fine: Fine) async throws -> BillID {
        try await pay(fine, "pm_card_visa_chargeDeclined").refused(402, "payment.declined")
        return try #require(
            try await database.read { try $0.fines.require(fine.id, for: .operator) }.bill)
    }

    fileprivate func upload(
        _ path: String, _ data: Data, as person: TestPerson
    ) async throws -> Answer {
        Answer(
            try await client.execute(
                uri: path, method: .post,
                headers: [
                    .authorization: try await person.bearer(at: clock.now),
                    .contentType: "image/png",
                ], body: ByteBuffer(bytes: data)))
    }

    func deleteAlice() async throws {
        try await hear(
            AccountDeleted(
                account: TestPerson.alice.id, role: .customer, version: 9, deletedAt: clock.now))
    }
}
