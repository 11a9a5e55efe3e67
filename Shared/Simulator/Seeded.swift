/// A random generator whose numbers follow from its seed alone: splitmix64 (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
///
/// Each person has a separate generator for each occasion, so that decisions do not depend on who happened to be
/// faster.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// For an occasion, for example `(seed, "customer", 12, "visit", 3)`.
    init(_ seed: UInt64, _ parts: any CustomStringConvertible...) {
        // FNV-1a: the same on every machine, unlike Swift's hashes.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [seed.description] + parts.map(\.description) {
            for byte in part.utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        state = hash
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True with a probability of that many percent.
    mutating func chance(_ percent: Double) -> Bool {
        Double.random(in: 0..<100, using: &self) < percent
    }

    mutating func within(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    /// Nil for an empty list.
    mutating func pick<Value>(_ values: [Value]) -> Value? {
        values.randomElement(using: &self)
    }
}
