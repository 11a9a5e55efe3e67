import Contracts
import Foundation
import Kafka
import Store

/// An error that tells its reason in logs.
public protocol Loggable: Error {
    /// The reason, with nothing that a person entered and nothing that is stored.
    var loggable: String { get }
}

extension Loggable where Self: CustomStringConvertible {
    public var loggable: String { description }
}

extension StoreError: Loggable {}
extension KafkaError: Loggable {}
extension Forgery: Loggable {}

/// The reason of an error, without personal data.
///
/// An error that isn't `Loggable` gives its type only, with the case of an enum and the reason of an error inside: its
/// description might quote what was sent or stored.
public func loggable(_ error: any Error) -> String {
    switch error {
    case let error as any Loggable: error.loggable
    case let error as Refusal: "\(error.status) \(error.code)"
    case let error as DecodingError: reason(of: error)
    case let error as EncodingError: reason(of: error)
    case is CancellationError: "cancelled"
    default: reason(ofUnknown: error)
    }
}

/// Where decoding failed. The error's own text quotes the value that was found.
private func reason(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context): place(of: "another type", context.codingPath)
    case .valueNotFound(_, let context): place(of: "no value", context.codingPath)
    case .keyNotFound(let key, let context): place(of: "no field", context.codingPath + [key])
    case .dataCorrupted(let context): place(of: "an invalid value", context.codingPath)
    @unknown default: "unreadable"
    }
}

/// Where encoding failed. The error's own text quotes the value.
private func reason(of error: EncodingError) -> String {
    switch error {
    case .invalidValue(_, let context):
        place(of: "a value without an encoding", context.codingPath)
    @unknown default: "unwritable"
    }
}

private func place(of problem: String, _ path: [any CodingKey]) -> String {
    let names = path.map { key in
        // A case without values names a property. Any other key may be data: a dictionary's, such as a person's id.
        let mirror = Mirror(reflecting: key)
        if mirror.displayStyle == .enum, mirror.children.isEmpty { return key.stringValue }
        return key.intValue == nil ? "*" : "[]"
    }
    return names.isEmpty ? problem : "\(problem) at \(names.joined(separator: "."))"
}

private func reason(ofUnknown error: any Error) -> String {
    let kind = String(reflecting: type(of: error))
    let mirror = Mirror(reflecting: error)
    guard mirror.displayStyle == .enum else {
        let bridged = error as NSError
        // An error of Swift is bridged with its type as the domain; one of Foundation has a code that says more.
        return bridged.domain == kind ? kind : "\(bridged.domain) \(bridged.code)"
    }
    // A case without values can't quote any.
    guard let values = mirror.children.first else { return "\(kind): \(error)" }
    let name = "\(kind): \(values.label ?? "")"
    // A value with a label comes as a tuple.
    let inside = Mirror(reflecting: values.value)
    let cause: Any? = inside.displayStyle == .tuple ? inside.children.first?.value : values.value
    return (cause as? any Error).map { "\(name): \(loggable($0))" } ?? name
}
