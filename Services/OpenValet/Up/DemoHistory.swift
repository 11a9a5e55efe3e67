import Contracts
import Foundation
import ServiceLifecycle
import Simulator

/// Creates orders of the day before a demo, with bills, tips and ratings, so that an operator sees something.
///
/// A file has the plan before anything is created, and each part is created once: after a crash it continues.
struct DemoHistory: Service {
    /// Settings that make services accept past orders and payments, by service; a demo alone has them.
    static let settings = [
        "orders": "OPENVALET_ORDERS_HISTORY", "payments": "OPENVALET_PAYMENTS_HISTORY",
    ]
    private static let file = "demo-history"
    /// Tries for one part, with a pause in between.
    private static let mostTries = 30
    private static let pause: Duration = .seconds(2)

    private struct Plan: Codable {
        /// The end of the day.
        var until: Date
        /// Nil before they are planned; empty when all are created.
        var visits: [PastVisit]?
    }

    let processes: ServiceProcesses

    /// Records the end of the day if the platform has no orders yet; otherwise the demo starts without a history.
    static func begin(in folder: DataFolder, isNew: () async throws -> Bool) async throws {
        guard folder.read(file) == nil else { return }
        try write(Plan(until: Date(), visits: try await isNew() ? nil : []), in: folder)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                try await processes.mayRecall.wait(upTo: ServiceProcesses.startLimit * 2)
                try await make()
            } catch is CancellationError {
                return
            } catch {
                processes.printer.line("demo", "the demo's past orders are incomplete: \(error)")
            }
            // Without an end of its own: it would stop the platform.
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        }
    }

    private func make() async throws {
        let folder = processes.plan.folder
        guard let text = folder.read(Self.file),
            let url = URL(string: "http://127.0.0.1:\(processes.plan.gatewayPort)")
        else { return }
        var plan = try Wire.decode(Plan.self, from: Data(text.utf8))
        guard plan.visits?.isEmpty != true else { return }
        let secrets = processes.plan.secrets
        let day = try await again {
            try await PastDay.open(
                url, operatorPhone: secrets.operatorPhone,
                operatorPassword: secrets.operatorPassword)
        }
        let visits = plan.visits ?? day.visits(until: plan.until)
        plan.visits = visits
        try Self.write(plan, in: folder)
        let services = LocalServices(processes.plan)
        for visit in visits { try await again { try await keep(visit, services) } }
        for visit in visits { try await again { try await day.rate(visit) } }
        plan.visits = []
        try Self.write(plan, in: folder)
    }

    /// Sends the order and its payment.
    private func keep(_ visit: PastVisit, _ services: LocalServices) async throws {
        let order = visit.order
        let kept = try await services.send(
            InternalEndpoints.pastOrder(body: order).request, to: "orders")
        guard kept.status == 200 else { throw Self.refusal("an order", kept) }
        let bill = try Wire.decode(Bill.self, from: kept.body)
        guard bill.total.amount > 0 else { return }
        let paid = try await services.send(
            InternalEndpoints.pastPayment(order.id, body: visit.payment(of: bill)).request,
            to: "payments")
        guard paid.status != 200 else { return }
        let refusal = try Wire.decode(Problem.self, from: paid.body)
        // Paid before a crash.
        if refusal.code != "payment.already_paid" { throw Self.refusal("a payment", paid) }
    }

    /// A service may be starting, or may not have heard of everything yet.
    private func again<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        for _ in 1..<Self.mostTries {
            do {
                return try await body()
            } catch {
                try await Task.sleep(for: Self.pause)
            }
        }
        return try await body()
    }

    private static func refusal(
        _ what: String, _ answer: (status: UInt, body: Data)
    ) -> ToolError {
        ToolError("\(what) was refused: \(String(decoding: answer.body, as: UTF8.self))")
    }

    private static func write(_ plan: Plan, in folder: DataFolder) throws {
        try folder.write(String(decoding: try Wire.encode(plan), as: UTF8.self), to: file)
    }
}
