import ArgumentParser

/// Stands in for a plate recogniser: answers what a picture's own comment says.
@main struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "openvalet-alpr-stub")

    func run() async throws {}
}
