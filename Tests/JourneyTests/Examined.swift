import Support
import Testing

@testable import OpenValet

extension LocalServices {
    /// What `openvalet doctor` finds, which is soon that every copy is whole.
    func becomeWhole(within limit: Duration = patience) async throws -> Examination {
        let isWhole = try await eventually(within: limit) { await Examination.of(self).isHealthy }
        let examination = await Examination.of(self)
        #expect(isWhole, "\(examination.lines.joined(separator: "\n"))")
        return examination
    }
}

extension ReplicatedSystem {
    var services: LocalServices { LocalServices(urls: addresses, secret: Self.secret) }
}
