extension String {
    /// As a field of a table of comma-separated values (RFC 4180), in quotes where it needs them.
    public var csvField: String {
        contains { ",\"\r\n".contains($0) || $0.isNewline }
            ? "\"\(replacing("\"", with: "\"\""))\"" : self
    }
}
