import Contracts
import EventBus
import Foundation

/// A request for a valet without an answer, as stored in Redis.
struct OpenRequest: Codable, Sendable, Hashable {
    let order: OrderID
    let area: ServiceAreaID
    /// The order's version when it asked.
    let version: Int
    let match: MatchRequest
    /// When matching first received it; the waiting time starts here.
    let openedAt: Date
    /// The trace context of the request, which the answer continues.
    let traceparent: String?

    func waitedSeconds(at now: Date) -> Double { max(0, now.timeIntervalSince(openedAt)) }
}

/// The answer to a request: a valet, or nobody.
struct MatchAnswer: Codable, Sendable, Hashable {
    let order: OrderID
    let leg: Open<OrderLeg>
    let attempt: Int
    let version: Int
    /// Nil if nobody was found.
    let valet: ValetID?
    let etaSeconds: Int
    let decidedAt: Date
    let traceparent: String?
    /// When the broker last received it; nil before.
    var saidAt: Date?

    /// How long to wait for the order's own event before the answer is published again, in seconds. A broker that
    /// crashes loses unread events.
    static let repeatSeconds = 3.0
    /// After this time the answer is not published again, in seconds: orders has asked anew.
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

    /// The trace id of W3C Trace Context, for logs.
    var traceID: String { traceparent.flatMap(TraceContext.init)?.traceID ?? "" }

    /// The same for each repetition of an answer, so that an inbox drops repetitions.
    ///
    /// FNV-1a of 128 bits (Fowler, Noll, Vo) over the fields that identify the answer, as a UUID of version 8, which
    /// RFC 9562 leaves to the implementation.
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
