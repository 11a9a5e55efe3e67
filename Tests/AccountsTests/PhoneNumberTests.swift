import Answers
import Contracts
import Support
import Testing

@testable import Accounts

@Suite(.withoutDatabase) struct PhoneNumberTests {
    @Test(arguments: [
        ("+85251234567", "+85251234567"), (" +852 5123 4567 ", "+85251234567"),
        ("+1 (415) 555-2671", "+14155552671"), ("+44\u{A0}20\u{2011}7946 0958", "+442079460958"),
        ("+49 30 123456", "+4930123456"), ("+7 912 345-67-89", "+79123456789"),
        ("+88612345678", "+88612345678"), ("+29012345", "+29012345"),
        ("+852.5123.4567", "+85251234567"), ("+49/30/123456", "+4930123456"),
        ("+33·6·12·34·56·78", "+33612345678"), ("+81 90ー1234ー5678", "+819012345678"),
        ("＋８５２　５１２３　４５６７", "+85251234567"), ("+8525123４５６７", "+85251234567"),
        ("+٤٤ ٧٧٠٠ ٩٠٠١٢٣", "+447700900123"), ("+852\u{202F}5123\u{2009}4567\n", "+85251234567"),
    ])
    func aNumberIsFreedOfItsPunctuation(text: String, phone: String) {
        #expect(PhoneNumber(text)?.description == phone)
    }

    /// Numbers for drama, demos and tests are in no range that is assigned.
    @Test(arguments: ["+85250010002", "+447700900123", "+85290000001", "+447700900999"])
    func aNumberOfAPossibleLengthStaysAsItIs(phone: String) {
        #expect(PhoneNumber(phone)?.description == phone)
    }

    /// Unicode, general category Cf.
    @Test(arguments: [
        "\u{202A}+44 7700 900123\u{202C}", "\u{2066}+44 7700 900123\u{2069}",
        "\u{2068}+44 7700 900123\u{2069}", "\u{200E}+447700900123", "+44\u{200B}7700\u{200B}900123",
        "\u{FEFF}+447700900123\u{FEFF}", "+44 7700\u{2060} 900\u{AD}123",
        "\u{202D}+44\u{200F} 7700 900123\u{202C}",
    ])
    func marksThatNobodySeesSayNothing(text: String) {
        #expect(PhoneNumber(text)?.description == "+447700900123")
    }

    /// ITU-T E.123: the trunk prefix is no part of the international number.
    @Test(arguments: [
        ("+44 (0)7700 900557", "+447700900557"), ("+4407700900557", "+447700900557"),
        ("+44 [0] 7700 900557", "+447700900557"), ("+49 (0)30 / 12 34 56", "+4930123456"),
        ("+33 (0)6 12 34 56 78", "+33612345678"), ("+358 (0)40 1234567", "+358401234567"),
        ("+61 (0)412 345 678", "+61412345678"), ("+7 8 912 345-67-89", "+79123456789"),
        ("+36 06 20 123 4567", "+36201234567"), ("+39 06 698 12345", "+390669812345"),
        ("+54 11 15 2345 6789", "+5491123456789"), ("+52 1 55 1234 5678", "+525512345678"),
        ("+55 (0)11 96123-4567", "+5511961234567"), ("+86 0138 1234 5678", "+8613812345678"),
    ])
    func aTrunkPrefixIsLeftOutExceptWhereItIsPartOfTheNumber(text: String, phone: String) {
        #expect(PhoneNumber(text)?.description == phone)
    }

    /// Nobody dials a 0 in these countries, or it is part of some numbers only.
    @Test(arguments: [
        ("+852 (0)5123 4567", "+85251234567"), ("+48 (0)512 345 678", "+48512345678"),
        ("+30 (0)691 234 5678", "+306912345678"), ("+352 (0)628 123 456", "+352628123456"),
        ("+39 (0)347 123 4567", "+393471234567"), ("+241 (0)06 03 12 34", "+24106031234"),
        ("+225 (0)07 01 23 45 67", "+2250701234567"), ("+372 (0)5123 456", "+3725123456"),
    ])
    func aZeroThatMakesANumberInvalidIsLeftOut(text: String, phone: String) {
        #expect(PhoneNumber(text)?.description == phone)
    }

