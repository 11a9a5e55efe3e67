/// Why the tool can't go on: what is wrong and what helps, in a sentence each. Usage is not the matter.
struct ToolError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
