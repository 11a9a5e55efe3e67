import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Asks every service what it holds on a person, and joins their answers as they are.
struct ExportSource: Sendable {
    static let targets = Target.withPersonalData

    let forwarder: Forwarder
    let tokens: ServiceTokens
    /// How long a service may take.
    let timeout: Duration

    /// `{ generatedAt, person, data: { accounts: {…}, … } }`. All or nothing: 503 when a service
    /// does not answer, since an export with a gap would look like a whole one.
    func export(_ person: PersonID, at now: Date) async throws -> ByteBuffer {
        let parts = try await withThrowingTaskGroup(of: (Target, ByteBuffer).self) { group in
            for target in Self.targets {
                group.addTask { (target, try await part(target, person)) }
            }
            return try await group.reduce(into: [Target: ByteBuffer]()) { $0[$1.0] = $1.1 }
        }
        var whole = ByteBuffer(
            string: #"{"generatedAt":"\#(Wire.text(now))","person":"\#(person)","data":{"#)
        for (index, target) in Self.targets.enumerated() {
            whole.writeString(#"\#(index == 0 ? "" : ",")"\#(target.rawValue)":"#)
            whole.writeImmutableBuffer(parts[target] ?? ByteBuffer(string: "{}"))
        }
        whole.writeString("}}")
        return whole
    }

    private func part(_ target: Target, _ person: PersonID) async throws -> ByteBuffer {
        let token = try await tokens.token(for: target.rawValue)
        let call = ForwardedCall(
            method: .get, address: "/internal/people/\(person)",
            headers: [.authorization: "Bearer \(token)"], client: nil, body: ByteBuffer(),
            timeout: timeout)
        let answer = try await forwarder.forward(call, to: target)
        if target == .accounts, answer.status == .notFound { throw GatewayError.accountUnknown }
        let value = try? JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
        guard answer.status == .ok, value is [String: Any] else {
            throw Unavailable("The \(target.rawValue) service does not tell what it holds.")
        }
        return answer.body
    }
}
