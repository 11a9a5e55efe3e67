import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite(.withoutDatabase) struct PasswordRulesTests {
    private let phone: PhoneNumber

    init() throws { phone = try #require(PhoneNumber("+852 5123 4567")) }

    @Test(arguments: [
        "", "123456789", "short pass".dropLast().description, String(repeating: "ab!c", count: 33),
        "password123", "PASSWORD123", "Qwertyuiop1", "ｐａｓｓｗｏｒｄ１２３", "letmein12345",
        "aaaaaaaaaaaa", "1212121212", "abcabcabcabc", "éééééééééé",
        "1234567890", "0987654321", "456789012345", "abcdefghijkl", "zyxwvutsrq", "qwertyuiop",
        "poiuytrewq", "asdfghjkl;'", "1qaz2wsx3edc",
        "my 5123 4567 phone", "+85251234567", "851234567x",
    ])
    func aWeakPasswordIsRefused(password: String) {
        #expect(PasswordRules.weakness(of: password, contacts: [.phone(phone)]) != nil)
    }

    @Test(
        arguments: [
            "a good long password", "tramway-9", "密碼密碼是一個好的密碼", "Ω≈ç√∫˜µ≤≥÷", "nineteen84!",
            String(repeating: "xy!z", count: 32), "        a        b",
        ].map { $0.count < 10 ? $0 + "-42" : $0 })
    func anOrdinaryPasswordIsTaken(password: String) {
        #expect(PasswordRules.weakness(of: password, contacts: [.phone(phone)]) == nil)
    }

    @Test func everyCommonPasswordIsLongEnoughToMatter() {
        let short = CommonPasswords.all.filter { !PasswordRules.length.contains($0.count) }
        #expect(short == [])
        #expect(CommonPasswords.all.allSatisfy { $0 == $0.lowercased() })
        #expect(CommonPasswords.all.count >= 200)
    }
}

@Suite struct PasswordHashTests {
    @Test func aHashFitsItsPasswordAndNoOther() throws {
        let hash = try PasswordHash("a good long password", cost: .cheap)
        #expect(try hash.fits("a good long password"))
        #expect(try !hash.fits("a good long passwore"))
        #expect(try !hash.fits(""))
    }

    @Test func twoHashesOfOnePasswordDiffer() throws {
        let first = try PasswordHash("a good long password", cost: .cheap)
        let second = try PasswordHash("a good long password", cost: .cheap)
        #expect(first.salt != second.salt)
        #expect(first.hash != second.hash)
        #expect(first.salt.count == 16)
    }

    @Test func theSamePasswordFromAnotherKeyboardFits() throws {
        let hash = try PasswordHash("caf\u{E9} au lait", cost: .cheap)
        #expect(try hash.fits("cafe\u{301} au lait"))
    }

    @Test func theStoredFormIsReadBack() throws {
        let hash = try PasswordHash("a good long password", cost: .cheap)
        #expect(hash.description.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
        #expect(PasswordHash(hash.description) == hash)
    }

    /// RFC 7914 §12, third vector, in the stored form (its first 32 bytes).
    @Test(.withoutDatabase) func theHashIsScryptOfTheStandard() throws {
        let key = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        let salt = Data("SodiumChloride".utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        let bytes = stride(from: 0, to: key.count, by: 2).compactMap { offset in
            UInt8(key.dropFirst(offset).prefix(2), radix: 16)
        }
        let stored = Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "")
        let hash = try #require(PasswordHash("$scrypt$ln=14,r=8,p=1$\(salt)$\(stored)"))
        #expect(try hash.fits("pleaseletmein"))
    }

    @Test(
        .withoutDatabase,
        arguments: [
            "", "scrypt", "$scrypt$ln=4,r=1,p=1$YWJj", "$argon2id$ln=4,r=1,p=1$YWJj$YWJj",
            "$scrypt$ln=40,r=1,p=1$YWJj$YWJj", "$scrypt$ln=4,p=1,r=1$YWJj$YWJj",
            "$scrypt$ln=4,r=1,p=1$YWJj$YWJj",
        ])
    func whatIsNoHashIsNotRead(text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test(.withoutDatabase) func theStandardCostIsOneOfTheRecommendedMinima() {
        #expect(PasswordCost.standard.rounds == 32_768)
        #expect(PasswordCost.standard.blockSize == 8)
        #expect(PasswordCost.standard.parallelism == 3)
    }

    @Test(.withoutDatabase, arguments: [nil, "no", "yes"])
    func onlyATestThatAsksForItHasCheapPasswords(setting: String?) throws {
        let name = "OPENVALET_ACCOUNTS_CHEAP_PASSWORDS"
        let values = try ConfigValues(
            setting.map { [name: $0] } ?? [:], keys: AccountsConfig.keys)
        #expect(try AccountsConfig(values).passwordCost == (setting == "yes" ? .cheap : .standard))
    }

    @Test func whereThereIsNoHashNothingFits() async throws {
        let hasher = PasswordHasher(cost: .cheap)
        #expect(try await !hasher.fits("a good long password", nil))
    }

    @Test func whoHasWaitedForTooLongIsSentAwayWithoutTheWork() async throws {
        let hasher = PasswordHasher(cost: .cheap, patience: .zero)
        await #expect { try await hasher.hash("too late for this one") } throws: {
            Refusal.unavailable ~= $0
        }
        #expect(hasher.pendingCount == 0)
    }

    @Test func aCrowdBeyondTheQueueIsSentAway() async throws {
        let hasher = PasswordHasher(cost: .cheap, patience: patience)
        let most = PasswordHasher.mostRunning + PasswordHasher.mostWaiting
        let door = Door()
        try await withThrowingTaskGroup { group in
            defer { door.open() }
            for _ in 0..<most { group.addTask { try await hasher.run { door.pass() } } }
            #expect(try await eventually { hasher.pendingCount == most })
            await #expect { try await hasher.hash("one too many") } throws: {
                Refusal.unavailable ~= $0
            }
            door.open()
            try await group.waitForAll()
        }
        #expect(hasher.pendingCount == 0)
        _ = try await hasher.hash("there is room again")
    }
}
