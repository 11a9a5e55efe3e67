extension Array {
    /// Parts of so many elements, in their order; the last may have fewer.
    public func chunks(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0...].prefix(count)) }
    }
}