    @Test(arguments: [
        ("040 1234567", "FI", "+358401234567"), ("0401234567", "fi", "+358401234567"),
        ("07700 900123", "GB", "+447700900123"), ("(415) 555-2671", "US", "+14155552671"),
        ("5123 4567", "HK", "+85251234567"), ("06 698 12345", "IT", "+390669812345"),
        ("8 912 345-67-89", "RU", "+79123456789"), ("０６－１２３４５６７８", "NL", "+31612345678"),
        ("+44 7700 900123", "FI", "+447700900123"), ("0044 7700 900123", "FI", "+447700900123"),
        ("00358 40 1234567", "US", "+358401234567"), ("011 44 20 7946 0958", "US", "+442079460958"),
        ("0086 138 1234 5678", "HK", "+8613812345678"),
        ("001 44 7700 900123", "HK", "+447700900123"),
        ("358 40 1234567", "FI", "+358401234567"), ("00447700900557", "US", "+447700900557"),
        ("00 44 (0)7700 900557", "FI", "+447700900557"), ("347 123 4567", "IT", "+393471234567"),
        ("011 15-2345-6789", "AR", "+5491123456789"), ("044 55 1234 5678", "MX", "+525512345678"),
        ("0 15 11 96123-4567", "BR", "+5511961234567"), ("०४० १२३४५६७", "FI", "+358401234567"),
    ])
    func withoutACountryCodeItIsANumberOfTheCountry(
        text: String, country: String, phone: String
    ) throws {
        let home = try #require(Country(country))
        #expect(PhoneNumber(text, in: home)?.description == phone)
    }

    @Test(arguments: [
        ("040 1234567", "US"), ("358 40 1234567", "SE"), ("12345", "HK"), ("112", "FI"),
        ("040 1234567", "AQ"), ("0012345", "FI"), ("5123 456", "HK"),
    ])
    func whatIsNoNumberOfTheCountryIsRefused(text: String, country: String) throws {
        let home = try #require(Country(country))
        #expect(PhoneNumber(text, in: home) == nil)
    }

    @Test(arguments: [
        "", "+", "85251234567", "0085251234567", "040 1234567", "+8525123", "+1234567890123456",
        "+123456789012345", "+85251x34567", "+852+5123456", "++85251234567", "+05251234567",
        "+00152512345", "+21012345678", "+99912345678", "+80012345678", "+80812345678",
        "+97912345678", "+878101234567890", "+85412345678", "+852\n51234567", "tel:+85251234567",
        "+852\0" + "51234567", "+852 5123 4567 ext. 1", "+852 5123 4567;1", "+852 5123 4567,,1",
        "+852" + String(repeating: " ", count: 40) + "51234567", "\u{202A}\u{202C}",
    ])
    func whatIsNoNumberIsRefused(text: String) {
        #expect(PhoneNumber(text) == nil)
    }

    @Test(arguments: [
        ("+44 (0)7700 900557", "+4407700900557"), ("+123 456 789 012 345", "+123456789012345"),
        ("+85251234567", "+85251234567"), ("+39\u{A0}0347 1234567", "+3903471234567"),
    ])
    func earlierReleasesTookANumberDigitByDigit(text: String, phone: String) {
        #expect(PhoneNumber(earlier: text)?.description == phone)
    }

    @Test(arguments: ["040 1234567", "+8525123", "+1234567890123456", "+852x1234567", "+", ""])
    func whatEarlierReleasesRefusedNobodyHas(text: String) {
        #expect(PhoneNumber(earlier: text) == nil)
    }

    @Test(arguments: ["+4407700900557", "+123456789012345", "+85251234567"])
    func aNumberThatIsStoredStaysAsItIs(text: String) {
        #expect(PhoneNumber(stored: text)?.description == text)
        #expect(Contact(text)?.description == text)
    }

