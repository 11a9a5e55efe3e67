import Client
import Contracts
import Foundation

/// What `openvalet up --demo` adds: a simulated city, and accounts to sign in with.
struct Demo: Sendable {
    static let valets = 16
    static let customers = 40
    static let drivers = 20
    static let commuters = 12
    static let speed = 4
    /// Seconds between two lines of progress in the log.
    static let progressSeconds = 60
    /// Raises the limit because everybody signs in from one address; only with --demo, unless it is set.
    static let gatewaySettings = ["OPENVALET_GATEWAY_STRICT_PER_MINUTE": "600"]

    /// Created through the public API; the simulation leaves them alone.
    let customer, valet: DemoView.Account
    /// File with the sign-ins of these and of the operator, which web alone reads.
    let accountsFile: String
    private let folder: DataFolder

    init(_ folder: DataFolder, _ secrets: UpSecrets) throws {
        self.folder = folder
        // From the range reserved for fiction, and not used by the simulation.
        customer = DemoView.Account(
            app: "customer", phone: "+17905550101",
            password: try folder.kept("demo-customer-password") { UpSecrets.random(6) })
        valet = DemoView.Account(
            app: "valet", phone: "+17905550102",
            password: try folder.kept("demo-valet-password") { UpSecrets.random(6) })
        let boss = DemoView.Account(
            app: "operator", phone: secrets.operatorPhone, password: secrets.operatorPassword)
        let file = "demo-accounts"
        accountsFile = folder.file(file)
        let accounts = try Wire.encode(DemoView(accounts: [customer, valet, boss]))
        try folder.write(String(decoding: accounts, as: UTF8.self), to: file)
    }

    /// Arguments of `openvalet` for a simulation that runs until it is stopped.
    func arguments(_ plan: UpPlan) throws -> [String] {
        // A password from the environment is not in a file yet.
        let file = "demo-operator-password"
        if plan.secrets.passwordFile == nil {
            try folder.write(plan.secrets.operatorPassword, to: file)
        }
        return [
            "simulate", "--minutes", "0", "--valets", String(Self.valets), "--customers",
            String(Self.customers), "--drivers", String(Self.drivers), "--commuters",
            String(Self.commuters), "--speed", String(Self.speed), "--url",
            "http://127.0.0.1:\(plan.gatewayPort)", "--operator-phone", plan.secrets.operatorPhone,
            "--operator-password-file", plan.secrets.passwordFile ?? folder.file(file),
            "--progress", String(Self.progressSeconds), "--plain",
        ]
    }

    /// Creates the two accounts, unless they exist.
    func open(_ plan: UpPlan) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(plan.gatewayPort)") else { return }
        let boss = OpenValetClient(url)
        try await boss.signIn(
            phone: plan.secrets.operatorPhone, password: plan.secrets.operatorPassword)
        // Before the first order.
        try await DemoHistory.begin(in: folder) {
            try await boss(OrderEndpoints.allOrders(asks: AllOrdersQuery().page(limit: 1))).items
                .isEmpty
        }
        try await unlessThere {
            try await boss(
                AccountEndpoints.addValet(
                    body: NewValetBody(
                        firstName: "Demo", lastName: "Valet", phone: valet.phone,
                        password: valet.password)))
        }
        try await unlessThere {
            try await OpenValetClient(url).signUp(
                SignUpBody(
                    firstName: "Demo", lastName: "Customer", phone: customer.phone,
                    password: customer.password))
        }
    }

    private func unlessThere<Value>(_ body: () async throws -> Value) async throws {
        do {
            _ = try await body()
        } catch let error as ClientError where error.code == "account.phone_taken" {
            // From an earlier start on this folder.
        }
    }
}
