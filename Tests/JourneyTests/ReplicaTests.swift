import AsyncHTTPClient
import Client
import Contracts
import Foundation
import Support
import Synchronization
import Testing

/// PostgreSQL, and two processes of each service that people use most.
@Suite(.serialized) struct ReplicaTests {
    @Test func oneOfEachDiesAndTheDatabaseToo() async throws {
        let system = try await ReplicatedSystem.start()
        let world = try await World(system)
        let town = try await Town.found(in: world)
        let rush = try await Rush.gather(customers: 8, valets: 4, in: town)
        let witness = try await town.customer("Wit")
        let orders = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch(witness) }
            let orders = try await rush.run { step in
                // One after the other, each while the rush goes on.
                for service in system.layout.doubled {
                    try await step()
                    let replica = Int.random(in: system.replicas(of: service))
                    system.kill(service, replica)
                    try await step()
                    try system.start(service, replica)
                    #expect(try await eventually { try await system.isReady() })
                }
                try await step()
                try system.postgres.restart()
            }
            group.cancelAll()
            return orders
        }
        for ada in rush.customers {
            let paid = try await ada.client(
                PaymentEndpoints.payments(asks: PaymentsQuery().page(limit: 100))
            ).items.compactMap(\.payment)
            #expect(paid.allSatisfy { $0.status == .succeeded })
            let own = orders.filter { $0.customer.id == ada.account.id }.map { "\($0.id)" }
            #expect(paid.map { "\($0.bill)" }.sorted() == own.sorted(), "each order once")
        }
        let letters = try await world.boss(NotificationEndpoints.deadLetters()).items
        #expect(letters.isEmpty, "\(letters.map(\.reason))")
        let balance = try await world.boss(PaymentEndpoints.trialBalance())
        #expect(balance.lines.reduce(0) { $0 + $1.balance } == 0)
        #expect(!system.log.contains("unexpected error"))
    }

    /// Reads again and again until it is cancelled: each call is answered, or told when to come back.
    private func watch(_ person: Someone) async throws {
        let paths = ["/v1/orders/current", "/v1/payments", "/v1/notifications", "/v1/me"]
        while !Task.isCancelled {
            for path in paths {
                guard let token = await person.client.session.tokens?.accessToken else { return }
                var request = HTTPClientRequest(url: person.client.baseURL + path)
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
                // Its gateway may die under it.
                guard
                    let answer = try? await HTTPClient.shared.execute(
                        request, timeout: .seconds(30))
                else { continue }
                _ = try? await answer.body.collect(upTo: 1_024 * 1_024)
                let isAnswered = (200..<300).contains(answer.status.code)
                let comesBack =
                    answer.status == .serviceUnavailable
                    && answer.headers.first(name: "Retry-After") != nil
                #expect(isAnswered || comesBack, "\(path): \(answer.status)")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}