    @Test(arguments: ["", "+", "85251234567", "+852 5123", "+852x"])
    func noOtherTextIsStored(text: String) {
        #expect(PhoneNumber(stored: text) == nil)
    }
}

/// The country of a number comes from the request, or else from the settings.
@Suite struct PhoneCountryTests {
    private let phone = "+358401234567"

    private func signUp(_ phone: String, in country: String?) -> SignUpBody {
        SignUpBody(
            firstName: "Aino", lastName: "Virtanen", phone: phone, country: country,
            password: Caller.password)
    }

    @Test func aPersonSignsUpAndInWithANumberAsTheyDialIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let signedUp = try await caller.call(
                .post, "/v1/customers", signUp("040 1234567", in: "FI")
            ).expect(201, SignedUp.self)
            #expect(signedUp.customer.phone == phone)
            for (text, country) in [
                ("040-1234567", "FI"), (phone, nil), ("+358 (0)40 1234567", "GB"),
            ] {
                let body = SignInBody(phone: text, country: country, password: Caller.password)
                let answer = try await caller.call(.post, "/v1/sessions", body)
                #expect(try answer.expect(201, SignedIn.self).account.phone == phone)
            }
            try await caller.call(.post, "/v1/customers", signUp("0401234567", in: "FI"))
                .refused(409, "account.phone_taken", field: "phone")
        }
    }

    @Test func everyBodyWithAPhoneNumberTakesACountry() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let asked = try await caller.call(
                .post, "/v1/me/contacts/code", ContactBody(phone: "040 1234567", country: "FI"),
                token: token)
            #expect(asked.status == 202)
            let code = try await bench.code(for: phone)
            let change = ContactChangeBody(
                phone: "040 123 4567", country: "FI", code: code, password: Caller.password)
            let changed = try await caller.call(.put, "/v1/me/contacts", change, token: token)
            #expect(try changed.expect(200, Account.self).phone == phone)
            let confirmed = ConfirmCodeBody(phone: "0401234567", country: "FI", code: "000000")
            try await caller.call(.post, "/v1/verifications/confirm", confirmed)
                .refused(422, "account.wrong_code", field: "code")
            let removal = ContactRemovalBody(
                phone: "0401234567", country: "FI", password: Caller.password)
            try await caller.call(.post, "/v1/me/contacts/removal", removal, token: token)
                .refused(409, "account.last_contact")
            let valet = NewValetBody(
                firstName: "Una", lastName: "Wong", phone: "040 7654321", country: "FI",
                password: Caller.password)
            let operatorToken = try await caller.operatorToken()
            let added = try await caller.call(
                .post, "/v1/admin/valets", valet, token: operatorToken)
            #expect(try added.expect(201, ValetRecord.self).phone == "+358407654321")
        }
    }

    @Test func withoutACountryInTheRequestThatOfTheSettingsCounts() async throws {
        let bench = try await Bench(country: "FI")
        try await bench.run { caller in
            let home = try await caller.call(
                .post, "/v1/customers", signUp("040 1234567", in: nil))
            #expect(try home.expect(201, SignedUp.self).customer.phone == phone)
            let abroad = try await caller.call(
                .post, "/v1/customers", signUp("07700 900123", in: "GB"))
            #expect(try abroad.expect(201, SignedUp.self).customer.phone == "+447700900123")
        }
    }

    @Test func withoutAnyCountryANumberNeedsItsCode() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(.post, "/v1/customers", signUp("040 1234567", in: nil))
                .refused(422, "request.invalid", field: "phone")
        }
    }

    @Test(arguments: ["", "X", "FIN", "99", "419"])
    func whatIsNoCountryIsRefused(country: String) async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            try await caller.call(.post, "/v1/customers", signUp(phone, in: country))
                .refused(422, "request.invalid", field: "country")
            try await caller.call(
                .post, "/v1/verifications", ContactBody(phone: phone, country: country)
            ).refused(422, "request.invalid", field: "country")
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).isEmpty)
    }
}
