extension Array {
    /// Slices of `count` elements in order; the last may be shorter.
    public func chunks(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0...].prefix(count)) }
    }
}
