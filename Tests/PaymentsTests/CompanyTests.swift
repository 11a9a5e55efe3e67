import Contracts
import EventBus
import Foundation
import ServiceKit
import Support
import Testing

@testable import Payments

/// The company and its tax rates, as operators enter them.
@Suite struct CompanyTests {
    private static let path = "/v1/admin/company"
    private static let taxes = "/v1/admin/taxes"
    /// A white pixel.
    private static let picture = Data(
        base64Encoded: """
            iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==
            """)!

    static var body: CompanyBody {
        var body = CompanyBody(
            name: "Star Parking", address: ["1 Road", "", "10115 Berlin"], country: "DE",
            timeZone: "Europe/Berlin")
        (body.taxNumber, body.email) = ("DE123456789", "desk@star.example")
        body.terms = CompanyPage(link: "https://star.example/terms")
        body.privacy = CompanyPage(text: "We keep little.\n\nAnd not for long.")
        return body
    }

    @Test func beforeItIsEnteredTheCompanyIsEmpty() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let found = try await caller.call(.get, "/v1/company", as: nil)
                .expect(200, Company.self)
            #expect(found == Company())
            try await caller.call(.get, "/v1/company/logo", as: nil)
                .refused(404, "picture.unknown")
            try await caller.call(.delete, "\(Self.path)/logo", as: .olivia)
                .refused(409, "company.missing")
        }
    }

    @Test func eachChangeIsAVersionAndIsAudited() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.call(.put, Self.path, Self.body, as: .olivia)
                .expect(200, CompanyVersion.self)
            #expect(first.company.version == 1)
            #expect(first.company.address == ["1 Road", "10115 Berlin"])
            #expect(first.creditNotePrefix == "C")
            var body = Self.body
            body.name = "Moon Parking"
            bench.clock.advance(by: 1)
            let second = try await caller.call(.put, Self.path, body, as: .olivia)
                .expect(200, CompanyVersion.self)
            let shown = try await caller.call(.get, "/v1/company", as: nil)
                .expect(200, Company.self)
            #expect(shown == second.company)
            #expect(shown.privacy?.text == "We keep little.\n\nAnd not for long.")
            let versions = try await caller.call(.get, "\(Self.path)/versions", as: .olivia)
                .expect(200, Page<CompanyVersion>.self).items
            #expect(versions == [second, first])
            try await caller.call(.put, Self.path, body, as: .alice).refused(403, "auth.role")
        }
        #expect(
            try await bench.acted().map(\.action)
                == ["payments.put-company", "payments.put-company"])
    }

    @Test func aLogoBelongsToItsVersion() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            _ = try await caller.call(.put, Self.path, Self.body, as: .olivia)
                .expect(200, CompanyVersion.self)
        }
        let with = try await bench.payments.putLogo(
            Self.picture, by: TestPerson.olivia.id, ifVersion: .oneOf([1]))
        #expect(with.company.logoURL == "/v1/company/logo?version=2")
        await #expect(throws: Refusal.preconditionFailed) {
            try await bench.payments.putLogo(
                nil, by: TestPerson.olivia.id, ifVersion: .oneOf([1]))
        }
        let without = try await bench.payments.putLogo(
            nil, by: TestPerson.olivia.id, ifVersion: .none)
        #expect(without.company.logoURL == nil)
        try await bench.run { caller in
            try await caller.call(.get, "/v1/company/logo", as: nil)
                .refused(404, "picture.unknown")
            let answer = try await caller.call(.get, "/v1/company/logo?version=2", as: nil)
            #expect(answer.status == 200)
            #expect(!answer.data.isEmpty)
        }
        await #expect(throws: Refusal.pictureTypeUnknown.because("Send a JPEG, PNG or WebP.")) {
            try await bench.payments.putLogo(
                Data("<svg/>".utf8), by: TestPerson.olivia.id, ifVersion: .none)
        }
    }

    @Test func wrongFieldsAreNamed() async throws {
        let bench = try Bench()
        let changes: [(String, @Sendable (inout CompanyBody) -> Void)] = [
            ("name", { $0.name = " " }), ("country", { $0.country = "XX" }),
            ("country", { $0.country = "de" }), ("timeZone", { $0.timeZone = "Mars/Base" }),
            ("email", { $0.email = "desk" }), ("phone", { $0.phone = "call us" }),
            ("website", { $0.website = "http://star.example" }),
            ("terms.link", { $0.terms?.link = "javascript:alert(1)" }),
            ("terms", { $0.terms?.text = "Both" }),
            ("address", { $0.address = Array(repeating: "x", count: 9) }),
            ("receiptPrefix", { $0.receiptPrefix = "R1" }),
            ("receiptPrefix", { $0.receiptPrefix = "=1+1" }),
            ("creditNotePrefix", { $0.creditNotePrefix = "" }),
            // It is that of credit notes before a company is entered.
            (
                "receiptPrefix",
                {
                    $0.receiptPrefix = "C"
                    $0.creditNotePrefix = "K"
                }
            ),
        ]
        try await bench.run { caller in
            for (field, change) in changes {
                var body = Self.body
                change(&body)
                try await caller.call(.put, Self.path, body, as: .olivia)
                    .refused(422, "request.invalid", field: field)
            }
            #expect(
                try await caller.call(.get, "/v1/company", as: nil).expect(200, Company.self)
                    == Company())
        }
    }

    @Test func ratesAreValidFromTheirTimeAndNeverBefore() async throws {
        let bench = try Bench()
        let now = bench.clock.now
        let later = now.addingTimeInterval(86_400)
        try await bench.run { caller in
            let none = try await caller.call(.get, Self.taxes, as: .olivia)
                .expect(200, TaxSchedule.self)
            #expect((none.version, none.planned.isEmpty) == (0, true))
            let first = TaxSettingsBody(rates: [TaxTests.rate(19_000)])
            let set = try await caller.call(.put, Self.taxes, first, as: .olivia)
                .expect(200, TaxSchedule.self)
            #expect(set.current?.rates == [TaxTests.rate(19_000)])
            let next = TaxSettingsBody(validFrom: later, rates: [TaxTests.rate(16_000)])
            let planned = try await caller.call(.put, Self.taxes, next, as: .olivia)
                .expect(200, TaxSchedule.self)
            #expect(planned.current == set.current)
            #expect(planned.planned.map(\.validFrom) == [later])
            let past = TaxSettingsBody(
                validFrom: now.addingTimeInterval(-1), rates: [TaxTests.rate(1)])
            try await caller.call(.put, Self.taxes, past, as: .olivia)
                .refused(422, "request.invalid", field: "validFrom")
            let twice = TaxSettingsBody(rates: [TaxTests.rate(1), TaxTests.rate(2)])
            try await caller.call(.put, Self.taxes, twice, as: .olivia)
                .refused(422, "request.invalid", field: "rates.1")
            let high = TaxSettingsBody(rates: [TaxTests.rate(100_001)])
            try await caller.call(.put, Self.taxes, high, as: .olivia)
                .refused(422, "request.invalid", field: "rates.0.percentThousandths")
            bench.clock.advance(by: 86_400)
            let after = try await caller.call(.get, Self.taxes, as: .olivia)
                .expect(200, TaxSchedule.self)
            #expect(after.current?.rates == [TaxTests.rate(16_000)])
            #expect(
                try await caller.call(.get, "\(Self.taxes)/versions", as: .olivia)
                    .expect(200, Page<TaxSettings>.self).items.map(\.version) == [2, 1])
        }
        await #expect(throws: Refusal.preconditionFailed) {
            try await bench.payments.putTaxes(
                TaxSettingsBody(rates: []), by: TestPerson.olivia.id, ifVersion: .oneOf([1]))
        }
    }
}
