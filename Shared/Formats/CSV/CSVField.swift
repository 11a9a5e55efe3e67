extension String {
    /// The text as a field of comma-separated values (RFC 4180), quoted if needed.
    public var csvField: String {
        contains { ",\"\r\n".contains($0) || $0.isNewline }
            ? "\"\(replacing("\"", with: "\"\""))\"" : self
    }
}
