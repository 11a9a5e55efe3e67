import Contracts
import EventBus
import Foundation

/// A request for a valet that has no answer yet, as Redis keeps it.
struct OpenRequest: Codable, Sendable, Hashable {
    let order: OrderID
    let area: ServiceAreaID
    /// Of the order, when it asked.
    let version: Int
    let match: MatchRequest
    /// When matching first heard of it: patience counts from here.
    let openedAt: Date
    /// Of the request that caused it, for the answer to go on with.
    let traceparent: String?

    func waitedSeconds(at now: Date) -> Double { max(0, now.timeIntervalSince(openedAt)) }
}

/// What matching says to a request: this valet, or nobody.
struct MatchAnswer: Codable, Sendable, Hashable {
    let order: OrderID
    let leg: Open<OrderLeg>
    let attempt: Int
    let version: Int
    /// Nil when nobody was found.
    let valet: ValetID?
    let etaSeconds: Int
    let decidedAt: Date
    let traceparent: String?
    /// When the broker has last taken it; nil before.
    var saidAt: Date?

    /// How long the order's own event is waited for, in seconds, before the answer is said again: a broker
    /// that dies loses what nobody has read.
    static let repeatSeconds = 3.0
    /// After so long it is said no more, in seconds: orders has asked anew.
    static let repeatLimitSeconds = 60.0

    init(_ request: OpenRequest, valet: ValetID?, travelSeconds: Double, at now: Date) {
        order = request.order
        leg = request.match.leg
        attempt = request.match.attempt
        version = request.version
        self.valet = valet
        etaSeconds = Int(travelSeconds.rounded(.up))
        decidedAt = now
        traceparent = request.traceparent
    }

    func isDue(at now: Date) -> Bool {
        saidAt.map { now.timeIntervalSince($0) >= Self.repeatSeconds } ?? true
    }

    func isOver(at now: Date) -> Bool {
        now.timeIntervalSince(decidedAt) >= Self.repeatLimitSeconds
    }

    /// For logs: what W3C Trace Context calls so.
    var traceID: String { traceparent.flatMap(TraceContext.init)?.traceID ?? "" }

    /// The same answer has the same id whenever it is sent, so that an inbox drops a repetition.
    ///
    /// FNV-1a of 128 bits (Fowler, Noll, Vo) over what names the answer, as a UUID of version 8,
    /// which RFC 9562 leaves to whoever makes it.
    var eventID: EventID {
        let outcome = valet == nil ? "none" : "matched"
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in "\(order)/\(leg.rawValue)/\(attempt)/\(version)/\(outcome)".utf8 {
            hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: hash >> UInt128(120 - 8 * $0)) }
        return EventID(
            uuid: UUID(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
                    0x80 | (bytes[6] & 0x0F), bytes[7], 0x80 | (bytes[8] & 0x3F), bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                )))
    }
}
