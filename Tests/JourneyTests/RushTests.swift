import Support
import Testing

/// Many at once: nobody gets two jobs at a time, and everybody is served.
@Suite(.serialized) struct RushTests {
    @Test func twoValetsServeSixCustomersOneAfterTheOther() async throws {
        let rush = try await Rush.gather(customers: 6, valets: 2, in: try await Town.found())
        #expect(try await rush.run().count == 6)
    }

    @Test func sixValetsServeSixCustomersAtOnce() async throws {
        let rush = try await Rush.gather(customers: 6, valets: 6, in: try await Town.found())
        let orders = try await rush.run()
        // A valet who parked early may get a second job; nobody has two at a time.
        #expect(orders.count == 6)
        #expect(orders.allSatisfy { $0.dropOffValet != nil })
    }
}
