/// An error of the tool, other than wrong usage: a sentence on what is wrong, and one on what helps.
struct ToolError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
