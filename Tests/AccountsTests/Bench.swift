import Answers
import Blobs
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ServiceKit
import Store
import Support
import Testing

@testable import Accounts

/// Accounts as it runs, but for hashes that cost little and a clock that stands still.
struct Bench: Sendable {
    let clock: TestClock
    let environment: ServiceEnvironment
    let database: Database
    let accounts: AccountUseCases
    /// Folder of the profile pictures.
    var pictures: URL { pictureFolder.url }
    private let pictureFolder: TestFolder

    /// In memory, unless a folder is given; `owner` says who is bound by what, nobody without one.
    init(
        folder: String? = nil, clock: TestClock = TestClock(),
        operatorsNeedSecondFactor: Bool = false, owner: URL? = nil, country: String = ""
    ) async throws {
        self.clock = clock
        let settings = ["OPENVALET_ACCOUNTS_COUNTRY": country]
        let config = try AccountsConfig(ConfigValues(settings, keys: AccountsConfig.keys))
        let environment = try ServiceEnvironment.test("accounts", clock: clock, folder: folder)
        let keys: SigningKeys
        if let folder {
            keys = try await SigningKeys(config.signing, folder: folder)
        } else {
            keys = try await SigningKeys(current: .init())
        }
        self.environment = environment.with(verifier: keys.verifier(clock: environment.clock))
        database = try environment.database(accountMigrations)
        let hasher = PasswordHasher(cost: .cheap, patience: patience)
        pictureFolder = try TestFolder("accounts")
        accounts = AccountUseCases(
            database, keys, environment, hasher, try FolderBlobs(pictureFolder.path),
            owners: Owners(owner.map { [environment.peer($0, audience: "owner")] } ?? []),
            operatorsNeedSecondFactor: operatorsNeedSecondFactor, country: config.country)
    }

    @discardableResult
    func run<T: Sendable>(_ body: @Sendable (Caller) async throws -> T) async throws -> T {
        let application = Application(router: accountRouter(accounts, environment))
        return try await application.test(.router) { client in
            try await body(Caller(client: client, bench: self))
        }
    }

    /// The code of the newest text message to the number, or mail to the address.
    func code(
        for contact: String, _ purpose: CodeRequested.Purpose = .verification
    ) async throws -> String {
        let events = try await outboxEvents(of: CodeRequested.self, in: database)
            .filter { $0.purpose == purpose }
        let secrets = try events.map {
            try environment.sealer.open(CodeSecret.self, from: $0.sealed)
        }
        return try #require(secrets.last { $0.phone == contact || $0.email == contact }).code
    }
}

/// A client that speaks to the router.
struct Caller: Calling {
    static let service = "accounts"
    static let password = "a good long password"

    let client: any TestClientProtocol
    let bench: Bench

    var clock: TestClock { bench.clock }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil,
        token: String? = nil, key: String? = nil, from userAgent: String? = nil,
        at address: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        headers[.forwardedFor] = address
        headers[.userAgent] = userAgent
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await call(method, path, body, as: nil, key: key, headers: headers)
    }

    func put(_ path: String, picture: Data, token: String) async throws -> Answer {
        try await call(
            .put, path, raw: picture,
            headers: [.authorization: "Bearer \(token)", .contentType: "application/octet-stream"])
    }

    /// A customer who has just signed up.
    func customer(
        _ phone: String = "+85261234567", key: String? = nil
    ) async throws -> SignedUp {
        try await call(.post, "/v1/customers", SignUpBody.of(phone), key: key)
            .expect(201, SignedUp.self)
    }

    func signIn(
        _ phone: String, _ password: String = Caller.password, at address: String? = nil
    ) async throws -> Answer {
        try await call(
            .post, "/v1/sessions", SignInBody(phone: phone, password: password), at: address)
    }

    /// The first operator, signed in.
    func operatorToken() async throws -> String {
        let phone = "+85298765432"
        try await bench.accounts.ensureOperator(.init(phone: phone, password: Self.password))
        return try await signIn(phone).expect(201, SignedIn.self).accessToken
    }

    /// Asks for a code to a new number or address, and sets it.
    func set(
        phone: String? = nil, email: String? = nil, password: String = Caller.password,
        token: String
    ) async throws -> Answer {
        let asked = try await call(
            .post, "/v1/me/contacts/code", ContactBody(phone: phone, email: email), token: token)
        guard asked.status == 202 else { return asked }
        let code = try await bench.code(for: phone ?? email ?? "")
        return try await call(
            .put, "/v1/me/contacts",
            ContactChangeBody(phone: phone, email: email, code: code, password: password),
            token: token)
    }

    func valet(_ phone: String, by token: String) async throws -> ValetRecord {
        try await call(.post, "/v1/admin/valets", NewValetBody.of(phone), token: token)
            .expect(201, ValetRecord.self)
    }
}

extension SignUpBody {
    static func of(_ phone: String, password: String = Caller.password) -> SignUpBody {
        SignUpBody(firstName: "Ottoline", lastName: "Wongsuwan", phone: phone, password: password)
    }
}

extension NewValetBody {
    static func of(_ phone: String, password: String = Caller.password) -> NewValetBody {
        NewValetBody(firstName: "Vic", lastName: "Lau", phone: phone, password: password)
    }
}

extension VehicleDescription {
    static let tesla = VehicleDescription(
        plate: "AB 1234", make: "Tesla", model: "Model 3", colour: "white")
}

/// A folder that is gone with the closure.
@discardableResult
func withFolder<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = try TestFolder("accounts")
    return try await body(folder.path)
}
