/// A mode of transport: the values of `route_type`, including the extended ones
/// (developers.google.com/transit/gtfs/reference/extended-route-types).
public enum TransitMode: UInt8, Sendable, Hashable, CaseIterable {
    case tram = 0
    case subway, rail, bus, ferry, cableTram, aerialLift, funicular
    case trolleybus, monorail, taxi, other

    /// Nil if the number is unknown.
    public init?(routeType: Int) {
        switch routeType {
        case 0...7: self.init(rawValue: UInt8(routeType))
        case 11: self = .trolleybus
        case 12: self = .monorail
        case 405: self = .monorail
        case 401, 402, 500...699: self = .subway
        case 100...199, 300...499: self = .rail
        case 200...299, 700...799: self = .bus
        case 800...899: self = .trolleybus
        case 900...999: self = .tram
        case 1_000...1_099, 1_200...1_299: self = .ferry
        case 1_300...1_399: self = .aerialLift
        case 1_400...1_499: self = .funicular
        case 1_500...1_599: self = .taxi
        case 1_100...1_199, 1_600...1_799: self = .other
        default: return nil
        }
    }

    /// The value of `route_type`.
    public var routeType: Int {
        switch self {
        case .trolleybus: 11
        case .monorail: 12
        case .taxi: 1_500
        case .other: 1_700
        default: Int(rawValue)
        }
    }
}

/// A set of modes as bits.
struct ModeMask {
    let bits: UInt16

    /// Nil for all modes.
    init(_ modes: Set<TransitMode>?) {
        bits = modes?.reduce(0) { $0 | 1 << UInt16($1.rawValue) } ?? .max
    }

    @inline(__always)
    func has(_ mode: UInt8) -> Bool { bits >> UInt16(mode) & 1 == 1 }
}
