import Contracts
import Foundation
import Store

/// Values in the wire's JSON, in a TEXT column.
extension Row {
    public func json<Value: Decodable>(
        _ column: String = "body", as type: Value.Type = Value.self
    ) throws -> Value {
        try Wire.decode(type, from: Data(get(column, as: String.self).utf8))
    }

    public func jsonIfPresent<Value: Decodable>(
        _ column: String = "body", as type: Value.Type = Value.self
    ) throws -> Value? {
        try getIfPresent(column, as: String.self).map { try Wire.decode(type, from: Data($0.utf8)) }
    }
}

/// Ids are stored as text, as on the wire.
extension Identifier: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }

    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

extension ServiceAreaID: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }

    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

extension Recipient: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }

    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

// Declared here rather than in each service, so that two services can be in one test.
extension Topic: SQLConvertible {}
extension Role: SQLConvertible {}
extension Language: SQLConvertible {}
extension OrderStatus: SQLConvertible {}
extension OrderLeg: SQLConvertible {}
extension ValetStatus: SQLConvertible {}
extension PaymentStatus: SQLConvertible {}
extension Open: SQLConvertible {}
