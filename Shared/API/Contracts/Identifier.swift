import Foundation

/// An identifier: a UUID of version 7 (RFC 9562), in lower case.
///
/// Each kind of thing has its own type, so that an order's id can't be passed as a valet's.
public struct Identifier<Kind>: Hashable, Sendable {
    public let uuid: UUID

    public init(uuid: UUID) { self.uuid = uuid }

    /// Nil unless the text is a UUID of 36 characters.
    public init?(_ text: String) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    /// A new identifier, which sorts by its time of creation in steps of about 0.25 µs.
    public static func new(at date: Date = Date()) -> Self { Self(uuid: .version7(at: date)) }

    /// The same identifier as another kind: a valet's id is also a person's.
    public func `as`<Other>(_ kind: Identifier<Other>.Type) -> Identifier<Other> {
        Identifier<Other>(uuid: uuid)
    }
}

extension Identifier: CustomStringConvertible, LosslessStringConvertible, Comparable {
    public var description: String { uuid.uuidString.lowercased() }

    public static func < (left: Self, right: Self) -> Bool {
        left.description < right.description
    }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension UUID {
    /// RFC 9562 §5.7 with method 3 of §6.2: 48 bits of milliseconds, 12 bits of the fraction, 62
    /// random bits.
    static func version7(at date: Date) -> UUID {
        let milliseconds = max(0, date.timeIntervalSince1970 * 1_000)
        let whole = UInt64(milliseconds)
        let fraction = UInt16((milliseconds - Double(whole)) * 4_096) & 0x0FFF
        let random = UInt64.random(in: .min ... .max)
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: value >> shift)
        }
        return UUID(
            uuid: (
                byte(whole, 40), byte(whole, 32), byte(whole, 24), byte(whole, 16), byte(whole, 8),
                byte(whole, 0), 0x70 | UInt8(fraction >> 8), UInt8(truncatingIfNeeded: fraction),
                0x80 | (byte(random, 56) & 0x3F), byte(random, 48), byte(random, 40),
                byte(random, 32), byte(random, 24), byte(random, 16), byte(random, 8),
                byte(random, 0)
            ))
    }
}

public enum PersonKind {}
public enum CustomerKind {}
public enum ValetKind {}
public enum OperatorKind {}
public enum SessionKind {}
public enum VehicleKind {}
public enum OrderKind {}
public enum BillKind {}
public enum PaymentKind {}
public enum RefundKind {}
public enum DisputeKind {}
public enum DocumentKind {}
public enum PayoutKind {}
public enum PaymentMethodKind {}
public enum EventKind {}
public enum NotificationKind {}
public enum MessageKind {}
public enum DeadLetterKind {}
public enum PictureKind {}
public enum RecognitionKind {}
public enum AlertKind {}
public enum ReconciliationKind {}
public enum RewardKind {}
public enum PushSubscriptionKind {}

/// Anybody with an account, whatever the role.
public typealias PersonID = Identifier<PersonKind>
public typealias CustomerID = Identifier<CustomerKind>
public typealias ValetID = Identifier<ValetKind>
public typealias OperatorID = Identifier<OperatorKind>
public typealias SessionID = Identifier<SessionKind>
public typealias VehicleID = Identifier<VehicleKind>
public typealias OrderID = Identifier<OrderKind>
/// The id of a bill, which is that of what the bill is for.
public typealias BillID = Identifier<BillKind>
public typealias PaymentID = Identifier<PaymentKind>
public typealias RefundID = Identifier<RefundKind>
public typealias DisputeID = Identifier<DisputeKind>
/// A receipt, credit note or cancellation.
public typealias DocumentID = Identifier<DocumentKind>
public typealias PayoutID = Identifier<PayoutKind>
public typealias PaymentMethodID = Identifier<PaymentMethodKind>
public typealias EventID = Identifier<EventKind>
public typealias NotificationID = Identifier<NotificationKind>
public typealias MessageID = Identifier<MessageKind>
public typealias DeadLetterID = Identifier<DeadLetterKind>
public typealias PictureID = Identifier<PictureKind>
public typealias RecognitionID = Identifier<RecognitionKind>
public typealias AlertID = Identifier<AlertKind>
public typealias RewardID = Identifier<RewardKind>
public typealias ReconciliationID = Identifier<ReconciliationKind>
public typealias PushSubscriptionID = Identifier<PushSubscriptionKind>

/// Name of a service area: 1 to 40 lower-case letters, digits and hyphens, for example `helsinki`.
public struct ServiceAreaID: Hashable, Sendable, CustomStringConvertible, LosslessStringConvertible,
    Codable
{
    public let description: String

    public init?(_ text: String) {
        let allowed = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        guard allowed, (1...40).contains(text.utf8.count) else { return nil }
        description = text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the name of a service area")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PersonID {
    /// The platform itself, rather than a person.
    public static let house = PersonID(
        uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
