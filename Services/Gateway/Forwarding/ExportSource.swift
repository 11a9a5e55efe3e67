import AsyncHTTPClient
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// Asks every service for its data about a person, and joins the answers unchanged.
struct ExportSource: Sendable {
    static let targets = Target.withPersonalData

    let forwarder: Forwarder
    let tokens: ServiceTokens
    /// How long a service may take.
    let timeout: Duration

    /// `{ generatedAt, person, data: { accounts: {…}, … } }`, streamed, so that it may have any length. An export with
    /// a gap would look complete, so it is all or nothing: 503 if a service does not answer, and the whole export
    /// breaks off if one answer does.
    func export(_ person: PersonID, at now: Date) async throws -> ResponseBody {
        let parts = try await withThrowingTaskGroup(of: (Target, HTTPClientResponse).self) {
            group in
            for target in Self.targets {
                group.addTask { (target, try await part(target, person)) }
            }
            return try await group.reduce(into: [Target: HTTPClientResponse]()) { $0[$1.0] = $1.1 }
        }
        let head = #"{"generatedAt":"\#(Wire.text(now))","person":"\#(person)","data":{"#
        return ResponseBody { writer in
            var separator = head
            for target in Self.targets {
                guard let part = parts[target] else { continue }
                try await writer.write(ByteBuffer(string: #"\#(separator)"\#(target.rawValue)":"#))
                for try await bytes in part.body { try await writer.write(bytes) }
                separator = ","
            }
            try await writer.write(ByteBuffer(string: "}}"))
            try await writer.finish(nil)
        }
    }

    private func part(_ target: Target, _ person: PersonID) async throws -> HTTPClientResponse {
        let token = try await tokens.token(for: target.rawValue)
        let call = ForwardedCall(
            method: .get, address: try InternalEndpoints.personalData(person).request.target,
            headers: [.authorization: "Bearer \(token)"], client: nil, body: ByteBuffer(),
            timeout: timeout)
        let answer = try await forwarder.open(call, to: target)
        if target == .accounts, answer.status == .notFound { throw Refusal.accountUnknown }
        guard answer.status == .ok,
            answer.headers.first(name: "content-type")?.hasPrefix("application/json") == true
        else {
            throw Refusal.unavailable("The \(target.rawValue) service does not return its data.")
        }
        return answer
    }
}
